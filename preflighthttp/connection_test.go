package preflighthttp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// This file is about what net/http does with a request between the transport and the server:
// connections that die, redirects, HTTP/2, and many requests at once.

// deadable is a connection that can be told to fail its next write before a byte is written, as one
// does that the server closed while it was idle.
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

// TestWarmConnection: net/http sends a request again, with the body of GetBody, when the kept-alive
// connection it took turns out to be closed. A transport that replaced Body alone would send the
// old body then, or half of it.
func TestWarmConnection(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	var dead atomic.Bool
	var dials atomic.Int32
	transport.Base.(*http.Transport).DialContext = func(
		ctx context.Context, network, addr string,
	) (net.Conn, error) {
		dials.Add(1)
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		return &deadable{c, &dead}, err
	}
	do(t, transport, post(t, server.URL+path, strings.NewReader(clean)))
	dead.Store(true)
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	dead.Store(true)
	// without a GetBody of its own, this could not be sent again
	do(t, transport, post(t, server.URL+path, stream(dirty)))

	require.EqualValues(t, 3, dials.Load(), "each dead connection is replaced")
	got := server.received()
	require.Len(t, got, 3)
	require.Equal(t, clean, got[0].body)
	require.Equal(t, repaired, got[1].body)
	require.Equal(t, repaired, got[2].body)
	require.Len(t, all.all, 3, "a request that net/http sends again is one request")
}

// TestLostAnswer: the same where the server read the request and hung up without an answer, and an
// Idempotency-Key allows to send it again.
func TestLostAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	bodies := make(chan string, 4)
	go func() {
		// the first connection answers once, then reads a request and hangs up
		for answers := 1; ; answers = 99 {
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

// TestRedirects: http.Client sends the original body again after 307 and 308, wherever that goes;
// what was a request to an endpoint stays one.
func TestRedirects(t *testing.T) {
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for _, elsewhere := range []string{"/v2" + path, "/somewhere/else"} {
			t.Run(fmt.Sprint(status, elsewhere), func(t *testing.T) {
				second := started(t)
				first, hop := started(t), started(t)
				first.respond = func(w http.ResponseWriter, r *http.Request, _ string) {
					http.Redirect(w, r, hop.URL+"/hop", status)
				}
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
	for _, body := range []io.Reader{
		strings.NewReader(dirty), stream(dirty), strings.NewReader(clean), stream(clean),
	} {
		do(t, transport, post(t, server.URL+path, body))
	}
	got := server.received()
	require.Len(t, got, 4)
	for k, want := range []string{repaired, repaired, clean, clean} {
		require.Equal(t, 2, got[k].major)
		require.Equal(t, want, got[k].body)
	}
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

// TestConcurrent: a hundred requests at once over one transport, with hooks, and every other one
// refused and sent again.
func TestConcurrent(t *testing.T) {
	server := started(t)
	server.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, "signature") {
			refuse(w, bound)
		}
	}
	transport, all := to(t, server.URL)
	transport.Remedies = remedy.All()
	same := preflight.Hook{
		Name: "same",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return m, nil
		},
	}
	transport.Options.Hooks = append(make([]preflight.Hook, 0, 8), same)
	numbered := func(body string, k int) string {
		return strings.Replace(body, "Build it.", fmt.Sprint("Build ", k), 1)
	}
	given, repairs := []string{dirty, thought}, []string{repaired, thoughtless}
	want := map[string]bool{}
	var group sync.WaitGroup
	for k := range 100 {
		want[numbered(repairs[k%2], k)] = true
		group.Add(1)
		go func() {
			defer group.Done()
			req, err := http.NewRequest(http.MethodPost, server.URL+path,
				strings.NewReader(numbered(given[k%2], k)))
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
