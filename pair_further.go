package preflight

import (
	"slices"
)

// This file decides which of several results of one call is its answer.

// attach makes r a further result of call c.
func (p *pairing) attach(c, r int, why PairReason) {
	ref := &p.results[r]
	ref.call, ref.reason, ref.further, ref.rebound = c, why, true, false
}

// attachFurther finds the calls of the results that are left, which have their answers: those of
// their id, in any spelling, and of their name where they have no id.
func (p *pairing) attachFurther() {
	for r := range p.results {
		if ref := &p.results[r]; ref.repeats > 0 {
			if ref.call = p.results[r-ref.repeats].call; ref.call == none {
				ref.further = false // it repeats an orphan
			}
			ref.reason = p.results[r-ref.repeats].reason
		}
	}
	p.attachBy(exactID, ReasonID, allCalls)
	p.attachBy(looseID, ReasonNormalized, allCalls)
	if p.byName() {
		p.attachByName()
		p.attachBy(exactID, ReasonID, allNames)
		p.attachBy(looseID, ReasonNormalized, allNames)
	}
}

// attachSame attaches the results whose ids are those of answered calls before them. Then positions
// count, and what belongs to such a call is no candidate for another one.
func (p *pairing) attachSame() {
	p.attachBy(exactID, ReasonID, earlierCalls)
	p.attachBy(looseID, ReasonNormalized, earlierCalls)
}

// reach is which calls a further result may belong to.
type reach uint8

const (
	earlierCalls reach = iota // those before it
	earlierNames              // those before it, also of other names
	allCalls                  // those before it or after it
	allNames                  // those before it or after it, also of other names
)

// attachBy attaches the free results to the calls that agree in key: the first earlier one whose
// placeholder promises a result, else the first that only a placeholder answers, else the nearest
// earlier one, else the first later one.
func (p *pairing) attachBy(key spelling, why PairReason, of reach) {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	if free = p.seek(free, key); len(free) == 0 {
		return
	}
	for c := range p.calls {
		if s := p.sought(c, key); s != nil && s.First == none {
			s.First = c
		}
	}
	var waiting stoodIn
	next := 0
	for _, r := range free {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			s := p.sought(next, key)
			if s == nil {
				continue
			}
			s.Last = next
			if a := p.calls[next].answer; a != none && p.worth(a) == worthPlaceholder {
				waiting.add(s.ID, next, p.policy.promises(p.results[a].result))
			}
		}
		s := p.latest.Known(p.resultKey(r, key))
		c := s.Last
		if c != none {
			first := waiting.first(s.ID)
			if first != none && p.worth(r) != worthPlaceholder && !p.otherName(first, r) && !p.came(c, r) {
				c = first
				waiting.take(s.ID)
			}
		} else if of >= allCalls && !p.answersPast(&p.results[r]) && !blank(p.results[r].result.CallID) {
			c = s.First
		}
		if c != none && p.calls[c].answer != none && (of == earlierNames || of == allNames || !p.otherName(c, r)) {
			p.attach(c, r, why)
		}
	}
}

// came reports whether result r came while call c, of its key and before it, had no answer yet:
// then r was sent as its answer, and a better one that came later does not make it that of another
// call.
func (p *pairing) came(c, r int) bool {
	inZone := p.results[r].zone == p.calls[c].turn
	return p.calls[c].answer > r && (inZone || !p.byName())
}

// stoodIn are the calls that only a placeholder answers, by what a result has to agree with them
// in. Those whose placeholder promises a result come first: an empty one, or one of a call that was
// interrupted, may be all there will ever be.
type stoodIn struct{ promised, other map[string][]int }

func (s *stoodIn) add(key string, call int, promised bool) {
	queues := &s.other
	if promised {
		queues = &s.promised
	}
	if *queues == nil {
		*queues = make(map[string][]int)
	}
	(*queues)[key] = append((*queues)[key], call)
}

// first is the call that a result is for, none if there is no call.
func (s *stoodIn) first(key string) int {
	for _, q := range [][]int{s.promised[key], s.other[key]} {
		if len(q) > 0 {
			return q[0]
		}
	}
	return none
}

