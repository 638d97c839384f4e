package gateway_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestFullDuplex: an upstream that answers while it reads the request reaches the client at once,
// with HTTP/1.1 and with HTTP/2 in plain text.
func TestFullDuplex(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		lines := bufio.NewReader(r.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			fmt.Fprintf(w, "%s %s", r.Proto, line)
			http.NewResponseController(w).Flush()
		}
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/r", Upstream: upstream.URL}},
	})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(g)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	for _, major := range []int{1, 2} {
		protocols := new(http.Protocols)
		protocols.SetHTTP1(major == 1)
		protocols.SetUnencryptedHTTP2(major == 2)
		base := &http.Transport{Protocols: protocols}
		defer base.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		body, questions := io.Pipe()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/r/talk", body)
		require.NoError(t, err)
		go fmt.Fprintln(questions, "0")
		resp, err := base.RoundTrip(req)
		require.NoError(t, err)
		require.Equal(t, major, resp.ProtoMajor)
		lines := bufio.NewReader(resp.Body)
		for n := range 3 {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("HTTP/1.1 %d\n", n), line)
			if n < 2 {
				fmt.Fprintln(questions, n+1)
			}
		}
		require.NoError(t, questions.Close())
		_, err = lines.ReadString('\n')
		require.Equal(t, io.EOF, err)
		resp.Body.Close()
	}
}

const earlyLength = 100_000

// answerEarly is an upstream that answers each request before it reads the body.
func answerEarly(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			in := bufio.NewReader(conn)
			for {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				fmt.Fprintf(conn, "HTTP/1.1 401 Unauthorized\r\nContent-Length: %d\r\n\r\n%s",
					earlyLength, strings.Repeat("x", earlyLength))
				_, _ = io.Copy(io.Discard, req.Body)
			}
		}()
	}
}

// TestEarlyAnswer: an upstream that answers before it has read the request gets its answer through
// whole, and what the client still sends is never taken for its next request.
func TestEarlyAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go answerEarly(listener)
	var failed bytes.Buffer
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{
			{Prefix: "/r", Upstream: "http://" + listener.Addr().String()},
			{Prefix: "/away", Upstream: "http://127.0.0.1:1"},
		},
	})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(g)
	server.Config.ErrorLog = log.New(&failed, "", 0)
	server.Start()
	client := server.Client()
	for k := range 50 {
		path, status := "/r/upload", http.StatusUnauthorized
		if k%2 == 0 { // no upstream: nothing of the body is read
			path, status = "/away/upload", http.StatusBadGateway
		}
		resp, err := client.Post(server.URL+path, "application/octet-stream",
			strings.NewReader(strings.Repeat("x", 200_000)))
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, status, resp.StatusCode)
		if k%2 == 1 {
			require.Len(t, body, earlyLength)
		}
	}
	server.Close()
	require.NotContains(t, failed.String(), "panic")
}

// TestCompressedRefusal: a client that asks for compressed answers gets its request repaired and
// sent again all the same, and other answers as the upstream compressed them.
func TestCompressedRefusal(t *testing.T) {
	const refusal = `{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.` +
		"content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot " +
		`be modified. These blocks must remain as they were in the original response."}}`
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write([]byte(refusal))
	require.NoError(t, zip.Close())
	var asked []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Accept-Encoding"))
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Encoding", "gzip")
		if bytes.Contains(body, []byte("thinking")) {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write(packed.Bytes())
	}))
	defer upstream.Close()
	on := true
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic", Remedies: &on},
		nil)
	req, err := http.NewRequest(http.MethodPost, url+"/r/v1/messages", strings.NewReader(
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},`+
			`{"type":"text","text":"a"}]},{"role":"user","content":"n"}]}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Encoding", "gzip, br, zstd")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "gzip", resp.Header.Get("Content-Encoding"))
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, packed.Bytes(), body, "byte for byte")
	require.Equal(t, []string{"gzip", "gzip"}, asked)
	require.Contains(t, get(t, url+"/metrics"), "preflight_resent_total 1")
	require.Contains(t, get(t, url+"/"), "drop-reasoning")
}

