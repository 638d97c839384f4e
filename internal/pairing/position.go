package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results of a turn by their position, if their ids are no evidence.

// matchOneInPlace matches the one call of a turn that is open with the one result in its zone that
// has no call, if the zone has as many results as the turn has calls, and no call has the id of the
// result, in any spelling. A result elsewhere with the id of the call is no better evidence if that
// id is used again.
func (m *Matching) matchOneInPlace() {
	listed := false
	for _, t := range m.left.turns {
		turn := &m.Turns[t.turn]
		if turn.Calls.len() != turn.Results.len() {
			continue
		}
		calls, results := m.openCallsOf(t), m.freeResultsIn(t)
		if len(calls) != 1 || len(results) != 1 {
			continue
		}
		c, r := calls[0], results[0]
		if m.isCalled(r) || m.Results[r].Held || blank(m.Calls[c].ID) || !m.sameType(c, r) ||
			m.otherTool(c, r, "") {
			continue
		}
		if !listed {
			listed = true
			m.listFree()
		}
		if s := m.latest.Known(m.Calls[c].ID); s != nil && !m.isOnlyOfID(c, s.First) {
			m.Bind(c, r, pairs.ByPosition)
		}
	}
}

// listFree makes latest the table of the ids of the free results, with the first result of each.
func (m *Matching) listFree() {
	m.latest.Reset()
	for _, r := range m.freeResults() {
		if s, known := m.latest.Of(m.Results[r].ID); !known {
			s.First = r
		}
	}
}

// matchReusedIDs matches the calls of a turn without ids with results in its zone that have the id
// of an answered call, in order: an id that is used again in every turn. It does so if as many
// results as calls are left.
func (m *Matching) matchReusedIDs() {
	m.wanting = nil
	for _, t := range m.left.turns {
		calls, results := m.openCallsOf(t), m.freeResultsIn(t)
		if len(calls) != len(results) {
			continue
		}
		for k, c := range calls {
			r := results[k]
			if blank(m.Calls[c].ID) && m.calledBefore(r) && !m.wanted(r) && m.sameType(c, r) &&
				!m.otherTool(c, r, "") {
				m.Bind(c, r, pairs.ByPosition)
			}
		}
	}
}

// matchBlankIDs matches calls and results of a turn, in order, if one of the two has no id. If
// there are not as many results as calls, those without ids are matched with each other first. A
// surplus result without an id belongs to the call of the result before it, if that has no id
// either.
func (m *Matching) matchBlankIDs() {
	for _, t := range m.left.turns {
		free := m.freeResultsIn(t)
		if len(free) == 0 {
			continue
		}
		open := m.skipWaiting(m.openCallsOf(t), len(free))
		var nameless []int
		for _, c := range open {
			if blank(m.Calls[c].ID) {
				nameless = append(nameless, c)
			}
		}
		heads := m.withoutSurplus(free, len(open))
		if len(heads) != len(open) {
			m.matchBothBlank(nameless, heads)
		}
		for _, r := range heads {
			switch {
			case m.Results[r].Call != None:
			case blank(m.Results[r].ID):
				open = m.bindFirst(open, r)
			case len(nameless) > 0 && !m.calledBefore(r):
				nameless = m.bindFirst(nameless, r)
			}
		}
		for _, r := range free {
			if m.Results[r].Call == None && m.followsBlank(r) {
				if c := m.Results[r-1].Call; c != None && m.sameType(c, r) {
					m.attach(c, r, pairs.ByPosition)
				}
			}
		}
	}
}

// withoutSurplus returns results in the zone of a turn with the given number of open calls. If
// there are more results than calls, it leaves out those that follow another result without an id
// and have none either, unless fewer results than calls would be left.
func (m *Matching) withoutSurplus(results []int, calls int) []int {
	surplus := 0
	for _, r := range results {
		if m.followsBlank(r) {
			surplus++
		}
	}
	if len(results) <= calls || len(results)-surplus < calls {
		return results
	}
	return slices.DeleteFunc(slices.Clone(results), m.followsBlank)
}

// followsBlank reports whether result r and the result right before it are in the zone of a turn
// and have no ids.
func (m *Matching) followsBlank(r int) bool {
	return r > 0 && m.Results[r].Zone != None && m.Results[r].Zone == m.Results[r-1].Zone &&
		blank(m.Results[r].ID) && blank(m.Results[r-1].ID)
}

// matchBothBlank matches calls without ids with those of the results that have none, in order.
func (m *Matching) matchBothBlank(calls, results []int) {
	n := 0
	for _, r := range results {
		if blank(m.Results[r].ID) {
			n++
		}
	}
	calls = m.skipEarlier(slices.Clone(calls), n)
	for _, r := range results {
		if blank(m.Results[r].ID) {
			calls = m.bindFirst(calls, r)
		}
	}
}

// bindFirst matches r with the first call that is still open, and returns the calls after it.
func (m *Matching) bindFirst(calls []int, r int) []int {
	for k, c := range calls {
		if m.Calls[c].Answer == None && m.sameType(c, r) {
			m.Bind(c, r, pairs.ByPosition)
			return calls[k+1:]
		}
	}
	return nil
}

// matchCounts matches the remaining calls and results of a turn, in order and whatever their names,
// if its zone has as many results as the turn has calls: Gemini accepted the response
// "call_1338..." for the one call before it (docker/cagent, TestExec_Gemini_ToolCall). A call and a
// result with contradicting ids are not matched.
func (m *Matching) matchCounts() {
	for _, t := range m.left.turns {
		turn := &m.Turns[t.turn]
		if turn.Calls.len() != turn.Results.len() {
			continue
		}
		calls, results := m.openCallsOf(t), m.freeResultsIn(t)
		if len(calls) != len(results) || len(calls) == 0 {
			continue
		}
		ids := m.normalizedIDs(turn.Calls)
		for k, c := range calls {
			call, result := &m.Calls[c], &m.Results[results[k]]
			if blank(result.ID) || call.ID == result.ID ||
				blank(call.ID) && !ids[normalizeID(result.ID)] && !m.wanted(results[k]) {
				m.Bind(c, results[k], pairs.ByPosition)
			}
		}
	}
}

// otherTool reports whether call c and result r name different tools. alias does not count as a
// name.
func (m *Matching) otherTool(c, r int, alias string) bool {
	call, name := m.Calls[c].Name, m.Results[r].Name
	return name != alias && !blank(name) && !blank(call) && name != call
}
