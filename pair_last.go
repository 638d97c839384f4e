package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file matches the results that neither an id nor a name has matched: those without an id, and
// those with an id that no call has. Such a result belongs to the call of a result with the same
// id, or to the one call left that it can answer.

// lastResults holds these results, and the calls that they may belong to.
type lastResults struct {
	*pairing
	*lastBuffers
	next int // the first result whose id and call ids does not know
	mark int // number of calls of findHeads
}

// lastBuffers are the buffers of lastResults. They are reused.
type lastBuffers struct {
	left       []int // the results that have no call yet
	heads      []int // see findHeads
	candidates []int // calls without a real result, the nearest last
	found      []int // see nearest
	// ids that no call has, with the last call of findHeads that met it (First), and 1 + the call
	// of the last result with it, or 0 (Last)
	unknown idtable.Table
}

// matchLast matches the free results whose ids no call has. Results with a tool name are matched
// only with calls of that tool. It reports whether there are any such results.
func (p *pairing) matchLast() bool {
	s := lastResults{pairing: p, lastBuffers: &p.last}
	s.left = s.left[:0]
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		if !p.hasCall(r) && !p.answersPast(&p.results[r]) {
			s.left = append(s.left, r)
		}
	}
	if len(s.left) == 0 {
		return false
	}
	s.unknown.Reset()
	s.matchTurns()
	s.keepUnmatched()
	s.matchBefore()
	s.keepUnmatched()
	s.left = slices.DeleteFunc(s.left, func(r int) bool { return !blank(s.results[r].result.CallID) })
	s.matchAfter()
	s.keepUnmatched()
	s.attachToOnlyCall()
	return true
}

// keepUnmatched keeps the results that have no call yet.
func (s *lastResults) keepUnmatched() {
	s.left = slices.DeleteFunc(s.left, func(r int) bool { return s.results[r].call != none })
}

// matchTurns matches the results after each turn with the calls of that turn. A result with the id
// of one that was matched before is a result of the same call.
func (s *lastResults) matchTurns() {
	for first := 0; first < len(s.left); {
		t, end := s.results[s.left[first]].lastTurn, first+1
		for end < len(s.left) && s.results[s.left[end]].lastTurn == t {
			end++
		}
		after := s.left[first:end]
		if first = end; t == none {
			continue
		}
		for len(after) > 0 && s.results[after[0]].node <= s.turns[t].last {
			after = after[1:] // it is inside the turn
		}
		for _, r := range after {
			s.attachLearned(r, true)
		}
		s.matchTurn(t, after)
		for _, r := range after {
			s.attachLearned(r, false)
		}
	}
}

// attachLearned attaches result r to the call of an earlier result with the same id. If waiting is
// set, only a placeholder may answer that call.
func (s *lastResults) attachLearned(r int, waiting bool) {
	if s.results[r].call != none || blank(s.results[r].result.CallID) {
		return
	}
	for ; s.next < r; s.next++ {
		if s.results[s.next].call != none && !s.hasCall(s.next) {
			s.learn(s.next)
		}
	}
	id := s.unknown.Known(s.results[r].result.CallID)
	if id == nil || id.Last == 0 {
		return
	}
	if c := id.Last - 1; s.sameType(c, r) && !s.otherTool(c, r, "") && (!waiting ||
		s.onlyPlaceholder(c) && s.worth(r) != worthPlaceholder) {
		s.give(c, r, ReasonPosition)
	}
}

// learn records the call of result r for attachLearned.
func (s *lastResults) learn(r int) {
	if ref := &s.results[r]; !blank(ref.result.CallID) {
		id, _ := s.unknown.Of(ref.result.CallID)
		id.Last = ref.call + 1
	}
}

// give makes r a result of call c: its answer, if r has a higher worth than the answer so far.
func (s *lastResults) give(c, r int, why PairReason) {
	if s.calls[c].answer == none {
		s.bind(c, r, why)
	} else {
		s.attach(c, r, why)
		s.weighOne(r)
	}
	s.learn(r)
}

// isOpen reports whether a call has no answer, or only a placeholder.
func (s *lastResults) isOpen(c int) bool {
	return s.calls[c].answer == none || s.onlyPlaceholder(c)
}

