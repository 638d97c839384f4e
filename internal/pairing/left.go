package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file keeps the calls and results that the first step has left, so that the later steps do
// not read the others again.

// left holds what the first step has left. Its lists keep what later steps match: they are filtered
// when they are read. The buffers are reused.
type left struct {
	calls   []int // without an answer
	results []int // without a call
	turns   []leftTurn

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

// leftTurn is a turn with calls in left.calls or results in left.results. Its results are those
// after its first message and before the next turn.
type leftTurn struct {
	turn           int
	calls, results Span // indices into left.calls and left.results
}

func (l *left) reset() {
	l.calls, l.results, l.turns = l.calls[:0], l.results[:0], l.turns[:0]
	l.related, l.searched, l.collected = l.related[:0], false, false
	l.ids.Reset()
	clear(l.answers)
	clear(l.firsts)
}

// collectLeft lists what the first step has not matched.
func (m *Matching) collectLeft() {
	l := &m.left
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
		of := leftTurn{turn: t, calls: Span{c, c}, results: Span{r, r}}
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
func (m *Matching) openCalls() []int { return m.open(m.left.calls) }

// openCallsOf returns the calls of a turn without an answer.
func (m *Matching) openCallsOf(t leftTurn) []int {
	return m.open(m.left.calls[t.calls.First:t.calls.End])
}

func (m *Matching) open(calls []int) []int {
	out := m.left.open[:0]
	for _, c := range calls {
		if m.Calls[c].Answer == None {
			out = append(out, c)
		}
	}
	m.left.open = out
	return out
}

// freeResults returns the results without a call. The slice is valid until the next call of
// freeResults, freeResultsAfter or freeResultsIn.
func (m *Matching) freeResults() []int { return m.free(m.left.results) }

// freeResultsAfter returns the results between a turn and the next one without a call.
func (m *Matching) freeResultsAfter(t leftTurn) []int {
	return m.free(m.left.results[t.results.First:t.results.End])
}

// freeResultsIn returns the results in the zone of a turn without a call.
func (m *Matching) freeResultsIn(t leftTurn) []int {
	zone := m.Turns[t.turn].Results
	return slices.DeleteFunc(m.freeResultsAfter(t), func(r int) bool {
		return r < zone.First || r >= zone.End
	})
}

func (m *Matching) free(results []int) []int {
	out := m.left.free[:0]
	for _, r := range results {
		if m.Results[r].Call == None && !m.Results[r].Further {
			out = append(out, r)
		}
	}
	m.left.free = out
	return out
}

// related returns the calls, with or without an answer, that have the id of a result left, in any
// spelling.
func (m *Matching) related() []int {
	l := &m.left
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
	return slices.DeleteFunc(results, func(r int) bool { return !m.left.hashes[m.resultHash(r)] })
}

// isCalled reports whether any call may have the id of result r, in any spelling.
func (m *Matching) isCalled(r int) bool {
	m.related()
	return !blank(m.Results[r].ID) && m.left.hashes[m.resultHash(r)]
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
	ids := &m.left.ids
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
