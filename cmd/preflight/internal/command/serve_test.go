package command

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighttest"
)

func TestServeConfig(t *testing.T) {
	dir := t.TempDir()
	right, wrong := filepath.Join(dir, "right.json"), filepath.Join(dir, "wrong.json")
	require.NoError(t,
		os.WriteFile(right,
			[]byte(`{"routes":[{"prefix":"/a","upstream":"https://api.anthropic.com"}]}`), 0o600))
	require.NoError(t, os.WriteFile(wrong, []byte("{\n\"rootes\":[]}"), 0o600))
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--check-config"}, 0, "routes"},
		{[]string{"--check-config", "--config", right}, 0, "1 routes"},
		{[]string{"--check-config", "--config", wrong}, 2, "line 2"},
		{[]string{"--config", filepath.Join(dir, "none.json")}, 2, "no such file"},
		{[]string{"more"}, 2, "takes no argument"},
		{[]string{"--listen", "256.0.0.1:x"}, 1, "preflight serve:"},
	} {
		code, stdout, stderr := call(t, "", append([]string{"serve"}, test.args...)...)
		require.Equal(t, test.code, code, stderr)
		require.Contains(t, stdout+stderr, test.want)
	}
}

// TestServeDrains ends the gateway while an answer is under way: it comes to its end, and then
// nothing listens any more.
func TestServeDrains(t *testing.T) {
	started, finish := make(chan bool), make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		started <- true
		<-finish
		_, _ = w.Write([]byte("the end"))
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: upstream.URL}},
	})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	base := "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, g, 0, 20*time.Second) }()
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get(base + "/a/x")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		answer <- string(text)
	}()
	<-started
	stop()
	finish <- true
	require.Equal(t, "the end", <-answer)
	require.NoError(t, <-ended)
	_, err = http.Get(base + "/healthz")
	require.Error(t, err)
}

// TestServeDrainLimit: a request that does not end is cut off at the limit.
func TestServeDrainLimit(t *testing.T) {
	started := make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		started <- true
		<-r.Context().Done()
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: upstream.URL}},
	})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, g, 0, 10*time.Millisecond) }()
	failed := make(chan error, 1)
	go func() {
		_, err := http.Get("http://" + listener.Addr().String() + "/a/x")
		failed <- err
	}()
	<-started
	stop()
	require.ErrorContains(t, <-ended, "not all requests ended within 10ms")
	require.Error(t, <-failed)
}

// TestServeDrainLog: each request that the end of the drain cuts off has its line, which says so.
func TestServeDrainLog(t *testing.T) {
	const requests = 40
	var begun sync.WaitGroup
	begun.Add(requests)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		begun.Done()
		<-r.Context().Done()
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: upstream.URL}},
	})
	require.NoError(t, err)
	log := new(told)
	g.Log = slog.New(slog.NewJSONHandler(log, nil))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, g, 0, 10*time.Millisecond) }()
	for range requests {
		go func() {
			resp, err := http.Get("http://" + listener.Addr().String() + "/a/x")
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}()
	}
	begun.Wait()
	stop()
	require.ErrorContains(t, <-ended, "not all requests ended within 10ms")
	log.mu.Lock()
	defer log.mu.Unlock()
	require.Equal(t, requests, strings.Count(log.b.String(), `"result":"cut"`))
}

// TestServeSignal runs the command until SIGTERM ends it, with a log.
func TestServeSignal(t *testing.T) {
	upstream := preflighttest.New(t, "anthropic", nil)
	config := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(config, []byte(`{"routes":[{"prefix":"/a","upstream":"`+
		upstream.URL+`","provider":"anthropic"}]}`), 0o600))
	out, in := io.Pipe()
	var log bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- runServe([]string{"--listen", "127.0.0.1:0", "--log", "--config", config},
			stdio{in: strings.NewReader(""), out: in, err: &log})
		in.Close()
	}()
	words := make([]byte, 100)
	n, err := out.Read(words)
	require.NoError(t, err)
	base := strings.TrimSuffix(strings.Fields(string(words[:n]))[4], ";")
	go func() { _, _ = io.Copy(io.Discard, out) }()
	resp, err := http.Post(base+"/a/v1/messages", "application/json", strings.NewReader(
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hush"}]}`))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	if err := self.Signal(syscall.SIGTERM); err != nil {
		t.Skip("this system has no SIGTERM")
	}
	require.Equal(t, exitOK, <-code)
	require.Contains(t, log.String(), `"path":"/v1/messages"`)
	require.NotContains(t, log.String(), "hush")
}

func TestGreet(t *testing.T) {
	g, err := gateway.New(gateway.Config{})
	require.NoError(t, err)
	for addr, warned := range map[string]bool{
		"127.0.0.1:4747": false,
		"[::1]:4747":     false,
		"0.0.0.0:4747":   true,
		"192.0.2.1:80":   true,
	} {
		tcp, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		var out, warn bytes.Buffer
		greet(&out, &warn, tcp, g)
		require.Contains(t, out.String(),
			"export ANTHROPIC_BASE_URL=http://"+tcp.String()+"/anthropic\n")
		require.Regexp(t, "http://"+regexp.QuoteMeta(tcp.String())+
			"/openrouter +for https://openrouter.ai/api\n", out.String())
		require.Equal(t, warned, strings.Contains(warn.String(), "warning"), addr)
	}
}

// TestSlowHeads: a client that does not send the head of its request is cut off.
func TestSlowHeads(t *testing.T) {
	defer func(was time.Duration) { headerTime = was }(headerTime)
	headerTime = 20 * time.Millisecond
	g, err := gateway.New(gateway.Config{})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, g, 0, time.Minute) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: ")
	require.NoError(t, err)
	_, err = io.ReadAll(conn) // it ends
	require.NoError(t, err)
	stop()
	require.NoError(t, <-ended)
}
