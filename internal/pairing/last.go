package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/pairs"
)

// This file matches the results that neither an id nor a name has matched: those without an id, and
// those with an id that no call has. Such a result belongs to the call of a result with the same
// id, or to the one call left that it can answer.

// lastResults holds these results, and the calls that they may belong to.
type lastResults struct {
	*Matching
	*lastBuffers
	next int // the index in left.results of the first that unknown does not know
	mark int // number of calls of findHeads
}

// lastBuffers are the buffers of lastResults. They are reused.
type lastBuffers struct {
	unmatched  []int // the results that have no call yet
	heads      []int // see findHeads
	candidates []int // calls without a real result, the nearest last
	found      []int // see nearest
	// ids that no call has, with the last call of findHeads that met it (First), and 1 + the call
	// of the last result with it, or 0 (Last)
	unknown idtable.Table
}

// matchLast matches the free results whose ids no call has. Results with a tool name are matched
// only with calls of that tool. It reports whether there are any such results.
func (m *Matching) matchLast() bool {
	s := lastResults{Matching: m, lastBuffers: &m.last}
	s.unmatched = s.unmatched[:0]
	for _, r := range m.freeResults() {
		if !m.hasCall(r) && !m.Results[r].Held {
			s.unmatched = append(s.unmatched, r)
		}
	}
	if len(s.unmatched) == 0 {
		return false
	}
	s.unknown.Reset()
	s.matchTurns()
	s.keepUnmatched()
	s.matchBefore()
	s.keepUnmatched()
	s.unmatched = slices.DeleteFunc(s.unmatched, func(r int) bool { return !blank(s.Results[r].ID) })
	s.matchAfter()
	s.keepUnmatched()
	s.attachToOnlyCall()
	return true
}

// keepUnmatched keeps the results that have no call yet.
func (s *lastResults) keepUnmatched() {
	s.unmatched = slices.DeleteFunc(s.unmatched, func(r int) bool { return s.Results[r].Call != None })
}

// matchTurns matches the results after each turn with the calls of that turn, and one that is left
// with the call of an earlier result with the same id.
func (s *lastResults) matchTurns() {
	for first := 0; first < len(s.unmatched); {
		t, end := s.Results[s.unmatched[first]].LastTurn, first+1
		for end < len(s.unmatched) && s.Results[s.unmatched[end]].LastTurn == t {
			end++
		}
		after := s.unmatched[first:end]
		if first = end; t == None {
			continue
		}
		for len(after) > 0 && s.Results[after[0]].Message <= s.Turns[t].Last {
			after = after[1:] // it is inside the turn
		}
		s.matchTurn(t, after)
		for _, r := range after {
			s.attachLearned(r, true)
		}
		for _, r := range after {
			s.attachLearned(r, false)
		}
	}
}

// attachLearned attaches result r to the call of an earlier result with the same id. If waiting is
// set, only a placeholder may answer that call.
func (s *lastResults) attachLearned(r int, waiting bool) {
	if s.Results[r].Call != None || blank(s.Results[r].ID) {
		return
	}
	for left := s.Matching.left.results; left[s.next] < r; s.next++ {
		if k := left[s.next]; s.Results[k].Call != None && !s.hasCall(k) {
			s.learn(k)
		}
	}
	id := s.unknown.Known(s.Results[r].ID)
	if id == nil || id.Last == 0 {
		return
	}
	if c := id.Last - 1; s.sameType(c, r) && !s.otherTool(c, r, "") && (!waiting ||
		s.onlyPlaceholder(c) && !s.WorthOf(r).IsPlaceholder()) {
		s.give(c, r, pairs.ByPosition)
	}
}

// learn records the call of result r for attachLearned.
func (s *lastResults) learn(r int) {
	if ref := &s.Results[r]; !blank(ref.ID) {
		id, _ := s.unknown.Of(ref.ID)
		id.Last = ref.Call + 1
	}
}

// give makes r a result of call c: its answer, if r has a higher worth than the answer so far.
func (s *lastResults) give(c, r int, why pairs.Reason) {
	if s.Calls[c].Answer == None {
		s.Bind(c, r, why)
	} else {
		s.attach(c, r, why)
		s.weighOne(r)
	}
	s.learn(r)
}

// isOpen reports whether a call has no answer, or only a placeholder.
func (s *lastResults) isOpen(c int) bool {
	return s.Calls[c].Answer == None || s.onlyPlaceholder(c)
}

// onlyPlaceholder reports whether a call has no answer but a placeholder. An empty result is None:
// it may be all that the tool gave.
func (s *lastResults) onlyPlaceholder(c int) bool {
	a := s.Calls[c].Answer
	return a != None && s.WorthOf(a).IsPlaceholder() && s.WorthOf(a) != Empty
}

