package preflighthttp_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

const (
	path = "/v1/messages"
	// A tool call that was aborted, and what is sent for it.
	dirty    = `{"model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user","content":"Build it."},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},{"role":"user","content":"Stop."}]}`
	repaired = `{"model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user","content":[{"type":"text","text":"Build it."},{"type":"text","text":"Stop."}]}]}`
	clean    = `{ "model":"claude-sonnet-4-5","max_tokens":1.0,"messages":[{"role":"user","content":"Build it.\u0021"}]}`
)

// received is a request as a server saw it.
type received struct {
	body   string
	length int64 // Content-Length, -1 for none
	header http.Header
	path   string
	major  int
}

// recorder is a server that keeps what it receives, and answers by the response function, or with 200.
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
	s.got = append(s.got, received{string(body), r.ContentLength, r.Header.Clone(), r.URL.Path, r.ProtoMajor})
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
	return &preflighthttp.Transport{Base: base, Endpoints: []preflighthttp.Endpoint{{Host: u.Host}}, Report: all.add}, &all
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

func TestRoundTrip(t *testing.T) {
	tests := []struct {
		name    string
		body    io.Reader
		chunked bool // asked for
		want    string
		length  int64
		changed bool
	}{
		{"clean", strings.NewReader(clean), false, clean, int64(len(clean)), false},
		{"clean, unknown length", stream(clean), false, clean, -1, false},
		{"clean, chunked", strings.NewReader(clean), true, clean, -1, false},
		{"dirty", strings.NewReader(dirty), false, repaired, int64(len(repaired)), true},
		{"dirty, unknown length", stream(dirty), false, repaired, int64(len(repaired)), true},
		{"dirty, chunked", strings.NewReader(dirty), true, repaired, -1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			req := post(t, server.URL+path, tt.body)
			if tt.chunked {
				req.TransferEncoding = []string{"chunked"}
			}
			status, _ := do(t, transport, req)
			require.Equal(t, http.StatusOK, status)
			got := server.only(t)
			require.Equal(t, tt.want, got.body)
			require.Equal(t, tt.length, got.length)
			report := all.only(t)
			require.Equal(t, tt.changed, report.Changed)
			require.Equal(t, tt.changed, len(report.Warnings) > 0)
			require.Equal(t, "anthropic", report.Provider)
			require.Equal(t, "claude-sonnet-4-5", report.Model)
			require.NoError(t, report.Err)
		})
	}
}

// TestModelOfThePath: the model that the path names narrows the profile, since the body does not name one.
func TestModelOfThePath(t *testing.T) {
	const prefill = `{"anthropic_version":"vertex-2023-10-16","max_tokens":1,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"The answer is"}]}`
	server := started(t)
	transport, all := to(t, server.URL)
	for _, model := range []string{"claude-3-5-haiku@20241022", "claude-opus-5-5"} {
		do(t, transport, post(t, server.URL+"/v1/projects/p/locations/l/publishers/anthropic/models/"+model+":rawPredict", strings.NewReader(prefill)))
	}
	require.Equal(t, prefill, server.got[0].body) // takes prefill
	require.NotEqual(t, prefill, server.got[1].body)
	require.Equal(t, "claude-opus-5-5", all.all[1].Model)
	req := post(t, server.URL+"/v1beta/models/gemini-3-pro:generateContent", strings.NewReader("{}"))
	req.Header.Set("Digest", "x")
	do(t, transport, req)
	require.Equal(t, "gemini-3-pro", all.all[2].Model) // also where the body was not looked at
}

// deadable is a connection that can be told to fail its next write before a byte is written, as one does that the server
// closed while it was idle.
type deadable struct {
	net.Conn
	dead *atomic.Bool
}

func (c *deadable) Write(p []byte) (int, error) {
	if c.dead.CompareAndSwap(true, false) {
		return 0, errors.New("the server is gone")
	}
	return c.Conn.Write(p)
}

