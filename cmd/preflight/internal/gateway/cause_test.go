package gateway

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCauseOf(t *testing.T) {
	dial := func(err error) error {
		return fmt.Errorf("Post: %w", &net.OpError{Op: "dial", Net: "tcp", Err: err})
	}
	lookup := &net.DNSError{Err: "no such host", Name: "api.example"}
	slowLookup := &net.DNSError{Err: "i/o timeout", Name: "api.example", IsTimeout: true}
	for _, c := range []struct {
		want string
		err  error
	}{
		{"dns", dial(lookup)},
		{"dns", dial(slowLookup)},
		{"exhausted", dial(os.NewSyscallError("socket", errors.New("too many open files")))},
		{"exhausted", dial(&net.DNSError{Err: "socket: too many open files", Name: "api.example"})},
		{"exhausted", dial(os.NewSyscallError("connect", errors.New("cannot assign requested address")))},
		{"proxy", fmt.Errorf("Post: %w", &net.OpError{
			Op: "proxyconnect", Net: "tcp", Err: dial(errors.New("connect: connection refused")),
		})},
		{"unreachable", dial(os.ErrDeadlineExceeded)},
		{"timeout", fmt.Errorf("read: %w", os.ErrDeadlineExceeded)},
		{"tls", errors.New("net/http: TLS handshake timeout")},
		{"reset", errors.New("http2: client connection lost")},
		{"unreachable", errors.New("something new")},
	} {
		name, text := causeOf(c.err)
		require.Equal(t, c.want, name, c.err)
		require.NotEmpty(t, text)
		require.NotContains(t, text, "api.example")
	}
}

// TestDeadHTTP2: a connection of HTTP/2 that the network forgot without a word is given up, so that
// later requests are answered. One whose upstream thinks for long is not.
func TestDeadHTTP2(t *testing.T) {
	defer func(after, time time.Duration) { pingAfter, pingTime = after, time }(pingAfter, pingTime)
	pingAfter, pingTime = 100*time.Millisecond, 300*time.Millisecond
	upstream := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second) // it thinks
			fmt.Fprint(w, r.Proto)
		}))
	upstream.EnableHTTP2 = true
	upstream.StartTLS()
	defer upstream.Close()
	network, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer network.Close()
	var dead atomic.Bool
	go func() {
		for {
			near, err := network.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", upstream.Listener.Addr().String())
			if err != nil {
				return
			}
			var forgotten atomic.Bool
			dead.Store(false) // for connections from now on
			relay := func(to, from net.Conn) {
				for buf := make([]byte, 4096); ; {
					n, err := from.Read(buf)
					if err != nil {
						to.Close()
						return
					}
					if dead.Load() {
						forgotten.Store(true)
					}
					if !forgotten.Load() {
						_, _ = to.Write(buf[:n])
					}
				}
			}
			go relay(far, near)
			go relay(near, far)
		}
	}()
	g, err := New(Config{Routes: []Route{{Prefix: "/a", Upstream: "https://" + network.Addr().String()}}})
	require.NoError(t, err)
	for _, base := range g.state.Load().bases {
		base.TLSClientConfig = upstream.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	}
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		ended := make(chan bool)
		go func() {
			defer close(ended)
			g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/a/x", nil))
		}()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			require.Fail(t, "it waits for a connection that is dead")
		}
		return w
	}
	require.Equal(t, "HTTP/2.0", ask().Body.String())
	dead.Store(true)
	ask() // is lost, or sent again: it was a GET
	require.Equal(t, http.StatusOK, ask().Code)
}
