package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results by the names of their tools.

// matchSoleNames matches results without an id with calls before them by name, whoever has spoken
// in between: each result with the only call of its tool that is open there, which is one that no
// result before it answers, other than a placeholder. Where two are open, it may be the result of
// either, and is that of none. Nothing is matched either where a turn calls the tool twice and its
// results have no ids, right after other calls of the tool, or with a copy of a result before it.
func (m *Matching) matchSoleNames() {
	free := slices.DeleteFunc(m.freeResults(), func(r int) bool {
		result := &m.Results[r]
		return namesCall(result.ID) || blank(result.Name) || result.Held ||
			m.called(result.Name) == len(m.Calls)
	})
	if len(free) == 0 {
		return
	}
	tools := make(map[string]*toolSoFar)
	for _, r := range free {
		tools[m.Results[r].Name] = &toolSoFar{}
	}
	c, before := 0, 0
	for _, r := range free {
		for ; c < len(m.Calls) && m.Precedes(c, r); c++ {
			if tool := tools[m.Calls[c].Name]; tool != nil {
				tool.open, tool.last = append(tool.open, c), m.Calls[c].Turn
			}
		}
		for ; before < r; before++ {
			if of := m.Results[before].Call; of != None && tools[m.Calls[of].Name] != nil {
				tool := tools[m.Calls[of].Name]
				tool.results = append(tool.results, before)
			}
		}
		tool := tools[m.Results[r].Name]
		tool.open = slices.DeleteFunc(tool.open, func(c int) bool { return m.isAnswered(c, r) })
		if len(tool.open) != 1 || m.WorthOf(r).IsPlaceholder() {
			continue
		}
		only := tool.open[0]
		call := &m.Calls[only]
		if m.against(only, r) || m.Results[r].Zone == tool.last && call.Turn != tool.last ||
			m.isUncertain(only) || tool.gave(m, r) {
			continue
		}
		if call.Answer == None {
			m.Bind(only, r, pairs.ByName)
		} else {
			m.attach(only, r, pairs.ByName)
		}
	}
}

// isUncertain reports whether another call of the tool in the turn of call c has a result that was
// not matched by an id. Then the open one of the two may be the other.
func (m *Matching) isUncertain(c int) bool {
	call := &m.Calls[c]
	of := m.Turns[call.Turn].Calls
	for k := of.First; k < of.End; k++ {
		a := m.Calls[k].Answer
		if k != c && a != None && m.Calls[k].Name == call.Name &&
			(m.Results[a].Reason == pairs.ByName || m.Results[a].Reason == pairs.ByPosition) {
			return true
		}
	}
	return false
}

// toolSoFar is what came of one tool before a result.
type toolSoFar struct {
	open    []int // its calls without a result, other than a placeholder
	last    int   // the last turn that calls it
	results []int // its results that have a call, and are not in given yet
	given   map[uint64][]int
}

// gave reports whether a result so far has the content of result r.
func (t *toolSoFar) gave(m *Matching, r int) bool {
	if t.given == nil {
		t.given = make(map[uint64][]int)
	}
	for _, k := range t.results {
		hash := m.Source.Hash(k)
		t.given[hash] = append(t.given[hash], k)
	}
	t.results = t.results[:0]
	same := t.given[m.Source.Hash(r)]
	return len(same) > 0 && m.Source.Same(r, same[0])
}

// isAnswered reports whether a result before result r answers call c, and is no placeholder.
func (m *Matching) isAnswered(c, r int) bool {
	a := m.Calls[c].Answer
	return a != None && a < r && !m.WorthOf(a).IsPlaceholder()
}

// matchBlankInTurns matches calls with results in their zones if one of the two has no id.
func (m *Matching) matchBlankInTurns() {
	m.wanting = nil
	for _, t := range m.rest.turns {
		m.matchBlankByName(t, m.freeResultsIn(t))
	}
}