// TestWarmConnection: net/http sends a request again, with the body of GetBody, when the kept-alive connection it took turns out
// to be closed. A transport that replaced Body alone would send the old body then, or half of it.
func TestWarmConnection(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	var dead atomic.Bool
	var dials atomic.Int32
	transport.Base.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		dials.Add(1)
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		return &deadable{c, &dead}, err
	}
	do(t, transport, post(t, server.URL+path, strings.NewReader(clean)))
	dead.Store(true)
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	dead.Store(true)
	do(t, transport, post(t, server.URL+path, stream(dirty))) // without a GetBody of its own, this could not be sent again

	require.EqualValues(t, 3, dials.Load(), "each dead connection is replaced")
	got := server.received()
	require.Len(t, got, 3)
	require.Equal(t, clean, got[0].body)
	require.Equal(t, repaired, got[1].body)
	require.Equal(t, repaired, got[2].body)
	require.Len(t, all.all, 3, "a request that net/http sends again is one request")
}

// TestLostAnswer: the same where the server read the request and hung up without an answer, and an Idempotency-Key allows to
// send it again.
func TestLostAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	bodies := make(chan string, 4)
	go func() {
		for answers := 1; ; answers = 99 { // the first connection answers once, then reads a request and hangs up
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for k := 0; ; k++ {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(r.Body)
					bodies <- string(body)
					if k == answers {
						return
					}
					fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				}
			}()
		}
	}()
	transport, _ := to(t, "http://"+listener.Addr().String())
	for range 2 {
		req := post(t, "http://"+listener.Addr().String()+path, strings.NewReader(dirty))
		req.Header.Set("Idempotency-Key", "k")
		status, _ := do(t, transport, req)
		require.Equal(t, http.StatusOK, status)
	}
	require.Equal(t, []string{repaired, repaired, repaired}, []string{<-bodies, <-bodies, <-bodies})
	require.Empty(t, bodies)
}

// TestRetries: what a retrying client does with one request, by its own GetBody.
func TestRetries(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	req := post(t, server.URL+path, strings.NewReader(dirty))
	for range 3 {
		body, err := req.GetBody()
		require.NoError(t, err)
		req.Body = body
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	for _, got := range server.received() {
		require.Equal(t, repaired, got.body)
	}
	require.Len(t, server.received(), 3)
}

// TestRedirects: http.Client sends the original body again after 307 and 308, wherever that goes; what was a request to an
// endpoint stays one.
func TestRedirects(t *testing.T) {
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for _, elsewhere := range []string{"/v2" + path, "/somewhere/else"} {
			t.Run(fmt.Sprint(status, elsewhere), func(t *testing.T) {
				second := started(t)
				first, hop := started(t), started(t)
				first.respond = func(w http.ResponseWriter, r *http.Request, _ string) { http.Redirect(w, r, hop.URL+"/hop", status) }
				hop.respond = func(w http.ResponseWriter, r *http.Request, _ string) {
					http.Redirect(w, r, second.URL+elsewhere, status)
				}
				transport, all := to(t, first.URL) // knows neither the hop nor the second server
				do(t, transport, post(t, first.URL+path, strings.NewReader(dirty)))
				require.Equal(t, repaired, first.only(t).body)
				require.Equal(t, repaired, hop.only(t).body)
				require.Equal(t, repaired, second.only(t).body)
				require.Len(t, all.all, 3)
			})
		}
	}
}

func TestHTTP2(t *testing.T) {
	server := newRecorder(t)
	server.EnableHTTP2 = true
	server.StartTLS()
	transport, _ := to(t, server.URL)
	transport.Base = server.Client().Transport
	for _, body := range []io.Reader{strings.NewReader(dirty), stream(dirty), strings.NewReader(clean), stream(clean)} {
		do(t, transport, post(t, server.URL+path, body))
	}
	got := server.received()
	require.Len(t, got, 4)
	for k, want := range []string{repaired, repaired, clean, clean} {
		require.Equal(t, 2, got[k].major)
		require.Equal(t, want, got[k].body)
	}
}

// large is a request with a body of exactly size bytes, nearly all of it text, and its repaired form.
func large(size int) (body, want string) {
	fill := func(s string, n int) string {
		return strings.Replace(s, "Build it.", "Build it."+strings.Repeat("x", n), 1)
	}
	n := size - len(dirty)
	return fill(dirty, n), fill(repaired, n)
}

