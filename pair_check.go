package preflight

import (
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
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
	p.makeRoom(c.census)
	p.survey(clientSide)
	p.Assign()
	for r := range p.Results {
		c.clientResult(r)
	}
	for k := range p.Calls {
		ref := &p.Calls[k]
		if ref.Filled {
			continue // the provider takes the further result there for the answer
		}
		if ref.Answer != none && (p.Taken(ref.Answer) || p.byName() && p.IsLate(ref.Answer)) ||
			p.policy.staysOpen(p.call(k)) || p.staysUnanswered(ref.Turn) || p.mayBeAnswered(k) {
			continue // if names count, only the late result is reported
		}
		detail := "the tool call has no result right after it"
		if c.profile.Pairing.Results == provider.ResultsAnywhere {
			detail = "the tool call has no result after it"
		}
		c.report(problems.Dangling, ref.Message, ref.Part, ref.ID, detail)
	}
}

func (c *checker) clientResult(r int) {
	p := &c.pairs
	ref := &p.Results[r]
	i, j, id := ref.Message, ref.Part, ref.ID
	switch {
	case ref.Call == none && ref.Held:
	case ref.Call == none:
		c.report(problems.Orphan, i, j, id, "the tool result has no call")
	case ref.Further && p.mayComeLater(r):
	case ref.Further:
		p.Calls[ref.Call].Filled = p.Calls[ref.Call].Filled || p.InPlace(r)
		c.report(problems.DuplicateResult, i, j, id, "the call has a result already")
	case p.Taken(r) && ref.Changes:
		c.report(problems.ResultName, i, j, id, "the tool result has no name")
	case p.Taken(r):
	case p.IsLate(r):
		c.report(problems.ResultNotFirst, i, j, id, "the tool result is after other content")
	case p.InPlace(r):
		c.report(problems.Orphan, i, j, id,
			"the tool result has another id than the call that it answers")
	default:
		c.report(problems.Orphan, i, j, id,
			"the tool result is not where the provider looks for the answer of its call")
	}
}
