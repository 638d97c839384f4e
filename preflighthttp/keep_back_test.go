package preflighthttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	profiles "github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/rule"
)

// This file is about requests whose hooks cannot run.

const canary = "hunter2-canary"

// hiding are policies with a hook that takes the canary out.
func hiding() preflight.Options {
	return preflight.Options{Hooks: []preflight.Hook{{
		Name: "hide",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, func(text string) string {
				return strings.ReplaceAll(text, canary, "[secret]")
			}), nil
		},
	}}}
}

// untrusting are policies under which messages of the system go, where the canary is.
func untrusting() preflight.Options { return preflight.Options{Untrusted: true} }

const (
	known    = "https://api.anthropic.com/v1/messages"
	chat     = "https://api.openai.com/v1/chat/completions"
	compress = "Content-Encoding"
)

// leaks are requests that are sent unread without hooks: what has the canary, and why.
var leaks = []struct {
	name, url, body string
	edit            func(*preflighthttp.Transport, *http.Request)
	want            preflighthttp.Reason // "" for a history that cannot be repaired
}{
	{"unfixable", known, `{"messages":[{"role":"weird","content":"CANARY"}]}`,
		func(t *preflighthttp.Transport, _ *http.Request) { t.Options.Strict = true }, ""},
	{"held elsewhere, to count", "https://api.deepseek.com/anthropic/v1/messages/count_tokens",
		`{"thread":{"type":"continue","previous_message_id":"m"},"messages":[{"role":"user",` +
			`"content":"CANARY"}]}`, nil, ""},
	{"not JSON", known, `{"system":"CANARY","messages":[`, nil, preflighthttp.NotJSON},
	{"another content type", known, whispered, set("Content-Type", "text/plain"),
		preflighthttp.NotJSON},
	{"no request", known, `{"system":"CANARY"}`, nil, preflighthttp.NotRequest},
	{"another format", known, `{"contents":[{"role":"user","parts":[{"text":"CANARY"}]}]}`, nil,
		preflighthttp.NotRequest},
	{"a stored form", chat, `{"messages":[{"id":"1","role":"user","parts":[` +
		`{"type":"text","text":"CANARY"}]}]}`, nil, preflighthttp.NotRequest},
	{"signed", known, whispered, set("Content-Digest", "sha-256=:AA==:"), preflighthttp.Signed},
	{"a trailer", known, whispered, func(_ *preflighthttp.Transport, r *http.Request) {
		r.Trailer = http.Header{"X-Sum": nil}
	}, preflighthttp.Signed},
	{"encoded", known, whispered, set(compress, "zstd"), preflighthttp.Encoded},
	{"too large", known, whispered, func(t *preflighthttp.Transport, _ *http.Request) {
		t.MaxBody = 20
	}, preflighthttp.TooLarge},
	{"too large, of no length", known, whispered, func(t *preflighthttp.Transport, r *http.Request) {
		t.MaxBody, r.ContentLength = 20, -1
	}, preflighthttp.TooLarge},
	{"a wrong length", known, whispered, func(_ *preflighthttp.Transport, r *http.Request) {
		r.ContentLength += 5
	}, preflighthttp.BadLength},
	{"an unknown provider", "https://a.example/v1/messages", whispered,
		func(t *preflighthttp.Transport, _ *http.Request) {
			t.Endpoints = []preflighthttp.Endpoint{{Path: "/v1/messages", Provider: "nobody"}}
		}, preflighthttp.NotRequest},
	{"no room", known, whispered, func(t *preflighthttp.Transport, _ *http.Request) {
		t.Budget = preflighthttp.NewBudget(1)
		t.Budget.Take(1)
	}, preflighthttp.Busy},
	{"an unknown host", "https://a.example/v1/messages", whispered, nil,
		preflighthttp.UnknownHost},
	{"an unknown host, another format", "https://a.example/v1/chat/completions",
		`{"contents":[{"role":"user","parts":[{"text":"CANARY"}]}]}`, nil,
		preflighthttp.UnknownHost},
	{"an unknown host, any chat", "https://a.example/v1/chat/completions",
		`{"messages":[{"role":"user","content":"CANARY"}]}`, nil, preflighthttp.UnknownHost},
	{"an unknown host, stored", "https://a.example/api/chat",
		`{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"CANARY"}]}]}`, nil,
		preflighthttp.UnknownHost},
	{"an unknown host, signed", "https://a.example/v1/messages", whispered,
		set("X-Signature", "x"), preflighthttp.UnknownHost},
	{"an unknown host, encoded", "https://a.example/v1/messages", whispered, set(compress, "gzip"),
		preflighthttp.Encoded},
	{"an unknown host, too large", "https://a.example/v1/messages", whispered,
		func(t *preflighthttp.Transport, r *http.Request) { t.MaxBody, r.ContentLength = 20, -1 },
		preflighthttp.TooLarge},
	{"redirected", "https://b.example/other", whispered,
		func(t *preflighthttp.Transport, r *http.Request) {
			r.Header.Set(compress, "br")
			from, _ := http.NewRequest(http.MethodPost, known, nil)
			r.Response = &http.Response{Request: from}
		}, preflighthttp.Encoded},
}

