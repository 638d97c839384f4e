package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/rule"
)

// This file repairs the pairs of client tool calls and their results that the matcher in pair.go
// found. A call is answered only by a result in its zone: the run of results right after its turn,
// where the provider looks for the answer.
//
// The remedies, from lossless to lossy: a result in its zone stays; a displaced result moves to its
// call; a result with another spelling of the id gets the id of its call; several results of one
// call become one. What is left is handled by the policies for dangling calls and orphan results.

// PairToolCalls gives every tool call exactly one result, in the place where the provider looks for
// it, and every result a call.
//
// Displaced results move to their calls. Further results of a call are joined to its result or
// removed (Options.Duplicates). Calls without a result are removed or answered (Options.Dangling,
// SideEffects and Interrupted), and results without a call are removed or become text
// (Options.Orphans). Calls that wait are answered with a placeholder, or stay open with
// Options.KeepWaiting. Pairs shows which result belongs to which call.
var PairToolCalls = pairToolCallsFixer

var pairToolCallsFixer = Fixer{
	Name: "pair-tool-calls",
	Doc: "moves displaced tool results to their calls, resolves duplicates, " +
		"and removes or answers what has no counterpart",
	repair: pairToolCalls,
	cures: problemset.Of(
		rule.Dangling, rule.Orphan, rule.DuplicateResult, rule.ResultNotFirst, rule.ResultName,
		rule.ServerDangling, rule.ServerOrphan, rule.ServerMixed, rule.MCPPairing,
	),
}

// toolPairs is the work of PairToolCalls on the pairing of a draft.
type toolPairs struct {
	*toolPairing
	fresh []ToolResult // room for results with another id; see rebound
	// results that became text; inserted after the results that move to the same place
	texts  []insertion
	merge  map[int]*mergedResult
	signed signedTurn // see isSigned
}

// signedTurn is a turn, and whether it holds signed reasoning.
type signedTurn struct {
	known, signed bool
	turn          int
}

// mergedResult is the answer of a call that took in further results.
type mergedResult struct {
	taken []int // the merged results, in order
	lead  int   // number of content parts from results before the answer
}

func pairToolCalls(d *draft) {
	for range maxRounds {
		before := len(d.warnings)
		if pairOnePass(d); len(d.warnings) == before {
			return
		}
	}
}

// pairOnePass pairs the history as it is now. A moved result, or one that got its call's id or
// name, can reveal another duplicate, so pairToolCalls repeats the pass until it changes nothing.
//
// Provider-executed calls follow: a turn that loses all of them still ends the zone of the turn
// before it.
func pairOnePass(d *draft) {
	pairClientTools(d)
	pairServerTools(d)
}

func pairClientTools(d *draft) {
	p := toolPairs{toolPairing: d.pairs}
	defer p.release()
	if !d.takePairs() {
		p.setDraft(d)
		p.survey(clientSide)
		if len(p.Calls) == 0 && len(p.Results) == 0 {
			return
		}
		if p.assign() {
			return
		}
	}
	p.resolveFurther()
	p.resolveOrphans()
	p.resolveDangling()
	p.moveResults()
	for _, text := range p.texts {
		d.insertBefore(text.at, text.n)
	}
	d.commit()
}

// result returns result r as it is now: a cache breakpoint may have moved to it.
func (p *toolPairs) result(r int) *ToolResult {
	if ref := &p.Results[r]; ref.Message != none {
		if now, ok := p.d.nodes[ref.Message].Parts[ref.Part].(*ToolResult); ok && now != nil {
			return now
		}
	}
	return p.toolPairing.result(r)
}

// resolveFurther applies the policy for duplicates to each further result of an answered call.
func (p *toolPairs) resolveFurther() {
	for r := range p.Results {
		if ref := &p.Results[r]; ref.Further && ref.Call != none && !ref.Handled {
			p.resolveDuplicate(ref.Call, r)
		}
	}
}

