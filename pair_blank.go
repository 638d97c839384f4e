package preflight

import (
	"slices"
)

// This file finds calls for the results without an id that no other evidence has matched.

// silents are the results without an id that are left, and the calls that one of them may be meant
// for.
type blankResults struct {
	*pairing
	free  []int
	calls map[string][]int // those without a real result, the nearest last
}

// attachBlank matches the free results that have no id, of which those with a tool's name belong
// to calls of that tool. It reports whether there are any.
func (p *pairing) attachBlank() bool {
	s := blankResults{pairing: p}
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		if ref := &p.results[r]; blank(ref.result.CallID) && !p.answersPast(ref) {
			s.free = append(s.free, r)
		}
	}
	if len(s.free) == 0 {
		return false
	}
	s.calls = make(map[string][]int)
	s.matchBefore()
	s.keepUnmatched()
	clear(s.calls)
	s.matchAfter()
	s.keepUnmatched()
	s.attachToOnlyCall()
	return true
}

// leave keeps the results that have no call so far.
func (s *blankResults) keepUnmatched() {
	left := s.free[:0]
	for _, r := range s.free {
		if s.results[r].call == none {
			left = append(left, r)
		}
	}
	s.free = left
}

// matchBefore gives the results between two turns the calls of the nearest turn before them that has
// any.
func (s *blankResults) matchBefore() {
	next := 0
	for first := 0; first < len(s.free); {
		end := first + 1
		for end < len(s.free) && s.sameGroup(s.free[first], s.free[end]) {
			end++
		}
		for ; next < len(s.pairing.calls) && s.precedes(next, s.free[first]); next++ {
			s.addCall(next)
		}
		s.assignGroup(s.free[first:end])
		first = end
	}
}

// matchAfter gives what is left the calls of the nearest turn after them that has any without an
// answer, or with a placeholder. A call with an error has what was said about it: a result before
// it is of a call that is lost.
func (s *blankResults) matchAfter() {
	next := len(s.pairing.calls) - 1
	for end := len(s.free); end > 0; {
		first := end - 1
		for first > 0 && s.sameGroup(s.free[first-1], s.free[first]) {
			first--
		}
		for near := s.results[s.free[first]].lastTurn; next >= 0 &&
			s.pairing.calls[next].turn > near; next-- {
			if a := s.pairing.calls[next].answer; a == none || s.worth(a) == worthPlaceholder {
				s.addCall(next)
			}
		}
		s.assignGroup(s.free[first:end])
		end = first
	}
}

// attachToOnlyCall makes what is left further results of the only call, or the only one of their
// tool, of the turn right before them.
func (s *blankResults) attachToOnlyCall() {
	if len(s.free) == 0 {
		return
	}
	turn := none
	only := make(map[string]int) // the only call of a tool, or of all; none where there are more
	add := func(key string, c int) {
		if _, more := only[key]; more {
			c = none
		}
		only[key] = c
	}
	for _, r := range s.free {
		ref := &s.results[r]
		if ref.lastTurn == none {
			continue
		}
		if ref.lastTurn != turn {
			turn = ref.lastTurn
			clear(only)
			for c := s.turns[turn].calls[0]; c < s.turns[turn].calls[1]; c++ {
				any, named := s.keys(s.pairing.calls[c].call)
				if add(any, c); named != any {
					add(named, c)
				}
			}
		}
		if c, ok := only[s.key(r)]; ok && c != none &&
			s.pairing.calls[c].answer != none && s.precedes(c, r) {
			s.attach(c, r, s.reason(r))
		}
	}
}

// alike reports whether two results are between the same turns and of the same tool, or both of
// none.
func (s *blankResults) sameGroup(a, b int) bool {
	return s.results[a].lastTurn == s.results[b].lastTurn && s.key(a) == s.key(b)
}

// key is what the calls that a result may be meant for are found by.
func (s *blankResults) key(r int) string {
	result := s.results[r].result
	if blank(result.Name) {
		return s.typed("", result.Variant)
	}
	return s.typed(result.Name, result.Variant)
}

// keys are what results that name no tool, and those that name theirs, find a call by.
func (s *blankResults) keys(c *ToolCall) (any, named string) {
	return s.typed("", c.Variant), s.typed(c.Name, c.Variant)
}

// reason is the evidence for the call of a result.
func (s *blankResults) reason(r int) PairReason {
	if blank(s.results[r].result.Name) {
		return ReasonPosition
	}
	return ReasonName
}

// note adds a call to those of its tool, and to those for results that name none.
func (s *blankResults) addCall(c int) {
	ref := &s.pairing.calls[c]
	if s.hasRealResult(c) || ref.answer == none && s.policy.waits(ref.call) {
		return
	}
	any, named := s.keys(ref.call)
	s.calls[any] = append(s.calls[any], c)
	if named != any {
		s.calls[named] = append(s.calls[named], c)
	}
}

// done reports whether a call has a real result.
func (s *blankResults) hasRealResult(c int) bool {
	a := s.pairing.calls[c].answer
	return a != none && s.worth(a) == worthReal
}

// give matches a group of results with the calls that are the nearest, if they are as many, or if
// it is one call: of several results of one call the best is its answer.
func (s *blankResults) assignGroup(group []int) {
	calls := s.nearest(s.key(group[0]), len(group))
	if len(calls) != len(group) && len(calls) != 1 {
		return
	}
	for k, r := range group {
		why := s.reason(r)
		if c := calls[min(k, len(calls)-1)]; s.pairing.calls[c].answer == none {
			s.bind(c, r, why)
		} else {
			s.attach(c, r, why)
		}
	}
}

// nearest returns the calls of the nearest turn that has any, in order, but no more than one above
// most. It forgets those that have got a real result, so that none is looked at in vain twice.
func (s *blankResults) nearest(key string, most int) []int {
	q := s.calls[key]
	k := len(q)
	var found []int
	for ; k > 0 && len(found) <= most; k-- {
		if c := q[k-1]; len(found) > 0 &&
			s.pairing.calls[c].turn != s.pairing.calls[found[0]].turn {
			break
		} else if !s.hasRealResult(c) {
			found = append(found, c)
		}
	}
	slices.Reverse(found)
	s.calls[key] = append(q[:k], found...)
	found = slices.Clone(found)
	slices.Sort(found) // where one looks ahead, they were noted from the last to the first
	return found
}
