package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/pairs"
)

// This file finds the calls of further results: results of calls that already have an answer.

// attachFurther attaches the remaining results to calls that already have an answer: by id, in any
// spelling, or by name for results without an id.
func (m *Matching) attachFurther() {
	for _, r := range m.rest.results {
		if result := &m.Results[r]; result.copyOf > 0 {
			original := &m.Results[r-result.copyOf]
			if result.Call = original.Call; result.Call == None {
				result.Further = false // a copy of an orphan
			}
			result.Reason = original.Reason
		}
	}
	m.attachBy(sameID, allCalls)
	m.attachBy(respelled, allCalls)
	if m.byName() {
		m.attachByName()
		m.attachBy(sameID, allNames)
		m.attachBy(respelled, allNames)
	}
}

// attachToEarlierCalls attaches the results that have the id of an answered call before them. They
// are then no candidates for the steps that match by position.
func (m *Matching) attachToEarlierCalls() {
	m.attachBy(sameIDAndName, earlierCalls)
	m.attachBy(respelledNamed, earlierCalls)
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
// nearest earlier call, else the first later call, unless that has an answer of its own.
func (m *Matching) attachBy(k key, of reach) {
	free := m.freeResults()
	if of == earlierCalls && !m.byName() { // that neither has an id is no evidence
		free = slices.DeleteFunc(free, func(r int) bool { return blank(m.Results[r].ID) })
	}
	if free = m.seek(free, k); len(free) == 0 {
		return
	}
	related, own := m.related(), m.ownAnswers(of)
	for _, c := range related {
		if s := m.sought(c, k); s != nil && (s.First == None ||
			m.Calls[s.First].Turn == m.Calls[c].Turn && own(s.First)) {
			s.First = c
		}
	}
	var waiting placeholderQueues
	next := 0
	for _, r := range free {
		for ; next < len(related) && m.Precedes(related[next], r); next++ {
			s := m.sought(related[next], k)
			if s == nil {
				continue
			}
			s.Last = related[next]
			if a := m.Calls[s.Last].Answer; a != None {
				waiting.add(s.ID, s.Last, m.WorthOf(a))
			}
		}
		s := m.latest.Known(m.resultKey(r, k))
		c := s.Last
		if c != None {
			first := waiting.first(s.ID)
			if first != None && !m.WorthOf(r).IsPlaceholder() && !m.otherName(first, r) &&
				!m.sentAsAnswer(c, r) {
				c = first
				waiting.take(s.ID)
			}
		} else if of >= allCalls && !m.Results[r].Held && !blank(m.Results[r].ID) &&
			!own(s.First) {
			c = s.First
		}
		if c != None && m.Calls[c].Answer != None && m.mayFollow(c, r) && !m.isOfZone(c, r) &&
			(of == earlierNames || of == allNames || !m.otherName(c, r)) {
			m.attach(c, r, m.reason(r, k))
		}
	}
}

// ownAnswers reports of a call whether one of its results so far is in its place, or after it and
// before the next turn, and no placeholder. A result with its id that is before it is then one of a
// lost call.
func (m *Matching) ownAnswers(of reach) func(c int) bool {
	owns := func(c, r int) bool {
		return (m.InPlace(r) || m.Precedes(c, r) && m.Results[r].LastTurn == m.Calls[c].Turn) &&
			!m.WorthOf(r).IsPlaceholder()
	}
	var further map[int]bool
	for _, r := range m.rest.results {
		if c := m.Results[r].Call; of >= allCalls && c != None && m.Results[r].Further && owns(c, r) {
			if further == nil {
				further = make(map[int]bool)
			}
			further[c] = true
		}
	}
	return func(c int) bool {
		return c != None && (further[c] || m.Calls[c].Answer != None && owns(c, m.Calls[c].Answer))
	}
}

// isOfZone reports whether result r is rather that of an open call in the turn right before it: r
// has the name of that call, and not of call c. If c is of that turn, too, the open call may not
// have another id than r.
func (m *Matching) isOfZone(c, r int) bool {
	result := &m.Results[r]
	if result.Zone == None || m.byName() || !m.otherTool(c, r, "") {
		return false
	}
	of := m.Turns[result.Zone].Calls
	for k := of.First; k < of.End; k++ {
		if call := &m.Calls[k]; call.Answer == None && call.Name == result.Name &&
			(m.Calls[c].Turn != result.Zone || !differ(call.ID, result.ID)) {
			return true
		}
	}
	return false
}

// mayFollow reports whether result r may be a further result of call c. One without an id has to be
// right after the calls, or replace a placeholder before a user speaks.
func (m *Matching) mayFollow(c, r int) bool {
	if blank(m.Results[r].ID) && m.Results[r].Held {
		return false // its call may be there, and is not known as one
	}
	return !blank(m.Results[r].ID) || m.Results[r].Zone == m.Calls[c].Turn ||
		!m.isTooFar(c, r) && m.WorthOf(m.Calls[c].Answer).IsPlaceholder()
}

// attachCopies attaches the results in a zone that repeat one with the same id there to its call,
// so that they are not taken for results of an earlier call with that id.
func (m *Matching) attachCopies() {
	l := &m.rest
	if l.answers == nil {
		l.answers = make(map[string]int)
	}
	turn, answers := None, l.answers // id -> a result with it in the zone of the turn
	for _, r := range m.freeResults() {
		result := &m.Results[r]
		if result.Zone == None || blank(result.ID) || !m.isCalled(r) {
			continue
		}
		if result.Zone != turn {
			turn = result.Zone
			clear(answers)
			for k := m.Turns[turn].Results.First; k < m.Turns[turn].Results.End; k++ {
				if m.Results[k].Call != None {
					answers[m.Results[k].ID] = k
				}
			}
		}
		if a, ok := answers[result.ID]; ok && m.sameType(m.Results[a].Call, r) &&
			!m.otherName(m.Results[a].Call, r) && m.Source.Same(r, a) {
			m.attach(m.Results[a].Call, r, pairs.ByID)
		}
	}
}

// seek keeps the results for which there may be calls with the same key, and records their keys:
// sought finds them. The records are valid until the next call of seek.
func (m *Matching) seek(results []int, k key) []int {
	if len(results) == 0 {
		return nil
	}
	m.latest.Reset()
	results = m.withCalls(results)
	for _, r := range results {
		if s, known := m.latest.Of(m.resultKey(r, k)); !known {
			s.First, s.Last = None, None
		}
	}
	return results
}

// sought returns the slot of the key of call c, or nil if no result has that key.
func (m *Matching) sought(c int, k key) *idtable.Slot { return m.latest.Known(m.callKey(c, k)) }

// sentAsAnswer reports whether result r came when call c, an earlier call with the same key, had no
// answer yet. Then r was sent as its answer, and a better result that came later does not make r
// the result of another call.
func (m *Matching) sentAsAnswer(c, r int) bool {
	inZone := m.Results[r].Zone == m.Calls[c].Turn
	return m.Calls[c].Answer > r && (inZone || !m.byName())
}

// placeholderQueues holds the calls that only a placeholder answers, by key. Calls whose
// placeholder promises a result come first. A placeholder that is empty, or of an interrupted call,
// may be the only result that the call ever gets.
type placeholderQueues struct{ promised, other map[string][]int }

// add adds a call with an answer of the given worth, if that is a placeholder.
func (q *placeholderQueues) add(key string, call int, answer Worth) {
	if !answer.IsPlaceholder() {
		return
	}
	queues := &q.other
	if answer == Promise {
		queues = &q.promised
	}
	if *queues == nil {
		*queues = make(map[string][]int)
	}
	(*queues)[key] = append((*queues)[key], call)
}

// first returns the first call with a key, or None.
func (q *placeholderQueues) first(key string) int {
	for _, calls := range [][]int{q.promised[key], q.other[key]} {
		if len(calls) > 0 {
			return calls[0]
		}
	}
	return None
}

// take removes the call that first returns.
func (q *placeholderQueues) take(key string) {
	if calls := q.promised[key]; len(calls) > 0 {
		q.promised[key] = calls[1:]
		return
	}
	q.other[key] = q.other[key][1:]
}

// attachByName attaches results without an id to calls of their name: the first call that only a
// placeholder answers, else the nearest call before them. One of the latest turn with calls that is
// the only one of its name may have a late result, as from a tool that goes on in the background.
func (m *Matching) attachByName() {
	free := slices.DeleteFunc(m.freeResults(), func(r int) bool {
		return !blank(m.Results[r].ID) || blank(m.Results[r].Name)
	})
	if len(free) == 0 {
		return
	}
	latest, count, waiting := make(map[string]int), make(map[string]int), placeholderQueues{}
	next := 0
	for _, r := range free {
		for ; next < len(m.Calls) && m.Precedes(next, r); next++ {
			name := m.Calls[next].Name
			latest[name] = next
			count[name]++
			if a := m.Calls[next].Answer; a != None {
				waiting.add(name, next, m.WorthOf(a))
			}
		}
		name := m.Results[r].Name
		if first := waiting.first(name); first != None && !m.WorthOf(r).IsPlaceholder() &&
			m.mayFollow(first, r) {
			waiting.take(name)
			m.attach(first, r, pairs.ByName)
		} else if c, ok := latest[name]; ok && m.Calls[c].Answer != None &&
			(m.mayFollow(c, r) || count[name] == 1 && m.Calls[next-1].Turn == m.Calls[c].Turn &&
				!m.Results[r].Held && !m.isTooFar(c, r)) {
			m.attach(c, r, pairs.ByName)
		}
	}
}