func (p *toolPairs) resolveDuplicate(c, r int) {
	kept := p.Calls[c].Answer
	a, b := p.result(kept), p.result(r)
	removed := note{code: codes.ResultRemoved}
	if r < kept {
		removed.code = codes.PlaceholderReplaced
	}
	switch worth, best := p.WorthOf(r), p.WorthOf(kept); {
	case worth.IsPlaceholder() && !best.IsPlaceholder() && r < kept:
		removed.detail = "removed a placeholder, since the real result was found"
		p.dropDuplicate(r, removed)
	case worth.IsPlaceholder() || p.Copies(r, p.taken(kept)):
		p.dropDuplicate(r, note{
			code:   codes.DuplicateRemoved,
			detail: "removed a repeated result of a call that has one",
		})
	case worth == pairing.Error && best == pairing.Real:
		removed.code, removed.detail = codes.ResultRemoved,
			"removed an error, since the call has a real result"
		p.dropDuplicate(r, removed)
	case worth == pairing.Doubtful && best == pairing.Real &&
		(r < kept && !p.AssistantBetween(r, kept) || p.policy.Duplicates == DuplicateLast):
		removed.detail, removed.ambiguous =
			"removed what may be a placeholder, since a real result was found", true
		p.dropDuplicate(r, removed)
	case p.policy.Duplicates == DuplicateLast && r > kept && !p.LessCertain(r, kept):
		p.replaceAnswer(c, r, note{
			code: codes.ResultRemoved, ambiguous: true,
			detail: "removed an earlier, different result of the same call",
		})
	case p.policy.Duplicates == DuplicateMerge && p.Precedes(c, r) &&
		p.AssistantBetween(kept, r) && p.keepAsText(r):
		// kept as text
	case p.policy.Duplicates == DuplicateMerge && mergeable(a, b):
		p.mergeDuplicate(kept, r)
	default:
		p.dropDuplicate(r, note{
			code: codes.ResultRemoved, ambiguous: true,
			detail: "removed a further, different result of the same call",
		})
	}
}

// keepAsText keeps a further result as text in its place, for the case that the assistant has
// already responded to the first. It reports false when the result has no content to keep.
func (p *toolPairs) keepAsText(r int) bool {
	ref := &p.Results[r]
	text := resultAsText(p.result(r), "Later result of "+toolOf(p.Calls[ref.Call].Name)+":")
	if text == nil {
		return false
	}
	ref.Handled = true
	p.toText(r, text, note{
		code: codes.OrphanToText, problem: rule.DuplicateResult, id: ref.ID,
		detail: "kept a later result of a call as user text, " +
			"since the assistant has spoken about the first",
		ambiguous: true,
	})
	return true
}

// toolOf returns the words by which a text refers to a tool.
func toolOf(name string) string {
	if blank(name) {
		return "a tool"
	}
	return "tool " + name
}

// taken returns the results that were merged into result r.
func (p *toolPairs) taken(r int) []int {
	if m := p.merge[r]; m != nil {
		return m.taken
	}
	return nil
}

// mergeable reports whether two results can become one. An output that is an object cannot be
// merged in results of a provider's own variant (OpenAI's computer_call_output holds one
// screenshot).
func mergeable(a, b *ToolResult) bool {
	lone := func(r *ToolResult) bool {
		return r.Variant != "" && len(r.Output) > 0 && r.Output[0] == '{'
	}
	return !lone(a) && !lone(b)
}

func (p *toolPairs) dropDuplicate(r int, n note) {
	ref := &p.Results[r]
	n.problem, n.id = rule.DuplicateResult, ref.ID
	p.d.drop(ref.Message, ref.Part, n)
	ref.Handled = true
}

// replaceAnswer makes r the answer of call c and drops the previous answer.
func (p *toolPairs) replaceAnswer(c, r int, n note) {
	old := p.Calls[c].Answer
	p.Turns[p.Calls[c].Turn].Swapped = true
	p.dropDuplicate(old, n)
	p.Results[old].Call = none
	p.Bind(c, r, p.Results[r].Reason)
}