// onlyPlaceholder reports whether a call has no answer but a placeholder. An empty result is none:
// it may be all that the tool gave.
func (s *lastResults) onlyPlaceholder(c int) bool {
	a := s.calls[c].answer
	return a != none && s.worth(a) == worthPlaceholder && !blank(resultText(s.results[a].result))
}

// matchTurn matches results after turn t with the calls of the turn that have no answer or, if all
// have one, with those that only a placeholder answers: as many results as calls, in order. Results
// with the same id are results of the same call.
func (s *lastResults) matchTurn(t int, results []int) {
	if s.findHeads(results); len(s.heads) == 0 {
		return
	}
	calls := s.skipAllWaiting(s.openCalls(s.turns[t].calls), 0)
	if len(calls) == 0 {
		for c := s.turns[t].calls[0]; c < s.turns[t].calls[1]; c++ {
			if s.onlyPlaceholder(c) {
				calls = append(calls, c)
			}
		}
		s.dropPlaceholders()
	}
	if len(calls) != len(s.heads) {
		return
	}
	for k, c := range calls {
		r := s.heads[k]
		if s.sameType(c, r) && (!s.otherTool(c, r, "") || s.calls[c].answer == none &&
			s.byName() && !s.otherID(s.calls[c].call, s.results[r].result)) {
			s.give(c, r, ReasonPosition)
		}
	}
}

// findHeads sets heads to the unmatched results, of those with the same id the first.
func (s *lastResults) findHeads(results []int) {
	s.heads = s.heads[:0]
	s.mark++
	for _, r := range results {
		if s.results[r].call != none {
			continue
		}
		if id := s.results[r].result.CallID; !blank(id) {
			known, _ := s.unknown.Of(id)
			if known.First == s.mark {
				continue
			}
			known.First = s.mark
		}
		s.heads = append(s.heads, r)
	}
}

// dropPlaceholders removes the placeholders from heads.
func (s *lastResults) dropPlaceholders() {
	s.heads = slices.DeleteFunc(s.heads, func(r int) bool {
		return s.worth(r) == worthPlaceholder
	})
}

// matchBefore matches the results between two turns with calls of the nearest turn before them that
// has candidates.
func (s *lastResults) matchBefore() {
	s.candidates = s.candidates[:0]
	next := 0
	free := s.left
	for first := 0; first < len(free); {
		end := first + 1
		for end < len(free) && s.sameGroup(free[first], free[end]) {
			end++
		}
		for ; next < len(s.calls) && s.precedes(next, free[first]); next++ {
			if !s.hasRealResult(next) &&
				(s.calls[next].answer != none || !s.policy.waits(s.calls[next].call)) {
				s.candidates = append(s.candidates, next)
			}
		}
		s.assignGroup(free[first:end], s.isCandidate)
		first = end
	}
}

// isCandidate reports whether result r may answer call c, which is before it.
func (s *lastResults) isCandidate(c, r int) bool {
	return blank(s.results[r].result.CallID) && !s.hasRealResult(c) || s.isOpen(c)
}

// matchAfter matches the remaining results, which have no id, with calls of the nearest turn after
// them that has candidates.
func (s *lastResults) matchAfter() {
	s.candidates = s.candidates[:0]
	next := len(s.calls) - 1
	free := s.left
	for end := len(free); end > 0; {
		first := end - 1
		for first > 0 && s.sameGroup(free[first-1], free[first]) {
			first--
		}
		for near := s.results[free[first]].lastTurn; next >= 0 && s.calls[next].turn > near; next-- {
			if a := s.calls[next].answer; a == none && !s.policy.waits(s.calls[next].call) ||
				a != none && s.worth(a) == worthPlaceholder {
				s.candidates = append(s.candidates, next)
			}
		}
		s.assignGroup(free[first:end], s.isLaterCandidate)
		end = first
	}
}

// isLaterCandidate reports whether a result without an id may answer call c, which is after it.
// Calls answered with an error are no candidates: a result before such a call belongs to a lost
// call.
func (s *lastResults) isLaterCandidate(c, _ int) bool {
	a := s.calls[c].answer
	return a == none || s.worth(a) == worthPlaceholder
}

