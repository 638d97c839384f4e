package gateway

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// This file counts requests and changes by labels. The names of clients and models come from
// requests, so their number is bounded: the first ones have a name of their own, the others are
// "other".

// The bounds.
const (
	maxNames  = 100  // of clients, and of models
	maxSeries = 2000 // of each metric
)

const otherName = "other"

// series are metrics, by their labels as they are written.
type series struct {
	clients, models           map[string]bool
	reasons                   map[string]bool // of an upstream, which may say anything
	requests, changes, unseen map[string]int
}

func newSeries() series {
	return series{
		map[string]bool{}, map[string]bool{}, map[string]bool{},
		map[string]int{}, map[string]int{}, map[string]int{},
	}
}

// count counts a request and its changes.
func (s *series) count(f *flight) {
	provider, model := "", ""
	if r := f.sent(); r != nil {
		provider, model = r.Provider, r.Model
	}
	who := fmt.Sprintf("route=%s,client=%s,provider=%s,model=%s", quoted(f.route),
		quoted(known(s.clients, f.client)), quoted(provider),
		quoted(known(s.models, nameOf(model))))
	add(s.requests, who, fmt.Sprintf(",outcome=%s,result=%s,status=\"%d\"", quoted(f.outcome()),
		quoted(f.result), f.status), 1)
	s.unseenBy(f)
	for _, r := range repairsOf(f.sent()) {
		add(s.changes, who, fmt.Sprintf(",code=%s,class=%s", quoted(r.Code), quoted(r.Class)), r.N)
	}
}

// unseenBy counts the reasoning that the model did not get to see, by whose edit it was. What was
// made of it, and why, are the provider's words.
func (s *series) unseenBy(f *flight) {
	if f.unseen == nil {
		return
	}
	for _, t := range f.unseen.Transformations {
		by := "others"
		if t.Ours {
			by = "repair"
		}
		add(s.unseen, fmt.Sprintf("route=%s", quoted(f.route)), fmt.Sprintf(
			",type=%s,reason=%s,by=%s", quoted(known(s.reasons, t.Type)),
			quoted(known(s.reasons, t.Reason)), quoted(by)), 1)
	}
}

// known returns a name, or "other" where there are too many already.
func known(names map[string]bool, name string) string {
	switch {
	case name == "" || names[name]:
	case len(names) >= maxNames:
		return otherName
	default:
		names[name] = true
	}
	return name
}

// add counts n for labels. Where there are too many series, who is "other".
func add(counts map[string]int, who, what string, n int) {
	key := who + what
	if _, ok := counts[key]; !ok && len(counts) >= maxSeries {
		key = fmt.Sprintf("route=%[1]q,client=%[1]q,provider=%[1]q,model=%[1]q", otherName) + what
	}
	counts[key] += n
}

// quoted returns a label's value as Prometheus reads it.
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(value) + `"`
}

func (s *series) write(w *bytes.Buffer) {
	for _, m := range []struct {
		name, help string
		counts     map[string]int
	}{
		{"requests_total", "Requests that have ended.", s.requests},
		{"changes_total", "Changes of the histories that were sent.", s.changes},
		{"transformations_total", "Reasoning of requests that the provider names in its answer, " +
			"by what became of it, why, and whose edit it was.", s.unseen},
	} {
		head(w, m.name, m.help, "counter")
		keys := make([]string, 0, len(m.counts))
		for key := range m.counts {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			fmt.Fprintf(w, "preflight_%s{%s} %d\n", m.name, key, m.counts[key])
		}
	}
}
