package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/wire"
)

// This file keeps samples of repairs, for those who ask what was done: the messages before and
// after, without their texts.

// maxSampled is how long a body is, in bytes, of which a sample is taken.
const maxSampled = 1 << 20

// sample is one repaired request.
type sample struct {
	At       time.Time           `json:"at"`
	ID       string              `json:"id"`
	Route    string              `json:"route"`
	Provider string              `json:"provider"`
	Model    string              `json:"model"`
	Repairs  []repairs           `json:"repairs"`
	Before   []preflight.Message `json:"before"`
	After    []preflight.Message `json:"after"`
}

// samples are the last ones.
type samples struct {
	mu   sync.Mutex
	kept []sample // the newest last
}

// sampled returns a context whose request is sampled if it is repaired.
func (g *Gateway) sampled(ctx context.Context, now *state) context.Context {
	most := now.config.Samples
	if most == 0 {
		return ctx
	}
	f := flightOf(ctx)
	return preflighthttp.WithRepaired(ctx, func(r *preflighthttp.Repaired) {
		if len(r.Body) > maxSampled || len(r.Result.Body) > maxSampled {
			return
		}
		g.stats.samples.add(sample{
			At: time.Now(), ID: r.Report.ID, Route: f.route, Provider: r.Report.Provider,
			Model: nameOf(r.Report.Model), Repairs: repairsOf(r.Report),
			Before: withoutText(r.Report, r.Body), After: withoutText(r.Report, r.Result.Body),
		}, most)
	})
}

// withoutText are the messages of a body, with the length of each text in its place. What the
// provider verifies cannot be replaced in a part, and the part is left out.
func withoutText(r *preflighthttp.Report, body []byte) []preflight.Message {
	decoded, err := wire.Decode(body, &wire.Options{Provider: r.Provider, Model: r.Model})
	if err != nil {
		return nil
	}
	var out []preflight.Message
	for _, m := range decoded.Messages {
		kept := redact.Verified(m, lengthOf)
		m.Parts = without(m.Parts, kept)
		out = append(out, redact.Message(m, lengthOf))
	}
	return out
}

func lengthOf(text string) string { return fmt.Sprintf("(%d bytes)", len(text)) }

func without(parts, remove []preflight.Part) (out []preflight.Part) {
	gone := map[preflight.Part]bool{}
	for _, p := range remove {
		gone[p] = true
	}
	for _, p := range parts {
		if !gone[p] {
			out = append(out, p)
		}
	}
	return out
}

// add keeps a sample, and drops the oldest ones beyond most.
func (s *samples) add(one sample, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, one)
	if n := len(s.kept) - most; n > 0 {
		s.kept = append([]sample(nil), s.kept[n:]...)
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
	s.mu.Lock()
	kept := append([]sample(nil), s.kept...)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for k := range kept {
		_ = encoder.Encode(kept[len(kept)-1-k]) // a client that is gone needs no answer
	}
}
