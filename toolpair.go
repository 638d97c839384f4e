package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs the pairs of client tool calls and their results that the matcher in pair.go
// found. A call is answered only by a result in its zone: the run of results right after its turn,
// where the provider looks for the answer.
//
// The remedies, from lossless to lossy: a result in its zone stays; a displaced result moves to its
// call; a result with another spelling of the id gets the id of its call; several results of one
// call become one, or their call is repeated (toolpair_further.go). What is left is handled by the policies for dangling calls and orphan results.

// PairToolCalls gives every tool call exactly one result, in the place where the provider looks for
// it, and every result a call.
//
// Displaced results move to their calls. Further results of a call are joined to its result or
// removed (Options.Duplicates); where the assistant has responded to that result, the call is
// repeated for the further one. Calls without a result are removed or answered (Options.Dangling,
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
		problems.Dangling, problems.Orphan, problems.DuplicateResult, problems.ResultNotFirst, problems.ResultName,
		problems.ServerDangling, problems.ServerOrphan, problems.ServerMixed, problems.MCPPairing,
	),
}

// toolPairs is the work of PairToolCalls on the pairing of a draft.
type toolPairs struct {
	*toolPairing
	fresh []ToolResult // room for results with another id; see rebound
	// results that became text, and repeated calls with their results; inserted after the results
	// that move to the same place
	inserts       []insertion
	given         map[int]*givenResults // of calls with further results, by their answers
	ids, repeated map[string]int        // see freshID
	signed        signedTurn            // see isSigned

	asked struct { // what holdsAnswer found last
		done, answers bool
		message       int
	}
}

// signedTurn is a turn, and whether it holds signed reasoning.
type signedTurn struct {
	known, signed bool
	turn          int
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
	p.setDraft(d)
	p.survey(clientSide)
	if len(p.Calls) == 0 && len(p.Results) == 0 || p.Assign() {
		return
	}
	p.resolveFurther()
	p.resolveOrphans()
	p.resolveDangling()
	p.moveResults()
	for _, of := range p.inserts {
		d.insertBefore(of.at, of.n)
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

// resolveOrphans removes the results that have no call, or keeps them as user text.
func (p *toolPairs) resolveOrphans() {
	for r := range p.Results {
		ref := &p.Results[r]
		if ref.Call != none || ref.Handled || ref.Held {
			continue
		}
		n := note{problem: problems.Orphan, id: ref.ID}
		ref.Handled = true
		if p.policy.Orphans == OrphanText {
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
	return append([]Part{&Text{Text: label + "\n" + fenced(text)}}, media...)
}

// toText turns a result into text: before its message if that has words of the user and no result
// that is in its place, else after it or, for a result within a zone, after the zone, so that the
// text does not split it.
func (p *toolPairs) toText(r int, parts []Part, n note) {
	d, ref := p.d, &p.Results[r]
	end := p.after(r)
	if d.role(ref.Message) == RoleUser && end == ref.Message+1 && !p.holdsAnswer(r) {
		end = ref.Message
	}
	added := made(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.origin(ref.Message, ref.Part)
	}
	d.warn(d.position(ref.Message, ref.Part), n, tallyPart(p.result(r)), TallyOf(added.Message))
	d.take(ref.Message, ref.Part)
	p.inserts = append(p.inserts, insertion{end, added})
}

// holdsAnswer reports whether the message of result r holds one that answers a call.
func (p *toolPairs) holdsAnswer(r int) bool {
	i := p.Results[r].Message
	if p.asked.done && p.asked.message == i {
		return p.asked.answers
	}
	first := r
	for first > 0 && p.Results[first-1].Message == i {
		first--
	}
	p.asked.done, p.asked.message, p.asked.answers = true, i, false
	for k := first; k < len(p.Results) && p.Results[k].Message == i; k++ {
		p.asked.answers = p.asked.answers || p.Results[k].Call != none
	}
	return p.asked.answers
}

// after returns the first message after result r and the results of the zone before it.
func (p *toolPairs) after(r int) int {
	ref := &p.Results[r]
	end := ref.Message + 1
	if t := ref.LastTurn; t != none && ref.Message > p.Turns[t].Last &&
		p.Turns[t].Results.End > p.Turns[t].Results.First {
		end = max(end, p.Results[p.Turns[t].Results.End-1].Message+1)
	}
	return end
}

// toolOf returns the words by which a text refers to a tool.
func toolOf(name string) string {
	if blank(name) {
		return "a tool"
	}
	return "tool " + name
}

// answers reports whether result r was matched with a call of turn t.
func (p *toolPairs) answers(r, t int) bool {
	c := p.Results[r].Call
	return c != none && p.Calls[c].Turn == t
}
