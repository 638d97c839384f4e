package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// This file keeps samples of repairs, for those who ask what was done: the messages before and
// after, without their texts.

// maxSampled is how long a body is, in bytes, of which a sample is taken.
const maxSampled = 1 << 20

// sample is one repaired request.
type sample struct {
	At       time.Time `json:"at"`
	ID       string    `json:"id"`
	Route    string    `json:"route"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Repairs  []repairs `json:"repairs"`
	Before   any       `json:"before"`
	After    any       `json:"after"`
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

// withoutText are the messages of a body without what somebody made; nil where it cannot be read.
func withoutText(r *preflighthttp.Report, body []byte) any {
	decoded, err := wire.Decode(body, &wire.Options{Provider: r.Provider, Model: r.Model})
	if err != nil {
		return nil
	}
	data, err := json.Marshal(decoded.Messages)
	var all any
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return bared(all, "")
}

// shown are the members of messages and parts whose values are shown: what kind they are, and what
// pairs them.
var shown = map[string]bool{"role": true, "type": true, "kind": true, "id": true, "call_id": true}

// opaque are the members that hold what a user or a tool made, keys included.
var opaque = map[string]bool{
	"input": true, "output": true, "native": true, "json": true, "metadata": true, "meta": true,
}

// bared is the JSON of messages with lengths in place of all that a user or a tool chose, of
// signatures, addresses and data of media as well.
func bared(v any, key string) any {
	switch v := v.(type) {
	case string:
		if shown[key] {
			return v
		}
		return lengthOf(v)
	case float64:
		return 0
	case []any:
		for k := range v {
			v[k] = bared(v[k], key)
		}
	case map[string]any:
		for name, member := range v {
			if opaque[strings.ToLower(name)] {
				data, _ := json.Marshal(member) // it was read
				v[name] = lengthOf(string(data))
				continue
			}
			v[name] = bared(member, strings.ToLower(name))
		}
	}
	return v
}

func lengthOf(text string) string { return fmt.Sprintf("(%d bytes)", len(text)) }

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
