package preflighthttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// The words of a provider for thinking whose prefix changed. Source: rule
// anthropic/thinking-binding-prefix.
const bound = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is " +
	"bound to a different conversation."

// refuse answers as Anthropic does.
func refuse(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	io.WriteString(w, refusal(text))
}

func refusal(text string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":%q},`+
		`"request_id":"req_1"}`,
		text)
}

// A history that is sound as far as anyone can see who lacks the provider's key.
const (
	thought = `{"model":"claude-opus-5-5","max_tokens":10,"stream":true,` +
		`"messages":[{"role":"user","content":"Build it."},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"QUJD"},` +
		`{"type":"tool_use","id":"toolu_1","name":"run","input":{"n":1.0}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
		`"content":"ok"}]}],"tools":[{"name":"run","input_schema":{"type":"object"}}]}`
	thoughtless = `{"model":"claude-opus-5-5","max_tokens":10,"stream":true,` +
		`"messages":[{"role":"user","content":"Build it."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",` +
		`"input":{"n":1.0}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
		`"content":"ok"}]}],"tools":[{"name":"run","input_schema":{"type":"object"}}]}`
)

// resending is a transport to a server that refuses every body but one, in the words given.
func resending(
	t *testing.T,
	status int,
	words, but string,
) (*preflighthttp.Transport, *reports, *recorder) {
	server := started(t)
	server.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		if body == but {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {}\n\n")
			return
		}
		w.Header().Set("X-Request", "first")
		w.WriteHeader(status)
		io.WriteString(w, words)
	}
	transport, all := to(t, server.URL)
	transport.Remedies = remedy.All()
	return transport, all, server
}

func TestResend(t *testing.T) {
	transport, all, server := resending(t, 400, refusal(bound), thoughtless)
	req := post(t, server.URL+path, strings.NewReader(thought))
	req.Header.Set("Idempotency-Key", "k")
	status, body := do(t, transport, req)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "data: {}\n\n", body)

	got := server.received()
	require.Len(t, got, 2)
	require.Equal(t, thought, got[0].body)
	require.Equal(t, thoughtless, got[1].body)
	require.EqualValues(t, len(thoughtless), got[1].length)
	require.Equal(t, "k", got[0].header.Get("Idempotency-Key"))
	require.Equal(t, "k-drop-reasoning", got[1].header.Get("Idempotency-Key"),
		"the second request is another one")
	require.Equal(t, "k", req.Header.Get("Idempotency-Key"))

	require.Len(t, all.all, 2)
	require.Nil(t, all.all[0].Refusal)
	require.False(t, all.all[0].Changed)
	second := all.all[1]
	require.Equal(t, "anthropic/thinking-binding-prefix", second.Refusal.Rule.ID)
	require.Equal(t, "drop-reasoning", second.Remedy)
	require.Equal(t, http.StatusOK, second.Status)
	require.True(t, second.Changed)
	require.Len(t, second.Warnings, 1)
	require.Equal(t, "messages[1]", second.Warnings[0].Path)
	require.NotEmpty(t, second.ID)
	require.Equal(t, all.all[0].ID, second.ID, "the id ties both together")
	require.Equal(t, path, second.Path)
	require.Equal(t, []int{len(thought), len(thoughtless)}, []int{second.Bytes, second.SentBytes})
}

// TestResendKeepsFirstRepair: the second attempt starts from what the caller sent, and repairs all
// of it.
func TestResendKeepsFirstRepair(t *testing.T) {
	const more = `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2",` +
		`"name":"run","input":{}}]},{"role":"user","content":"Stop."}]`
	body := strings.Replace(thought, `}],"tools"`, `}`+more+`,"tools"`, 1)
	want := strings.Replace(thoughtless, `}],"tools"`,
		`},{"role":"user","content":"Stop."}],"tools"`, 1)
	transport, all, server := resending(t, 400, refusal(bound), want)
	status, _ := do(t, transport, post(t, server.URL+path, strings.NewReader(body)))
	require.Equal(t, http.StatusOK, status, server.received())
	require.Len(t, server.received(), 2)
	require.Greater(t, len(all.all[1].Warnings), len(all.all[0].Warnings))
}

// TestResendWarm: the second attempt uses the connection of the first, whose response was read
// to its end.
func TestResendWarm(t *testing.T) {
	transport, _, server := resending(t, 400, refusal(bound), thoughtless)
	var dials atomic.Int32
	transport.Base.(*http.Transport).DialContext = func(
		ctx context.Context, network, addr string,
	) (net.Conn, error) {
		dials.Add(1)
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
	do(t, transport, post(t, server.URL+path, strings.NewReader(thought)))
	require.Len(t, server.received(), 2)
	require.EqualValues(t, 1, dials.Load())
}

// TestMiddleware: what comes after the middleware, such as a signature, is made for each attempt.
func TestMiddleware(t *testing.T) {
	var signed []string
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Base = roundTripper(
		func(*http.Request) (*http.Response, error) { panic("next is in its place") })
	transport.Remedies = remedy.All()
	resp, err := transport.Middleware(
		post(t, "http://127.0.0.1:1"+path, strings.NewReader(thought)),
		func(r *http.Request) (*http.Response, error) {
			require.Empty(t, r.Header.Get("Authorization"))
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			r.Header.Set("Authorization", "AWS4-HMAC-SHA256 of "+string(body))
			signed = append(signed, r.Header.Get("Authorization"))
			status, answer := 200, "ok"
			if len(signed) == 1 {
				status, answer = 400, refusal(bound)
			}
			return &http.Response{
				StatusCode: status,
				Body:       io.NopCloser(strings.NewReader(answer)),
			}, nil
		})
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t,
		[]string{"AWS4-HMAC-SHA256 of " + thought, "AWS4-HMAC-SHA256 of " + thoughtless}, signed)
}

