package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/preflighttest"
)

// This file sends streams through a gateway whose clients leave and whose upstream breaks off now
// and then, and compares every byte.

// format is a format of requests: how a history is written in it, and how it is broken.
type format struct {
	provider, model, path string

	begin, end string
	round      string // a call and its result; %[1]d is its number, %[2]s a text
	call       string // one without a result
	last       string // what the user says after that
}

var formats = []format{
	{
		"anthropic", "claude-sonnet-4-5", "/v1/messages",
		`{"model":"claude-sonnet-4-5","max_tokens":1024,"stream":true,"tools":[{"name":"run",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"Build it."}`, `]}`,
		`,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"run",` +
			`"input":{"n":%[1]d.0}}]},{"role":"user","content":[{"type":"tool_result",` +
			`"tool_use_id":"toolu_%[1]d","content":"%[2]s"}]}`,
		`,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_x","name":"run","input":{}}]}`,
		`,{"role":"user","content":"Stop."}`,
	},
	{
		"openai-chat", "gpt-5.4", "/v1/chat/completions",
		`{"model":"gpt-5.4","stream":true,"tools":[{"type":"function","function":{"name":"run"}}],` +
			`"messages":[{"role":"user","content":"Build it."}`, `]}`,
		`,{"role":"assistant","tool_calls":[{"id":"call_%[1]d","type":"function","function":` +
			`{"name":"run","arguments":"{\"n\": %[1]d}"}}]},{"role":"tool","tool_call_id":` +
			`"call_%[1]d","content":"%[2]s"}`,
		`,{"role":"assistant","tool_calls":[{"id":"call_x","type":"function","function":` +
			`{"name":"run","arguments":"{}"}}]}`,
		`,{"role":"user","content":"Stop."}`,
	},
	{
		"openai-responses", "gpt-5.4", "/v1/responses",
		`{"model":"gpt-5.4","stream":true,"tools":[{"type":"function","name":"run","parameters":{}}],` +
			`"input":[{"role":"user","content":"Build it."}`, `]}`,
		`,{"type":"function_call","call_id":"call_%[1]d","name":"run","arguments":"{\"n\": %[1]d}"},` +
			`{"type":"function_call_output","call_id":"call_%[1]d","output":"%[2]s"}`,
		`,{"type":"function_call","call_id":"call_x","name":"run","arguments":"{}"}`,
		`,{"role":"user","content":"Stop."}`,
	},
	{
		"gemini", "gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
		`{"tools":[{"functionDeclarations":[{"name":"run"}]}],` +
			`"contents":[{"role":"user","parts":[{"text":"Build it."}]}`, `]}`,
		`,{"role":"model","parts":[{"functionCall":{"name":"run","args":{"n":%[1]d}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"run","response":{"o":"%[2]s"}}}]}`,
		`,{"role":"model","parts":[{"functionCall":{"name":"run","args":{}}}]}`,
		`,{"role":"user","parts":[{"text":"Stop."}]}`,
	},
}

// body writes a history of so many calls.
func (f *format) body(calls int, broken bool) []byte {
	var b strings.Builder
	b.WriteString(f.begin)
	for k := range calls {
		fmt.Fprintf(&b, f.round, k, strings.Repeat(`ok \u00e9\/ `, 1+rand.IntN(80)))
	}
	if broken {
		b.WriteString(f.call + f.last)
	}
	return []byte(b.String() + f.end)
}

// The headers by which a client and the upstream agree, which pass through the gateway as they are.
const (
	hashHeader  = "X-Load-Hash"   // of the body as it arrived
	breakHeader = "X-Load-Break"  // the upstream is to break its answer off
	formHeader  = "X-Load-Format" // which format it is
)

// strict is an upstream that refuses what its strict fake refuses, says the hash of the body that
// arrived, and streams events whose last one is the hash of the others.
func strict() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		k, _ := strconv.Atoi(r.Header.Get(formHeader))
		judge := preflighttest.Options{Model: formats[k].model}
		found, err := judge.Violations(formats[k].provider, body)
		if err != nil || len(found) > 0 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, err, found)
			return
		}
		w.Header().Set(hashHeader, fmt.Sprintf("%x", sha256.Sum256(body)))
		w.Header().Set("Content-Type", "text/event-stream")
		control := http.NewResponseController(w)
		hash := sha256.New()
		for n := range 20 + rand.IntN(40) {
			if n == 10 && r.Header.Get(breakHeader) != "" {
				panic(http.ErrAbortHandler)
			}
			event := fmt.Sprintf("event: e\ndata: {\"n\":%d,\"t\":\"%s\"}\n\n", n,
				strings.Repeat("é\u2028", rand.IntN(200)))
			hash.Write([]byte(event))
			if _, err := io.WriteString(w, event); err != nil {
				return
			}
			_ = control.Flush()
			time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
		}
		fmt.Fprintf(w, "data: %x\n\n", hash.Sum(nil))
	}))
}

