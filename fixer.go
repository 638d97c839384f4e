package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file defines the fixer, the unit of repair, and the set of problems that it cures.

// Fixer repairs one concern of a history. It is a plain value: package fixer has the built-in ones,
// and a caller writes others by giving Name, Doc and Fix, with the Editor of that package.
type Fixer struct {
	Name string // short, lower-case, unique within a pipeline
	Doc  string // one line: what it does
	// Fix repairs a history. It must not write to history, its messages or their parts. It returns
	// the repaired history and a warning for every change, with positions in the history it was
	// given and what the change removed and added, or, if there is nothing to repair, the slice it
	// was given. It must return the same for equal arguments, nothing to repair for what it
	// returned, and must have no other effect; package preflighttest/conformance checks that. The
	// request is that of the options. A built-in fixer has one, too, with the default options;
	// giving it another has no effect.
	Fix func(history []Message, profile *Profile, request Request) ([]Message, []Warning)

	repair func(*draft)
	cures  problemset.Set // what Check reports and repair mends; a fixer without any always runs
	single bool           // repair judges each part by itself: no other fixer's edit gives it work
	always bool           // repair may change histories that Check passes
}

// defaultFixers returns the fixers of the default pipeline, in order: what fixer.Defaults exports.
func defaultFixers() []Fixer {
	return []Fixer{
		repairUnicodeFixer, stripControlsFixer, stripEphemeralFixer, stripSystemFixer,
		clearBindingsFixer, truncateProviderExecutedFixer,
		placeRolesFixer, repairReasoningFixer, flattenEmptiedFixer, pairToolCallsFixer,
		errorToTextFixer, repairArgumentsFixer, rewriteIDsFixer, rewriteNamesFixer,
		flattenToolsFixer, describeMediaFixer, repairMediaFixer, dropEmptyFixer,
		normalizeItemsFixer, mergeRolesFixer, splitCallsFixer, enforceAlternationFixer,
		bridgeResultsFixer, normalizeDocumentsFixer, orderCallsFixer, endConversationFixer,
		normalizeReasoningFixer, splitChannelsFixer, fillReasoningFixer, signCallsFixer,
		normalizeCacheFixer,
	}
}

func init() {
	fixers := defaultFixers()
	builtin.Defaults = len(fixers)
	fixers = append(fixers, dropEmptyReasoningFixer)
	for k := range fixers {
		fixers[k].Fix = fixers[k].alone
	}
	builtin.Fixers = fixers
	builtin.Is = func(f Fixer) bool { return f.repair != nil }
}

// alone is the Fix func of a built-in fixer.
func (f Fixer) alone(history []Message, profile *Profile, request Request) ([]Message, []Warning) {
	return f.Apply(history, profile, &Options{Request: request})
}

// needed reports whether the fixer may have work to do on a draft with these problems. edited
// reports whether the draft was edited after they were found.
func (f *Fixer) needed(found problemset.Set, edited bool) bool {
	return f.cures.Empty() || f.cures.Meets(found) || edited && !f.single
}

// malformed are the problems that make a history unreadable. If Check finds one, it looks for no
// others. wellFormed cures them.
var malformed = problemset.Of(problems.NilPart, problems.Nested)

// Apply runs the fixer alone, once, and returns the repaired history with one warning per change.
// It does not write to history, and returns it, clipped, if there is nothing to repair. A nil
// profile means Portable, nil options the zero value. An empty history needs no repair. Nil parts,
// and parts that a tool result may not hold, are repaired before any fixer runs, and so by the zero
// Fixer, too. Panics in functions of the caller are not recovered.
func (f Fixer) Apply(history []Message, profile *Profile, options *Options) ([]Message, []Warning) {
	if len(history) == 0 {
		return history[:0:0], nil
	}
	if options == nil {
		options = &Options{}
	}
	d := newDraft(history, orPortable(profile), options)
	wellFormed(d)
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
	after, warnings := f.Fix(before, d.profile, d.policy.Request)
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
	wellFormed(d) // the next fixers rely on it
	return nil
}

// callerPosition translates a position in the draft to one in the caller's input.
func (d *draft) callerPosition(at Position) Position {
	if at.Message < 0 || at.Message >= len(d.nodes) || at.Part >= len(d.nodes[at.Message].Parts) {
		return d.position(len(d.nodes), none)
	}
	out := d.position(at.Message, at.Part)
	if at.Part >= 0 && out.Part >= 0 {
		out.Inner = at.Inner
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