// TestNoResend: every other response is the caller's, with its body and headers intact.
func TestNoResend(t *testing.T) {
	long := refusal(bound + strings.Repeat("x", 300<<10))
	const prefill = `{"model":"claude-3-opus","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":"The answer is"}]}`
	tests := []struct {
		name, body string
		status     int
		words      string
		edit       func(*preflighthttp.Transport, *http.Request)
	}{
		{"off by default", thought, 400, refusal(bound),
			func(tr *preflighthttp.Transport, _ *http.Request) { tr.Remedies = nil }},
		{"dry run", thought, 400, refusal(bound),
			func(tr *preflighthttp.Transport, _ *http.Request) { tr.DryRun = true }},
		{"unknown words", thought, 400, refusal("Your credit balance is too low."), nil},
		{"an empty answer", thought, 400, "", nil},
		{"a long answer", thought, 400, long, nil},
		{"another status", thought, 401, refusal(bound), nil},
		{"a status that the rule is not known by", thought, 422, refusal(bound), nil},
		{"a server error", thought, 500, refusal(bound), nil},
		{"a success that quotes an error", thought, 200, refusal(bound), nil},
		{"nothing harder to do", thoughtless, 400, refusal(bound), nil},
		{"a rule without a remedy", thought, 400,
			refusal("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: " +
				"6291456 bytes > 5242880 bytes"),
			nil},
		{"a rule that the strictest reading does not see broken, though it would change something",
			prefill, 400, refusal("messages: text content blocks must be non-empty"), nil},
		{"untouchable", thought, 400, refusal(bound),
			func(_ *preflighthttp.Transport, r *http.Request) { r.Header.Set("Digest", "x") }},
		{"unfixable", `{"messages":[]}`, 400, refusal(bound), nil},
		{"none of ours", thought, 400, refusal(bound),
			func(_ *preflighthttp.Transport, r *http.Request) { r.URL.Path = "/x" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			transport, _, server := resending(t, tt.status, tt.words, "")
			req := post(t, server.URL+path, strings.NewReader(tt.body))
			if tt.edit != nil {
				tt.edit(transport, req)
			}
			resp, err := transport.RoundTrip(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, tt.status, resp.StatusCode)
			require.Equal(t, tt.words, string(body))
			require.Equal(t, "first", resp.Header.Get("X-Request"))
			require.Equal(t, tt.body, server.only(t).body)
		})
	}
}

// TestResendOnlyOnce: a second refusal is the caller's.
func TestResendOnlyOnce(t *testing.T) {
	transport, all, server := resending(t, 400, refusal(bound), "")
	status, body := do(t, transport, post(t, server.URL+path, strings.NewReader(thought)))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, refusal(bound), body)
	require.Len(t, server.received(), 2)
	require.Len(t, all.all, 2)
	require.Equal(t, http.StatusBadRequest, all.all[1].Status)
}

// TestStreamUntouched: nothing is read of a response that is no refusal.
func TestStreamUntouched(t *testing.T) {
	reads := 0
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Remedies = remedy.All()
	body := &counted{Reader: readerFunc(func([]byte) (int, error) { reads++; return 0, io.EOF })}
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: body}, nil
	})
	resp, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, strings.NewReader(thought)))
	require.NoError(t, err)
	require.True(t, resp.Body == body)
	require.Zero(t, reads)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestBrokenRefusal: an error body that breaks off is handed on as it is, with its error.
func TestBrokenRefusal(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Remedies = remedy.All()
	sent := 0
	failed := false
	closing := &counted{
		Reader: io.MultiReader(strings.NewReader(refusal(bound)), readerFunc(
			func([]byte) (int, error) {
				if failed {
					return 0, io.EOF
				}
				failed = true
				return 0, io.ErrUnexpectedEOF
			})),
	}
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return &http.Response{StatusCode: 400, Body: closing}, nil
	})
	resp, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, strings.NewReader(thought)))
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, refusal(bound), string(body))
	require.NoError(t, resp.Body.Close())
	require.EqualValues(t, 1, closing.closed.Load())
	require.Equal(t, 1, sent)
}

// TestResendFails: when the second attempt does not reach the provider, the refusal is the answer,
// unless the context ended.
func TestResendFails(t *testing.T) {
	for _, ended := range []bool{false, true} {
		transport, all := to(t, "http://127.0.0.1:1")
		transport.Remedies = remedy.All()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		sent := 0
		body := &counted{Reader: strings.NewReader(refusal(bound))}
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return &http.Response{StatusCode: 400, Body: body}, nil
			}
			if ended {
				cancel()
				return nil, ctx.Err()
			}
			return nil, io.ErrClosedPipe
		})
		resp, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path,
			strings.NewReader(thought)).WithContext(ctx))
		require.Equal(t, 2, sent)
		require.EqualValues(t, 1, body.closed.Load())
		require.Len(t, all.all, 2)
		require.Zero(t, all.all[1].Status)
		if ended {
			require.ErrorIs(t, err, context.Canceled)
			continue
		}
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, refusal(bound), string(text))
	}
}
