package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file keeps the last word the last word, for toolpair.go. A late result that ends the history,
// after the assistant has spoken again, stays at the end, since the model would otherwise read its
// newest input before what was said meanwhile, and what was sent before would change:
//
//	assistant: call a
//	user:      "Are you there?"
//	assistant: "Still waiting."      the call moves down to here
//	tool:      result a
//
// If another result answers the call, the call is repeated before the late one. Where neither is
// possible, the result moves up to its call.

// newest returns the first result of those that end the history, with nothing of another kind after
// or among them, and the last turn in which the assistant has said something. Only results of calls
// before that turn are late.
func (p *toolPairing) newest() (first, spoken int) {
	first, spoken = len(p.Results), none
	end := [2]int{none, none} // the last part of another kind
	for i := p.len() - 1; i >= 0 && end[0] == none; i-- {
		for j, part := range slices.Backward(p.at(i).Parts) {
			if !isNil(part) && !passesOver(p.profile, part) && p.asResult(part) == nil {
				if end = [2]int{i, j}; slices.ContainsFunc(p.at(i).Parts[:j], p.isResult) {
					end[1] = len(p.at(i).Parts) // content among results is not before them
				}
				break
			}
		}
	}
	for first > 0 {
		ref := &p.Results[first-1]
		if ref.Message < end[0] || ref.Message == end[0] && ref.Part < end[1] {
			break
		}
		first--
	}
	if first == len(p.Results) {
		return first, none
	}
	for t := len(p.Turns) - 1; t >= 0 && spoken == none; t-- {
		if p.Turns[t].Spoken != none {
			spoken = t
		}
	}
	return first, spoken
}

// isLast reports whether result r is late, and real, and the answer of its call. It is one of the
// results that end the history, and the assistant has spoken in turn spoken.
func (p *toolPairing) isLast(r, spoken int) bool {
	ref := &p.Results[r]
	if ref.Call == none || ref.Further || ref.Handled || p.Calls[ref.Call].Answer != r {
		return false
	}
	return p.Calls[ref.Call].Turn < spoken && !p.InPlace(r) && p.Precedes(ref.Call, r) &&
		!p.WorthOf(r).IsPlaceholder()
}

// assign is Assign, except that a late result that ends the history does not take the place of an
// earlier result of its call, if the call can be repeated before it.
func (p *toolPairing) assign() (inPlace bool) {
	if p.Assign() {
		return true
	}
	if p.side == serverSide || p.policy.Duplicates == DuplicateFirst ||
		p.policy.Duplicates == DuplicateLast {
		return false
	}
	first, spoken := p.newest()
	var earlier map[int]int // calls by the best of their earlier results
	for r := first; r < len(p.Results) && spoken != none; r++ {
		if !p.isLast(r, spoken) || !p.mayRepeat(p.Results[r].Call, r) {
			continue
		}
		if earlier == nil {
			earlier = p.earlierResults(first)
		}
		c := p.Results[r].Call
		if k, known := earlier[c]; known && p.AssistantBetween(k, r) {
			p.Bind(c, k, p.Results[k].Reason)
			p.Results[r].Further, p.Results[r].Changes = true, false
		}
	}
	return false
}

// earlierResults returns, for each call with further results, the best of those before result end:
// the first one, or the first that is no placeholder.
func (p *toolPairing) earlierResults(end int) map[int]int {
	best := make(map[int]int)
	for k := range end {
		if ref := &p.Results[k]; ref.Further && ref.Call != none && p.Precedes(ref.Call, k) {
			b, known := best[ref.Call]
			if !known || p.WorthOf(b).IsPlaceholder() && !p.WorthOf(k).IsPlaceholder() {
				best[ref.Call] = k
			}
		}
	}
	return best
}

// mayRepeat reports whether a copy of call c can be put right before its result r. It cannot for
// calls of a provider's own kind, and where the turn would lack the reasoning of the model: a
// thinking budget, or signed reasoning in the turn before the result.
func (p *toolPairing) mayRepeat(c, r int) bool {
	ref := &p.Results[r]
	direct := ref.Zone != none && ref.Zone == ref.LastTurn
	return p.call(c).Variant == "" && p.resultParts[r].Variant == "" &&
		thinkingOf(p.profile, p.policy) != provider.ThinkingBudget &&
		!(p.profile.Reasoning.Signed && direct && p.isSigned(ref.LastTurn))
}

// moveCalls moves the calls of late results that end the history down to them. A call that the
// provider takes without a result stays, and is repeated.
func (p *toolPairs) moveCalls() {
	first, spoken := p.newest()
	if spoken == none || p.profile.Pairing.Results == provider.ResultsAnywhere {
		return
	}
	var late []int
	for r := first; r < len(p.Results); r++ {
		if c := p.Results[r].Call; p.isLast(r, spoken) && p.mayRepeat(c, r) {
			late = append(late, r)
		}
	}
	for _, r := range late {
		p.Calls[p.Results[r].Call].Answer = none
		p.Results[r].Further = true // for before: it is no answer in its place
	}
	p.unanswered = unansweredTurn{}
	for _, r := range late {
		c := p.Results[r].Call
		call := &p.Calls[c]
		switch {
		case p.staysUnanswered(call.Turn):
			p.repeatCall(c, r)
		case p.isSigned(call.Turn) || goesOn(p.d.nodes[call.Message].Parts, call.Part):
			call.Answer, p.Results[r].Further = r, false // which moves up
		default:
			p.moveCall(c, r)
		}
	}
}

// isFirstAfter reports whether nothing is between result r and the turn before it, except results
// that do not stay there.
func (p *toolPairs) isFirstAfter(r int) bool {
	ref := &p.Results[r]
	if ref.Zone == none || ref.Zone != ref.LastTurn {
		return false
	}
	for k := p.Turns[ref.Zone].Results.First; k < r; k++ {
		if p.Results[k].Call != none && !p.Results[k].Further {
			return false
		}
	}
	return true
}

// moveCall moves call c down to its result r: to the end of the turn before it, or, where content is
// between the two, to right before r.
func (p *toolPairs) moveCall(c, r int) {
	call, ref := &p.Calls[c], &p.Results[r]
	at := p.before(r)
	p.d.warn(p.d.position(call.Message, call.Part), note{
		code: codes.CallMoved, problem: problems.Dangling, id: call.ID,
		detail: "moved a tool call down to its result, since the assistant has spoken meanwhile",
	}, Tally{}, Tally{})
	part, from := p.d.take(call.Message, call.Part)
	if !p.movedCall && at == ref.Message && p.isFirstAfter(r) {
		p.d.put(p.Turns[ref.LastTurn].Last, part, from)
	} else {
		p.inserts = append(p.inserts,
			insertion{at, made(RoleAssistant, []Part{part}, []origin{from})})
	}
	p.movedCall = true
	n := p.reboundNote(r)
	if part, from = p.d.take(ref.Message, ref.Part); ref.Changes {
		p.d.warn(p.d.position(ref.Message, ref.Part), n, Tally{}, Tally{})
		part = p.rebound(r)
	}
	p.inserts = append(p.inserts,
		insertion{at, made(resultRoleOf(p.profile), []Part{part}, []origin{from})})
	if p.moved == nil {
		p.moved = make(map[int]bool)
	}
	p.moved[c], ref.Handled, ref.Call, ref.Changes = true, true, none, false
}
