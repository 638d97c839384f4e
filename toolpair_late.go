package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file leaves late results where they are, for toolpair.go. A result that comes after the
// assistant has spoken again is not moved up to its call: the newest input of the model would come
// before older words, and messages that were sent before would change. Its call moves down to it:
//
//	assistant: call a
//	user:      "Are you there?"
//	assistant: "Still waiting."      the call moves down to here
//	tool:      result a
//
// If another result answers the call, the call is repeated before the late one. Where neither is
// possible, the result moves up to its call. A turn of calls alone does not count as speaking.

// late returns the results that are the answer of their call and come late: between the turn of the
// call and the result, the assistant has spoken again. Where the provider takes results anywhere,
// no call moves for them: they only yield to earlier results of their calls, see assign.
func (p *toolPairing) late() (late []int) {
	spoken, next := none, 0 // the last turn before result r in which the assistant says something
	for r := range p.Results {
		ref := &p.Results[r]
		for ; next <= ref.LastTurn; next++ {
			if p.Turns[next].Spoken != none {
				spoken = next
			}
		}
		if c := ref.Call; c != none && !ref.Further && !ref.Handled && p.Calls[c].Answer == r &&
			p.Calls[c].Turn < spoken && ref.Message > p.Turns[ref.LastTurn].Last &&
			(!p.InPlace(r) || p.profile.Pairing.Results == provider.ResultsAnywhere) &&
			p.Precedes(c, r) && p.mayRepeat(c, r) {
			late = append(late, r)
		}
	}
	return late
}

// assign is Assign, except that a late result does not replace an earlier one of its call as the
// answer: it is a further result then.
func (p *toolPairing) assign() (inPlace bool) {
	if p.Assign() {
		return true
	}
	if p.side == serverSide {
		return false
	}
	keeps := p.options.Duplicates != DuplicateLast
	var earlier map[int]int // calls by the best of their earlier results
	for _, r := range p.late() {
		if earlier == nil {
			earlier = p.earlierResults()
		}
		c := p.Results[r].Call
		if k, known := earlier[c]; known && p.AssistantBetween(k, r) &&
			(keeps || p.WorthOf(k).IsPlaceholder()) {
			p.Bind(c, k, p.Results[k].Reason)
			p.Results[r].Further, p.Results[r].Changes = true, false
		}
	}
	return false
}

// earlierResults returns, for each call with further results, the best of those before its answer:
// the first one, or the first that is no placeholder.
func (p *toolPairing) earlierResults() map[int]int {
	best := make(map[int]int)
	for k := range p.Results {
		if ref := &p.Results[k]; ref.Further && ref.Call != none && p.Precedes(ref.Call, k) &&
			k < p.Calls[ref.Call].Answer {
			b, known := best[ref.Call]
			if !known || p.WorthOf(b).IsPlaceholder() && !p.WorthOf(k).IsPlaceholder() {
				best[ref.Call] = k
			}
		}
	}
	return best
}

// mayRepeat reports whether a copy of call c can be put right before its result r. A call of a
// provider's own kind (Variant) cannot, and none can where the copy would lack the reasoning that
// has to come before it: with a thinking budget, or right after a turn with signed reasoning.
func (p *toolPairing) mayRepeat(c, r int) bool {
	ref := &p.Results[r]
	direct := ref.Zone != none && ref.Zone == ref.LastTurn
	return p.call(c).Variant == "" && p.resultParts[r].Variant == "" &&
		thinkingOf(p.profile, p.options) != provider.ThinkingBudget &&
		!(p.profile.Reasoning.Signed && direct && p.isSigned(ref.LastTurn))
}

// moveCalls moves the calls of late results down to them. A call that would stay without that
// result, since the provider takes it so or a placeholder answers it, is repeated instead; but if
// the result has replaced an earlier one, nothing keeps the call. If the call may not leave its
// turn, the result moves up.
func (p *toolPairs) moveCalls() {
	if p.profile.Pairing.Results == provider.ResultsAnywhere {
		return
	}
	late := p.late()
	for _, r := range late {
		p.Calls[p.Results[r].Call].Answer = none
		p.Results[r].Further = true // so that before does not count it as an answer
	}
	p.unanswered = unansweredTurn{}
	for _, r := range late {
		c := p.Results[r].Call
		call := &p.Calls[c]
		switch {
		case p.isSigned(call.Turn) || goesOn(p.d.nodes[call.Message].Parts, call.Part):
			call.Answer, p.Results[r].Further = r, false // moveResults moves it up
		case !p.replaced[c] && (p.staysUnanswered(call.Turn) || p.options.answersOpen(p.call(c))):
			p.repeatCall(c, r)
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

// namesOther reports whether result r names another tool than call c, where names count.
func (p *toolPairs) namesOther(c, r int) bool {
	return p.byName() && !blank(p.Results[r].Name) && p.Results[r].Name != p.Calls[c].Name
}

// moveCall moves call c down to its result r: to the end of the turn before it, or, where content
// is between the two, to right before r.
func (p *toolPairs) moveCall(c, r int) {
	call, ref := &p.Calls[c], &p.Results[r]
	at := p.before(r)
	p.d.warn(p.d.position(call.Message, call.Part), note{
		code: codes.CallMoved, problem: problems.Dangling, id: call.ID,
		detail:    "moved a tool call down to its result, since the assistant has spoken meanwhile",
		ambiguous: ref.Reason == pairs.ByPosition,
	}, Tally{}, Tally{})
	part, from := p.d.takePart(call.Message, call.Part)
	if len(p.moved) == 0 && at == ref.Message && p.isFirstAfter(r) {
		p.d.appendPart(p.Turns[ref.LastTurn].Last, part, from)
	} else {
		p.inserts = append(p.inserts,
			insertion{at, newNode(RoleAssistant, []Part{part}, []origin{from})})
	}
	m := p.d.at(ref.Message)
	role := p.d.role(ref.Message)
	if of := partRole(p.profile, m.Parts[ref.Part], &layout{of: m}, role); of != role {
		role = of
	} else {
		role = m.Role // as it is spelled
	}
	part, from = p.d.takePart(ref.Message, ref.Part)
	if other := p.namesOther(c, r); ref.Changes || other {
		n := p.reboundNote(r)
		n.ambiguous = n.ambiguous || other
		p.d.warn(p.d.position(ref.Message, ref.Part), n, Tally{}, Tally{})
		part = p.rebound(r)
	}
	p.inserts = append(p.inserts,
		insertion{at, newNode(role, []Part{part}, []origin{from})})
	if p.moved == nil {
		p.moved = make(map[int]bool)
	}
	p.moved[c], ref.Handled, ref.Call, ref.Changes = true, true, none, false
}
