package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file defines the fixer, the unit of repair, and the set of problems that it cures.

// Fixer repairs one concern of a history. It is a plain value; the built-in ones are the variables
// of this package, and a caller can write others by giving Name, Doc and Fix.
type Fixer struct {
	Name string // short, lower-case, unique within a pipeline
	Doc  string // one line: what it does
	// Fix repairs a history; nil for the built-in fixers. It must not write to history, its
	// messages or their parts. It returns the repaired history and a warning for every change, with
	// positions in the history it was given and what the change removed and added, or, if there is
	// nothing to repair, the slice it was given. It must return the same for equal
	// arguments, nothing to repair for what it returned, and must have no other effect; package
	// preflighttest/conformance checks that. The request is that of the options.
	Fix func(history []Message, profile *Profile, request Request) ([]Message, []Warning)

	repair func(*draft)
	cures  problemset.Set // what Check reports and repair mends; a fixer without any always runs
	single bool           // repair judges each part by itself: no other fixer's edit gives it work
	always bool           // repair may change histories that Check passes
}

// DefaultFixers are the built-in fixers in the order that loses least: repair by position first,
// while the positions are still evidence. The slice is fresh; extend it and hand it to NewPipeline.
//
//	repair-unicode              unpaired surrogates, invalid UTF-8, NUL
//	strip-controls              control characters
//	strip-ephemeral             per-response metadata (when asked)
//	strip-system                system messages (when asked)
//	clear-bindings              metadata that binds to one run (when asked)
//	truncate-provider-executed  long payloads of server tools (when asked)
//	place-roles                 role aliases, system messages, parts in the wrong role
//	repair-reasoning            unsigned, foreign and empty reasoning
//	flatten-emptied             server-tool results whose encrypted payload is gone
//	pair-tool-calls             one result for every call, a call for every result
//	error-to-text               error results become text where they cannot be marked
//	repair-arguments            arguments become a JSON object
//	rewrite-ids                 call ids the provider accepts, unique
//	rewrite-names               tool and participant names
//	flatten-tools               tool exchanges become text where the model knows no tools
//	describe-media              media that the model does not take becomes text
//	repair-media                media types, names, places
//	drop-empty                  empty text and messages
//	normalize-items             ids of items, and the reasoning they depend on
//	merge-roles                 one message for neighbours of one role
//	split-calls                 one tool call for each message
//	enforce-alternation         a user turn first
//	bridge-results              an assistant turn between tool results and a user turn
//	normalize-documents         titles and number of documents, and the text they need
//	order-calls                 text before tool calls
//	end-conversation            how the conversation ends
//	normalize-reasoning         reasoning and the thinking mode
//	split-channels              reasoning and text where text has channel tags
//	fill-reasoning              the reasoning that the provider wants back
//	sign-calls                  the signatures of the open turn's calls
//	normalize-cache             prompt-cache breakpoints
func DefaultFixers() []Fixer {
	return []Fixer{
		repairUnicodeFixer, stripControlsFixer, stripEphemeralFixer, stripSystemFixer,
		clearBindingsFixer, TruncateProviderExecuted,
		placeRolesFixer, repairReasoningFixer, flattenEmptiedFixer, PairToolCalls, errorToTextFixer,
		repairArgumentsFixer, rewriteIDsFixer, rewriteNamesFixer, flattenToolsFixer,
		describeMediaFixer, repairMediaFixer, DropEmpty, normalizeItemsFixer,
		MergeRoles, splitCallsFixer, EnforceAlternation, bridgeResultsFixer,
		normalizeDocumentsFixer, orderCallsFixer,
		endConversationFixer, normalizeReasoningFixer, splitChannelsFixer, fillReasoningFixer,
		signCallsFixer, normalizeCacheFixer,
	}
}

// FixerNamed returns a built-in fixer by its name, and whether there is one: one of DefaultFixers,
// or drop-empty-reasoning, which removes reasoning that holds nothing.
func FixerNamed(name string) (Fixer, bool) {
	for _, f := range append(DefaultFixers(), dropEmptyReasoningFixer) {
		if f.Name == name {
			return f, true
		}
	}
	return Fixer{}, false
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

// The article's names of five fixers of ContextSanitizer.
const (
	stepPair      = "pair"
	stepEmpties   = "empties"
	stepMerge     = "merge"
	stepAlternate = "alternate"
	stepTrailing  = "strip-trailing"
)

// articleSteps gives built-in fixers the article's names.
var articleSteps = map[string]string{
	PairToolCalls.Name:        stepPair,
	DropEmpty.Name:            stepEmpties,
	MergeRoles.Name:           stepMerge,
	EnforceAlternation.Name:   stepAlternate,
	endConversationFixer.Name: stepTrailing,
}

// ContextSanitizer returns the pipeline and the options of the ContextSanitizer article. The
// pipeline is the default one, in which the article's five steps have the article's names and run
// in the order pair, empties, merge, alternate, strip-trailing, until nothing changes. Run it with
// a profile in place of the article's provider flag.
//
// The options remove dangling calls and a final assistant turn that the model refuses, and fall
// back to the last user message. Set Strict for the article's SanitizeError, which is an
// ErrAmbiguous here, and clear FallbackToLastUser to see it: as in the article, the fallback
// comes before the error. docs/migration-contextsanitizer.md lists what is ambiguous.
func ContextSanitizer() (*Pipeline, Options) {
	fixers := DefaultFixers()
	for k := range fixers {
		if name, ok := articleSteps[fixers[k].Name]; ok {
			fixers[k].Name = name
		}
	}
	p := &Pipeline{fixers: fixers, certifies: true}
	return p, Options{Trailing: TrailingStrip, FallbackToLastUser: true}
}
