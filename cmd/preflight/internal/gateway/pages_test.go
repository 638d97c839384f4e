package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPages: pages of a foreign site reach no upstream with the gateway's key, in whatever way a
// browser lets them ask, and those that may are let read the answer; no upstream learns an origin.
// The requests are those that browsers make.
func TestPages(t *testing.T) {
	seen := make(chan http.Header, 1)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Header.Get("Upgrade") == "" {
			_, _ = io.WriteString(w, "yes")
			return
		}
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n" +
			"Upgrade: websocket\r\n\r\n")
		_ = rw.Flush()
	}))
	defer upstream.Close()
	const (
		json   = "Content-Type: application/json\r\n"
		form   = "Content-Type: application/x-www-form-urlencoded\r\n"
		socket = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n" +
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		events  = "Accept: text/event-stream\r\nCache-Control: no-cache\r\n"
		foreign = "Origin: https://evil.example\r\n"
		mine    = "Origin: https://app.example\r\n"
	)
	for _, c := range []struct {
		name, method, host, head string
		public                   bool
		want                     int
	}{
		{name: "POST", method: "POST", head: json + foreign, want: 403},
		{name: "form", method: "POST", head: form + foreign, want: 403},
		{name: "form of a file", method: "POST", head: form + "Origin: null\r\n", want: 403},
		{name: "GET", method: "GET", head: foreign, want: 403},
		{name: "image", method: "GET", head: "Sec-Fetch-Site: cross-site\r\n", want: 403},
		{name: "WebSocket", method: "GET", head: socket + foreign, want: 403},
		{name: "WebSocket of a sandbox", method: "GET", head: socket + "Origin: null\r\n", want: 403},
		{name: "EventSource", method: "GET", head: events + foreign, want: 403},
		{name: "preflight", method: "OPTIONS", head: "Access-Control-Request-Method: POST\r\n" + foreign,
			want: 403},
		{name: "rebound POST", method: "POST", host: "evil.example",
			head: json + "Origin: http://evil.example\r\n", want: 403},
		{name: "rebound GET", method: "GET", host: "evil.example", want: 403},
		{name: "rebound WebSocket", method: "GET", host: "evil.example",
			head: socket + "Origin: http://evil.example\r\n", want: 403},
		{name: "rebound POST, on a network", method: "POST", host: "evil.example", public: true,
			head: json + "Origin: http://evil.example\r\n", want: 403},
		{name: "rebound WebSocket, on a network", method: "GET", host: "evil.example", public: true,
			head: socket + "Origin: http://evil.example\r\n", want: 403},

		{name: "own POST", method: "POST", head: json + mine, want: 200},
		{name: "own GET", method: "GET", head: mine, want: 200},
		{name: "own EventSource", method: "GET", head: events + mine, want: 200},
		{name: "own WebSocket", method: "GET", head: socket + mine, want: 101},
		{name: "page of this machine", method: "GET", head: socket + "Origin: http://localhost:3000\r\n",
			want: 101},
		{name: "no browser", method: "GET", head: socket, want: 101},
		{name: "no browser, on a network", method: "POST", host: "gateway.example", public: true,
			head: json, want: 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := New(Config{
				ShareKeys: true, Origins: []string{"https://app.example"},
				Routes: []Route{{
					Prefix: "/r", Upstream: upstream.URL,
					Headers: map[string]string{"Authorization": "Bearer sk-1"},
				}},
			})
			require.NoError(t, err)
			g.Local, g.Public = !c.public, c.public
			server := httptest.NewServer(g)
			defer server.Close()
			if c.host == "" {
				c.host = strings.TrimPrefix(server.URL, "http://")
			}
			conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			body := ""
			if c.method == http.MethodPost {
				c.head, body = c.head+"Content-Length: 2\r\n", "{}"
			}
			_, err = io.WriteString(conn, c.method+" /r/v1/x HTTP/1.1\r\nHost: "+c.host+"\r\n"+
				c.head+"\r\n"+body)
			require.NoError(t, err)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer resp.Body.Close()
			require.Equal(t, c.want, resp.StatusCode)
			if c.want == http.StatusForbidden {
				require.Empty(t, seen)
				require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
				return
			}
			header := <-seen
			require.Equal(t, "Bearer sk-1", header.Get("Authorization"))
			require.NotContains(t, header, "Origin")
			if c.want == 200 && strings.Contains(c.head, mine) {
				require.Equal(t, []string{"https://app.example"},
					resp.Header["Access-Control-Allow-Origin"])
			}
		})
	}
}

// TestPreflight: what a page of a configured origin may send is answered by the gateway.
func TestPreflight(t *testing.T) {
	g, err := New(Config{
		Origins: []string{"https://app.example"},
		Routes:  []Route{{Prefix: "/r", Upstream: "http://127.0.0.1:1"}},
	})
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodOptions, "http://127.0.0.1/r/v1/messages", nil)
	r.Header.Set("Origin", "https://app.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	r.Header.Set("Access-Control-Request-Headers", "x-api-key, content-type")
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, "https://app.example", w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", w.Header().Get("Access-Control-Allow-Methods"))
	require.Equal(t, "x-api-key, content-type", w.Header().Get("Access-Control-Allow-Headers"))
	require.Empty(t, w.Header().Get("Access-Control-Allow-Credentials"))
}
