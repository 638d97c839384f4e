package preflighthttp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// The name of a tool that some hosts refuse, and what they get for it.
const (
	declaredTool = "docs.search"
	sentTool     = "docs_search_a7e557a3"
)

// renaming is the result of a request whose tool was renamed.
var renaming = &wire.Result{
	Renamed: map[string]string{sentTool: declaredTool},
	Body:    []byte(`{"tools":[{"name":"` + sentTool + `"}]}`),
}

// awsFrame makes a frame of an AWS event stream.
func awsFrame(payload string) string {
	headers := "\x0b:event-type\x07\x00\x05chunk"
	total := preludeSize + len(headers) + len(payload) + checksumSize
	out := binary.BigEndian.AppendUint32(nil, uint32(total))
	out = binary.BigEndian.AppendUint32(out, uint32(len(headers)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	out = append(append(out, headers...), payload...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out)))
}

func packed(event string) string {
	return `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(event)) + `","p":"abc"}`
}

// answers are what providers answer, in each form of a response. SENT is the name of the tool in a
// call, KEPT the same text elsewhere.
var answers = []struct{ name, contentType, body string }{
	{"anthropic, a stream", "text/event-stream; charset=utf-8",
		"event: message_start\ndata: {\"type\":\"message_start\"}\n\n: KEPT\nevent: content_block_start\r\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t",` +
			`"name":"SENT","input":{}}}` + "\n\n" +
			`data:{"type":"content_block_delta","delta":{"partial_json":"{\"name\":\"KEPT\"}"}}` + "\n\n"},
	{"openai-chat, a stream", "text/event-stream",
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"SENT",` +
			`"arguments":""}}]}}]}` + "\n\ndata: [DONE]\n\n"},
	{"openai-responses, a stream", "text/event-stream",
		`data: {"type":"response.output_item.added","item":{"type":"function_call","name":"SENT"}}` + "\n\n" +
			`data: {"type":"response.function_call_arguments.done","name":"SENT","arguments":"{}"}` + "\n\n" +
			`data: {"type":"response.completed","response":{"output":[{"type":"function_call","name":"SENT",` +
			`"arguments":"{\"name\":\"KEPT\"}"}],"tools":[{"type":"function","name":"KEPT"}]}}` + "\n\n"},
	{"gemini, a stream", "text/event-stream",
		`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"SENT","args":{"name":"KEPT"}}}]}}]}` +
			"\r\n\r\n"},
	{"gemini, an array as a stream", "application/json; charset=UTF-8",
		"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a } \\\" KEPT\"}]}}]}\n,\r\n" +
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"SENT","args":{}}}]}}]}` + "\n]\n"},
	{"gemini, whole", "application/json",
		"{\n  \"candidates\": [{\"content\": {\"parts\": [{\"functionCall\": {\"name\": \"SENT\"}}]}}]\n}\n"},
	{"cohere, a stream", "text/event-stream",
		`data: {"type":"tool-call-start","delta":{"message":{"tool_calls":{"function":{"name":"SENT"}}}}}` +
			"\n\n"},
	{"ollama, lines", "application/x-ndjson",
		`{"message":{"content":"KEPT"},"done":false}` + "\n" +
			`{"message":{"tool_calls":[{"function":{"name":"SENT","arguments":{"name":"KEPT"}}}]},"done":true}` +
			"\n"},
	{"anthropic, whole", "application/json",
		`{"content":[{"type":"tool_use","name":"SENT","input":{"content":[{"name":"KEPT"}]}}]}`},
	{"a stream with a byte order mark, and with CR for line ends", "text/event-stream",
		"\uFEFF" + `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"SENT"}}]}}]}` +
			"\r\rdata: " + `{"content_block":{"type":"tool_use","name":"SENT"}}` + "\r\r"},
	{"a last line without an end", "text/event-stream",
		`data: {"content_block":{"type":"tool_use","name":"SENT"}}`},
	{"no JSON", "application/json", `{"content":[{"name":"KEPT"`},
	{"an event that is no JSON", "text/event-stream", "data: KEPT\n\ndata\n\n"},
}

// spelled puts names in the places of an answer.
func spelled(s, name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "SENT", name), "KEPT", sentTool)
}

// TestReturnNames: the calls of the model have their declared names, however the answer is cut into
// reads, and all other bytes are those of the provider.
func TestReturnNames(t *testing.T) {
	all := answers
	for _, event := range []string{
		`{"contentBlockIndex":1,"start":{"toolUse":{"name":"SENT","toolUseId":"t"}},"p":"KEPT"}`,
		`{"delta":{"text":"KEPT"}}`,
	} {
		all = append(all, struct{ name, contentType, body string }{
			"bedrock, a stream", "application/vnd.amazon.eventstream", event,
		})
	}
	all = append(all, struct{ name, contentType, body string }{
		"bedrock, InvokeModel", "application/vnd.amazon.eventstream",
		`packed {"type":"content_block_start","content_block":{"type":"tool_use","name":"SENT"}}`,
	})
	for _, tt := range all {
		got, want := spelled(tt.body, sentTool), spelled(tt.body, declaredTool)
		if inner, ok := strings.CutPrefix(tt.body, "packed "); ok {
			got, want = packed(spelled(inner, sentTool)), packed(spelled(inner, declaredTool))
		}
		if strings.HasPrefix(tt.name, "bedrock") {
			got, want = awsFrame(got)+awsFrame(`{"x":1}`), awsFrame(want)+awsFrame(`{"x":1}`)
		}
		for _, cut := range []func(io.Reader) io.Reader{
			iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
		} {
			resp := returnNames(&http.Response{
				StatusCode: http.StatusOK, ContentLength: int64(len(got)),
				Header: http.Header{"Content-Type": {tt.contentType}, "Content-Length": {"7"}},
				Body:   io.NopCloser(cut(strings.NewReader(got))),
			}, renaming)
			out, err := io.ReadAll(resp.Body)
			require.NoError(t, err, tt.name)
			require.Empty(t, cmp.Diff(want, string(out)), tt.name)
			require.EqualValues(t, -1, resp.ContentLength)
			require.Empty(t, resp.Header.Get("Content-Length"))
		}
	}
}

// TestReturnNamesNothing: a response is the very same one where no tool was renamed, where it is no
// answer of a model, and where it cannot be read.
func TestReturnNamesNothing(t *testing.T) {
	for _, c := range []struct {
		contentType, encoding string
		status                int
		sent                  *wire.Result
	}{
		{"application/json", "", 200, nil},
		{"application/json", "", 200, &wire.Result{}},
		{"application/json", "", 400, renaming},
		{"application/json", "br", 200, renaming},
		{"image/png", "", 200, renaming},
		{"text/html", "", 200, renaming},
	} {
		body := io.NopCloser(strings.NewReader("x"))
		resp := &http.Response{
			StatusCode: c.status, ContentLength: 1, Body: body, Header: http.Header{
				"Content-Type": {c.contentType}, "Content-Encoding": {c.encoding},
				"Content-Length": {"1"},
			},
		}
		require.Same(t, resp, returnNames(resp, c.sent))
		require.Equal(t, body, resp.Body)
		require.EqualValues(t, 1, resp.ContentLength)
		require.Equal(t, "1", resp.Header.Get("Content-Length"))
	}
	require.Nil(t, returnNames(nil, renaming))
}

// TestReturnNamesBounded: a unit that is too long passes as it is, and what follows it gets names.
func TestReturnNamesBounded(t *testing.T) {
	defer func(was int) { maxUnit = was }(maxUnit)
	maxUnit = 1 << 20
	call := `{"content":[{"type":"tool_use","name":"` + sentTool + `"}]}`
	long := `{"x":"` + strings.Repeat("}{", maxUnit) + `","content":[{"name":"` + sentTool + `"}]}`
	for _, form := range [][3]string{
		{"text/event-stream", "data: ", "\n\n"}, {"application/jsonl", "", "\n"},
		{"application/json", "", "\n,"},
	} {
		pass := func(from func(io.Reader) io.Reader, all ...string) string {
			var text strings.Builder
			for _, one := range all {
				text.WriteString(form[1] + one + form[2])
			}
			resp := returnNames(&http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {form[0]}},
				Body: io.NopCloser(from(strings.NewReader(text.String()))),
			}, renaming)
			out, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			return strings.ReplaceAll(string(out), declaredTool, sentTool+"!")
		}
		for _, from := range []func(io.Reader) io.Reader{iotest.HalfReader, iotest.DataErrReader} {
			got := pass(from, call, long, call, long, call)
			require.Equal(t, 3, strings.Count(got, sentTool+"!"), form[0])
			var want strings.Builder
			for _, one := range []string{call, long, call, long, call} {
				if one == call {
					one = strings.Replace(one, sentTool, sentTool+"!", 1)
				}
				want.WriteString(form[1] + one + form[2])
			}
			require.True(t, want.String() == got, form[0])
		}
	}
}

// TestAlias: a renamed tool is no loss where its calls get the declared name, and one where they do
// not.
func TestAlias(t *testing.T) {
	body := `{"model":"gpt-5","messages":[{"role":"user","content":"q"}],"tools":[{"type":"function",` +
		`"function":{"name":"` + declaredTool + `"}}%s]}`
	alike := `,{"type":"function","function":{"name":" x"}},{"type":"function","function":{"name":"x"}}`
	for _, c := range []struct {
		more  string
		class codes.Class
	}{{"", codes.Lossless}, {alike, codes.Lossy}} {
		var told []*Report
		transport := &Transport{
			Report: func(_ context.Context, r *Report) { told = append(told, r) },
			Base: roundTripper(func(req *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Body: http.NoBody, Request: req}, nil
			}),
		}
		send := func() *http.Request {
			req, err := http.NewRequest(http.MethodPost, "https://api.openai.com/v1/chat/completions",
				strings.NewReader(fmt.Sprintf(body, c.more)))
			require.NoError(t, err)
			return req
		}
		_, err := transport.RoundTrip(send())
		require.NoError(t, err)
		require.Equal(t, c.class, told[0].Warnings[0].Class())
		req := send()
		d := transport.Judge(req.Method, req.URL, req.Header)
		_, report, err := d.Body(t.Context(), []byte(fmt.Sprintf(body, c.more)))
		require.NoError(t, err)
		require.Equal(t, codes.Lossy, report.Warnings[0].Class(), "no answer is seen")
		resp := report.ReturnNames(&http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(
				`{"choices":[{"message":{"tool_calls":[{"function":{"name":"` + sentTool + `"}}]}}]}`)),
		})
		answer, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Contains(t, string(answer), `"name":"`+declaredTool+`"`)
		require.Same(t, resp, (*Report)(nil).ReturnNames(resp))
	}
}

// TestReportReturnsNames: a report knows all tools, so that a name which another begins with is not
// taken for the first piece of that.
func TestReportReturnsNames(t *testing.T) {
	transport := &Transport{}
	d := transport.Judge(http.MethodPost,
		&url.URL{Scheme: "https", Host: "api.openai.com", Path: "/v1/chat/completions"}, nil)
	_, report, err := d.Body(t.Context(), []byte(
		`{"model":"gpt-5","messages":[{"role":"user","content":"q"}],"tools":[`+
			`{"type":"function","function":{"name":"`+declaredTool+`"}},`+
			`{"type":"function","function":{"name":"`+sentTool[:4]+`"}}]}`))
	require.NoError(t, err)
	require.True(t, report.Renames())
	const chunk = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c",` +
		`"function":{"name":%q,"arguments":%q}}]}}]}` + "\n\n"
	for _, c := range []struct{ sent, arguments, want string }{
		{sentTool[:4], "", sentTool[:4]}, // a tool's name
		{sentTool, "", declaredTool},
		{sentTool[:3], "", ""}, // perhaps the first piece of a name
		{sentTool[:3], "{}", sentTool[:3]},
	} {
		resp := report.ReturnNames(&http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
			Body: io.NopCloser(strings.NewReader(fmt.Sprintf(chunk, c.sent, c.arguments))),
		})
		answer, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf(chunk, c.want, c.arguments), string(answer))
	}
}