// whispered has the canary where a hook finds it.
const whispered = `{"model":"claude-sonnet-4-5","max_tokens":9,"system":"CANARY",` +
	`"messages":[{"role":"user","content":"Hi."}]}`

func set(name, value string) func(*preflighthttp.Transport, *http.Request) {
	return func(_ *preflighthttp.Transport, r *http.Request) { r.Header.Set(name, value) }
}

// whisper makes a transport and a request of a leak. sent gets what the server would.
func whisper(k int, options preflight.Options, sent *bytes.Buffer) (
	*preflighthttp.Transport, *http.Request, *preflighthttp.Report,
) {
	l, report := leaks[k], new(preflighthttp.Report)
	body := []byte(strings.ReplaceAll(l.body, "CANARY", canary))
	t := &preflighthttp.Transport{
		Options: options, Remedies: remedy.All(), Log: slog.New(slog.DiscardHandler),
		Report: func(_ context.Context, r *preflighthttp.Report) { *report = *r },
		Base: roundTripper(func(r *http.Request) (*http.Response, error) {
			got, err := io.ReadAll(r.Body)
			sent.Write(got)
			if again := r.GetBody; again != nil {
				body, _ := again()
				all, _ := io.ReadAll(body)
				sent.Write(all)
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, err
		}),
	}
	req, _ := http.NewRequest(http.MethodPost, l.url, bytes.NewReader(body))
	req.GetBody = nil
	if l.edit != nil {
		l.edit(t, req)
	}
	if req.Header.Get(compress) == "gzip" {
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		w.Write(body)
		w.Close()
		req.Body, req.ContentLength = io.NopCloser(&small), int64(small.Len())
	}
	return t, req, report
}

// TestKeptBack sends the canary on every path on which a body is not judged. With hooks, or
// Untrusted, nothing of it reaches the server, however it is sent, and the error says why; if the
// caller lets it pass, or without hooks, everything does.
func TestKeptBack(t *testing.T) {
	for k, l := range leaks {
		for name, policies := range map[string]func() preflight.Options{
			"hook": hiding, "untrusted": untrusting,
		} {
			if l.want == "" && name == "untrusted" {
				continue // it removes what cannot be repaired
			}
			t.Run(l.name+" "+name, func(t *testing.T) {
				var sent bytes.Buffer
				transport, req, report := whisper(k, policies(), &sent)
				resp, err := transport.RoundTrip(req)
				if strings.HasPrefix(l.name, "held") { // which is answered by any policy
					require.Equal(t, "refused", resp.Header.Get("X-Preflight"))
				} else {
					requireKept(t, l.want, err, report)
				}
				require.Empty(t, sent.String())

				transport, req, report = whisper(k, policies(), &sent)
				transport.Unfixable, transport.Busy = preflighthttp.Refuse, preflighthttp.Refuse
				resp, err = transport.RoundTrip(req)
				require.NoError(t, err)
				require.Equal(t, "refused", resp.Header.Get("X-Preflight"))
				require.Empty(t, sent.String())

				// the body arrives in full where the caller says so
				for _, let := range []func(*preflighthttp.Transport){
					func(t *preflighthttp.Transport) {
						t.Unfixable, t.Busy = preflighthttp.SendUnchanged, preflighthttp.SendUnchanged
					},
					func(t *preflighthttp.Transport) { t.DryRun = true },
				} {
					transport, req, _ = whisper(k, policies(), &sent)
					let(transport)
					_, err = transport.RoundTrip(req)
					require.NoError(t, err)
					require.NotEmpty(t, sent.String())
					sent.Reset()
				}
			})
		}
		t.Run(l.name+" without hooks", func(t *testing.T) {
			var sent bytes.Buffer
			transport, req, report := whisper(k, preflight.Options{}, &sent)
			_, err := transport.RoundTrip(req)
			require.NoError(t, err)
			if strings.Contains(l.name, "an unknown host") {
				l.want = preflighthttp.UnknownHost
			}
			require.Equal(t, l.want, report.Skipped)
			if req.Header.Get(compress) == "" {
				require.Contains(t, sent.String(), canary)
			}
		})
	}
}

// requireKept: the error is that of a request that was not sent for the reason.
func requireKept(t *testing.T, want preflighthttp.Reason, err error, r *preflighthttp.Report) {
	t.Helper()
	var unsent *preflighthttp.Error
	require.ErrorAs(t, err, &unsent)
	require.NotContains(t, fmt.Sprint(err, r.Err), canary)
	require.Zero(t, r.SentBytes)
	require.ErrorIs(t, err, r.Err)
	switch want {
	case "":
	case preflighthttp.Busy:
		require.ErrorIs(t, err, preflighthttp.ErrBusy)
	default:
		require.ErrorIs(t, err, preflighthttp.ErrHooksNotRun)
		require.Equal(t, want, unsent.Skipped)
		require.Equal(t, want, r.Skipped)
	}
}

// TestDecisionKeepsBack: who asks for a decision alone gets the same one.
func TestDecisionKeepsBack(t *testing.T) {
	for k, l := range leaks {
		if l.want == preflighthttp.Busy || l.want == preflighthttp.BadLength || l.name == "redirected" ||
			l.name == "a trailer" || strings.Contains(l.name, "too large") {
			continue // seen by who reads the body, and not by a decision
		}
		var sent bytes.Buffer
		transport, req, _ := whisper(k, hiding(), &sent)
		body, err := io.ReadAll(req.Body)
		require.NoError(t, err)
		d := transport.Judge(req.Method, req.URL, req.Header)
		_, report, err := d.Body(context.Background(), body)
		requireKept(t, l.want, err, report)
	}
}

// TestOtherTraffic: a transport with hooks may carry all traffic of a program. What is not for a
// model passes as it came.
func TestOtherTraffic(t *testing.T) {
	for _, c := range []struct{ url, contentType, body string }{
		{"https://a.example/v1/messages", "application/json",
			`{"messages":[{"to":"+1","from":"x","text":"hunter2-canary"}]}`},
		{"https://a.example/v1/messages", "application/json", `{"to":"+1","message":"hi"}`},
		{"https://a.example/v1/messages", "application/x-www-form-urlencoded", `to=1&message=hi`},
		{"https://a.example/v1/messages", "application/json", `not json`},
		{"https://a.example/forms/1/responses", "", `{"responses":[{"text":"hi"}]}`},
		{"https://a.example/other", "application/json", whispered},
		{"https://api.openai.com/v1/embeddings", "application/json", `{"input":"hi"}`},
	} {
		var sent bytes.Buffer
		transport, _, _ := whisper(0, hiding(), &sent)
		transport.Remedies = nil
		req, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(c.body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", c.contentType)
		_, err = transport.RoundTrip(req)
		require.NoError(t, err)
		require.Contains(t, sent.String(), c.body)
	}
	// and what an endpoint leaves alone on purpose
	var sent bytes.Buffer
	transport, _, _ := whisper(0, hiding(), &sent)
	transport.Endpoints = []preflighthttp.Endpoint{{Provider: preflighthttp.Skip}}
	req, err := http.NewRequest(http.MethodPost, known, strings.NewReader(whispered))
	require.NoError(t, err)
	_, err = transport.RoundTrip(req)
	require.NoError(t, err)
	require.Contains(t, sent.String(), whispered)
}

// TestHooksRun: what can be read reaches the server without the canary: at known hosts, at others
// that are repaired, at servers that were measured, and in the second attempt of every remedy.
func TestHooksRun(t *testing.T) {
	body := strings.ReplaceAll(`{"model":"claude-sonnet-4-5","max_tokens":9,"system":"CANARY",`+
		`"messages":[{"role":"user","content":"CANARY"},{"role":"assistant","content":[`+
		`{"type":"thinking","thinking":"a","signature":"c2ln"},`+
		`{"type":"tool_use","id":"toolu_1","name":"run","input":{"a":"CANARY"}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",`+
		`"content":"CANARY","x":"CANARY"}]}]}`, "CANARY", canary)
	refusals := []string{
		"messages.1.content.0: Invalid `signature` in `thinking` block",
		"messages.2.content.0.tool_result.x: Extra inputs are not permitted",
	}
	for _, r := range rule.ForProvider("anthropic") {
		if r.Error != "" {
			refusals = append(refusals, r.Error)
		}
	}
	seconds := 0
	for _, endpoint := range []preflighthttp.Endpoint{
		{}, {Provider: "anthropic"}, {Measured: &profiles.Measured{
			Version: profiles.MeasuredVersion, Provider: "anthropic"}},
	} {
		for _, refusal := range refusals {
			var sent bytes.Buffer
			times, attempt := 0, 0
			learned := new(remedy.Learned)
			transport := &preflighthttp.Transport{
				Options: hiding(), Remedies: remedy.All(), Learned: learned,
				Endpoints: []preflighthttp.Endpoint{endpoint},
				Base: roundTripper(func(r *http.Request) (*http.Response, error) {
					times, attempt = times+1, attempt+1
					got, err := io.ReadAll(r.Body)
					sent.Write(got)
					if attempt == 2 {
						return &http.Response{StatusCode: 200, Body: http.NoBody}, err
					}
					return &http.Response{StatusCode: 400, Body: io.NopCloser(strings.NewReader(
						`{"type":"error","error":{"type":"invalid_request_error","message":` +
							fmt.Sprintf("%q", refusal) + `}}`))}, err
				}),
			}
			for range 3 {
				attempt = 0
				req, err := http.NewRequest(http.MethodPost, known, strings.NewReader(body))
				require.NoError(t, err)
				resp, err := transport.RoundTrip(req)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
			}
			seconds += times - 3
			require.Contains(t, sent.String(), "[secret]")
			require.NotContains(t, sent.String(), canary,
				refusal)
		}
	}
	require.Greater(t, seconds, 20)
}
