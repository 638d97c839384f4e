package preflighthttp

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/stretchr/testify/require"
)

// This file lets hostile servers answer: without an end, with less or more than they say, or with
// secrets in it. Nothing blocks for longer than it may, and every answer passes as it came.

// hostileTime ends a test that hangs. Nothing that works comes near it.
const hostileTime = time.Minute

// secret is what servers and callers have in texts, and what no report may quote.
const secret = "alice@example.org"

const dirtyBody = `{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[` +
	`{"role":"user","content":"Build it."},{"role":"assistant","content":[` +
	`{"type":"thinking","thinking":"t","signature":"c2ln"},` +
	`{"type":"text","text":"a"}]},{"role":"user","content":"Stop."}]}`

// serveRaw is a server that reads each request and then answers it with answer, which gets the
// connection and the number of the request. It returns the address.
func serveRaw(t *testing.T, answer func(conn net.Conn, n int)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Add(1)
	var mu sync.Mutex
	n := 0
	go func() {
		defer serving.Done()
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Add(1)
			go func() {
				defer serving.Done()
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					mu.Lock()
					n++
					k := n
					mu.Unlock()
					answer(conn, k)
				}
			}()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		serving.Wait()
	})
	return "http://" + listener.Addr().String()
}

// hostile is a transport for a server, with what it reports.
type hostile struct {
	*Transport
	base *http.Transport
	all  []*Report
}

func newHostile(url string) *hostile {
	h := &hostile{base: &http.Transport{DisableCompression: true}}
	h.Transport = &Transport{
		Base:      h.base,
		Endpoints: []Endpoint{{Host: strings.TrimPrefix(url, "http://")}},
		Remedies:  remedy.All(),
		Budget:    NewBudget(1 << 20),
		Report:    func(_ context.Context, r *Report) { h.all = append(h.all, r) },
	}
	return h
}

// send sends dirtyBody and returns the answer, and as much of its body as most bytes.
func (h *hostile) send(t *testing.T, url string, most int64) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hostileTime)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/messages",
		strings.NewReader(dirtyBody))
	require.NoError(t, err)
	resp, err := h.RoundTrip(req)
	if err != nil {
		require.NoError(t, ctx.Err(), "it took too long")
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most))
	require.NoError(t, ctx.Err(), "it took too long")
	return resp, body, err
}

// quiet: no report quotes the secret, however it is printed, and nothing is held any more.
func (h *hostile) quiet(t *testing.T) {
	require.NotEmpty(t, h.all)
	for _, r := range h.all {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		text := fmt.Sprintf("%v %+v %s %s", r.LogValue(), r, data, r.Path)
		if r.Refusal != nil {
			text += fmt.Sprintf("%+v", *r.Refusal)
		}
		require.NotContains(t, text, secret)
	}
	require.Zero(t, h.Budget.Used())
}

// refusalHead is the head of a refusal, whose body has the length said by one more header.
const refusalHead = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n"

const acceptance = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// knownSecret is a refusal that the catalogue knows, with a secret in it.
const knownSecret = `{"type":"error","error":{"type":"invalid_request_error","message":` +
	"\"messages.1.content.0: Invalid `signature` in `thinking` block " + secret + `"}}`

// sized is an answer with a body and a length.
func sized(head, body string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
}

// encoded is a refusal whose body is said to have a content encoding.
func encoded(encoding, body string) string {
	return sized(refusalHead+"Content-Encoding: "+encoding+"\r\n", body)
}

// hostileAnswers are answers to the first request; later ones are accepted.
var hostileAnswers = map[string]struct {
	answer  func(conn net.Conn)
	body    string // that the caller reads, up to mostRead bytes
	fails   bool   // there is no answer
	cut     bool   // the body ends in an error
	resends bool   // the refusal is understood, and the request sent again
}{
	"known": {answer: says(sized(refusalHead, knownSecret)), body: "ok", resends: true},
	"headers without an end": {
		answer: forever("HTTP/1.1 400 Bad Request\r\n", "X-A: "+strings.Repeat("a", 4000)+"\r\n"),
		fails:  true,
	},
	"informational answers without an end": {
		answer: forever("", "HTTP/1.1 103 Early Hints\r\nLink: "+secret+"\r\n\r\n"), fails: true,
	},
	"informational answers": {
		answer: says(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 4) +
			sized(refusalHead, knownSecret)),
		body: "ok", resends: true,
	},
	"chunks without an end": {
		answer: forever(refusalHead+"Transfer-Encoding: chunked\r\n\r\n",
			"1000\r\n"+strings.Repeat("a", 4096)+"\r\n"),
		body: strings.Repeat("a", mostRead),
	},
	"known, then chunks without an end": {
		answer: forever(fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", refusalHead,
			len(knownSecret), knownSecret), "1000\r\n"+strings.Repeat(" ", 4096)+"\r\n"),
		body: knownSecret + strings.Repeat(" ", mostRead-len(knownSecret)),
	},
	"chunk extensions without an end": {
		answer: forever(refusalHead+"Transfer-Encoding: chunked\r\n\r\n1", ";a=aaaaaaaa"), cut: true,
	},
	"bad chunk": {
		answer: says(refusalHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), cut: true,
	},
	"trailers": {
		answer: says(fmt.Sprintf("%sTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n5\r\nhello\r\n"+
			"0\r\nX-End: yes\r\n\r\n", refusalHead)),
		body: "hello",
	},
	"longer than it says": {answer: says(sized(refusalHead, "hello") + secret), body: "hello"},
	"shorter than it says": {
		answer: closes(refusalHead + "Content-Length: 4000\r\n\r\nhello"), body: "hello", cut: true,
	},
	"two lengths": {
		answer: says(refusalHead + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), fails: true,
	},
	"a length and chunks": {
		answer: says(refusalHead + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"5\r\nhello\r\n0\r\n\r\n"),
		body: "hello",
	},
	"negative length": {
		answer: says(refusalHead + "Content-Length: -1\r\n\r\nhello"), fails: true,
	},
	"no answer":   {answer: halts(""), fails: true},
	"half a head": {answer: halts("HTTP/1.1 400 Bad"), fails: true},
	"reset":       {answer: resets, fails: true},
	"no HTTP":     {answer: closes(secret + "\r\n\r\n"), fails: true},
	"megabytes with a secret": {
		answer: says(sized(refusalHead, strings.Repeat(knownSecret, 20_000))),
		body:   strings.Repeat(knownSecret, 20_000)[:mostRead],
	},
	"bomb": {
		answer: says(encoded("gzip", gzipBomb())), body: gzipBomb(),
	},
	"many members": {
		answer: says(encoded("gzip", strings.Repeat(gzipped(""), 5000))),
		body:   strings.Repeat(gzipped(""), 5000),
	},
	"zstd":         {answer: says(encoded("zstd", secret)), body: secret},
	"br":           {answer: says(encoded("br", secret)), body: secret},
	"twice packed": {answer: says(encoded("gzip, gzip", "x")), body: "x"},
	"no gzip":      {answer: says(encoded("gzip", secret)), body: secret},
	"another protocol": {
		answer: closes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhi"),
		body:   "hi",
	},
	"stream cut in the middle": {
		answer: halts("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n9\r\ndata: 1\n\n\r\n"),
		body: "data: 1\n\n", cut: true,
	},
}