func TestLargeBodies(t *testing.T) {
	body, want := large(preflighthttp.DefaultMaxBody)
	over := body + " "
	tests := []struct {
		name, want string
		body       io.Reader
		skipped    preflighthttp.Reason
	}{
		{"at the limit", want, strings.NewReader(body), ""},
		{"at the limit, unknown length", want, stream(body), ""},
		{"over the limit", over, strings.NewReader(over), preflighthttp.TooLarge},
		{"over the limit, unknown length", over, stream(over), preflighthttp.TooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			do(t, transport, post(t, server.URL+path, tt.body))
			require.Equal(t, sha256.Sum256([]byte(tt.want)), sha256.Sum256([]byte(server.only(t).body)))
			require.Equal(t, tt.skipped, all.only(t).Skipped)
		})
	}
}

func TestMaxBody(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	transport.MaxBody = int64(len(dirty)) - 1
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	do(t, transport, post(t, server.URL+path, stream(dirty)))
	transport, _ = to(t, server.URL)
	transport.MaxBody = int64(len(dirty))
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	got := server.received()
	require.Equal(t, []string{dirty, dirty, repaired}, []string{got[0].body, got[1].body, got[2].body})
	require.EqualValues(t, []int64{int64(len(dirty)), -1}, []int64{got[0].length, got[1].length})
	require.Equal(t, preflighthttp.TooLarge, all.all[0].Skipped)
	require.Equal(t, preflighthttp.TooLarge, all.all[1].Skipped)

	// One that says that it is too large is not read at all.
	req := post(t, server.URL+path, io.MultiReader(failingReader{}))
	req.ContentLength = preflighthttp.DefaultMaxBody + 1
	out, report, err := transport.Rewrite(req)
	require.NoError(t, err)
	require.True(t, out == req)
	require.Equal(t, preflighthttp.TooLarge, report.Skipped)
}

// counted is a body that counts how often it is closed, and may fail.
type counted struct {
	io.Reader
	also   io.Closer
	closed atomic.Int32
}

func (c *counted) Close() error {
	c.closed.Add(1)
	if c.also != nil {
		return c.also.Close()
	}
	return nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBodyClosedOnce(t *testing.T) {
	server := started(t)
	over := strings.Repeat("x", 2000)
	tests := []struct {
		name string
		body io.Reader
		edit func(*preflighthttp.Transport, *http.Request)
		fail bool
	}{
		{"clean", strings.NewReader(clean), nil, false},
		{"dirty", strings.NewReader(dirty), nil, false},
		{"none of ours", strings.NewReader(dirty), func(_ *preflighthttp.Transport, r *http.Request) { r.URL.Path = "/x" }, false},
		{"signed", strings.NewReader(dirty), func(_ *preflighthttp.Transport, r *http.Request) { r.Header.Set("Digest", "x") }, false},
		{"not JSON", strings.NewReader("{"), nil, false},
		{"too large", strings.NewReader(over), func(tr *preflighthttp.Transport, _ *http.Request) { tr.MaxBody = 1000 }, false},
		{"unreadable", failingReader{}, nil, true},
		{"unfixable", strings.NewReader(`{"messages":[]}`), func(tr *preflighthttp.Transport, _ *http.Request) { tr.Unfixable = preflighthttp.Fail }, true},
		{"cancelled", strings.NewReader(dirty), func(_ *preflighthttp.Transport, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			cancel()
			*r = *r.WithContext(ctx)
		}, true},
		{"no connection", strings.NewReader(dirty), func(tr *preflighthttp.Transport, _ *http.Request) {
			tr.Base = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, io.EOF }}
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			transport, _ := to(t, server.URL)
			body := &counted{Reader: tt.body}
			req := post(t, server.URL+path, body)
			if tt.edit != nil {
				tt.edit(transport, req)
			}
			resp, err := transport.RoundTrip(req)
			require.Equal(t, tt.fail, err != nil, err)
			if err == nil {
				_, err := io.Copy(io.Discard, resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
			}
			// net/http may close a body after RoundTrip has returned.
			require.Eventually(t, func() bool { return body.closed.Load() > 0 }, 5*time.Second, time.Millisecond)
			transport.CloseIdleConnections()
			require.EqualValues(t, 1, body.closed.Load())
		})
	}
}