// TestEncodingsAsTheyCame: without remedies, clients and upstreams agree on encodings themselves.
func TestEncodingsAsTheyCame(t *testing.T) {
	var asked []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, strings.Join(r.Header.Values("Accept-Encoding"), "|"))
	}))
	defer upstream.Close()
	off := false
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic", Remedies: &off}, nil)
	for _, encoding := range []string{"", "br, zstd"} {
		req, err := http.NewRequest(http.MethodPost, url+"/r/v1/messages",
			strings.NewReader(aborted[0].body))
		require.NoError(t, err)
		if encoding != "" {
			req.Header.Set("Accept-Encoding", encoding)
		}
		resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
		require.NoError(t, err)
		resp.Body.Close()
	}
	require.Equal(t, []string{"", "br, zstd"}, asked)
}

// TestBrokenAnswer: an answer that the upstream breaks off breaks off for the client too, and is
// counted.
func TestBrokenAnswer(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer upstream.Close()
	url := start(t, gateway.Route{Upstream: upstream.URL}, nil)
	resp, err := http.Get(url + "/r/x")
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.Error(t, err)
	require.Equal(t, "half", string(body))
	require.Contains(t, get(t, url+"/metrics"), "preflight_broken_total 1")
}

// TestSigned: a request that is signed over its body passes unchanged, and the page says so.
func TestSigned(t *testing.T) {
	var got string
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
	}))
	defer upstream.Close()
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic"}, nil)
	req, err := http.NewRequest(http.MethodPost, url+"/r/v1/messages",
		strings.NewReader(aborted[0].body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDNOTSHOWN")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, aborted[0].body, got)
	page, metrics := get(t, url+"/"), get(t, url+"/metrics")
	require.Contains(t, page, "passed unchanged: signed")
	require.Contains(t, metrics, `preflight_skipped_total{reason="signed"} 1`)
	require.NotContains(t, page+metrics, "AKIDNOTSHOWN")
}

// TestAsItCame: the path, the query, the headers and the trailer of a request stay as they came.
func TestAsItCame(t *testing.T) {
	var got *http.Request
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got = r
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/r", Upstream: upstream.URL}},
	})
	require.NoError(t, err)
	server := httptest.NewServer(g)
	defer server.Close()
	req, err := http.NewRequest(http.MethodPost, server.URL+"/r/v1/a%2Fb;c/./d?x=%zz&a;b&c=%20+",
		io.NopCloser(strings.NewReader("hello")))
	require.NoError(t, err)
	req.Header = http.Header{
		"Forwarded": {"for=1"}, "X-Forwarded-For": {"1.2.3.4", "5.6.7.8"},
		"X-Forwarded-Host": {"h"}, "X-Forwarded-Proto": {"https"}, "X-Odd_name": {"1", "2"},
		"User-Agent": {""}, "Accept-Encoding": {"br"}, "Authorization": {"Bearer k"},
	}
	want := req.Header.Clone()
	delete(want, "User-Agent")
	req.Trailer = http.Header{"X-Checksum": {"5"}}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "/v1/a%2Fb;c/./d?x=%zz&a;b&c=%20+", got.RequestURI)
	require.Equal(t, want, got.Header)
	require.Equal(t, http.Header{"X-Checksum": {"5"}}, got.Trailer)
}

// TestLocalNames: a gateway on a loopback address is not reached by a name that a web page can
// have.
func TestLocalNames(t *testing.T) {
	g, err := gateway.New(gateway.Config{Hosts: []string{"My-Gateway.example", "other.example.:80"}})
	require.NoError(t, err)
	for host, want := range map[string]int{
		"127.0.0.1:4747": 200, "[::1]:4747": 200, "localhost:4747": 200, "LOCALHOST": 200,
		"host.docker.internal:4747": 200, "box.local": 200, "my-gateway.example:4747": 200,
		"other.example:4747": 200,
		"evil.example:4747":  403, "localhost.evil.example": 403, "evil.example.": 403,
	} {
		req := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		req.Host = host
		g.Local = true
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		require.Equal(t, want, w.Code, host)
		g.Local = false
		w = httptest.NewRecorder()
		g.ServeHTTP(w, req)
		require.Equal(t, 200, w.Code, host)
	}
}
