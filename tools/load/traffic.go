package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file is both ends: an upstream that streams, and clients.

// bodies are the requests that clients send.
type bodies struct{ valid, broken []byte }

// makeBodies makes a session of tool calls with results. The broken one lacks the last result.
func makeBodies(messages int) bodies {
	var b strings.Builder
	b.WriteString(`{"model":"claude-sonnet-4-5","max_tokens":1024,"stream":true,"tools":[` +
		`{"name":"run","input_schema":{"type":"object"}}],"messages":[`)
	b.WriteString(`{"role":"user","content":"Build it."}`)
	output := strings.Repeat("ok: the output of a tool, as it is in a session. ", 20)
	for k := range messages / 2 {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"text","text":"Step %d."},`+
			`{"type":"tool_use","id":"toolu_%d","name":"run","input":{"step":%d}}]}`, k, k, k)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d",`+
			`"content":"%s"}]}`, k, output)
	}
	valid := b.String() + `]}`
	broken := b.String() + `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_last",` +
		`"name":"run","input":{}}]},{"role":"user","content":"Stop."}]}`
	return bodies{[]byte(valid), []byte(broken)}
}

// startUpstream starts a provider that refuses calls without results, and streams events that hold
// the time at which they were sent.
func startUpstream(p plan) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Count(body, []byte(`"tool_use"`)) != bytes.Count(body, []byte(`"tool_result"`)) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		control := http.NewResponseController(w)
		for n := range p.events {
			if n > 0 {
				time.Sleep(p.interval)
			}
			if _, err := fmt.Fprintf(w, "data: %d\n\n", time.Now().UnixNano()); err != nil {
				return
			}
			_ = control.Flush()
		}
	}))
}

// results are what the clients of a phase measured.
type results struct {
	first, lag      []time.Duration
	refused, errors int
}

// attack has all clients send requests, one after the other, for as long as a phase takes.
func attack(p plan, base string, b bodies, broken int) *results {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost, transport.DisableCompression = p.clients, true
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), p.duration)
	defer cancel()
	var mu sync.Mutex
	var all results
	var clients sync.WaitGroup
	for k := range p.clients {
		clients.Add(1)
		go func() {
			defer clients.Done()
			// they do not begin all at once
			time.Sleep(time.Duration(k) * p.interval * time.Duration(p.events) /
				time.Duration(p.clients))
			var own results
			for n := k; ctx.Err() == nil; n++ {
				body := b.valid
				if broken > 0 && n%broken == 0 {
					body = b.broken
				}
				own.send(p, transport, base, body)
			}
			mu.Lock()
			defer mu.Unlock()
			all.first, all.lag = append(all.first, own.first...), append(all.lag, own.lag...)
			all.refused += own.refused
			all.errors += own.errors
		}()
	}
	clients.Wait()
	return &all
}

// send sends one request and reads its stream to the end.
func (r *results) send(p plan, transport http.RoundTripper, base string, body []byte) {
	req, err := http.NewRequest(http.MethodPost, base+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		r.errors++
		return
	}
	req.Header.Set("Content-Type", "application/json")
	start := time.Now()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		r.errors++
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, resp.Body)
		r.refused++
		return
	}
	events := 0
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		now := time.Now()
		if events == 0 {
			r.first = append(r.first, now.Sub(start))
		}
		sent, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			r.errors++
			return
		}
		r.lag = append(r.lag, now.Sub(time.Unix(0, sent)))
		events++
	}
	if lines.Err() != nil || events != p.events {
		r.errors++
	}
}