// take removes that call.
func (s *stoodIn) take(key string) {
	if q := s.promised[key]; len(q) > 0 {
		s.promised[key] = q[1:]
		return
	}
	s.other[key] = s.other[key][1:]
}

// attachByName attaches results without an id to the calls of their name: the first one that only a
// placeholder answers, else the last one of the turn before them.
func (p *pairing) attachByName() {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	latest, waiting := make(map[string]int), stoodIn{}
	next := 0
	for _, r := range free {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			name := p.calls[next].call.Name
			latest[name] = next
			if a := p.calls[next].answer; a != none && p.worth(a) == worthPlaceholder {
				waiting.add(name, next, p.policy.promises(p.results[a].result))
			}
		}
		ref := &p.results[r]
		name := ref.result.Name
		if !blank(ref.result.CallID) || blank(name) {
			continue
		}
		if first := waiting.first(name); first != none && p.worth(r) != worthPlaceholder {
			waiting.take(name)
			p.attach(first, r, ReasonName)
		} else if c, ok := latest[name]; ok && p.calls[c].turn == ref.near && p.calls[c].answer != none {
			p.attach(c, r, ReasonName)
		}
	}
}

// weigh makes the most worth of the results of each call its answer, and of several the first.
func (p *pairing) weigh() {
	for r := range p.results {
		ref := &p.results[r]
		if !ref.further || ref.call == none {
			continue
		}
		c := ref.call
		a := p.calls[c].answer
		if a != none && !p.relieves(r, a) {
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
func (p *pairing) relieves(r, a int) bool {
	c := p.results[a].call
	early := !p.precedes(c, r) // it may be of a call that is lost
	switch p.worth(a) {
	case worthPlaceholder:
		return p.worth(r) == worthReal || !early && p.worth(r) != worthPlaceholder
	case worthError:
		return p.worth(r) == worthReal && !early && (!p.spoken(a, r) || p.lone(c, r))
	case worthDoubtful: // it may be data, and then what was said about it has to stay true
		return p.worth(r) == worthReal && !p.spoken(a, r)
	}
	return false
}

// lone reports whether call c is the only one of its id before result r: then r is meant for it,
// wherever it is. What comes later does not count, so that a further call does not change what was
// sent.
func (p *pairing) lone(c, r int) bool {
	if p.again == nil {
		p.again = make(map[string]int, len(p.calls))
		for k := range p.calls {
			id := p.calls[k].call.ID
			if second, known := p.again[id]; !known {
				p.again[id] = none
			} else if second == none {
				p.again[id] = k
			}
		}
	}
	id := p.calls[c].call.ID
	second := p.again[id]
	return !blank(id) && (second == none || !p.precedes(second, r))
}

// spoken reports whether the assistant has spoken after result a and before result b.
func (p *pairing) spoken(a, b int) bool { return p.results[b].near > p.results[a].near }

// copies reports whether result r says what another one of its call says: the answer, or one of the
// last of the others.
func (p *pairing) copies(r int, others []int) bool {
	const most = 8 // so that many results of one call cost no more than each its share
	same := func(o int) bool { return sameResult(p.results[o].result, p.results[r].result) }
	return same(p.calls[p.results[r].call].answer) || slices.ContainsFunc(others[max(0, len(others)-most):], same)
}

// silents are the results without an id that are left, and the calls that one of them may be meant
// for.
type silents struct {
	*pairing
	free  []int
	calls map[string][]int // those without a real result, the nearest last
}

// attachSilent matches the free results that have no id, of which those with a tool's name belong
// to calls of that tool. It reports whether there are any.
func (p *pairing) attachSilent() bool {
	s := silents{pairing: p}
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		if ref := &p.results[r]; blank(ref.result.CallID) && !p.answersPast(ref) {
			s.free = append(s.free, r)
		}
	}
	if len(s.free) == 0 {
		return false
	}
	s.calls = make(map[string][]int)
	s.lookBack()
	s.leave()
	clear(s.calls)
	s.lookAhead()
	s.leave()
	s.addToOnlyCalls()
	return true
}

// leave keeps the results that have no call so far.
func (s *silents) leave() {
	left := s.free[:0]
	for _, r := range s.free {
		if s.results[r].call == none {
			left = append(left, r)
		}
	}
	s.free = left
}

// lookBack gives the results between two turns the calls of the nearest turn before them that has
// any.
func (s *silents) lookBack() {
	next := 0
	for first := 0; first < len(s.free); {
		end := first + 1
		for end < len(s.free) && s.alike(s.free[first], s.free[end]) {
			end++
		}
		for ; next < len(s.pairing.calls) && s.precedes(next, s.free[first]); next++ {
			s.note(next)
		}
		s.give(s.free[first:end])
		first = end
	}
}

// lookAhead gives what is left the calls of the nearest turn after them that has any without an
// answer, or with a placeholder. A call with an error has what was said about it: a result before
// it is of a call that is lost.
func (s *silents) lookAhead() {
	next := len(s.pairing.calls) - 1
	for end := len(s.free); end > 0; {
		first := end - 1
		for first > 0 && s.alike(s.free[first-1], s.free[first]) {
			first--
		}
		for near := s.results[s.free[first]].near; next >= 0 && s.pairing.calls[next].turn > near; next-- {
			if a := s.pairing.calls[next].answer; a == none || s.worth(a) == worthPlaceholder {
				s.note(next)
			}
		}
		s.give(s.free[first:end])
		end = first
	}
}

// addToOnlyCalls makes what is left further results of the only call, or the only one of their
// tool, of the turn right before them.
func (s *silents) addToOnlyCalls() {
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
		if ref.near == none {
			continue
		}
		if ref.near != turn {
			turn = ref.near
			clear(only)
			for c := s.turns[turn].calls[0]; c < s.turns[turn].calls[1]; c++ {
				any, named := s.keys(s.pairing.calls[c].call)
				if add(any, c); named != any {
					add(named, c)
				}
			}
		}
		if c, ok := only[s.key(r)]; ok && c != none && s.pairing.calls[c].answer != none && s.precedes(c, r) {
			s.attach(c, r, s.reason(r))
		}
	}
}

// alike reports whether two results are between the same turns and of the same tool, or both of
// none.
func (s *silents) alike(a, b int) bool {
	return s.results[a].near == s.results[b].near && s.key(a) == s.key(b)
}

// key is what the calls that a result may be meant for are found by.
func (s *silents) key(r int) string {
	result := s.results[r].result
	if blank(result.Name) {
		return s.typed("", result.Variant)
	}
	return s.typed(result.Name, result.Variant)
}

// keys are what results that name no tool, and those that name theirs, find a call by.
func (s *silents) keys(c *ToolCall) (any, named string) {
	return s.typed("", c.Variant), s.typed(c.Name, c.Variant)
}

// reason is the evidence for the call of a result.
func (s *silents) reason(r int) PairReason {
	if blank(s.results[r].result.Name) {
		return ReasonPosition
	}
	return ReasonName
}

// note adds a call to those of its tool, and to those for results that name none.
func (s *silents) note(c int) {
	ref := &s.pairing.calls[c]
	if s.done(c) || ref.answer == none && s.policy.waits(ref.call) {
		return
	}
	any, named := s.keys(ref.call)
	s.calls[any] = append(s.calls[any], c)
	if named != any {
		s.calls[named] = append(s.calls[named], c)
	}
}

// done reports whether a call has a real result.
func (s *silents) done(c int) bool {
	a := s.pairing.calls[c].answer
	return a != none && s.worth(a) == worthReal
}

// give matches a group of results with the calls that are the nearest, if they are as many, or if
// it is one call: of several results of one call the best is its answer.
func (s *silents) give(group []int) {
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
func (s *silents) nearest(key string, most int) []int {
	q := s.calls[key]
	k := len(q)
	var found []int
	for ; k > 0 && len(found) <= most; k-- {
		if c := q[k-1]; len(found) > 0 && s.pairing.calls[c].turn != s.pairing.calls[found[0]].turn {
			break
		} else if !s.done(c) {
			found = append(found, c)
		}
	}
	slices.Reverse(found)
	s.calls[key] = append(q[:k], found...)
	found = slices.Clone(found)
	slices.Sort(found) // where one looks ahead, they were noted from the last to the first
	return found
}
