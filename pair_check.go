package preflight

import (
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file checks the pairs that the matcher finds.

// clientPairs checks that every client call has exactly one result, in the place where the provider
// looks for it.
func (c *checker) clientPairs() {
	p := &c.pairs
	p.setHistory(c.history, c.profile, c.policy)
	if p.inOrder(clientSide) {
		return
	}
	p.survey(clientSide)
	if p.assign() {
		p.assigned = false // PairToolCalls has nothing to repair: see firstPairs
	}
	for r := range p.results {
		c.clientResult(r)
	}
	for k := range p.calls {
		ref := &p.calls[k]
		if ref.filled {
			continue // the provider takes the further result there for the answer
		}
		if ref.answer != none && (p.taken(ref.answer) || p.byName() && p.isLate(ref.answer)) ||
			p.policy.staysOpen(ref.call) {
			continue // if names count, only the late result is reported
		}
		detail := "the tool call has no result right after it"
		if c.profile.Pairing.Results == provider.ResultsAnywhere {
			detail = "the tool call has no result after it"
		}
		c.report(rule.Dangling, ref.node, ref.part, ref.call.ID, detail)
	}
}

// taken reports whether the provider takes result r for the answer of its call.
func (p *pairing) taken(r int) bool {
	ref := &p.results[r]
	call := p.calls[ref.call].call
	return p.inPlace(r) &&
		(!ref.rebound || !p.otherID(call, ref.result) && !p.otherType(call, ref.result))
}

// isLate reports whether result r follows the turn of its call, but after other content.
func (p *pairing) isLate(r int) bool {
	ref := &p.results[r]
	t := p.calls[ref.call].turn
	return ref.lastTurn == t && ref.node > p.turns[t].last && !ref.rebound
}

func (c *checker) clientResult(r int) {
	p := &c.pairs
	ref := &p.results[r]
	i, j, id := ref.node, ref.part, ref.result.CallID
	switch {
	case ref.call == none && p.answersPast(ref):
	case ref.call == none:
		c.report(rule.Orphan, i, j, id, "the tool result has no call")
	case ref.further:
		p.calls[ref.call].filled = p.calls[ref.call].filled || p.inPlace(r)
		c.report(rule.DuplicateResult, i, j, id, "the call has a result already")
	case p.taken(r) && ref.rebound:
		c.report(rule.ResultName, i, j, id, "the tool result has no name")
	case p.taken(r):
	case p.isLate(r):
		c.report(rule.ResultNotFirst, i, j, id, "the tool result is after other content")
	case p.inPlace(r):
		c.report(rule.Orphan, i, j, id,
			"the tool result has another id than the call that it answers")
	default:
		c.report(rule.Orphan, i, j, id,
			"the tool result is not where the provider looks for the answer of its call")
	}
}
