package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file keeps the calls and results that the first step has left, so that the later steps do
// not read the others again.

// rest holds what the first step has left. Its lists keep what later steps match: they are filtered
// when they are read. The buffers are reused.
type rest struct {
	calls   []int // without an answer
	results []int // without a call
	turns   []restTurn

	collected bool            // the first step is over
	hashes    map[uint64]bool // normalized hashes of the results' ids; true: a call has it
	// the calls whose ids, in any spelling, results have; found when they are needed
	related  []int
	searched bool
	ids      idtable.Table // of the related calls: the first message with each id

	answers map[string]int // see attachCopies
	firsts  map[uint64]int // see findFirstCalls

	open, free []int // see openCalls and freeResults
}

// restTurn is a turn with calls in rest.calls or results in rest.results. Its results are those
// after its first message and before the next turn.
type restTurn struct {
	turn           int
	calls, results Span // indices into rest.calls and rest.results
}

func (l *rest) reset() {
	l.calls, l.results, l.turns = l.calls[:0], l.results[:0], l.turns[:0]
	l.related, l.searched, l.collected = l.related[:0], false, false
	l.ids.Reset()
	clear(l.answers)
	clear(l.firsts)
}

// collectRest lists what the first step has not matched.
func (m *Matching) collectRest() {
	l := &m.rest
	l.reset()
	for c := range m.Calls {
		if a := m.Calls[c].Answer; a == None || m.Results[a].late {
			l.calls = append(l.calls, c)
		}
	}
	for r := range m.Results {
		if m.Results[r].Call == None || m.Results[r].late {
			l.results = append(l.results, r)
		}
	}
	l.collected = true
	c, r := 0, 0
	for r < len(l.results) && m.Results[l.results[r]].LastTurn == None {
		r++
	}
	for c < len(l.calls) || r < len(l.results) {
		t := len(m.Turns)
		if c < len(l.calls) {
			t = m.Calls[l.calls[c]].Turn
		}
		if r < len(l.results) {
			t = min(t, m.Results[l.results[r]].LastTurn)
		}
		of := restTurn{turn: t, calls: Span{c, c}, results: Span{r, r}}
		for c < len(l.calls) && m.Calls[l.calls[c]].Turn == t {
			c++
		}
		for r < len(l.results) && m.Results[l.results[r]].LastTurn == t {
			r++
		}
		of.calls.End, of.results.End = c, r
		l.turns = append(l.turns, of)
	}
}

// openCalls returns the calls without an answer. The slice is valid until the next call of
// openCalls or openCallsOf.
func (m *Matching) openCalls() []int { return m.open(m.rest.calls) }

// openCallsOf returns the calls of a turn without an answer.
func (m *Matching) openCallsOf(t restTurn) []int {
	return m.open(m.rest.calls[t.calls.First:t.calls.End])
}

func (m *Matching) open(calls []int) []int {
	out := m.rest.open[:0]
	for _, c := range calls {
		if m.Calls[c].Answer == None {
			out = append(out, c)
		}
	}
	m.rest.open = out
	return out
}

// freeResults returns the results without a call. The slice is valid until the next call of
// freeResults, freeResultsAfter or freeResultsIn.
func (m *Matching) freeResults() []int { return m.free(m.rest.results) }

// freeResultsAfter returns the results between a turn and the next one without a call.
func (m *Matching) freeResultsAfter(t restTurn) []int {
	return m.free(m.rest.results[t.results.First:t.results.End])
}

// freeResultsIn returns the results in the zone of a turn without a call.
func (m *Matching) freeResultsIn(t restTurn) []int {
	zone := m.Turns[t.turn].Results
	return slices.DeleteFunc(m.freeResultsAfter(t), func(r int) bool {
		return r < zone.First || r >= zone.End
	})
}

func (m *Matching) free(results []int) []int {
	out := m.rest.free[:0]
	for _, r := range results {
		if m.Results[r].Call == None && !m.Results[r].Further {
			out = append(out, r)
		}
	}
	m.rest.free = out
	return out
}

// related returns the calls, with or without an answer, that have the id of a result left, in any
// spelling.
func (m *Matching) related() []int {
	l := &m.rest
	if l.searched {
		return l.related
	}
	l.searched = true
	if l.hashes == nil {
		l.hashes = make(map[uint64]bool)
	}
	clear(l.hashes)
	for _, r := range l.results {
		l.hashes[m.resultHash(r)] = false
	}
	if len(l.hashes) == 0 {
		return nil
	}
	for c := range m.Calls {
		if _, known := l.hashes[m.callHash(c)]; known {
			l.hashes[m.Calls[c].hash] = true
			l.related = append(l.related, c)
		}
	}
	return l.related
}

// withCalls keeps the results whose normalized ids calls have.
func (m *Matching) withCalls(results []int) []int {
	m.related()
	return slices.DeleteFunc(results, func(r int) bool { return !m.rest.hashes[m.resultHash(r)] })
}

// isCalled reports whether any call may have the id of result r, in any spelling.
func (m *Matching) isCalled(r int) bool {
	m.related()
	return !blank(m.Results[r].ID) && m.rest.hashes[m.resultHash(r)]
}

// hasCall reports whether any call has the id of result r.
func (m *Matching) hasCall(r int) bool { return m.firstCall(r) != None }

// calledBefore reports whether a call before result r has its id. Then r belongs to that call,
// wherever r is.
func (m *Matching) calledBefore(r int) bool {
	first := m.firstCall(r)
	return first != None && first < m.Results[r].Message
}

// firstCall returns the first message with a call that has the id of result r, or None.
func (m *Matching) firstCall(r int) int {
	id := m.Results[r].ID
	if blank(id) {
		return None
	}
	ids := &m.rest.ids
	if len(ids.Places) == 0 {
		for _, c := range m.related() {
			if s, known := ids.Of(m.Calls[c].ID); !known {
				s.First = m.Calls[c].Message
			}
		}
	}
	if s := ids.Known(id); s != nil {
		return s.First
	}
	return None
}
