package preflighttest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// Options say how strict a fake is, and how it answers. The zero value is the
// strictest fake, which answers "ok".
type Options struct {
	// Lenient accepts what only some versions, hosts or modes of the provider
	// refuse: the rules whose severity is rule.Varies.
	Lenient bool

	// Model is the model that requests are meant for when neither their path
	// nor their body says so. A model that the fake does not know is judged by
	// the strictest reading.
	Model string

	// Remember makes the server keep conversations, as its provider does: a request may name an
	// earlier answer by its id, and send only what is new. It is judged with all that came before.
	// Of the fakes, anthropic (message threads) and openai-responses keep any.
	Remember bool

	// Respond answers the accepted requests for which no reply is scripted. It
	// may be called concurrently. When it is nil, the answer is the text "ok".
	// A panic in it is net/http's to handle, which ends the connection.
	Respond func(Request) Reply
}

// Request is a request that arrived at a server.
type Request struct {
	Method string
	Path   string
	Header http.Header
	Body   []byte

	// Stream reports whether a streamed answer was requested.
	Stream bool

	// Refusal is the fault that the request was refused for, nil if it was accepted.
	Refusal *Violation

	// Violations are all faults of the request; the first is the Refusal.
	Violations []Violation
}

// Server is a fake provider that listens on a port of this machine. Its
// methods may be called concurrently.
type Server struct {
	// URL is the address to use in place of the provider's, without a path.
	URL string

	format  *fake.Format
	options Options
	http    *httptest.Server
	closing chan struct{}
	once    sync.Once
	memory  memory

	mu       sync.Mutex
	script   []Reply
	requests []Request
	kept     map[string]any // of the requests that were answered; see fake.Format
}

// New starts a fake provider that lives as long as the test. It fails the
// test at once when there is no fake of the provider. Options may be nil.
func New(tb testing.TB, provider string, options *Options) *Server {
	tb.Helper()
	s, err := Start(provider, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a fake provider outside of a test. The caller closes it.
// Options may be nil; they are copied.
func Start(provider string, options *Options) (*Server, error) {
	f, err := formatOf(provider)
	if err != nil {
		return nil, err
	}
	s := &Server{format: f, closing: make(chan struct{})}
	if options != nil {
		s.options = *options
	}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.http.Config.ReadHeaderTimeout = 30 * patience // of a client on a busy machine
	s.http.Start()
	s.URL = s.http.URL
	return s, nil
}

// patience is how long a server that is closed waits for a client that neither
// sends the rest of its request nor takes its answer.
const patience = time.Second

// Close releases the answers that are held, waits for the requests under way
// and stops the server. A client that stalls is cut off after a second; a
// header has half a minute in all. Close may be called more than once.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closing)
		s.http.Close()
	})
}

// Client returns a client whose idle connections end with the server. Any
// other client will do as well.
func (s *Server) Client() *http.Client { return s.http.Client() }

// Script appends replies to those that are given, one to each request that is
// accepted, before Options.Respond is asked. A refused request uses none up.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Requests returns the requests so far in the order of their arrival. The
// slice is the caller's; the bodies and headers in it are not to be changed.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refused returns the requests that were refused.
func (s *Server) Refused() []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.Refusal == nil })
}

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	defer s.cutOff(w)()
	body, err := s.readBody(r)
	if err != nil {
		return // the client went away
	}
	arrived := Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	req, violations := s.inspect(r, body)
	if req != nil {
		arrived.Stream = req.Stream
	}
	arrived.Violations = reported(violations)
	if len(violations) > 0 {
		arrived.Refusal = &arrived.Violations[0]
	}
	seq, reply, scripted := s.record(arrived)
	if arrived.Refusal != nil {
		s.fail(w, violations[0], seq, 0)
		return
	}
	if !scripted {
		reply = Reply{Text: "ok"}
		if s.options.Respond != nil {
			reply = s.options.Respond(arrived)
		}
	}
	turn := &fake.Turn{Request: req, Reply: reply.parts(), Seq: seq}
	s.keep(turn)
	s.answer(w, r, turn, reply.Fault)
}

// cutOff ends the reading and writing of a request some time after the server
// is closed. The caller calls the function it returns when it is done.
func (s *Server) cutOff(w http.ResponseWriter) (done func()) {
	served := make(chan struct{})
	go func() {
		select {
		case <-served:
		case <-s.closing:
			control, at := http.NewResponseController(w), time.Now().Add(patience)
			_, _ = control.SetReadDeadline(at), control.SetWriteDeadline(at)
		}
	}()
	return func() { close(served) }
}

