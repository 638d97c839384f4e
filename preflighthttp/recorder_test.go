package preflighthttp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file is what the tests share: bodies, a server that records, and requests.

const (
	path = "/v1/messages"
	// A tool call that was aborted, and what is sent for it.
	dirty = `{"model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user",` +
		`"content":"Build it."},{"role":"assistant","content":[{"type":"tool_use",` +
		`"id":"toolu_1","name":"run","input":{}}]},{"role":"user","content":"Stop."}]}`
	repaired = `{"model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user",` +
		`"content":[{"type":"text","text":"Build it."},{"type":"text","text":"Stop."}]}]}`
	clean = `{ "model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user",` +
		`"content":"Build it.\u0021"}]}`
)

// received is a request as a server saw it.
type received struct {
	body   string
	length int64 // Content-Length, -1 for none
	header http.Header
	path   string
	major  int
}

// recorder is a server that keeps what it receives, and answers by the response function, or with
// 200.
type recorder struct {
	*httptest.Server
	respond func(w http.ResponseWriter, r *http.Request, body string)
	mu      sync.Mutex
	got     []received
}

func newRecorder(t testing.TB) *recorder {
	s := &recorder{}
	s.Server = httptest.NewUnstartedServer(s)
	t.Cleanup(func() { s.Close() })
	return s
}

func started(t testing.TB) *recorder {
	s := newRecorder(t)
	s.Start()
	return s
}

func (s *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	s.got = append(s.got,
		received{string(body), r.ContentLength, r.Header.Clone(), r.URL.Path, r.ProtoMajor})
	s.mu.Unlock()
	if s.respond != nil {
		s.respond(w, r, string(body))
	}
}

func (s *recorder) received() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// only is the one request that came.
func (s *recorder) only(t testing.TB) received {
	got := s.received()
	require.Len(t, got, 1)
	return got[0]
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

func (r *reports) only(t testing.TB) *preflighthttp.Report {
	require.Len(t, r.all, 1)
	return r.all[0]
}

// to is a transport for the paths of one server, with its reports.
func to(t testing.TB, server string) (*preflighthttp.Transport, *reports) {
	u, err := url.Parse(server)
	require.NoError(t, err)
	var all reports
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	return &preflighthttp.Transport{
		Base:      base,
		Endpoints: []preflighthttp.Endpoint{{Host: u.Host}},
		Report:    all.add,
	}, &all
}

func post(t testing.TB, url string, body io.Reader) *http.Request {
	req, err := http.NewRequest(http.MethodPost, url, body)
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

// stream hides the type of a reader, so that http.NewRequest knows neither length nor GetBody.
func stream(s string) io.Reader { return struct{ io.Reader }{strings.NewReader(s)} }

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