func TestUnreadableBody(t *testing.T) {
	transport, all := to(t, "http://127.0.0.1:1")
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) { panic("nothing is sent") })
	_, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, failingReader{}))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.ErrorIs(t, all.only(t).Err, io.ErrUnexpectedEOF)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestCancelled: a body that never ends, such as that of a pipe, does not hold a request whose context has ended.
func TestCancelled(t *testing.T) {
	reason := errors.New("the user pressed escape")
	ctx, cancel := context.WithCancelCause(context.Background())
	reader, writer := io.Pipe()
	body := &counted{Reader: reader, also: reader}
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) { panic("nothing is sent") })
	done := make(chan error, 1)
	go func() {
		_, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, body).WithContext(ctx))
		done <- err
	}()
	_, err := writer.Write([]byte(`{"messages":`))
	require.NoError(t, err)
	cancel(reason)
	select {
	case err := <-done:
		require.ErrorIs(t, err, reason)
	case <-time.After(10 * time.Second):
		t.Fatal("the request hangs")
	}
	_, err = writer.Write([]byte("x"))
	require.Error(t, err, "the body is closed")
	require.EqualValues(t, 1, body.closed.Load())
}

// TestRequestUnchanged compares everything a caller can see of a request before and after.
func TestRequestUnchanged(t *testing.T) {
	server := started(t)
	for _, body := range []string{dirty, clean, "{"} {
		transport, _ := to(t, server.URL)
		transport.Remedies = preflighthttp.Remedies()
		req := post(t, server.URL+path, strings.NewReader(body))
		req.Header.Set("Content-Length", "999")
		req.Header.Set("Idempotency-Key", "k")
		req.TransferEncoding = []string{"identity"}
		given, getBody := req.Body, reflect.ValueOf(req.GetBody).Pointer()
		before := req.Clone(req.Context())
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		resp.Body.Close()
		require.True(t, req.Body == given)
		require.Equal(t, getBody, reflect.ValueOf(req.GetBody).Pointer())
		plain := func(r *http.Request) http.Request {
			c := *r.WithContext(context.Background())
			c.Body, c.GetBody = nil, nil
			return c
		}
		a, b := plain(before), plain(req)
		require.Empty(t, cmp.Diff(&a, &b, cmp.AllowUnexported(http.Request{}), cmp.Comparer(func(a, b context.Context) bool { return a == b })))
		again, err := req.GetBody()
		require.NoError(t, err)
		kept, err := io.ReadAll(again)
		require.NoError(t, err)
		require.Equal(t, body, string(kept))
	}
}

func TestContentLengthHeader(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	var sent *http.Request
	transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
		sent = r
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})
	req := post(t, "http://127.0.0.1:1"+path, strings.NewReader(dirty))
	req.Header.Set("Content-Length", fmt.Sprint(len(dirty)))
	_, err := transport.RoundTrip(req)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(len(repaired)), sent.Header.Get("Content-Length"))
	require.EqualValues(t, len(repaired), sent.ContentLength)
	for range 2 {
		body, err := sent.GetBody()
		require.NoError(t, err)
		data, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Equal(t, repaired, string(data))
	}
}

