package preflight

import "slices"

// This file finds the calls of further results: results of calls that already have an answer.

// attachFurther attaches the remaining results to calls that already have an answer: by id, in any
// spelling, or by name for results without an id.
func (p *pairing) attachFurther() {
	for r := range p.results {
		if ref := &p.results[r]; ref.repeats > 0 {
			if ref.call = p.results[r-ref.repeats].call; ref.call == none {
				ref.further = false // a copy of an orphan
			}
			ref.reason = p.results[r-ref.repeats].reason
		}
	}
	p.attachBy(exactID, ReasonID, allCalls)
	p.attachBy(normalizedID, ReasonNormalized, allCalls)
	if p.byName() {
		p.attachByName()
		p.attachBy(exactID, ReasonID, allNames)
		p.attachBy(normalizedID, ReasonNormalized, allNames)
	}
}

// attachToEarlierCalls attaches the results that have the id of an answered call before them. They
// are then no candidates for the steps that match by position.
func (p *pairing) attachToEarlierCalls() {
	p.attachBy(exactID, ReasonID, earlierCalls)
	p.attachBy(normalizedID, ReasonNormalized, earlierCalls)
}

// reach is the range of calls that a further result may belong to.
type reach uint8

const (
	earlierCalls reach = iota // calls before it
	earlierNames              // calls before it, also with other names
	allCalls                  // calls before or after it
	allNames                  // calls before or after it, also with other names
)

// attachBy attaches each free result to a call with the same key: the first earlier call whose
// placeholder promises a result, else the first earlier call answered by a placeholder, else the
// nearest earlier call, else the first later call.
func (p *pairing) attachBy(key spelling, why PairReason, of reach) {
	free := p.freeResults([2]int{0, len(p.results)})
	if of == earlierCalls && !p.byName() { // that neither has an id is no evidence
		free = slices.DeleteFunc(free, func(r int) bool { return blank(p.results[r].result.CallID) })
	}
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
	var waiting placeholderQueues
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
			if first != none && p.worth(r) != worthPlaceholder && !p.otherName(first, r) &&
				!p.sentAsAnswer(c, r) {
				c = first
				waiting.take(s.ID)
			}
		} else if of >= allCalls && !p.answersPast(&p.results[r]) &&
			!blank(p.results[r].result.CallID) {
			c = s.First
		}
		if c != none && p.calls[c].answer != none &&
			(of == earlierNames || of == allNames || !p.otherName(c, r)) {
			p.attach(c, r, why)
		}
	}
}

// sentAsAnswer reports whether result r came when call c, an earlier call with the same key, had no
// answer yet. Then r was sent as its answer, and a better result that came later does not make r
// the result of another call.
func (p *pairing) sentAsAnswer(c, r int) bool {
	inZone := p.results[r].zone == p.calls[c].turn
	return p.calls[c].answer > r && (inZone || !p.byName())
}

// placeholderQueues holds the calls that only a placeholder answers, by key. Calls whose
// placeholder promises a result come first. A placeholder that is empty, or of an interrupted call,
// may be the only result that the call ever gets.
type placeholderQueues struct{ promised, other map[string][]int }

func (s *placeholderQueues) add(key string, call int, promised bool) {
	queues := &s.other
	if promised {
		queues = &s.promised
	}
	if *queues == nil {
		*queues = make(map[string][]int)
	}
	(*queues)[key] = append((*queues)[key], call)
}

// first returns the first call with a key, or none.
func (s *placeholderQueues) first(key string) int {
	for _, q := range [][]int{s.promised[key], s.other[key]} {
		if len(q) > 0 {
			return q[0]
		}
	}
	return none
}

// take removes the call that first returns.
func (s *placeholderQueues) take(key string) {
	if q := s.promised[key]; len(q) > 0 {
		s.promised[key] = q[1:]
		return
	}
	s.other[key] = s.other[key][1:]
}

// attachByName attaches results without an id to calls of their name: the first call that only a
// placeholder answers, else the last call of the turn before them.
func (p *pairing) attachByName() {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	latest, waiting := make(map[string]int), placeholderQueues{}
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
		} else if c, ok := latest[name]; ok && p.calls[c].turn == ref.lastTurn &&
			p.calls[c].answer != none {
			p.attach(c, r, ReasonName)
		}
	}
}