// readBody keeps no more of a body than it takes to see that it is too large.
// It reads further, within reason, so that the client gets to see the answer.
func (s *Server) readBody(r *http.Request) ([]byte, error) {
	limit := int64(s.format.MaxBody)
	if limit == 0 {
		return io.ReadAll(r.Body)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err == nil {
		_, err = io.CopyN(io.Discard, r.Body, limit)
	}
	if err == io.EOF {
		err = nil
	}
	return body, err
}

// inspect returns the request as the checks see it, or what is wrong with it.
func (s *Server) inspect(r *http.Request, body []byte) (*fake.Request, []fake.Violation) {
	model, stream, ok := s.format.Route(r.URL.Path)
	if !ok {
		return nil, []fake.Violation{
			{
				Message: strings.ReplaceAll(s.format.NotFound, "%s", r.URL.Path),
				Status:  http.StatusNotFound,
			},
		}
	}
	if r.Method != http.MethodPost {
		return nil, []fake.Violation{
			{Message: "Method Not Allowed", Status: http.StatusMethodNotAllowed},
		}
	}
	if model == "" {
		model = s.options.Model
	}
	body, refusal := s.whole(body)
	if refusal != nil {
		return nil, []fake.Violation{*refusal}
	}
	req, violations := s.format.Read(body, &fake.Request{
		Header: r.Header, Model: model, Stream: stream, Lenient: s.options.Lenient,
		Recall: s.recall,
	})
	if violations != nil {
		return nil, violations
	}
	return req, s.format.Judge(req)
}

// recall returns what is kept of an answered request.
func (s *Server) recall(id string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[id]
}

// remember keeps what the provider does of a request that it answers.
func (s *Server) remember(t *fake.Turn) {
	if s.format.Remember == nil {
		return
	}
	id, kept := s.format.Remember(t)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = make(map[string]any)
	}
	if id != "" {
		s.kept[id] = kept
	}
}

// record keeps the request, and takes the next reply off the script when the
// request is accepted.
func (s *Server) record(arrived Request) (seq int, reply Reply, scripted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, arrived)
	if arrived.Refusal == nil && len(s.script) > 0 {
		reply, s.script = s.script[0], s.script[1:]
		scripted = true
	}
	return len(s.requests), reply, scripted
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, v fake.Violation, seq, retryAfter int) {
	body, header := s.format.Failure(v, "req_"+fake.Serial(seq, -1))
	for name, values := range header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	if retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(v.Status)
	w.Write(body)
}

// answer sends a reply, with its fault.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, t *fake.Turn, fault *Fault) {
	if fault == nil {
		fault = &Fault{}
	}
	if fault.After == 0 {
		s.hold(r, fault)
		switch {
		case fault.Status != 0:
			s.fail(w, fake.Violation{Message: faultText(fault.Status), Status: fault.Status}, t.Seq,
				fault.RetryAfter)
			return
		case fault.Drop && !fault.Cut:
			panic(http.ErrAbortHandler)
		}
	}
	s.remember(t)
	id := "req_" + fake.Serial(t.Seq, -1)
	w.Header()["Request-Id"], w.Header()["X-Request-Id"] = []string{id}, []string{id}
	if t.Request.Stream {
		s.stream(w, r, t, fault)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	body := s.format.Reply(t)
	switch {
	case fault.After > 0:
		w.Write(body[:len(body)/2])
		flush(w)
		s.hold(r, fault)
		if !fault.Cut && (fault.Drop || fault.Status != 0) {
			panic(http.ErrAbortHandler)
		}
		body = body[len(body)/2:]
	case !fault.Cut:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	if !fault.Cut {
		w.Write(body)
	}
}

// stream sends a reply event by event.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, t *fake.Turn, fault *Fault) {
	encode, contentType := s.format.Encode, s.format.ContentType
	if encode == nil {
		encode, contentType = serverSentEvent, "text/event-stream; charset=utf-8"
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	for i, e := range s.format.Events(t) {
		if fault.After == 0 && fault.Cut {
			return
		}
		if fault.After > 0 && i == fault.After {
			flush(w)
			s.hold(r, fault)
			if fault.Status != 0 && s.format.Midway != nil {
				w.Write(encode(s.format.Midway(fake.Violation{
					Message: faultText(fault.Status),
					Status:  fault.Status,
				})))
				return
			}
			if fault.Drop {
				panic(http.ErrAbortHandler)
			}
			if fault.Status != 0 || fault.Cut {
				return
			}
		}
		if _, err := w.Write(encode(e)); err != nil {
			return
		}
		flush(w)
	}
}

// hold waits as long as the fault says.
func (s *Server) hold(r *http.Request, fault *Fault) {
	if fault.Hold == nil {
		return
	}
	select {
	case <-fault.Hold:
	case <-r.Context().Done():
	case <-s.closing:
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// serverSentEvent writes an event as text/event-stream.
func serverSentEvent(e fake.Event) []byte {
	var b bytes.Buffer
	if e.Name != "" {
		fmt.Fprintf(&b, "event: %s\n", e.Name)
	}
	fmt.Fprintf(&b, "data: %s\n\n", e.Data)
	return b.Bytes()
}

// faultText words an error that is the provider's own fault.
func faultText(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "Rate limit reached. Please try again later."
	case 529:
		return "Overloaded"
	case http.StatusServiceUnavailable:
		return "Service Unavailable"
	}
	return "Internal server error"
}