// TestUntouched: what must not be touched arrives byte for byte, with its headers, and the report says why.
func TestUntouched(t *testing.T) {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	tests := []struct {
		name string
		body string
		edit func(*http.Request)
		want preflighthttp.Reason
	}{
		{"SigV4", dirty, header("Authorization", "AWS4-HMAC-SHA256 Credential=AKIA/20250101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=00"), preflighthttp.Signed},
		{"SigV4A", dirty, header("Authorization", "AWS4-ECDSA-P256-SHA256 Credential=AKIA"), preflighthttp.Signed},
		{"payload hash", dirty, header("X-Amz-Content-Sha256", "00"), preflighthttp.Signed},
		{"presigned", dirty, func(r *http.Request) { r.URL.RawQuery = "X-Amz-Signature=00" }, preflighthttp.Signed},
		{"Tencent's signature", dirty, header("Authorization", "TC3-HMAC-SHA256 Credential=x"), preflighthttp.Signed},
		{"HMAC", dirty, header("Authorization", "hmac username=\"x\""), preflighthttp.Signed},
		{"digest", dirty, header("Content-Digest", "sha-256=:AA==:"), preflighthttp.Signed},
		{"old digest", dirty, header("Digest", "SHA-256=AA=="), preflighthttp.Signed},
		{"another digest", dirty, header("Repr-Digest", "sha-256=:AA==:"), preflighthttp.Signed},
		{"payload hash of Azure's", dirty, header("X-Ms-Content-Sha256", "AA=="), preflighthttp.Signed},
		{"payload hash of Volcengine's", dirty, header("X-Content-Sha256", "00"), preflighthttp.Signed},
		{"signature", dirty, header("Signature", "sig=:AA==:"), preflighthttp.Signed},
		{"HTTP signature", dirty, header("Authorization", `Signature keyId="x"`), preflighthttp.Signed},
		{"Google's signature", dirty, header("Authorization", "GOOG4-RSA-SHA256 Credential=x"), preflighthttp.Signed},
		{"Alibaba's signature", dirty, header("Authorization", "ACS3-HMAC-SHA256 Credential=x"), preflighthttp.Signed},
		{"MD5", dirty, header("Content-MD5", "AA=="), preflighthttp.Signed},
		{"message signature", dirty, header("Signature-Input", "sig=()"), preflighthttp.Signed},
		{"trailer", dirty, func(r *http.Request) {
			r.Trailer = http.Header{"X-Checksum": {"1"}}
			r.ContentLength = -1
		}, preflighthttp.Signed},
		{"gzip", dirty, header("Content-Encoding", "gzip"), preflighthttp.Encoded},
		{"two encodings", dirty, func(r *http.Request) { r.Header["Content-Encoding"] = []string{"identity", "br"} }, preflighthttp.Encoded},
		{"form", dirty, header("Content-Type", "multipart/form-data; boundary=x"), preflighthttp.NotJSON},
		{"no JSON", "prompt=hi", nil, preflighthttp.NotJSON},
		{"cut off", dirty[:len(dirty)-1], nil, preflighthttp.NotJSON},
		{"two values", dirty + dirty, nil, preflighthttp.NotJSON},
		{"empty", " ", nil, preflighthttp.NotJSON},
		{"another request", `{"prompt":"hi"}`, nil, preflighthttp.NotRequest},
		{"a number", `1.0`, nil, preflighthttp.NotRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			for _, body := range []io.Reader{strings.NewReader(tt.body), stream(tt.body)} {
				all.all = nil
				req := post(t, server.URL+path, body)
				if tt.edit != nil {
					tt.edit(req)
				}
				want := req.Header.Clone()
				do(t, transport, req)
				server.mu.Lock()
				got := server.got[len(server.got)-1]
				server.mu.Unlock()
				require.Equal(t, tt.body, got.body)
				for name := range want {
					require.Equal(t, want[name], got.header[name], name)
				}
				require.Equal(t, tt.want, all.only(t).Skipped)
				require.False(t, all.only(t).Changed)
			}
		})
	}
	t.Run("identity and other kinds of JSON are looked at", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		for _, h := range [][2]string{{"Content-Encoding", "identity"}, {"Content-Type", "application/vnd.llm+json; charset=utf-8"}, {"Content-Type", ""}, {"Authorization", "Bearer x"}} {
			req := post(t, server.URL+path, strings.NewReader(dirty))
			req.Header.Set(h[0], h[1])
			do(t, transport, req)
		}
		for _, got := range server.received() {
			require.Equal(t, repaired, got.body)
		}
	})
}

// TestBadLength: a body that is not as long as its request says is Base's to refuse, as without the transport.
func TestBadLength(t *testing.T) {
	server := started(t)
	for _, off := range []int64{-1, 1} {
		transport, all := to(t, server.URL)
		req := post(t, server.URL+path, stream(dirty))
		req.ContentLength = int64(len(dirty)) + off
		_, err := transport.RoundTrip(req)
		require.ErrorContains(t, err, "ContentLength")
		require.Equal(t, preflighthttp.BadLength, all.only(t).Skipped)
	}
}

