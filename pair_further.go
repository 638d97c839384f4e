package preflight

import "slices"

// This file decides which of several results of one call is its answer.

// attach makes r a further result of call c.
func (p *pairing) attach(c, r int, why PairReason) {
	ref := &p.results[r]
	ref.call, ref.reason, ref.further, ref.rebound = c, why, true, false
}

// attachFurther finds the calls of the results that are left, which have their answers: those of their id, in any spelling,
// and of their name where they have no id.
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

// attachSame attaches the results whose ids are those of answered calls before them. Then positions count, and what belongs
// to such a call is no candidate for another one.
func (p *pairing) attachSame() {
	p.attachBy(exactID, ReasonID, earlierCalls)
	p.attachBy(looseID, ReasonNormalized, earlierCalls)
}

// reach is which calls a further result may belong to.
type reach uint8

const (
	earlierCalls reach = iota // those before it
	allCalls                  // those after it, too
	allNames                  // and those of other names
)

// attachBy attaches the free results to the calls that agree in key: the first earlier one whose placeholder promises a
// result, else the first that only a placeholder answers, else the nearest earlier one, else the first later one.
func (p *pairing) attachBy(key spelling, why PairReason, of reach) {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	if free = p.seek(free, key); len(free) == 0 {
		return
	}
	for c := range p.calls {
		if s := p.sought(c, key); s != nil && s.first == none {
			s.first = c
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
			s.last = next
			if a := p.calls[next].answer; a != none && p.worth(a) == worthPlaceholder {
				waiting.add(s.id, next, p.policy.promises(p.results[a].result))
			}
		}
		s := p.latest.known(p.resultKey(r, key))
		c := s.last
		if c != none {
			first := waiting.first(s.id)
			if first != none && p.worth(r) != worthPlaceholder && !p.otherName(first, r) && !p.came(c, r) {
				c = first
				waiting.take(s.id)
			}
		} else if of != earlierCalls && !p.answersPast(&p.results[r]) && !blank(p.results[r].result.CallID) {
			c = s.first
		}
		if c != none && p.calls[c].answer != none && (of == allNames || !p.otherName(c, r)) {
			p.attach(c, r, why)
		}
	}
}

// came reports whether result r came while call c, of its key and before it, had no answer yet: then r was sent as its
// answer, and a better one that came later does not make it that of another call.
func (p *pairing) came(c, r int) bool {
	inZone := p.results[r].zone == p.calls[c].turn
	return p.calls[c].answer > r && (inZone || !p.byName())
}

// stoodIn are the calls that only a placeholder answers, by what a result has to agree with them in. Those whose placeholder
// promises a result come first: an empty one, or one of a call that was interrupted, may be all there will ever be.
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

// attachByName attaches results without an id to the calls of their name: the first one that only a placeholder answers,
// else the last one of the turn before them.
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

// lone reports whether call c is the only one of its id before result r: then r is meant for it, wherever it is. What comes
// later does not count, so that a further call does not change what was sent.
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

// copies reports whether result r says what another one of its call says: the answer, or one of the last of the others.
func (p *pairing) copies(r int, others []int) bool {
	const most = 8 // so that many results of one call cost no more than each its share
	same := func(o int) bool { return sameResult(p.results[o].result, p.results[r].result) }
	return same(p.calls[p.results[r].call].answer) || slices.ContainsFunc(others[max(0, len(others)-most):], same)
}