// tally is what came of the streams.
type tally struct {
	streams, short int // read to their end; not as they were sent
	valid, changed int // bodies that the fake takes; of them, not as they were sent
	broken         int // bodies that it refuses
	refused        int // all the same, or without an answer
	left           int // by their client
	cut, uncut     int // broken off by the upstream; of them, as if they were whole
}

// mostStreams is how many streams are sent.
const mostStreams = 6400

// whole sends streams of all formats. Three in four bodies are valid, and the fake of their format
// accepts them. One client in 20 leaves, and one answer in 20 is broken off.
func whole() (failed int, err error) {
	upstream := strict()
	defer upstream.Close()
	serve, err := startRoutes(512<<20, upstream.URL, formats)
	if err != nil {
		return 0, err
	}
	defer serve.stop()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost, transport.DisableCompression = 200, true
	defer transport.CloseIdleConnections()
	var mu sync.Mutex
	var all tally
	var clients sync.WaitGroup
	work := make(chan int)
	for range 100 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			var own tally
			for k := range work {
				own.stream(transport, serve.base, k)
			}
			mu.Lock()
			defer mu.Unlock()
			all.add(own)
		}()
	}
	for k := range mostStreams {
		work <- k
	}
	close(work)
	clients.Wait()
	after, err := serve.metrics("preflight_open_requests", "preflight_held_bytes",
		"preflight_broken_total", "preflight_client_left_total", "preflight_panics_total")
	if err != nil {
		return 0, err
	}
	fmt.Printf("\n| streams read to their end | short | bodies that the fake takes | changed | "+
		"bodies that it refuses | refused | clients left | answers broken off | not told |\n"+
		"|%s\n| %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", strings.Repeat("---|", 9),
		all.streams, all.short, all.valid, all.changed, all.broken, all.refused, all.left, all.cut,
		all.uncut)
	fmt.Printf("\nthe metrics say: %d broken off, %d left; %d under way, %d bytes held, %d faults\n",
		after[2], after[3], after[0], after[1], after[4])
	failed = all.short + all.changed + all.refused + all.uncut
	if after[0]+after[1]+after[4] > 0 || after[2] != all.cut || after[3] > all.left {
		failed++ // a client may leave when its stream has just ended
	}
	return failed, nil
}

func (t *tally) add(o tally) {
	t.streams += o.streams
	t.short += o.short
	t.valid += o.valid
	t.changed += o.changed
	t.broken += o.broken
	t.refused += o.refused
	t.left += o.left
	t.cut += o.cut
	t.uncut += o.uncut
}

// stream sends request k, and judges what comes back.
func (t *tally) stream(transport http.RoundTripper, base string, k int) {
	at := rand.IntN(len(formats))
	f := &formats[at]
	broken := k%4 == 3
	body := f.body(1+rand.IntN(60), broken)
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		fmt.Sprint(base, "/", at, f.path), bytes.NewReader(body))
	if err != nil {
		panic(err) // the address is the gateway's own
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(formHeader, strconv.Itoa(at))
	leaves, breaks := k%20 == 5, k%20 == 6
	if breaks {
		req.Header.Set(breakHeader, "1")
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.refused++
		return
	}
	defer resp.Body.Close()
	direct, err := (&preflighttest.Options{Model: f.model}).Violations(f.provider, body)
	if err != nil || len(direct) > 0 { // what the upstream would say without the gateway
		t.broken++
	} else {
		t.valid++
	}
	if resp.StatusCode != http.StatusOK {
		t.refused++
		text, _ := io.ReadAll(resp.Body)
		fmt.Fprintf(os.Stderr, "%s: %s: %s\n", f.provider, resp.Status, text)
		return
	}
	if len(direct) == 0 && resp.Header.Get(hashHeader) != fmt.Sprintf("%x", sha256.Sum256(body)) {
		t.changed++
	}
	if leaves {
		_, _ = io.ReadFull(resp.Body, make([]byte, 10))
		t.left++
		return
	}
	text, err := io.ReadAll(resp.Body)
	if breaks {
		t.cut++
		if err == nil {
			t.uncut++ // it looks as if it were whole
		}
		return
	}
	t.streams++
	last := max(bytes.LastIndex(text, []byte("data: ")), 0)
	if err != nil || fmt.Sprintf("data: %x\n\n", sha256.Sum256(text[:last])) != string(text[last:]) {
		t.short++
	}
}