// mergeDuplicate adds the content of result r to the kept result, in history order. Nothing is
// lost: where both have an output, the output of r becomes text.
func (p *toolPairs) mergeDuplicate(kept, r int) {
	a, b := &p.Results[kept], &p.Results[r]
	m := p.merge[kept]
	if m == nil {
		if m = new(mergedResult); p.merge == nil {
			p.merge = make(map[int]*mergedResult)
		}
		p.merge[kept] = m
		p.resultParts[kept] = edited(p.result(kept), func(x *ToolResult) {
			x.Content = slices.Clip(x.Content)
		})
		p.d.own(a.Message).Parts[a.Part] = p.resultParts[kept]
	}
	m.taken = append(m.taken, r)
	into, from := p.result(kept), p.result(r)
	added := Tally{}
	content := from.Content
	if len(into.Output) == 0 {
		into.Output = from.Output
	} else if len(from.Output) > 0 {
		content = append(slices.Clip(content), &Text{Text: string(from.Output)})
		added.Texts = 1
	}
	if r < kept {
		into.Content = slices.Insert(into.Content, m.lead, content...)
		m.lead += len(content)
	} else {
		into.Content = append(into.Content, content...)
	}
	into.IsError = into.IsError && from.IsError
	p.d.warn(p.d.position(b.Message, b.Part), note{
		code: codes.DuplicatesMerged, problem: rule.DuplicateResult, id: b.ID,
		detail:    "merged a further result of a call into the one it has",
		ambiguous: b.Reason == pairs.ByPosition || b.Reason == pairs.ByName,
	}, Tally{Results: 1}, added)
	p.d.absorb(a.Message, a.Part, p.d.origin(b.Message, b.Part))
	p.d.take(b.Message, b.Part)
	b.Handled = true
}

// resolveOrphans removes the results that have no call, or keeps them as user text.
func (p *toolPairs) resolveOrphans() {
	for r := range p.Results {
		ref := &p.Results[r]
		if ref.Call != none || ref.Handled || ref.Held {
			continue
		}
		n := note{problem: rule.Orphan, id: ref.ID}
		ref.Handled = true
		if p.policy.Orphans == OrphanText {
			readInFull(p.d.texts, p.result(r))
			if text := resultAsText(
				p.result(r), "Result of "+toolOf(ref.Name)+", whose call is missing:",
			); text != nil {
				n.code, n.detail = codes.OrphanToText, "kept a result without a call as user text"
				p.toText(r, text, n)
				continue
			}
		}
		n.code, n.detail = codes.OrphanRemoved, "removed a result whose call is not in the history"
		p.d.drop(ref.Message, ref.Part, n)
	}
}

// resultAsText returns a result as parts of a user turn: a label, its text, and its media. It
// returns nil for an empty result.
func resultAsText(r *ToolResult, label string) []Part {
	text := resultText(r)
	var media []Part
	for _, c := range r.Content {
		if m, ok := c.(*Media); ok && m != nil {
			media = append(media, m)
		}
	}
	if blank(text) && media == nil {
		return nil
	}
	if blank(text) {
		return append([]Part{&Text{Text: label}}, media...)
	}
	return append([]Part{&Text{Text: label + "\n" + text}}, media...)
}

// toText turns a result into text after its message or, for a result within a zone, after the zone,
// so that the text does not split it.
func (p *toolPairs) toText(r int, parts []Part, n note) {
	d, ref := p.d, &p.Results[r]
	end := ref.Message + 1
	if t := ref.LastTurn; t != none && ref.Message > p.Turns[t].Last &&
		p.Turns[t].Results.End > p.Turns[t].Results.First {
		end = max(end, p.Results[p.Turns[t].Results.End-1].Message+1)
	}
	added := made(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.origin(ref.Message, ref.Part)
	}
	d.warn(d.position(ref.Message, ref.Part), n, tallyPart(p.result(r)), TallyOf(added.Message))
	d.take(ref.Message, ref.Part)
	p.texts = append(p.texts, insertion{end, added})
}

// answers reports whether result r was matched with a call of turn t.
func (p *toolPairs) answers(r, t int) bool {
	c := p.Results[r].Call
	return c != none && p.Calls[c].Turn == t
}
