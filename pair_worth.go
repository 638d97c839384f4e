package preflight

import (
	"slices"
)

// This file decides which of several results of one call is its answer: the one with the highest
// worth.

// weigh makes the first result with the highest worth the answer of each call.
func (p *pairing) weigh() {
	for r := range p.results {
		p.weighOne(r)
	}
}

// weighOne makes a further result the answer of its call if it has a higher worth than the answer.
func (p *pairing) weighOne(r int) {
	ref := &p.results[r]
	if !ref.further || ref.call == none {
		return
	}
	c := ref.call
	a := p.calls[c].answer
	if a != none && !p.outweighs(r, a) {
		return
	}
	if a != none {
		p.results[a].further = true
		p.turns[p.calls[c].turn].swapped = true
	}
	p.bind(c, r, ref.reason)
}

// outweighs reports whether result r replaces a, the answer so far.
func (p *pairing) outweighs(r, a int) bool {
	c := p.results[a].call
	early := !p.precedes(c, r) // it may belong to a lost call
	if p.worth(r) == p.worth(a) {
		return p.inPlace(r) && !p.inPlace(a)
	}
	switch p.worth(a) {
	case worthPlaceholder:
		return p.worth(r) == worthReal ||
			!early && p.worth(r) != worthPlaceholder && !p.lessCertain(r, a)
	case worthError:
		return p.worth(r) == worthReal && !early && !p.lessCertain(r, a) &&
			(!p.assistantBetween(a, r) || p.isOnlyOfID(c, r))
	case worthDoubtful: // it may be data, which the assistant may have responded to
		return p.worth(r) == worthReal && !p.lessCertain(r, a) && !p.assistantBetween(a, r)
	}
	return false
}

// lessCertain reports whether result a is matched with its call by an id and result r is not. Then
// r may be the result of another call, and does not replace a: both are kept.
func (p *pairing) lessCertain(r, a int) bool {
	byID := func(why PairReason) bool { return why == ReasonID || why == ReasonNormalized }
	return byID(p.results[a].reason) && !byID(p.results[r].reason)
}

// isOnlyOfID reports whether call c is the only call with its id before result r. Then r belongs to
// it, wherever r is. Later calls are ignored, so that appending a call does not change what was
// sent before.
func (p *pairing) isOnlyOfID(c, r int) bool {
	if p.secondOfID == nil {
		p.secondOfID = make(map[string]int, len(p.calls))
		for k := range p.calls {
			id := p.calls[k].call.ID
			if second, known := p.secondOfID[id]; !known {
				p.secondOfID[id] = none
			} else if second == none {
				p.secondOfID[id] = k
			}
		}
	}
	id := p.calls[c].call.ID
	second := p.secondOfID[id]
	return !blank(id) && (second == none || !p.precedes(second, r))
}

// assistantBetween reports whether an assistant turn begins after result a and before result b.
func (p *pairing) assistantBetween(a, b int) bool {
	return p.results[b].lastTurn > p.results[a].lastTurn
}

// copies reports whether result r has the content of another result of its call: the answer, or one
// of the last of the others.
func (p *pairing) copies(r int, others []int) bool {
	const most = 8 // keeps the cost linear if a call has many results
	p.compared = true
	same := func(o int) bool { return sameResult(p.results[o].result, p.results[r].result) }
	return same(p.calls[p.results[r].call].answer) ||
		slices.ContainsFunc(others[max(0, len(others)-most):], same)
}

// markRepeats marks messages of results after a turn that equal the message right before them,
// result by result, if there are more results than calls: a retry was recorded twice. Matched by
// name alone, such a result would answer some earlier call.
func (p *pairing) markRepeats(turn *turnRef) {
	surplus := turn.results[1] - turn.results[0] - (turn.calls[1] - turn.calls[0])
	before := [2]int{} // the results of the message before
	for r := turn.results[0]; r < turn.results[1] && surplus > 0; {
		end := r + 1
		for end < turn.results[1] && p.results[end].node == p.results[r].node {
			end++
		}
		if p.repeats(before, [2]int{r, end}) {
			surplus -= end - r
			for k := r; k < end; k++ {
				p.results[k].further, p.results[k].repeats = true, end-r
			}
		}
		before, r = [2]int{r, end}, end
	}
}

// repeats reports whether the results of a message equal those of the message before.
func (p *pairing) repeats(before, span [2]int) bool {
	n := span[1] - span[0]
	if before[1]-before[0] != n || p.results[before[0]].node != p.results[span[0]].node-1 {
		return false
	}
	p.compared = true
	for k := range n {
		a, b := p.results[before[0]+k].result, p.results[span[0]+k].result
		if a.CallID != b.CallID || a.Name != b.Name || !sameResult(a, b) {
			return false
		}
	}
	return true
}

// worth orders the results of one call: the result with the highest worth is the answer.
type worth uint8

const (
	worthUnknown     worth = iota
	worthPlaceholder       // states that there is no result, or is empty
	worthError             // reports an error
	worthDoubtful          // may be a placeholder, but may be data as well: a bare "Cancelled"
	worthReal
)

// worth returns the worth of result r. The worth of each result is computed once.
func (p *pairing) worth(r int) worth {
	ref := &p.results[r]
	if ref.worth == worthUnknown {
		p.compared = true
		var call *ToolCall
		if ref.call != none {
			call = p.calls[ref.call].call
		}
		ref.worth = p.policy.worthOf(ref.result, call)
	}
	return ref.worth
}