// attachToOnlyCall makes each remaining result without an id a further result of the only call, or
// the only call of its tool, in the turn right before it.
func (s *lastResults) attachToOnlyCall() {
	turn := none
	var only map[string]int // key -> the only call with that key, or none if there are more
	add := func(key string, c int) {
		if _, more := only[key]; more {
			c = none
		}
		only[key] = c
	}
	for _, r := range s.left {
		ref := &s.results[r]
		if ref.lastTurn == none {
			continue
		}
		if ref.lastTurn != turn {
			turn = ref.lastTurn
			only = make(map[string]int)
			for c := s.turns[turn].calls[0]; c < s.turns[turn].calls[1]; c++ {
				call := s.calls[c].call
				add(s.typed("", call.Variant), c)
				if call.Name != "" {
					add(s.typed(call.Name, call.Variant), c)
				}
			}
		}
		if c, ok := only[s.key(r)]; ok && c != none && s.calls[c].answer != none &&
			s.precedes(c, r) {
			s.attach(c, r, s.reason(r))
		}
	}
}

// sameGroup reports whether two results are between the same turns, and may belong to the same
// calls.
func (s *lastResults) sameGroup(a, b int) bool {
	x, y := s.results[a].result, s.results[b].result
	return s.results[a].lastTurn == s.results[b].lastTurn && s.sameName(x.Name, y.Name) &&
		s.variant(x.Variant) == s.variant(y.Variant) && blank(x.CallID) == blank(y.CallID)
}

// sameName reports whether two names of tools are equal or both blank.
func (s *lastResults) sameName(a, b string) bool { return a == b || blank(a) && blank(b) }

// key returns the key under which attachToOnlyCall looks for the call of a result.
func (s *lastResults) key(r int) string {
	result := s.results[r].result
	if blank(result.Name) {
		return s.typed("", result.Variant)
	}
	return s.typed(result.Name, result.Variant)
}

// reason returns the evidence that matches a result with its call.
func (s *lastResults) reason(r int) PairReason {
	if blank(s.results[r].result.Name) {
		return ReasonPosition
	}
	return ReasonName
}

// hasRealResult reports whether a call has a real result.
func (s *lastResults) hasRealResult(c int) bool {
	a := s.calls[c].answer
	return a != none && s.worth(a) == worthReal
}

// assignGroup matches a group of results with the nearest calls, if there are as many calls as
// results. If there is only one call, all results without an id belong to it.
func (s *lastResults) assignGroup(group []int, isCandidate func(c, r int) bool) {
	hasID := !blank(s.results[group[0]].result.CallID)
	if hasID {
		s.findHeads(group)
		s.dropPlaceholders()
		if group = s.heads; len(group) == 0 {
			return
		}
	}
	calls := s.nearest(group, isCandidate)
	if len(calls) != len(group) && (hasID || len(calls) != 1) {
		return
	}
	for k, r := range group {
		s.give(calls[min(k, len(calls)-1)], r, s.reason(r))
	}
}

// nearest returns the candidate calls for a group of results: those of the nearest turn that has
// any, in order, but at most one more than results. The slice is valid until the next call of
// nearest.
func (s *lastResults) nearest(group []int, isCandidate func(c, r int) bool) []int {
	const most = 64 // keeps the cost linear if many calls are no candidates
	r := group[0]
	name := s.results[r].result.Name
	for k := len(s.candidates); k > 0 && s.hasRealResult(s.candidates[k-1]); k-- {
		s.candidates = s.candidates[:k-1]
	}
	s.found = s.found[:0]
	for k := len(s.candidates) - 1; k >= max(0, len(s.candidates)-most-len(group)) &&
		len(s.found) <= len(group); k-- {
		c := s.candidates[k]
		if len(s.found) > 0 && s.calls[c].turn != s.calls[s.found[0]].turn {
			break
		}
		if s.sameType(c, r) && (blank(name) || name == s.calls[c].call.Name) && isCandidate(c, r) {
			s.found = append(s.found, c)
		}
	}
	slices.Sort(s.found)
	return s.found
}
