package gateway

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// This file keeps samples of requests that were repaired or refused, for those who ask what was
// done: bodies that show the same fault, without anything that somebody chose.

// maxSampled is how long a body is, in bytes, of which a sample is taken.
const maxSampled = 1 << 20

// Sample is a request as /samples shows it: a line of JSON.
type Sample struct {
	At       time.Time `json:"at"`
	ID       string    `json:"id"` // as in the log
	Version  string    `json:"version"`
	Config   string    `json:"config"`
	Route    string    `json:"route"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Outcome  string    `json:"outcome"`
	Status   int       `json:"status"`
	Repairs  []repairs `json:"repairs,omitempty"`
	Refusal  string    `json:"refusal,omitempty"` // the rule that the provider's text is about
	Error    string    `json:"error,omitempty"`
	// Before and After are the bare body, and what is made of it now; none where Withheld says why.
	Before   json.RawMessage `json:"before,omitempty"`
	After    json.RawMessage `json:"after,omitempty"`
	Withheld string          `json:"withheld,omitempty"`
	// Options are those that the repair depends on, beside the provider and the model.
	Options json.RawMessage `json:"options,omitempty"`
}

// samples are the last ones.
type samples struct {
	mu      sync.Mutex
	kept    []Sample // the newest last
	busy    atomic.Int32
	pending sync.WaitGroup
}

// taken is the body of a request of which a sample may be taken.
type taken struct {
	io.ReadCloser
	body    []byte // as far as it was read, up to a byte more than maxSampled
	decoded []byte // without its encoding, of a request that was repaired
}

func (t *taken) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.body = append(t.body, p[:min(n, maxSampled+1-len(t.body))]...)
	return n, err
}

// sampled lets the body of a request be kept until its answer is known.
func (g *Gateway) sampled(f *flight, r *http.Request, now *state) *http.Request {
	if now.config.Samples == 0 || r.Body == nil {
		return r
	}
	t := &taken{ReadCloser: r.Body}
	f.taken = t
	r = r.WithContext(preflighthttp.WithRepaired(r.Context(), func(r *preflighthttp.Repaired) {
		t.decoded = r.Body
	}))
	r.Body = t
	return r
}

// wantsSample reports whether a request is one that somebody may ask about: it was, or would be,
// repaired, or could not be, or the provider refused it for what is in it.
func (f *flight) wantsSample() bool {
	switch f.outcome() {
	case "repaired", "would-repair", "resent", "unfixable":
		return true
	}
	return f.report != nil && f.report.Skipped == "" && (f.status == http.StatusBadRequest ||
		f.status == http.StatusUnprocessableEntity)
}

// mostSampling is how many samples are made at once; of more requests none is taken.
const mostSampling = 2

// sample takes a sample of a request that has ended, beside the requests that follow.
func (g *Gateway) sample(f *flight, now *state, route *Route) {
	if f.taken == nil || !f.wantsSample() {
		return
	}
	s := &g.stats.samples
	body := f.taken.decoded
	if body == nil {
		body = f.taken.body
	}
	if len(body) > maxSampled {
		return
	}
	if s.busy.Add(1) > mostSampling {
		s.busy.Add(-1)
		return
	}
	one := Sample{
		At: time.Now(), ID: f.report.ID, Version: g.Version, Config: now.digest, Route: f.route,
		Provider: f.report.Provider, Model: nameOf(f.report.Model), Outcome: f.outcome(),
		Status: f.status, Repairs: repairsOf(f.sent()),
	}
	if f.report.Err != nil {
		one.Error = f.report.Err.Error()
	}
	if f.resent != nil && f.resent.Refusal != nil {
		one.Refusal = f.resent.Refusal.Rule.ID
	}
	options := wire.Options{
		Provider: one.Provider, Model: one.Model, Options: route.Options, Measured: route.measured,
	}
	s.pending.Add(1)
	go func() {
		defer s.pending.Done()
		defer s.busy.Add(-1)
		defer func() { // a fault here would end the process
			if fault := recover(); fault != nil {
				g.panicked(fault)
			}
		}()
		one.show(body, &options)
		s.add(one, now.config.Samples)
	}()
}

// show puts the bare body into a sample, if it shows the same fault.
func (s *Sample) show(body []byte, options *wire.Options) {
	const same = "without its content, the body does not show the same"
	bared := bare(body)
	if bared == nil {
		s.Withheld = "the body is no JSON that can be read"
		return
	}
	ctx := context.Background()
	was, err := wire.Sanitize(ctx, body, options)
	now, again := wire.Sanitize(ctx, bared, options)
	switch {
	case !sameFault(was, now), (err == nil) != (again == nil):
		s.Withheld = same
		return
	case options.Options.Fixers == nil:
		s.Options, _ = json.Marshal(wire.Options{
			Options: options.Options, Measured: options.Measured,
		}) // they were read as JSON
	}
	s.Before = bared
	if now.Changed {
		s.After = now.Body
	}
}

// sameFault reports whether two repairs made the same changes, wherever names of members differ.
func sameFault(a, b *wire.Result) bool {
	return slices.EqualFunc(a.Warnings, b.Warnings, func(v, w wire.Warning) bool {
		return v.Code == w.Code && v.Rule == w.Rule && v.At == w.At
	})
}

// add keeps a sample, and drops the oldest ones beyond most.
func (s *samples) add(one Sample, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, one)
	if n := len(s.kept) - most; n > 0 {
		s.kept = append([]Sample(nil), s.kept[n:]...)
	}
}

// serveSamples serves the samples as lines of JSON, the newest first.
func (g *Gateway) serveSamples(w http.ResponseWriter, _ *http.Request) {
	if g.state.Load().config.Samples == 0 {
		writeText(w, http.StatusNotFound, "preflight serve: \"samples\" in the configuration says "+
			"how many are kept; none are by default\n")
		return
	}
	s := &g.stats.samples
	s.pending.Wait()
	s.mu.Lock()
	kept := append([]Sample(nil), s.kept...)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for k := range kept {
		_ = encoder.Encode(kept[len(kept)-1-k]) // a client that is gone needs no answer
	}
}
