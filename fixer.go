package preflight

import (
	"reflect"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file defines the fixer, the unit of repair. It takes over the messages that fixers and hooks
// of the caller return: it finds out which message and which part became which, so that positions
// and sources stay those of the caller's history.

// Fixer repairs one concern of a history. It is a plain value: Fixers has the built-in ones, and a
// caller writes others by giving Name and Fix, with the Editor of package fixer. Pipelines run
// fixers; Apply runs one alone.
type Fixer struct {
	Name string // short, lower-case, unique within a pipeline
	// Fix is the caller's function that repairs a history. A built-in fixer has none; a copy of it
	// with a Fix is yours. Fix must not write to history, its messages or their parts. It returns
	// the repaired history and a warning for every change, with positions in the history it was
	// given and what the change removed and added, or, if there is nothing to repair, the slice it
	// was given. It must be deterministic, idempotent and free of side effects, which package
	// preflighttest/conformance checks. request is Options.Request.
	Fix func(history []Message, profile *Profile, request Request) ([]Message, []Warning)

	group  string // of the default pipeline; "" for none
	repair func(*draft)
	cures  problemset.Set // what Check reports and repair mends; a fixer without any always runs
	checks []checks       // its part of Check, which reports what it cures
	tidy   func(*draft)   // writes touched messages as all models take them, once all is cured
	single bool           // repair judges each part by itself: no other fixer's edit gives it work
	always bool           // repair may change histories that Check passes
	first  bool           // it leads the pipeline, also when Options.Fixers has it
	calls  string         // the name of the caller's function that repair calls; "" for none
}

// own returns f. A copy of a built-in fixer with a Fix is a fixer of the caller's, and nothing
// else.
func (f Fixer) own() Fixer {
	if f.Fix != nil {
		return Fixer{Name: f.Name, Fix: f.Fix}
	}
	return f
}

// needed reports whether the fixer may have work to do on a draft with these problems. edited
// reports whether the draft was edited after they were found.
func (f *Fixer) needed(found problemset.Set, edited bool) bool {
	return f.cures.Empty() || f.cures.Meets(found) || edited && !f.single
}

// malformed are the problems that make a history unreadable. If Check finds one, it looks for no
// others. makeWellFormed cures them.
var malformed = problemset.Of(problems.NilPart, problems.Nested)

// Apply runs the fixer alone, once, and returns the repaired history with one warning per change,
// or history, clipped, if there is nothing to repair. It never writes to history. The result need
// not be valid, and a change without a warning is discarded. A nil profile means Portable, nil
// options the zero value; their Fixers and Hooks are not run, and Strict and Untrusted have no
// effect. Nil parts, and parts that a tool result may not hold, are repaired before any fixer runs.
// A panic in a function of the caller passes on.
func (f Fixer) Apply(history []Message, profile *Profile, options *Options) ([]Message, []Warning) {
	if len(history) == 0 {
		return history[:0:0], nil
	}
	if options == nil {
		options = &Options{}
	}
	d := newDraft(history, orPortable(profile), options)
	makeWellFormed(d)
	f = f.own()
	_ = f.run(d) // changes without a warning are discarded
	out, warnings := history[:len(history):len(history)], d.report()
	if len(warnings) > 0 {
		out = d.messages()
	}
	d.release() // not deferred: see release
	return out, warnings
}

// run runs the fixer on a draft. It fails if a caller's fixer made a change without a warning.
func (f *Fixer) run(d *draft) error {
	if f.repair != nil {
		f.repair(d)
		return nil
	}
	if f.Fix == nil {
		return nil
	}
	before := d.messages()
	after, warnings := f.Fix(before, d.profile, d.options.Request)
	if len(warnings) == 0 {
		if d.holdsAlready(after) {
			return nil
		}
		return hookError(f.Name, none, errSilent)
	}
	given := newHandover(d)
	for i := range d.nodes {
		given.give(i, d.nodes[i].Parts)
	}
	for _, w := range warnings {
		if w.Removed != (Tally{}) && w.Added == (Tally{}) {
			given.remove(w.At)
		}
		w.At = d.callerPosition(w.At)
		if w.Code == "" {
			w.Code = codes.Hook
		}
		d.warnings = append(d.warnings, w)
	}
	if !d.holdsAlready(after) {
		nodes := make([]node, len(after))
		was, places := given.sources(after)
		for k, i := range was {
			nodes[k] = given.node(after[k], i, places[k])
		}
		d.setNodes(nodes)
	}
	makeWellFormed(d) // the next fixers rely on it
	return nil
}

// callerPosition translates a position in the draft to one in the caller's input.
func (d *draft) callerPosition(at Position) Position {
	if at.Message() < 0 {
		return Position{}
	}
	if at.Message() >= len(d.nodes) ||
		at.Part() >= len(d.nodes[at.Message()].Parts) {
		return d.position(len(d.nodes), none)
	}
	out := d.position(at.Message(), at.Part())
	if at.Part() >= 0 && out.Part() >= 0 {
		out.inner = at.inner
	}
	return out
}

// holdsAlready reports whether history has exactly the messages of the draft.
func (d *draft) holdsAlready(history []Message) bool {
	if len(history) != len(d.nodes) {
		return false
	}
	for i := range history {
		if !sameMessage(&history[i], &d.nodes[i].Message) {
			return false
		}
	}
	return true
}

// sameMessage reports whether two messages have equal fields and identical parts.
func sameMessage(a, b *Message) bool {
	if a.Role != b.Role || a.ID != b.ID || a.Name != b.Name || len(a.Parts) != len(b.Parts) ||
		a.Native.Format != b.Native.Format || !sameMeta(a.Meta, b.Meta) ||
		!sameBytes(a.Native.JSON, b.Native.JSON) {
		return false
	}
	for j := range a.Parts {
		if a.Parts[j] != b.Parts[j] {
			return false
		}
	}
	return true
}

func sameMeta(a, b Metadata) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || !sameBytes(v, w) {
			return false
		}
	}
	return true
}

