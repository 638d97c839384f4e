package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// This file lets clients and upstreams misbehave: none can keep others out, reach another host than
// the configured one, or slip a second request past the gateway.

// upstream keeps the requests that arrive.
type upstream struct {
	*httptest.Server
	mu  sync.Mutex
	got []string // method, target and body
}

func newUpstream(t *testing.T, answer http.HandlerFunc) *upstream {
	u := &upstream{}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" && answer != nil {
			answer(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		u.mu.Lock()
		u.got = append(u.got, fmt.Sprintf("%s %s %s", r.Method, r.URL, body))
		u.mu.Unlock()
		if r.Header.Get("Upgrade") == "" {
			return
		}
		conn, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn,
			"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, _ := both.ReadString('\n')
		_, _ = io.WriteString(conn, "echo "+line)
	}))
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) received() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.got
}

// on turns on all remedies of a route.
var on = func() *bool { on := true; return &on }()

// gatewayTo is a gateway on a loopback address with one route, "/r", to an upstream.
func gatewayTo(t *testing.T, u *upstream) (*Gateway, *httptest.Server) {
	g, err := New(Config{
		Routes:  []Route{{Prefix: "/r", Upstream: u.URL, Provider: "anthropic", Remedies: on}},
		MaxBody: 1 << 20, MaxHeld: 2 << 20,
	})
	require.NoError(t, err)
	g.Local = true
	server := httptest.NewUnstartedServer(g)
	server.Config.ErrorLog = silent
	server.Start()
	t.Cleanup(server.Close)
	return g, server
}

// raw sends bytes on a connection of its own, and returns the status and the body of the answer
// that is not merely informational; 0 when there is none.
func raw(t *testing.T, server *httptest.Server, text string) (int, string) {
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // a test that hangs
	go func() { _, _ = io.WriteString(conn, text) }() // the server may answer before it has read all
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	for err == nil && resp.StatusCode < 200 {
		resp, err = http.ReadResponse(in, nil)
	}
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// TestHostileClients: requests that two servers could read in two ways, name another host or have
// no end are refused, or reach the upstream as one request.
func TestHostileClients(t *testing.T) {
	const smuggled = "POST /r/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
	inner := "0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, c := range map[string]struct {
		text   string
		status int
		got    []string
	}{
		"plain": {
			text:   "GET /r/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
			status: 200, got: []string{"GET /x "},
		},
		"a length and chunks": {
			text:   smuggled + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + inner,
			status: 200, got: []string{"POST /v1/messages "},
		},
		"two lengths": {text: smuggled + "Content-Length: 5\r\n\r\nabcde", status: 400},
		"signed length": {
			text: "POST /r/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: +4\r\n\r\nabcd", status: 400,
		},
		"unknown encoding": {text: smuggled + "Transfer-Encoding: xchunked\r\n\r\n" + inner, status: 501},
		"two encodings": {
			text:   smuggled + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + inner,
			status: 501,
		},
		"space before the colon": {
			text: smuggled + "Transfer-Encoding : chunked\r\n\r\n" + inner, status: 400,
		},
		"two hosts": {
			text: "GET /r/x HTTP/1.1\r\nHost: localhost\r\nHost: x.example\r\n\r\n", status: 400,
		},
		"absolute form": {
			text:   "GET http://evil.example/r/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
			status: 403,
		},
		"absolute form, local": {
			text:   "GET http://127.0.0.1:1/r/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
			status: 200, got: []string{"GET /x "}, // at the upstream of the route, not at that port
		},
		"two slashes": {
			text:   "GET /r//evil.example/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
			status: 200, got: []string{"GET //evil.example/x "},
		},
		"CONNECT": {
			text:   "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n",
			status: 405,
		},
		"CONNECT with a path": {
			text: "CONNECT /r/x HTTP/1.1\r\nHost: localhost\r\n\r\n", status: 405,
		},
		"head without an end": {
			text: "GET /r/x HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 3<<20), status: 431,
		},
		"many headers": {
			text:   "GET /r/x HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: y\r\n", 500_000),
			status: 431,
		},
		"no HTTP":   {text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", status: 400},
		"HTTP/0.9":  {text: "GET /r/x\r\n\r\n", status: 400},
		"HTTP/3":    {text: "GET /r/x HTTP/3.0\r\nHost: localhost\r\n\r\n", status: 505},
		"bad chunk": {text: chunkedHead + "zz\r\n", status: 502},
		"half a body": {
			text:   "POST /hooks/portkey HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
			status: 200,
		},
		"webhook without a length": {
			text:   strings.Replace(chunkedHead, "/r/v1/messages", "/hooks/portkey", 1) + "0\r\n\r\n",
			status: 413,
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t, nil)
			g, server := gatewayTo(t, u)
			status, _ := raw(t, server, c.text)
			require.Equal(t, c.status, status)
			require.Equal(t, c.got, u.received())
			require.Zero(t, g.state.Load().budget.Used())
			require.NotContains(t, strings.Join(u.received(), ""), "admin")
		})
	}
}

const chunkedHead = "POST /r/v1/messages HTTP/1.1\r\nHost: localhost\r\n" +
	"Transfer-Encoding: chunked\r\n\r\n"

// twoBytes is the head of a request with a body of two bytes.
func twoBytes(path string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
}