// matchTurn matches results after turn t with the calls of the turn that have no answer or, if all
// have one, with those that only a placeholder answers: as many results as calls, in order. Results
// with the same id are results of the same call.
func (s *lastResults) matchTurn(t int, results []int) {
	if s.findHeads(results); len(s.heads) == 0 {
		return
	}
	calls := s.skipAllWaiting(s.openIn(s.Turns[t].Calls), 0)
	if len(calls) == 0 {
		for c := s.Turns[t].Calls.First; c < s.Turns[t].Calls.End; c++ {
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
		if s.sameType(c, r) && (!s.otherTool(c, r, "") || s.Calls[c].Answer == None &&
			s.byName() && !s.OtherID(c, r)) {
			s.give(c, r, pairs.ByPosition)
		}
	}
}

// findHeads sets heads to the unmatched results, of those with the same id the first.
func (s *lastResults) findHeads(results []int) {
	s.heads = s.heads[:0]
	s.mark++
	for _, r := range results {
		if s.Results[r].Call != None {
			continue
		}
		if id := s.Results[r].ID; !blank(id) {
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
		return s.WorthOf(r).IsPlaceholder()
	})
}

// matchBefore matches the results between two turns with calls of the nearest turn before them that
// has candidates.
func (s *lastResults) matchBefore() {
	s.candidates = s.candidates[:0]
	next := 0
	free := s.unmatched
	for first := 0; first < len(free); {
		end := first + 1
		for end < len(free) && s.sameGroup(free[first], free[end]) {
			end++
		}
		for ; next < len(s.Calls) && s.Precedes(next, free[first]); next++ {
			if !s.hasRealResult(next) &&
				(s.Calls[next].Answer != None || !s.Source.Waits(next)) {
				s.candidates = append(s.candidates, next)
			}
		}
		s.assignGroup(free[first:end], s.isCandidate)
		first = end
	}
}

// isCandidate reports whether result r may answer call c, which is before it.
func (s *lastResults) isCandidate(c, r int) bool {
	return blank(s.Results[r].ID) && !s.hasRealResult(c) || s.isOpen(c)
}

// matchAfter matches the remaining results, which have no id, with calls of the nearest turn after
// them that has candidates.
func (s *lastResults) matchAfter() {
	s.candidates = s.candidates[:0]
	next := len(s.Calls) - 1
	free := s.unmatched
	for end := len(free); end > 0; {
		first := end - 1
		for first > 0 && s.sameGroup(free[first-1], free[first]) {
			first--
		}
		for near := s.Results[free[first]].LastTurn; next >= 0 && s.Calls[next].Turn > near; next-- {
			if a := s.Calls[next].Answer; a == None && !s.Source.Waits(next) ||
				a != None && s.WorthOf(a).IsPlaceholder() {
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
	a := s.Calls[c].Answer
	return a == None || s.WorthOf(a).IsPlaceholder()
}

// attachToOnlyCall makes each remaining result without an id a further result of the only call, or
// the only call of its tool, in the turn right before it.
func (s *lastResults) attachToOnlyCall() {
	turn := None
	var only map[string]int // key -> the only call with that key, or None if there are more
	add := func(key string, c int) {
		if _, more := only[key]; more {
			c = None
		}
		only[key] = c
	}
	for _, r := range s.unmatched {
		ref := &s.Results[r]
		if ref.LastTurn == None {
			continue
		}
		if ref.LastTurn != turn {
			turn = ref.LastTurn
			only = make(map[string]int)
			for c := s.Turns[turn].Calls.First; c < s.Turns[turn].Calls.End; c++ {
				call := &s.Calls[c]
				add(typed("", call.Variant), c)
				if call.Name != "" {
					add(typed(call.Name, call.Variant), c)
				}
			}
		}
		if c, ok := only[s.key(r)]; ok && c != None && s.Calls[c].Answer != None &&
			s.Precedes(c, r) {
			s.attach(c, r, s.reason(r))
		}
	}
}

// sameGroup reports whether two results are between the same turns, and may belong to the same
// calls.
func (s *lastResults) sameGroup(a, b int) bool {
	x, y := &s.Results[a], &s.Results[b]
	return x.LastTurn == y.LastTurn && x.Variant == y.Variant && blank(x.ID) == blank(y.ID) &&
		(x.Name == y.Name || blank(x.Name) && blank(y.Name))
}

// key returns the key under which attachToOnlyCall looks for the call of a result.
func (s *lastResults) key(r int) string {
	result := &s.Results[r]
	if blank(result.Name) {
		return typed("", result.Variant)
	}
	return typed(result.Name, result.Variant)
}

// reason returns the evidence that matches a result with its call.
func (s *lastResults) reason(r int) pairs.Reason {
	if blank(s.Results[r].Name) {
		return pairs.ByPosition
	}
	return pairs.ByName
}

// hasRealResult reports whether a call has a real result.
func (s *lastResults) hasRealResult(c int) bool {
	a := s.Calls[c].Answer
	return a != None && s.WorthOf(a) == Real
}

// assignGroup matches a group of results with the nearest calls, if there are as many calls as
// results. If there is only one call, all results without an id belong to it.
func (s *lastResults) assignGroup(group []int, isCandidate func(c, r int) bool) {
	hasID := !blank(s.Results[group[0]].ID)
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
	name := s.Results[r].Name
	for k := len(s.candidates); k > 0 && s.hasRealResult(s.candidates[k-1]); k-- {
		s.candidates = s.candidates[:k-1]
	}
	s.found = s.found[:0]
	for k := len(s.candidates) - 1; k >= max(0, len(s.candidates)-most-len(group)) &&
		len(s.found) <= len(group); k-- {
		c := s.candidates[k]
		if len(s.found) > 0 && s.Calls[c].Turn != s.Calls[s.found[0]].Turn {
			break
		}
		if s.sameType(c, r) && (blank(name) || name == s.Calls[c].Name) && isCandidate(c, r) {
			s.found = append(s.found, c)
		}
	}
	slices.Sort(s.found)
	return s.found
}