// renamer sends a request of which a tool is renamed, and returns the response.
func renamer(t *testing.T, header http.Header, serve http.HandlerFunc) *http.Response {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	transport := &Transport{Endpoints: []Endpoint{{Provider: "anthropic"}}}
	t.Cleanup(transport.CloseIdleConnections)
	req, err := http.NewRequest(http.MethodPost, server.URL+"/v1/messages", strings.NewReader(
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}],`+
			`"tools":[{"name":"`+declaredTool+`","input_schema":{"type":"object"}}]}`))
	require.NoError(t, err)
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := transport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// TestReturnNamesUnbuffered: an event is there before the next one is sent, trailers come through,
// and closing early reaches the provider.
func TestReturnNamesUnbuffered(t *testing.T) {
	more := make(chan bool)
	resp := renamer(t, nil, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !bytes.Contains(body, []byte(sentTool)) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Trailer", "X-Last")
		for k := range 3 {
			fmt.Fprintf(w, "data: {\"index\":%d,\"content_block\":{\"name\":%q}}\n\n", k, sentTool)
			w.(http.Flusher).Flush()
			<-more
		}
		w.Header().Set("X-Last", "yes")
	})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	for k := range 3 {
		want := fmt.Sprintf("data: {\"index\":%d,\"content_block\":{\"name\":%q}}\n\n", k, declaredTool)
		got := make([]byte, len(want))
		_, err := io.ReadFull(resp.Body, got)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		more <- true
	}
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Equal(t, "yes", resp.Trailer.Get("X-Last"))

	gone := make(chan bool)
	resp = renamer(t, nil, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	_, err = io.ReadFull(resp.Body, make([]byte, 5))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Fatal("the provider did not see that the response was closed")
	}
}

// TestReturnNamesCompressed: a client that asks for gzip gets the names, and is not told of an
// encoding that the body does not have; encodings that cannot be read are not asked for.
func TestReturnNamesCompressed(t *testing.T) {
	var asked string
	resp := renamer(t, http.Header{"Accept-Encoding": {"br, gzip"}},
		func(w http.ResponseWriter, r *http.Request) {
			asked = r.Header.Get("Accept-Encoding")
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"content":[{"type":"tool_use","name":"`+sentTool+`"}]}`)
			_ = z.Close()
		})
	require.Equal(t, "gzip", asked)
	require.Empty(t, resp.Header.Get("Content-Encoding"))
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, `{"content":[{"type":"tool_use","name":"`+declaredTool+`"}]}`, string(body))
}