// TestEndlessBody: a body without an end passes as it comes once it is larger than what is read,
// and holds no more than that.
func TestEndlessBody(t *testing.T) {
	most := int64(0)
	u := newUpstream(t, nil)
	g, server := gatewayTo(t, u)
	read := make(chan int64, 1)
	u.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.CopyN(io.Discard, r.Body, 8<<20)
		most = max(most, g.state.Load().budget.Used())
		read <- n // and the connection ends, although more would come
	})
	body := io.LimitReader(endless{}, 1<<40)
	req, err := http.NewRequest(http.MethodPost, server.URL+"/r/v1/messages", body)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		resp.Body.Close()
	}
	require.EqualValues(t, 8<<20, <-read)
	require.LessOrEqual(t, most, int64(2<<20))
	server.Close() // waits for the request
	require.Zero(t, g.state.Load().budget.Used())
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestSlowBodies: clients that announce bodies and send nothing keep others out no longer than
// grace, whether the length is known or not, and so do calls of the webhook.
func TestSlowBodies(t *testing.T) {
	defer func(was time.Duration) { grace = was }(grace)
	grace = 50 * time.Millisecond
	u := newUpstream(t, nil)
	g, server := gatewayTo(t, u)
	for _, head := range []string{
		"POST /r/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{",
		chunkedHead + "1\r\n{\r\n",
		"POST /hooks/portkey HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{",
	} {
		status, body := raw(t, server, head)
		require.Equal(t, http.StatusRequestTimeout, status)
		require.Contains(t, body, "in time")
	}
	require.Empty(t, u.received())
	// a body that passes unread may take any time
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, _ = io.WriteString(conn, twoBytes("/r/upload")+"{")
	time.Sleep(2 * grace)
	_, _ = io.WriteString(conn, "}")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	// and the next request of its connection is not late
	_, _ = io.WriteString(conn, twoBytes("/r/v1/messages")+"{}")
	resp, err = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	time.Sleep(2 * grace)
	_, _ = io.WriteString(conn, "GET /r/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	resp, err = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	server.Close()
	require.Zero(t, g.state.Load().budget.Used())
}

// TestManyConnections: connections that send half a head do not keep others out.
func TestManyConnections(t *testing.T) {
	u := newUpstream(t, nil)
	_, server := gatewayTo(t, u)
	for range 200 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "GET /r/x HTTP/1.1\r\nHost: ")
		require.NoError(t, err)
	}
	status, _ := raw(t, server, "GET /r/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	require.Equal(t, http.StatusOK, status)
}

// TestHostileUpstreams: an upstream whose answer is none, has no end or breaks off is a 502 or
// breaks off for the client, and what it sends is on no page.
func TestHostileUpstreams(t *testing.T) {
	const secret = "alice@example.org"
	for name, c := range map[string]struct {
		head, again string // again until the connection ends
		status      int
		body        string
	}{
		"nothing":     {status: 502},
		"no HTTP":     {head: secret + "\r\n\r\n", status: 502},
		"half a head": {head: "HTTP/1.1 400 Bad", status: 502},
		"two lengths": {
			head:   "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
			status: 502,
		},
		"head without an end": {
			head:   "HTTP/1.1 200 OK\r\n",
			again:  "X: " + strings.Repeat("x", 4000) + "\r\n",
			status: 502,
		},
		"hints without an end": {again: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", status: 502},
		"a stream that breaks off": {
			head: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n" +
				"\r\n9\r\ndata: 1\n\n\r\n",
			status: 200, body: "data: 1\n\n",
		},
		"a refusal with a secret": {
			head: "HTTP/1.1 400 Bad Request\r\nX-Secret: " + secret + "\r\nContent-Length: 17\r\n\r\n" +
				secret + secret,
			status: 400, body: secret,
		},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer listener.Close()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						defer conn.Close()
						req, err := http.ReadRequest(bufio.NewReader(conn))
						if err != nil {
							return
						}
						_, _ = io.Copy(io.Discard, req.Body)
						_, err = io.WriteString(conn, c.head)
						for err == nil && c.again != "" {
							_, err = io.WriteString(conn, c.again)
						}
					}()
				}
			}()
			u := &upstream{Server: &httptest.Server{URL: "http://" + listener.Addr().String()}}
			g, server := gatewayTo(t, u)
			status, body := raw(t, server, "POST /r/v1/messages HTTP/1.1\r\nHost: localhost\r\n"+
				"Content-Length: 2\r\nConnection: close\r\n\r\n{}")
			require.Equal(t, c.status, status)
			if c.body != "" {
				require.Equal(t, c.body, body)
			}
			require.Zero(t, g.state.Load().budget.Used())
			for _, path := range []string{"/", "/metrics"} {
				_, page := raw(t, server,
					"GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
				require.NotEmpty(t, page)
				require.NotContains(t, page, secret)
			}
		})
	}
}

// TestWebSocket: an upgraded connection passes both ways, and is counted as ended when it is.
func TestWebSocket(t *testing.T) {
	u := newUpstream(t, nil)
	_, server := gatewayTo(t, u)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET /r/realtime HTTP/1.1\r\nHost: localhost\r\n"+
		"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
	_, _ = io.WriteString(conn, "hello\n")
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "echo hello\n", line)
	_, err = in.ReadByte()
	require.Equal(t, io.EOF, err)
}