// matchBlankByName matches calls of a turn and results if one of the two has no id, in order: first
// those with the same name, then the results without a name with the remaining calls.
func (m *Matching) matchBlankByName(t restTurn, results []int) {
	if len(results) == 0 {
		return
	}
	if calls := m.openCallsOf(t); len(calls) == 0 ||
		len(calls) == 1 && len(results) == 1 && m.bindBlankByName(calls[0], results[0]) {
		return
	}
	open, nameless := make(map[string][]int), make(map[string][]int)
	queue := func(name string, c int) {
		open[name] = append(open[name], c)
		if blank(m.Calls[c].ID) {
			nameless[name] = append(nameless[name], c)
		}
	}
	const all = "\x00" // never a tool name
	ids := m.normalizedIDs(m.Turns[t.turn].Calls)
	for _, c := range m.openCallsOf(t) {
		queue(m.Calls[c].Name, c)
		queue(all, c)
	}
	for _, unnamed := range []bool{false, true} { // first by name, then results without one
		for _, r := range results {
			result := &m.Results[r]
			name := result.Name
			if result.Call != None || unnamed && !blank(name) {
				continue
			}
			if unnamed {
				name = all
			}
			queues := nameless
			if blank(result.ID) {
				queues = open
			} else if (unnamed || result.Zone == None) && m.calledBefore(r) || m.wanted(r) ||
				ids[normalizeID(result.ID)] {
				continue // it belongs to the call with its id
			}
			q := queues[name]
			for len(q) > 0 && m.Calls[q[0]].Answer != None {
				q = q[1:]
			}
			if len(q) > 0 {
				m.Bind(q[0], r, pairs.ByName)
				q = q[1:]
			}
			queues[name] = q
		}
	}
}

// bindBlankByName handles the common case of one call and one result that has no id, but the name
// of the call. It reports whether it matched them.
func (m *Matching) bindBlankByName(c, r int) bool {
	result := &m.Results[r]
	if result.Call != None || !blank(result.ID) || result.Name != m.Calls[c].Name {
		return false
	}
	m.Bind(c, r, pairs.ByName)
	return true
}

// matchDisplacedByTurn matches displaced results with open calls of the last turn before them.
// Names are repeated from turn to turn, so the nearest turn is tried, whereas an id is matched with
// the first call that has it.
func (m *Matching) matchDisplacedByTurn() {
	for _, t := range m.rest.turns {
		near := func() []int {
			return slices.DeleteFunc(m.freeResultsAfter(t), func(r int) bool {
				return blank(m.Results[r].ID) && m.spokenSince(t.turn, r)
			})
		}
		m.match(m.openCallsOf(t), near(), sameIDAndName, m.skipEarlier)
		m.matchBlankByName(t, near())
	}
}

// spokenSince reports whether a user has spoken between a turn and result r.
func (m *Matching) spokenSince(turn, r int) bool {
	return m.Results[r].Spoken > m.Turns[turn].Last
}

// isTooFar reports whether result r has no id and a user has spoken between it and call c. Then the
// name of the tool is no evidence: the call of the result may be lost.
func (m *Matching) isTooFar(c, r int) bool {
	return blank(m.Results[r].ID) && m.Results[r].Spoken > m.Calls[c].Message
}

// namesUnknown reports whether each result of a turn with as many results as calls has the name of
// its call, in order, or one that no call of the turn or before it has.
func (m *Matching) namesUnknown(turn *Turn) bool {
	for c := turn.Calls.First; c < turn.Calls.End; c++ {
		name := m.Results[turn.Results.First+c-turn.Calls.First].Name
		if name != m.Calls[c].Name && m.called(name) < turn.Calls.End {
			return false
		}
	}
	return true
}

// namesTool reports whether the name of result r is that of a call before it. Any other name is no
// evidence: see matchCounts.
func (m *Matching) namesTool(r int) bool {
	c := m.called(m.Results[r].Name)
	return c < len(m.Calls) && m.Precedes(c, r)
}

// called returns the first call of the tool with a name. It returns len(Calls) if there is none.
func (m *Matching) called(name string) int {
	if m.named == nil {
		m.named = make(map[string]int)
		for c := range m.Calls {
			if name := m.Calls[c].Name; !blank(name) {
				if _, known := m.named[name]; !known {
					m.named[name] = c
				}
			}
		}
	}
	if first, known := m.named[name]; known {
		return first
	}
	return len(m.Calls)
}

// normalizedIDs returns the normalized ids of a range of calls.
func (m *Matching) normalizedIDs(of Span) map[string]bool {
	ids := make(map[string]bool, of.len())
	for c := of.First; c < of.End; c++ {
		ids[normalizeID(m.Calls[c].ID)] = true
	}
	return ids
}

// wanted reports whether a call of an earlier turn, or of that of result r, has its id and no
// answer but a placeholder. Then r belongs to that call.
func (m *Matching) wanted(r int) bool {
	if m.wanting == nil {
		m.wanting = make(map[string]int)
		for _, c := range m.related() {
			call := &m.Calls[c]
			if call.Answer == None && m.staysOpen(c) ||
				call.Answer != None && !m.WorthOf(call.Answer).IsPlaceholder() {
				continue
			}
			if _, known := m.wanting[call.ID]; !known {
				m.wanting[call.ID] = call.Turn
			}
		}
	}
	result := &m.Results[r]
	turn, known := m.wanting[result.ID]
	return known && !blank(result.ID) && turn <= result.LastTurn &&
		!m.WorthOf(r).IsPlaceholder()
}
