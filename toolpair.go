package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
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
var PairToolCalls = Fixer{
	Name: "pair-tool-calls",
	Doc: "moves displaced tool results to their calls, resolves duplicates, " +
		"and removes or answers what has no counterpart",
	repair: pairToolCalls,
	cures: problems(
		rule.Dangling, rule.Orphan, rule.DuplicateResult, rule.ResultNotFirst, rule.ResultName,
		rule.ServerDangling, rule.ServerOrphan, rule.ServerMixed, rule.MCPPairing,
	),
}

// cutState remembers whether a turn may be cut.
type cutState uint8

const (
	cutUnknown cutState = iota
	cutAllowed
	cutForbidden
)

// toolPairs is the work of PairToolCalls on the pairing of a draft.
type toolPairs struct {
	*pairing
	fresh []ToolResult // room for results with another id; see rebound
	// results that became text; inserted after the results that move to the same place
	texts []insertion
	merge map[int]*mergedResult
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
func pairOnePass(d *draft) {
	pairServerTools(d)
	p := toolPairs{pairing: d.firstPairs()}
	if p.pairing == nil {
		p.pairing = &d.pairs
	}
	defer p.release()
	if !p.assigned {
		p.setDraft(d)
		p.survey(clientSide)
		if len(p.calls) == 0 && len(p.results) == 0 {
			return
		}
		if p.assign() {
			return
		}
	}
	p.resolveFurther()
	p.resolveOrphans()
	p.resolveDangling()
	p.names = d.profile.Pairing.ByName // same id with another name is another call
	p.moveResults()
	for _, text := range p.texts {
		d.insertBefore(text.at, text.n)
	}
	d.commit()
}

// resolveFurther applies the policy for duplicates to each further result of an answered call.
func (p *toolPairs) resolveFurther() {
	for r := range p.results {
		if ref := &p.results[r]; ref.further && ref.call != none && !ref.handled {
			p.resolveDuplicate(ref.call, r)
		}
	}
}

func (p *toolPairs) resolveDuplicate(c, r int) {
	kept := p.calls[c].answer
	a, b := p.results[kept].result, p.results[r].result
	removed := note{code: codes.ResultRemoved}
	if r < kept {
		removed.code = codes.PlaceholderReplaced
	}
	switch worth, best := p.worth(r), p.worth(kept); {
	case worth == worthPlaceholder && best > worth && r < kept:
		removed.detail = "removed a placeholder, since the real result was found"
		p.dropDuplicate(r, removed)
	case worth == worthPlaceholder || p.copies(r, p.taken(kept)):
		p.dropDuplicate(r, note{
			code:   codes.DuplicateRemoved,
			detail: "removed a repeated result of a call that has one",
		})
	case worth == worthError && best == worthReal:
		removed.code, removed.detail = codes.ResultRemoved,
			"removed an error, since the call has a real result"
		p.dropDuplicate(r, removed)
	case worth == worthDoubtful && best == worthReal &&
		(r < kept && !p.assistantBetween(r, kept) || p.policy.Duplicates == DuplicateLast):
		removed.detail, removed.ambiguous =
			"removed what may be a placeholder, since a real result was found", true
		p.dropDuplicate(r, removed)
	case p.policy.Duplicates == DuplicateLast && r > kept:
		p.replaceAnswer(c, r, note{
			code: codes.ResultRemoved, ambiguous: true,
			detail: "removed an earlier, different result of the same call",
		})
	case p.policy.Duplicates == DuplicateMerge && p.precedes(c, r) &&
		p.assistantBetween(kept, r) && p.keepAsText(r):
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
	ref := &p.results[r]
	text := resultAsText(ref.result, "Later result of "+toolOf(p.calls[ref.call].call.Name)+":")
	if text == nil {
		return false
	}
	ref.handled = true
	p.toText(ref, text, note{
		code: codes.OrphanToText, problem: rule.DuplicateResult, id: ref.result.CallID,
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
	ref := &p.results[r]
	n.problem, n.id = rule.DuplicateResult, ref.result.CallID
	p.d.drop(ref.node, ref.part, n)
	ref.handled = true
}

// replaceAnswer makes r the answer of call c and drops the previous answer.
func (p *toolPairs) replaceAnswer(c, r int, n note) {
	old := p.calls[c].answer
	p.turns[p.calls[c].turn].swapped = true
	p.dropDuplicate(old, n)
	p.results[old].call = none
	p.bind(c, r, p.results[r].reason)
}

// mergeDuplicate adds the content of result r to the kept result, in history order. Nothing is
// lost: where both have an output, the output of r becomes text.
func (p *toolPairs) mergeDuplicate(kept, r int) {
	a, b := &p.results[kept], &p.results[r]
	m := p.merge[kept]
	if m == nil {
		if m = new(mergedResult); p.merge == nil {
			p.merge = make(map[int]*mergedResult)
		}
		p.merge[kept] = m
		a.result = edited(a.result, func(x *ToolResult) { x.Content = slices.Clip(x.Content) })
		p.d.own(a.node).Parts[a.part] = a.result
	}
	m.taken = append(m.taken, r)
	added := Tally{}
	content := b.result.Content
	if len(a.result.Output) == 0 {
		a.result.Output = b.result.Output
	} else if len(b.result.Output) > 0 {
		content = append(slices.Clip(content), &Text{Text: string(b.result.Output)})
		added.Texts = 1
	}
	if r < kept {
		a.result.Content = slices.Insert(a.result.Content, m.lead, content...)
		m.lead += len(content)
	} else {
		a.result.Content = append(a.result.Content, content...)
	}
	a.result.IsError = a.result.IsError && b.result.IsError
	p.d.warn(p.d.position(b.node, b.part), note{
		code: codes.DuplicatesMerged, problem: rule.DuplicateResult, id: b.result.CallID,
		detail:    "merged a further result of a call into the one it has",
		ambiguous: b.reason == ReasonPosition || b.reason == ReasonName,
	}, Tally{Results: 1}, added)
	p.d.absorb(a.node, a.part, p.d.origin(b.node, b.part))
	p.d.take(b.node, b.part)
	b.handled = true
}

// resolveOrphans removes the results that have no call, or keeps them as user text.
func (p *toolPairs) resolveOrphans() {
	for r := range p.results {
		ref := &p.results[r]
		if ref.call != none || ref.handled || p.answersPast(ref) {
			continue
		}
		n := note{problem: rule.Orphan, id: ref.result.CallID}
		ref.handled = true
		if p.policy.Orphans == OrphanText {
			if text := resultAsText(
				ref.result, "Result of "+toolOf(ref.result.Name)+", whose call is missing:",
			); text != nil {
				n.code, n.detail = codes.OrphanToText, "kept a result without a call as user text"
				p.toText(ref, text, n)
				continue
			}
		}
		n.code, n.detail = codes.OrphanRemoved, "removed a result whose call is not in the history"
		p.d.drop(ref.node, ref.part, n)
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
func (p *toolPairs) toText(ref *resultRef, parts []Part, n note) {
	d := p.d
	end := ref.node + 1
	if t := ref.lastTurn; t != none && ref.node > p.turns[t].last &&
		p.turns[t].results[1] > p.turns[t].results[0] {
		end = max(end, p.results[p.turns[t].results[1]-1].node+1)
	}
	added := made(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.origin(ref.node, ref.part)
	}
	d.warn(d.position(ref.node, ref.part), n, tallyPart(ref.result), TallyOf(added.Message))
	d.take(ref.node, ref.part)
	p.texts = append(p.texts, insertion{end, added})
}

// resolveDangling removes or answers the calls without a result, by policy. A turn with signed
// reasoning is never cut: its calls are answered. A call that waits on purpose is answered with a
// placeholder or left open.
func (p *toolPairs) resolveDangling() {
	for c := range p.calls {
		ref := &p.calls[c]
		if ref.answer != none || p.policy.staysOpen(ref.call) {
			continue
		}
		wordless := slices.Contains(p.profile.Pairing.Unanswerable, ref.call.Variant)
		if p.policy.waits(ref.call) && !wordless {
			p.answerWith(c, p.policy.waitingResult(ref.call),
				"answered a tool call that waits with a placeholder")
			continue
		}
		signed := p.signedTurn(ref.turn)
		part, result := p.policy.interrupted(ref.call)
		if part != nil && !signed {
			p.d.replace(ref.node, ref.part, part, note{
				code: codes.DanglingReplaced, problem: rule.Dangling, id: ref.call.ID,
				detail: "replaced a tool call that has no result by what the caller gave for it",
			})
			continue
		}
		if result == nil && (wordless || !p.policy.answersDangling(ref.call) && !signed) {
			p.d.drop(ref.node, ref.part, note{
				code: codes.DanglingRemoved, problem: rule.Dangling, id: ref.call.ID,
				detail: "removed a tool call that has no result",
			})
			continue
		}
		detail := "answered a tool call that has no result"
		if result == nil {
			result = p.policy.errorResult(ref.call)
			detail += " with an error result"
			if !p.policy.answersDangling(ref.call) {
				detail += ", since its turn holds signed reasoning and may not be cut"
			}
		}
		p.answerWith(c, result, detail)
	}
}

// answerWith answers call c with a new result.
func (p *toolPairs) answerWith(c int, result *ToolResult, detail string) {
	ref := &p.calls[c]
	if p.profile.Pairing.Typed && result.Variant != ref.call.Variant {
		result = edited(result, func(r *ToolResult) { r.Variant = ref.call.Variant })
	}
	n := note{code: codes.DanglingAnswered, problem: rule.Dangling, id: ref.call.ID, detail: detail}
	p.d.warn(p.d.position(ref.node, ref.part), n, Tally{}, tallyPart(result))
	ref.answer = len(p.results)
	p.results = append(p.results, resultRef{
		node: none, part: none, zone: none, lastTurn: none, result: result, call: c,
	})
}

// signedTurn reports whether a turn holds reasoning with a signature or an opaque payload, or a
// call with a signature.
func (p *toolPairs) signedTurn(t int) bool {
	turn := &p.turns[t]
	if turn.cut == cutUnknown {
		turn.cut = cutAllowed
		for i := turn.first; i <= turn.last; i++ {
			if slices.ContainsFunc(p.d.nodes[i].Parts, signed) ||
				slices.ContainsFunc(p.d.nodes[i].Parts, func(part Part) bool {
					return isCallSigned(p.profile, part)
				}) || holdsReasoning(p.profile, &p.d.nodes[i].Message) {
				turn.cut = cutForbidden
			}
		}
	}
	return turn.cut == cutForbidden
}

// answers reports whether result r was matched with a call of turn t.
func (p *toolPairs) answers(r, t int) bool {
	c := p.results[r].call
	return c != none && p.calls[c].turn == t
}
