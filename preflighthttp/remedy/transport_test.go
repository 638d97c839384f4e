package remedy_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// This file is what the tests share: a provider that records and refuses, and transports to it.

const (
	path    = "/v1/messages"
	address = "http://llm.example:8080" // of every provider
	host    = "llm.example:8080"
	bound   = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is " +
		"bound to a different conversation."
)

// A history that is sound as far as anyone can see who lacks the provider's key, and what is sent
// for it in the end.
const (
	thought     = opened + `{"type":"thinking","thinking":"Hm.","signature":"QUJD"},` + ended
	thoughtless = opened + ended

	// A tool call that was aborted.
	dirty = `{"model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user",` +
		`"content":"Build it."},{"role":"assistant","content":[{"type":"tool_use",` +
		`"id":"toolu_1","name":"run","input":{}}]},{"role":"user","content":"Stop."}]}`

	opened = `{"model":"claude-opus-5-5","max_tokens":10,"stream":true,"messages":[{"role":"user",` +
		`"content":"Build it."},{"role":"assistant","content":[`
	ended = `{"type":"tool_use","id":"toolu_1","name":"run","input":{"n":1.0}}]},{"role":"user",` +
		`"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}],` +
		`"tools":[{"name":"run","input_schema":{"type":"object"}}]}`
)

// received is a request as a provider saw it.
type received struct {
	body   string
	header http.Header
}

// recorder is a provider that keeps what it receives, and answers by the response function, or with
// 200.
type recorder struct {
	respond func(w http.ResponseWriter, r *http.Request, body string)
	mu      sync.Mutex
	got     []received
}

func (s *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body.Close()
	s.mu.Lock()
	s.got = append(s.got, received{string(body), r.Header.Clone()})
	s.mu.Unlock()
	w := httptest.NewRecorder()
	if s.respond != nil {
		s.respond(w, r, string(body))
	}
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

func (s *recorder) received() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// reports collects what a transport reports.
type reports struct {
	mu  sync.Mutex
	all []*preflighthttp.Report
}

func (r *reports) add(_ context.Context, report *preflighthttp.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, report)
}

// to is a transport for the paths of one provider, with all remedies, and its reports.
func to(s http.RoundTripper) (*preflighthttp.Transport, *reports) {
	var all reports
	return &preflighthttp.Transport{
		Base:      s,
		Endpoints: []preflighthttp.Endpoint{{Host: host}},
		Report:    all.add,
		Remedies:  remedy.All(),
	}, &all
}

func post(t testing.TB, url, body string) *http.Request {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	return req
}

// do sends a request, and returns status and body of the response.
func do(t testing.TB, transport http.RoundTripper, req *http.Request) (int, string) {
	resp, err := (&http.Client{Transport: transport}).Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// refusal is one of Anthropic's.
func refusal(text string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":%q},`+
		`"request_id":"req_1"}`,
		text)
}

// resending is a transport to a provider that refuses every body but one, in the words given.
func resending(status int, words, but string) (*preflighthttp.Transport, *reports, *recorder) {
	provider := new(recorder)
	provider.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		if body == but {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {}\n\n")
			return
		}
		w.WriteHeader(status)
		io.WriteString(w, words)
	}
	transport, all := to(provider)
	return transport, all, provider
}
