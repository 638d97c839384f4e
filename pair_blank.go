package preflight

import (
	"slices"
)

// This file finds calls for the results without an id that no other evidence has matched.

// blankResults holds the unmatched results without an id, and the calls that they may belong to.
type blankResults struct {
	*pairing
	free  []int
	calls map[string][]int // key -> calls without a real result, the nearest last
}

// attachBlank matches the free results without an id. Results with a tool name are matched only
// with calls of that tool. It reports whether there are any such results.
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

// keepUnmatched keeps the results that have no call yet.
func (s *blankResults) keepUnmatched() {
	left := s.free[:0]
	for _, r := range s.free {
		if s.results[r].call == none {
			left = append(left, r)
		}
	}
	s.free = left
}

// matchBefore matches the results between two turns with calls of the nearest turn before them that
// has candidates.
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

// matchAfter matches the remaining results with calls of the nearest turn after them that has calls
// with no answer or with a placeholder. Calls answered with an error are no candidates: a result
// before such a call belongs to a lost call.
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

// attachToOnlyCall makes each remaining result a further result of the only call, or the only call
// of its tool, in the turn right before it.
func (s *blankResults) attachToOnlyCall() {
	if len(s.free) == 0 {
		return
	}
	turn := none
	only := make(map[string]int) // key -> the only call with that key, or none if there are more
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

// sameGroup reports whether two results are between the same turns and have the same key.
func (s *blankResults) sameGroup(a, b int) bool {
	return s.results[a].lastTurn == s.results[b].lastTurn && s.key(a) == s.key(b)
}

// key returns the key under which the candidate calls of a result are listed.
func (s *blankResults) key(r int) string {
	result := s.results[r].result
	if blank(result.Name) {
		return s.typed("", result.Variant)
	}
	return s.typed(result.Name, result.Variant)
}

// keys returns the keys of a call for results without a tool name and for results with one.
func (s *blankResults) keys(c *ToolCall) (any, named string) {
	return s.typed("", c.Variant), s.typed(c.Name, c.Variant)
}

// reason returns the evidence that matches a result with its call.
func (s *blankResults) reason(r int) PairReason {
	if blank(s.results[r].result.Name) {
		return ReasonPosition
	}
	return ReasonName
}

// addCall lists a call under both of its keys, unless it has a real result or waits on purpose.
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

// hasRealResult reports whether a call has a real result.
func (s *blankResults) hasRealResult(c int) bool {
	a := s.pairing.calls[c].answer
	return a != none && s.worth(a) == worthReal
}

// assignGroup matches a group of results with the nearest calls, if there are as many calls as
// results, or only one. The best of several results of one call becomes its answer.
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

// nearest returns the candidate calls of the nearest turn that has any, in order, but at most
// most+1. It removes calls that have a real result by now, so that none is examined twice.
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
	slices.Sort(found) // matchAfter adds calls from the last to the first
	return found
}