// mostRead is how much of an answer is read.
const mostRead = 2 * maxRefusal

func says(text string) func(net.Conn) {
	return func(conn net.Conn) { _, _ = io.WriteString(conn, text) }
}

func closes(text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}

// halts sends nothing more, and lets the client read what was sent.
func halts(text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = io.WriteString(conn, text)
		_ = conn.(*net.TCPConn).CloseWrite()
	}
}

// resets ends the connection in the middle of the head, with an error.
func resets(conn net.Conn) {
	_, _ = io.WriteString(conn, refusalHead)
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// forever says again and again until the client closes the connection.
func forever(head, again string) func(net.Conn) {
	return func(conn net.Conn) {
		_, err := io.WriteString(conn, head)
		for err == nil {
			_, err = io.WriteString(conn, again)
		}
	}
}

func gzipped(text string) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return packed.String()
}

var gzipBomb = sync.OnceValue(func() string {
	return gzipped(knownSecret + strings.Repeat(" ", 8<<20))
})

func TestHostileServers(t *testing.T) {
	log.SetOutput(io.Discard) // net/http logs what such servers send
	defer log.SetOutput(os.Stderr)
	before := runtime.NumGoroutine()
	for name, c := range hostileAnswers {
		t.Run(name, func(t *testing.T) {
			url := serveRaw(t, func(conn net.Conn, n int) {
				if n == 1 {
					c.answer(conn)
				} else {
					_, _ = io.WriteString(conn, acceptance)
				}
			})
			h := newHostile(url)
			defer h.base.CloseIdleConnections()
			resp, body, err := h.send(t, url, mostRead)
			if c.fails {
				require.Error(t, err)
				require.Nil(t, resp)
			} else {
				require.NotNil(t, resp, err)
				require.Equal(t, c.cut, err != nil, "%v", err)
				require.Equal(t, c.body, string(body))
			}
			require.Equal(t, c.resends, len(h.all) == 2)
			h.quiet(t)
			h.all = nil // the transport is as good as new
			_, body, err = h.send(t, url, mostRead)
			require.NoError(t, err)
			require.Equal(t, "ok", string(body))
			h.quiet(t)
		})
	}
	for deadline := time.Now().Add(hostileTime); runtime.NumGoroutine() > before; {
		require.True(t, time.Now().Before(deadline), "goroutines are left")
		time.Sleep(time.Millisecond)
	}
}

// TestStalledServer: a refusal of which only the head comes is returned, and closing it ends the
// connection; so does the end of the context while a remedy waits for the text.
func TestStalledServer(t *testing.T) {
	defer func(was time.Duration) { refusalTime = was }(refusalTime)
	for _, cancelled := range []bool{false, true} {
		refusalTime = 20 * time.Millisecond
		if cancelled {
			refusalTime = hostileTime
		}
		gone := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		url := serveRaw(t, func(conn net.Conn, _ int) {
			_, _ = io.WriteString(conn, refusalHead+"Content-Length: 100\r\n\r\n{")
			if cancelled {
				cancel()
			}
			_, _ = conn.Read(make([]byte, 1))
			close(gone)
		})
		h := newHostile(url)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/messages",
			strings.NewReader(dirtyBody))
		require.NoError(t, err)
		resp, err := h.RoundTrip(req)
		if err == nil { // the context may have ended before the head was read
			require.Equal(t, http.StatusBadRequest, resp.StatusCode)
			require.NoError(t, resp.Body.Close())
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
		<-gone
		h.quiet(t)
	}
}

// TestTrailers: the trailers of an answer that was read ahead arrive.
func TestTrailers(t *testing.T) {
	url := serveRaw(t, func(conn net.Conn, _ int) { hostileAnswers["trailers"].answer(conn) })
	h := newHostile(url)
	defer h.base.CloseIdleConnections()
	resp, _, err := h.send(t, url, mostRead)
	require.NoError(t, err)
	require.Equal(t, "yes", resp.Trailer.Get("X-End"))
}
