package preflighthttp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// streaming starts an upstream that answers at once, with read before it has read the request, and
// ends its answers when it is told to.
func streaming(t *testing.T, read bool) (url string, got chan string, finish func()) {
	end := make(chan struct{})
	got = make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		if read {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-end
		if !read {
			body, _ := io.ReadAll(r.Body)
			got <- string(body)
		}
	}))
	finish = sync.OnceFunc(func() { close(end) })
	t.Cleanup(func() { finish(); server.Close() })
	return server.URL, got, finish
}

// TestReleasedAtHead: while answers stream, nothing of the bodies is in memory, and the budget has
// room.
func TestReleasedAtHead(t *testing.T) {
	const size, requests = 256 << 10, 20
	url, _, _ := streaming(t, true)
	for name, policy := range map[string]bool{"plain": false, "remedies": true} {
		transport, _ := to(t, url)
		transport.Budget = preflighthttp.NewBudget(requests * size * 4)
		if policy {
			transport.Remedies = remedy.All()
		}
		before := heap()
		for k := range requests {
			body, _ := large(size) // to be repaired
			if k%2 == 0 {
				body = strings.Replace(clean, "Build it.", strings.Repeat("x", size), 1)
			}
			resp, err := transport.RoundTrip(post(t, url+path, stream(body)))
			require.NoError(t, err)
			defer resp.Body.Close()
		}
		require.Eventually(t, func() bool { return transport.Budget.Used() == 0 }, 5*time.Second,
			time.Millisecond)
		require.Less(t, heap()-before, int64(requests*size/8), name)
	}
}

// heap is what is in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestEarlyAnswer: an upstream that answers before it has read the body gets all of it, and the
// body counts until it was sent.
func TestEarlyAnswer(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{strings.Replace(clean, "Build it.", strings.Repeat("x", 8<<20), 1), ""},
		{strings.Replace(dirty, "Build it.", strings.Repeat("x", 8<<20), 1), "repaired"},
	} {
		url, got, finish := streaming(t, false)
		transport, _ := to(t, url)
		transport.Budget = preflighthttp.NewBudget(64 << 20)
		resp, err := transport.RoundTrip(post(t, url+path, stream(c.body)))
		require.NoError(t, err)
		require.Greater(t, transport.Budget.Used(), int64(4<<20), "it is not sent yet")
		finish()
		body := <-got
		if c.want == "" {
			require.True(t, body == c.body)
		} else {
			require.Greater(t, len(body), 8<<20)
			require.NotContains(t, body, "tool_use")
		}
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		require.Eventually(t, func() bool { return transport.Budget.Used() == 0 }, 5*time.Second,
			time.Millisecond)
	}
}

// TestGetBodyAfterHead: the body can be read again where the caller's can.
func TestGetBodyAfterHead(t *testing.T) {
	server := started(t)
	for _, c := range []struct{ body, want string }{{clean, clean}, {dirty, repaired}} {
		transport, _ := to(t, server.URL)
		resp, err := transport.RoundTrip(post(t, server.URL+path, strings.NewReader(c.body)))
		require.NoError(t, err)
		resp.Body.Close()
		again, err := resp.Request.GetBody()
		require.NoError(t, err)
		data, err := io.ReadAll(again)
		require.NoError(t, err)
		require.Equal(t, c.want, string(data))

		resp, err = transport.RoundTrip(post(t, server.URL+path, stream(c.body)))
		require.NoError(t, err)
		resp.Body.Close()
		_, err = resp.Request.GetBody()
		require.ErrorContains(t, err, "released")
	}

	transport, _, refusing := resending(t, 400, refusal(bound), thoughtless)
	resp, err := transport.RoundTrip(post(t, refusing.URL+path, stream(thought)))
	require.NoError(t, err)
	resp.Body.Close()
	require.Len(t, refusing.received(), 2)
	_, err = resp.Request.GetBody()
	require.ErrorContains(t, err, "released", "nor is the second attempt's kept")
}

// TestUnclosedBody: a RoundTripper that never closes the request's body costs no room beyond the
// response.
func TestUnclosedBody(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Budget = preflighthttp.NewBudget(1 << 20)
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(""))}, nil
	})
	for range 2 {
		resp, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, stream(dirty)))
		require.NoError(t, err)
		require.Positive(t, transport.Budget.Used())
		resp.Body.Close()
		require.Zero(t, transport.Budget.Used())
	}
}

// TestAnnouncedIsNotTaken: requests that announce large bodies and send a byte take room for what
// came, and others are served.
func TestAnnouncedIsNotTaken(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	transport.Budget = preflighthttp.NewBudget(512 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	var stalled sync.WaitGroup
	for range 8 {
		reader, writer := io.Pipe()
		req := post(t, server.URL+path, reader).WithContext(ctx)
		req.ContentLength = 64 << 20
		stalled.Add(1)
		go func() {
			defer stalled.Done()
			_, _ = transport.RoundTrip(req)
		}()
		_, err := writer.Write([]byte("{"))
		require.NoError(t, err)
	}
	require.LessOrEqual(t, transport.Budget.Used(), int64(8*64<<10))
	status, _ := do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, repaired, server.only(t).body)
	cancel()
	stalled.Wait()
	require.Zero(t, transport.Budget.Used())
}