// TestNoneOfOurs: requests without a body, with another method, or to another place are handed on as they are, the very value,
// and not reported.
func TestNoneOfOurs(t *testing.T) {
	base := "http://127.0.0.1:1"
	get, err := http.NewRequest(http.MethodGet, base+path, nil)
	require.NoError(t, err)
	empty, none := post(t, base+path, nil), post(t, base+path, http.NoBody)
	put := post(t, base+path, strings.NewReader(dirty))
	put.Method = http.MethodPut
	for _, req := range []*http.Request{get, empty, none, put, post(t, base+"/v1/embeddings", strings.NewReader(dirty)), post(t, "http://127.0.0.2:1"+path, strings.NewReader(dirty))} {
		transport, all := to(t, base)
		var sent *http.Request
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			sent = r
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})
		_, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.True(t, req == sent, "%s %s", req.Method, req.URL)
		require.Empty(t, all.all)
	}
}

func TestUnfixable(t *testing.T) {
	const empty = `{"model":"claude-sonnet-4-5","messages":[]}`
	t.Run("sent unchanged by default", func(t *testing.T) {
		server := started(t)
		transport, all := to(t, server.URL)
		do(t, transport, post(t, server.URL+path, strings.NewReader(empty)))
		require.Equal(t, empty, server.only(t).body)
		require.ErrorIs(t, all.only(t).Err, preflight.ErrEmptyHistory)
	})
	t.Run("fails", func(t *testing.T) {
		server := started(t)
		transport, all := to(t, server.URL)
		transport.Unfixable = preflighthttp.Fail
		_, err := (&http.Client{Transport: transport}).Do(post(t, server.URL+path, strings.NewReader(empty)))
		require.ErrorIs(t, err, preflight.ErrEmptyHistory)
		var typed *preflighthttp.Error
		require.ErrorAs(t, err, &typed)
		require.Equal(t, "anthropic", typed.Provider)
		require.Empty(t, server.received())
		require.ErrorIs(t, all.only(t).Err, preflight.ErrEmptyHistory)
	})
	t.Run("what is no request does not fail", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		transport.Unfixable = preflighthttp.Fail
		do(t, transport, post(t, server.URL+path, strings.NewReader("{}")))
		require.Equal(t, "{}", server.only(t).body)
	})
	t.Run("a hook that fails always fails", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		transport.Sanitize.Hooks = []preflight.Hook{{Name: "redact", Message: func(context.Context, preflight.Message) (preflight.Message, error) {
			return preflight.Message{}, io.ErrClosedPipe
		}}}
		_, err := transport.RoundTrip(post(t, server.URL+path, strings.NewReader(clean)))
		require.ErrorIs(t, err, preflight.ErrHook)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Empty(t, server.received())
	})
}

func TestUnknownProvider(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	transport.Endpoints[0] = preflighthttp.Endpoint{Path: path, Provider: "nobody"}
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	require.Equal(t, dirty, server.only(t).body)
	var unknown *wire.UnknownProviderError
	require.ErrorAs(t, all.only(t).Err, &unknown)
	require.Equal(t, preflighthttp.NotRequest, all.only(t).Skipped)
}

func TestDryRun(t *testing.T) {
	server := started(t)
	server.respond = func(w http.ResponseWriter, _ *http.Request, _ string) { refuse(w, bound) }
	transport, all := to(t, server.URL)
	transport.DryRun = true
	transport.Remedies = preflighthttp.Remedies()
	transport.Unfixable = preflighthttp.Fail
	transport.Sanitize.Hooks = nil
	status, _ := do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, dirty, server.only(t).body)
	require.True(t, all.only(t).Changed)
	require.NotEmpty(t, all.only(t).Warnings)
	do(t, transport, post(t, server.URL+path, strings.NewReader(`{"messages":[]}`)))
	require.ErrorIs(t, all.all[1].Err, preflight.ErrEmptyHistory)
}

// key is the type of a context value.
type key struct{}

// TestContext: hooks and the report callback get the context of the request.
func TestContext(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	var seen []any
	transport.Sanitize.Hooks = []preflight.Hook{{Name: "look", History: func(ctx context.Context, h []preflight.Message) ([]preflight.Message, error) {
		seen = append(seen, ctx.Value(key{}))
		return h, nil
	}}}
	transport.Report = func(ctx context.Context, _ *preflighthttp.Report) { seen = append(seen, ctx.Value(key{})) }
	do(t, transport, post(t, server.URL+path, strings.NewReader(clean)).WithContext(context.WithValue(context.Background(), key{}, "v")))
	require.Equal(t, []any{"v", "v"}, seen)
	require.Equal(t, clean, server.only(t).body)
}

