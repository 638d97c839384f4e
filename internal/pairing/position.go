package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results of a turn by their position, if their ids are no evidence.

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
// there are not as many results as calls, those without ids are matched with each other first.
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
		if len(free) != len(open) {
			m.matchBothBlank(nameless, free)
		}
		for _, r := range free {
			switch {
			case m.Results[r].Call != None:
			case blank(m.Results[r].ID):
				open = m.bindFirst(open, r)
			case len(nameless) > 0 && !m.calledBefore(r):
				nameless = m.bindFirst(nameless, r)
			}
		}
	}
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