// sameBytes compares pointers first, so that comparing unchanged native JSON is cheap.
func sameBytes(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	return len(a) == 0 || &a[0] == &b[0] || string(a) == string(b)
}

// place is where a part of the draft is.
type place struct{ node, part int }

// handover is what a function of the caller was given of a draft.
type handover struct {
	d *draft
	// the places of the parts, by the pointers that the function got
	places map[Part][]place
	// by node and part: the part is not in what the function returned, and not known to be removed
	missing map[int][]bool
}

func newHandover(d *draft) *handover {
	return &handover{d: d, places: make(map[Part][]place), missing: make(map[int][]bool)}
}

// give records that the function got these parts for those of node i.
func (h *handover) give(i int, parts []Part) {
	h.missing[i] = make([]bool, len(parts))
	for j, p := range parts {
		if !isNil(p) { // what is nil may be no key of a map
			h.places[p], h.missing[i][j] = append(h.places[p], place{i, j}), true
		}
	}
}

// remove records that the function reports the removal of what is at a position in the draft.
func (h *handover) remove(at Position) {
	switch {
	case at.Inner() >= 0:
	case at.Part() < 0:
		clear(h.missing[at.Message()])
	case at.Part() < len(h.missing[at.Message()]):
		h.missing[at.Message()][at.Part()] = false
	}
}

// sources returns, for each message that the function returned, the node that it was made of, none
// for a new one: the node of its first known part, else what the messages around it leave. It also
// returns the places of the parts of each message.
func (h *handover) sources(after []Message) (was []int, places [][]place) {
	was, places = make([]int, len(after)), make([][]place, len(after))
	kept := make([]bool, len(h.d.nodes))
	for k, m := range after {
		was[k], places[k] = none, h.take(m.Parts)
		first := slices.IndexFunc(places[k], func(at place) bool { return at.node != none })
		if first >= 0 {
			was[k] = places[k][first].node
			kept[was[k]] = true
		}
	}
	inferSources(was, len(kept), func(i int) bool {
		return !kept[i] && (len(h.missing[i]) == 0 || slices.Contains(h.missing[i], true))
	})
	for _, i := range was {
		if i != none {
			kept[i] = true
		}
	}
	if len(after) == len(kept) {
		for k := range was {
			if was[k] == none && !kept[k] {
				was[k] = k
			}
		}
	}
	return was, places
}

// take records that the function returned these parts in one message. It returns the place of each,
// none for a part that it was not given. A part that it was given several times has each of its
// places once, in order.
func (h *handover) take(parts []Part) []place {
	out := make([]place, len(parts))
	for j, p := range parts {
		out[j] = place{none, none}
		if isNil(p) {
			continue
		}
		if list := h.places[p]; len(list) > 0 {
			for len(list) > 1 && !h.missing[list[0].node][list[0].part] {
				list = list[1:]
			}
			h.places[p], out[j] = list, list[0]
			h.missing[list[0].node][list[0].part] = false
		}
	}
	return out
}

// inferSources fills the gaps in was, which has the index of the old item for each of a new list,
// or none: new items between two known ones are the missing old ones between those, if there are as
// many.
func inferSources(was []int, old int, missing func(int) bool) {
	from := 0
	for k := 0; k < len(was); k++ {
		end := k
		for end < len(was) && was[end] == none {
			end++
		}
		to := old
		if end < len(was) {
			to = was[end]
		}
		if to < from {
			return // reordered
		}
		var between []int
		for ; from < to; from++ {
			if missing(from) {
				between = append(between, from)
			}
		}
		if len(between) == end-k {
			copy(was[k:end], between)
		}
		k = end
	}
}

// node returns a node for message m, which was made of node i, or of none, and whose parts have
// these places. Parts that are equal to what the draft has are the same pointers again.
func (h *handover) node(m Message, i int, places []place) node {
	n := node{Message: m, src: none, owned: true}
	n.Parts, n.from = slices.Clone(m.Parts), make([]origin, len(m.Parts))
	was := make([]int, len(m.Parts))
	for j, p := range m.Parts {
		was[j], n.from[j] = none, origin{none, none}
		at := places[j]
		if at.node == none {
			continue
		}
		n.from[j] = h.d.origin(at.node, at.part)
		if at.node == i {
			was[j] = at.part
		}
		if before := h.d.nodes[at.node].Parts[at.part]; reflect.DeepEqual(p, before) {
			n.Parts[j] = before
		}
	}
	if i == none {
		return n
	}
	n.src = h.d.nodes[i].src
	inferSources(was, len(h.missing[i]), func(j int) bool { return h.missing[i][j] })
	for j, k := range was {
		if k != none && n.from[j].msg < 0 {
			n.from[j] = h.d.origin(i, k)
		}
	}
	return n
}
