package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// This file measures the memory of a gateway under many streams, and whether a few connections keep
// others out.

// holding is an upstream whose answers begin at once and go on until finish is called.
func holding() (server *httptest.Server, finish func()) {
	end := make(chan struct{})
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		if r.Header.Get("X-Short") != "" {
			return
		}
		select {
		case <-end:
		case <-r.Context().Done():
		}
	}))
	return server, sync.OnceFunc(func() { close(end) })
}

// memoryRun is a row of the table.
type memoryRun struct {
	name    string
	streams int
	at      int // begin at once
	bytes   int // of a body
	held    int // max_held
	limit   int // of the memory
}

var memoryRuns = []memoryRun{
	{"9,500 streams of 60 kB", 9500, 200, 60_000, 512 << 20, 1 << 30},
	{"150 streams of 5 MB, max_held 64 MiB", 150, 8, 5_000_000, 64 << 20, 128 << 20},
}

// memory runs the rows, each with a gateway of its own, and returns how many failed.
func memory() (failed int, err error) {
	fmt.Println("\n| | streams | refused | peak memory | limit | 30 s after |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, m := range memoryRuns {
		bad, err := m.run()
		if err != nil {
			return failed, fmt.Errorf("%s: %w", m.name, err)
		}
		failed += bad
	}
	return failed, nil
}

func (m memoryRun) run() (failed int, err error) {
	upstream, finish := holding()
	defer upstream.Close()
	defer finish()
	serve, err := startServe(upstream.URL, m.held)
	if err != nil {
		return 0, err
	}
	defer serve.stop()
	body := bodyOf(m.bytes)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	var mu sync.Mutex
	var open []io.Closer
	refused := 0
	var clients sync.WaitGroup
	begin := make(chan bool, m.at)
	for range m.streams {
		clients.Add(1)
		begin <- true
		go func() {
			defer clients.Done()
			defer func() { <-begin }()
			status, stream, err := m.open(transport, serve.base, body)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || status != http.StatusOK {
				refused++
				return
			}
			open = append(open, stream)
		}()
	}
	clients.Wait()
	peak, err := serve.memory("VmHWM:")
	if err != nil {
		return 0, err
	}
	for _, stream := range open {
		stream.Close()
	}
	finish()
	time.Sleep(30 * time.Second)
	after, err := serve.memory("VmRSS:")
	if err != nil {
		return 0, err
	}
	fmt.Printf("| %s | %d | %d | %d MB | %d MB | %d MB |\n", m.name, len(open), refused, peak>>20,
		m.limit>>20, after>>20)
	if refused > 0 || peak > int64(m.limit) {
		failed++
	}
	return failed, nil
}

// open sends a request until it is not refused as busy, and returns its stream, begun.
func (m memoryRun) open(
	transport http.RoundTripper, base string, body []byte,
) (status int, stream io.ReadCloser, err error) {
	for range 1000 {
		req, err := http.NewRequest(http.MethodPost, base+"/load/v1/messages",
			bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return 0, nil, err
		}
		if resp.StatusCode != http.StatusServiceUnavailable {
			return resp.StatusCode, resp.Body, nil
		}
		resp.Body.Close()
		time.Sleep(20 * time.Millisecond) // as Retry-After asks, but sooner
	}
	return http.StatusServiceUnavailable, nil, nil
}

// bodyOf is a valid request of about so many bytes.
func bodyOf(size int) []byte {
	return []byte(`{"model":"claude-sonnet-4-5","max_tokens":9,"stream":true,"messages":[` +
		`{"role":"user","content":"` + strings.Repeat("x", size) + `"}]}`)
}

// shutOut has eight connections announce the largest body and send a byte, and counts how many of
// 20 others are refused, at once and 15 seconds later.
func shutOut() (failed int, err error) {
	upstream, finish := holding()
	defer upstream.Close()
	defer finish()
	serve, err := startServe(upstream.URL, 512<<20)
	if err != nil {
		return 0, err
	}
	defer serve.stop()
	for range 8 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(serve.base, "http://"))
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /load/v1/messages HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Length: %d\r\n\r\n{", 64<<20)
	}
	fmt.Println("\n| eight connections announce 64 MiB each | served | refused |")
	fmt.Println("|---|---|---|")
	for _, wait := range []time.Duration{100 * time.Millisecond, 15 * time.Second} {
		time.Sleep(wait)
		served, refused := 0, 0
		for range 20 {
			req, err := http.NewRequest(http.MethodPost, serve.base+"/load/v1/messages",
				bytes.NewReader(bodyOf(60_000)))
			if err != nil {
				return 0, err
			}
			req.Header.Set("X-Short", "1")
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				refused++
				continue
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				served++
			} else {
				refused++
			}
		}
		fmt.Printf("| 20 others, after %v | %d | %d |\n", wait, served, refused)
		failed += refused
	}
	return failed, nil
}