func TestExpectContinue(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	transport.Base.(*http.Transport).ExpectContinueTimeout = time.Minute
	req := post(t, server.URL+path, stream(dirty))
	req.Header.Set("Expect", "100-continue")
	do(t, transport, req)
	require.Equal(t, repaired, server.only(t).body)
}

// TestConcurrent: a hundred requests at once over one transport, with hooks, and every other one refused and sent again.
func TestConcurrent(t *testing.T) {
	server := started(t)
	server.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, "signature") {
			refuse(w, bound)
		}
	}
	transport, all := to(t, server.URL)
	transport.Remedies = preflighthttp.Remedies()
	same := preflight.Hook{Name: "same", Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) { return m, nil }}
	transport.Sanitize.Hooks = append(make([]preflight.Hook, 0, 8), same)
	numbered := func(body string, k int) string { return strings.Replace(body, "Build it.", fmt.Sprint("Build ", k), 1) }
	given, repairs := []string{dirty, thought}, []string{repaired, thoughtless}
	want := map[string]bool{}
	var group sync.WaitGroup
	for k := range 100 {
		want[numbered(repairs[k%2], k)] = true
		group.Add(1)
		go func() {
			defer group.Done()
			req, err := http.NewRequest(http.MethodPost, server.URL+path, strings.NewReader(numbered(given[k%2], k)))
			if err == nil {
				var resp *http.Response
				if resp, err = transport.RoundTrip(req); err == nil {
					resp.Body.Close()
				}
				if err == nil && resp.StatusCode != http.StatusOK {
					err = errors.New(resp.Status)
				}
			}
			if err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	got := map[string]bool{}
	for _, r := range server.received() {
		if !strings.Contains(r.body, "signature") {
			got[r.body] = true
		}
	}
	require.Empty(t, cmp.Diff(want, got))
	require.Len(t, server.received(), 150)
	require.Len(t, all.all, 150)
}

func TestRewrite(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	req := post(t, "http://127.0.0.1:1"+path, strings.NewReader(dirty))
	out, report, err := transport.Rewrite(req)
	require.NoError(t, err)
	require.True(t, report.Changed)
	body, err := io.ReadAll(out.Body)
	require.NoError(t, err)
	require.Equal(t, repaired, string(body))
	require.EqualValues(t, len(repaired), out.ContentLength)

	other := post(t, "http://127.0.0.1:1/x", strings.NewReader(dirty))
	out, report, err = transport.Rewrite(other)
	require.NoError(t, err)
	require.Nil(t, report)
	require.True(t, out == other)
}

func TestCloseIdleConnections(t *testing.T) {
	closed := 0
	transport := &preflighthttp.Transport{Base: &closer{&closed}}
	(&http.Client{Transport: transport}).CloseIdleConnections()
	require.Equal(t, 1, closed)
	transport.Base = roundTripper(nil)
	transport.CloseIdleConnections() // has nothing to close
}

type closer struct{ n *int }

func (*closer) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.EOF }
func (c *closer) CloseIdleConnections()                         { *c.n++ }

// TestReportHoldsNoContent: a report can be logged.
func TestReportHoldsNoContent(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	do(t, transport, post(t, server.URL+path, strings.NewReader(strings.ReplaceAll(dirty, "Stop.", "s3cret"))))
	do(t, transport, post(t, server.URL+path, strings.NewReader(`{"messages":"s3cret"}`)))
	do(t, transport, post(t, server.URL+path, strings.NewReader(`s3cret`)))
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	for _, r := range all.all {
		logger.Info("request", "preflight", r)
	}
	require.Contains(t, log.String(), `"code":"dangling-removed"`)
	require.Contains(t, log.String(), `"skipped":"not-json"`)
	require.NotContains(t, log.String(), "s3cret")
	require.Equal(t, slog.Value{}, (*preflighthttp.Report)(nil).LogValue())
}
