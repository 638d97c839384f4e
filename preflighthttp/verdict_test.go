package preflighthttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
)

// answering answers each request with a text.
type answering struct {
	kind, encoding string
	text           []byte
}

func (a answering) RoundTrip(req *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, req.Body)
	req.Body.Close()
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header:        http.Header{"Content-Type": {a.kind}, "Content-Encoding": {a.encoding}},
		Body:          io.NopCloser(bytes.NewReader(a.text)),
		ContentLength: int64(len(a.text)),
	}, nil
}

// answered sends a body through a Transport, and returns the answer as read, and the verdicts.
func answered(t *testing.T, url, body string, a answering) (string, []*preflighthttp.Verdict) {
	t.Helper()
	var verdicts []*preflighthttp.Verdict
	transport := &preflighthttp.Transport{
		Base:    a,
		Verdict: func(_ context.Context, v *preflighthttp.Verdict) { verdicts = append(verdicts, v) },
	}
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := transport.RoundTrip(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return string(text), verdicts
}

const (
	chatURL      = "https://api.openai.com/v1/chat/completions"
	messagesURL  = "https://api.anthropic.com/v1/messages"
	responsesURL = "https://api.openai.com/v1/responses"

	boundThought = `{"type":"thinking","thinking":"t","signature":"c2ln"}`
	// the result of the second user turn has no call, which changes the history from there on; the
	// server judges a model of which nobody knows that its reasoning is bound
	brokenThoughts = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"a"},` +
		`{"role":"assistant","content":[` + boundThought + `,{"type":"text","text":"b"}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"r"},` +
		`{"type":"text","text":"c"}]},` +
		`{"role":"assistant","content":[` + boundThought + `,{"type":"text","text":"b"}]},` +
		`{"role":"user","content":"d"}]}`
	wholeThoughts = `{"model":"claude-opus-5-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"a"},` +
		`{"role":"assistant","content":[` + boundThought + `,{"type":"text","text":"b"}]},` +
		`{"role":"user","content":"c"}]}`
	brokenItems = `{"model":"gpt-6.2","store":false,"input":[` +
		`{"type":"message","role":"user","content":"a"},` +
		`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]},` +
		`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
		`{"type":"message","role":"user","content":"c"}]}`
)

// dropped is an entry of Anthropic's verdict.
func dropped(path, reason string) string {
	return `{"type":"thinking_dropped","path":"` + path + `","reason":"` + reason + `"}`
}

// TestVerdict: what a provider says of reasoning, in each form of an answer, and whose edit it was.
func TestVerdict(t *testing.T) {
	const events = "text/event-stream; charset=utf-8"
	for name, c := range map[string]struct {
		url, body, kind, answer string
		want                    []preflighthttp.Transformation // nil for no verdict
	}{
		"an answer": {
			messagesURL, brokenThoughts, "application/json",
			`{"type":"message","content":[],"input_transformations":[` +
				dropped("messages.1.content.0", "prefix_binding_mismatch") + `,` +
				dropped("messages.3.content.0", "prefix_binding_mismatch") + `,` +
				dropped("messages.3.content.0", "model_binding_mismatch") + `,` +
				`{"type":"thinking_mismatch_allowed","path":"messages.3.content.0",` +
				`"reason":"prefix_binding_mismatch"}]}`,
			[]preflighthttp.Transformation{
				{"thinking_dropped", "prefix_binding_mismatch", "messages[1].content[0]", false},
				{"thinking_dropped", "prefix_binding_mismatch", "messages[3].content[0]", true},
				{"thinking_dropped", "model_binding_mismatch", "messages[3].content[0]", false},
				{"thinking_mismatch_allowed", "prefix_binding_mismatch", "messages[3].content[0]", true},
			},
		},
		"nothing was changed": {
			messagesURL, wholeThoughts, "application/json",
			`{"input_transformations":[` + dropped("messages.1.content.0", "prefix_binding_mismatch") +
				`]}`,
			[]preflighthttp.Transformation{
				{"thinking_dropped", "prefix_binding_mismatch", "messages[1].content[0]", false},
			},
		},
		"a breakpoint was changed": {
			messagesURL, strings.NewReplacer(`{"role":"user","content":"a"}`, `{"role":"user",`+
				`"content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},`+
				`{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]}`).
				Replace(wholeThoughts), "application/json",
			`{"input_transformations":[` + dropped("messages.1.content.0", "prefix_binding_mismatch") +
				`]}`,
			[]preflighthttp.Transformation{
				{"thinking_dropped", "prefix_binding_mismatch", "messages[1].content[0]", false},
			},
		},
		"nothing was dropped": {
			messagesURL, brokenThoughts, "application/json", `{"input_transformations":[]}`,
			[]preflighthttp.Transformation{},
		},
		"no verdict":   {messagesURL, brokenThoughts, "application/json", `{"content":[]}`, nil},
		"null":         {messagesURL, brokenThoughts, "application/json", `{"input_transformations":null}`, nil},
		"no JSON":      {messagesURL, brokenThoughts, "application/json", `{"input_transformations":[`, nil},
		"other format": {chatURL, `{"model":"m","messages":[{"role":"user","content":"a"}]}`, "application/json", `{"input_transformations":[]}`, nil},
		"arguments of a call": {
			messagesURL, brokenThoughts, "application/json",
			`{"content":[{"type":"tool_use","id":"t","name":"f","input":{"input_transformations":[` +
				dropped("messages.3.content.0", "prefix_binding_mismatch") + `]}}]}`, nil,
		},
		"a stream": {
			messagesURL, brokenThoughts, events,
			"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{" +
				`"input_transformations":[` + dropped("messages.3.content.0", "prefix_binding_mismatch") +
				"]}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
			[]preflighthttp.Transformation{
				{"thinking_dropped", "prefix_binding_mismatch", "messages[3].content[0]", true},
			},
		},
		"another model answers": {
			messagesURL, brokenThoughts, events,
			"data: {\"type\":\"message_start\",\"message\":{\"input_transformations\":[" +
				dropped("messages.3.content.0", "prefix_binding_mismatch") +
				"]}}\n\ndata: {\"type\":\"message_delta\",\"input_transformations\":[]}\n\n",
			[]preflighthttp.Transformation{},
		},
		"items": {
			responsesURL, brokenItems, events,
			"data: {\"type\":\"response.created\",\"response\":{}}\n\n" +
				"data: {\"type\":\"response.completed\",\"response\":{\"input_transformations\":[" +
				`{"type":"reasoning","action":"removed","id":"rs_1","reason":"prefix_mismatch"},` +
				`{"type":"reasoning","action":"removed","id":"rs_9","reason":"turn_boundary"}` +
				"]}}\n\n",
			[]preflighthttp.Transformation{
				{"removed", "prefix_mismatch", "input[1]", false},
				{"removed", "turn_boundary", "", false},
			},
		},
		"an unknown path": {
			messagesURL, brokenThoughts, "application/json",
			`{"input_transformations":[` + dropped("messages", "prefix_binding_mismatch") + `,` +
				dropped("messages.-1", "prefix_binding_mismatch") + `,7]}`,
			[]preflighthttp.Transformation{
				{"thinking_dropped", "prefix_binding_mismatch", "", false},
				{"thinking_dropped", "prefix_binding_mismatch", "", false}, {},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			w.Write([]byte(c.answer))
			require.NoError(t, w.Close())
			for encoding, text := range map[string][]byte{"": []byte(c.answer), "gzip": packed.Bytes()} {
				got, verdicts := answered(t, c.url, c.body, answering{c.kind, encoding, text})
				if encoding == "" || c.url != chatURL {
					require.Equal(t, c.answer, got)
				}
				if c.want == nil {
					require.Empty(t, verdicts)
					continue
				}
				require.Len(t, verdicts, 1)
				require.Equal(t, c.want, verdicts[0].Transformations)
				ours := 0
				for _, w := range c.want {
					if w.Ours {
						ours++
					}
				}
				require.Equal(t, ours, verdicts[0].Ours())
				require.Equal(t, c.body != wholeThoughts, verdicts[0].Report.Changed)
			}
		})
	}
	require.Zero(t, (*preflighthttp.Verdict)(nil).Ours())
}

// TestVerdictClosed: an answer that is not read to its end has a verdict all the same, once, and a
// panic of the function is an error of the body.
func TestVerdictClosed(t *testing.T) {
	start := "data: {\"type\":\"message_start\",\"message\":{\"input_transformations\":[]}}\n\n"
	calls := 0
	transport := &preflighthttp.Transport{
		Base:    answering{"text/event-stream", "", []byte(start + strings.Repeat("data: {}\n\n", 9000))},
		Verdict: func(context.Context, *preflighthttp.Verdict) { calls++; panic("secret") },
	}
	send := func() *http.Response {
		req, err := http.NewRequest(http.MethodPost, messagesURL, strings.NewReader(wholeThoughts))
		require.NoError(t, err)
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		return resp
	}
	resp := send()
	_, err := resp.Body.Read(make([]byte, 16))
	require.NoError(t, err)
	require.Zero(t, calls)
	require.ErrorIs(t, resp.Body.Close(), preflight.ErrHook)
	require.Equal(t, 1, calls)
	require.NoError(t, resp.Body.Close())

	resp = send()
	_, err = io.ReadAll(resp.Body)
	require.ErrorIs(t, err, preflight.ErrHook)
	require.NotContains(t, err.Error(), "secret")
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 2, calls)
}
