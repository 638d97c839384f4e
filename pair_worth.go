package preflight

import (
	"slices"
)

// This file decides which of several results of one call is its answer: the one that is worth most.

// weigh makes the most worth of the results of each call its answer, and of several the first.
func (p *pairing) weigh() {
	for r := range p.results {
		ref := &p.results[r]
		if !ref.further || ref.call == none {
			continue
		}
		c := ref.call
		a := p.calls[c].answer
		if a != none && !p.outweighs(r, a) {
			continue
		}
		if a != none {
			p.results[a].further = true
			p.turns[p.calls[c].turn].swapped = true
		}
		p.bind(c, r, ref.reason)
	}
}

// relieves reports whether result r is worth more than a, the answer so far.
func (p *pairing) outweighs(r, a int) bool {
	c := p.results[a].call
	early := !p.precedes(c, r) // it may be of a call that is lost
	switch p.worth(a) {
	case worthPlaceholder:
		return p.worth(r) == worthReal || !early && p.worth(r) != worthPlaceholder
	case worthError:
		return p.worth(r) == worthReal && !early &&
			(!p.assistantBetween(a, r) || p.isOnlyOfID(c, r))
	case worthDoubtful: // it may be data, and then what was said about it has to stay true
		return p.worth(r) == worthReal && !p.assistantBetween(a, r)
	}
	return false
}

// lone reports whether call c is the only one of its id before result r: then r is meant for it,
// wherever it is. What comes later does not count, so that a further call does not change what was
// sent.
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

// spoken reports whether the assistant has spoken after result a and before result b.
func (p *pairing) assistantBetween(a, b int) bool {
	return p.results[b].lastTurn > p.results[a].lastTurn
}

// copies reports whether result r says what another one of its call says: the answer, or one of the
// last of the others.
func (p *pairing) copies(r int, others []int) bool {
	const most = 8 // so that many results of one call cost no more than each its share
	same := func(o int) bool { return sameResult(p.results[o].result, p.results[r].result) }
	return same(p.calls[p.results[r].call].answer) ||
		slices.ContainsFunc(others[max(0, len(others)-most):], same)
}

// markRepeats marks messages of results after a turn that say again, result by result, what the
// message right before them says, where there are more results than calls: a retry was recorded
// twice. By its name alone such a result would answer some earlier call.
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

// repeats reports whether the results of a message are those of the message before.
func (p *pairing) repeats(before, span [2]int) bool {
	n := span[1] - span[0]
	if before[1]-before[0] != n || p.results[before[0]].node != p.results[span[0]].node-1 {
		return false
	}
	for k := range n {
		a, b := p.results[before[0]+k].result, p.results[span[0]+k].result
		if a.CallID != b.CallID || a.Name != b.Name || !sameResult(a, b) {
			return false
		}
	}
	return true
}

// worth orders the results of one call: the more a result is worth, the rather it is the answer.
type worth uint8

const (
	worthUnknown     worth = iota
	worthPlaceholder       // says that there is no result, or nothing at all
	worthError             // says what went wrong
	worthDoubtful          // may be a placeholder, but may be data as well: a bare "Cancelled"
	worthReal
)

// worth is the worth of result r. Each is read once, however many duplicates there are.
func (p *pairing) worth(r int) worth {
	ref := &p.results[r]
	if ref.worth == worthUnknown {
		var call *ToolCall
		if ref.call != none {
			call = p.calls[ref.call].call
		}
		ref.worth = p.policy.worthOf(ref.result, call)
	}
	return ref.worth
}
