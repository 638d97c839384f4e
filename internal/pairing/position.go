package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results of a turn by their position. It decides only for results in
// the zone of the turn, right after the calls, and only where ids and names say nothing against it.

// against reports whether call c and result r are known not to belong together: their ids, names or
// variants differ.
func (m *Matching) against(c, r int) bool {
	call, result := &m.Calls[c], &m.Results[r]
	return differ(call.ID, result.ID) || !m.sameType(c, r) || m.otherTool(c, r, "")
}

// differ reports whether two ids, in any spelling, are those of different calls. An id that another
// one begins with may have been cut, unless it is as short as call_1.
func differ(id, other string) bool {
	const shortest = 16
	if !namesCall(id) || !namesCall(other) {
		return false
	}
	id, other = callPart(id), callPart(other)
	for same := 0; ; same++ {
		id, other = fromSignificant(id), fromSignificant(other)
		switch {
		case id == "" || other == "":
			return id != other && same < shortest
		case lower(id[0]) != lower(other[0]):
			return true
		}
		id, other = id[1:], other[1:]
	}
}

// spoke reports whether assistant text follows call c in its turn.
func (m *Matching) spoke(c int) bool {
	call := &m.Calls[c]
	return m.Turns[call.Turn].Spoken > call.Message
}

// matchReusedIDs matches the calls of a turn without ids with results in its zone that have the id
// of an answered call, in order: an id that is used again in every turn. It does so if as many
// results as calls are left.
func (m *Matching) matchReusedIDs() {
	m.wanting = nil
	for _, t := range m.rest.turns {
		calls, results := m.openCallsOf(t), m.freeResultsIn(t)
		if len(calls) != len(results) {
			continue
		}
		for k, c := range calls {
			r := results[k]
			if blank(m.Calls[c].ID) && m.calledBefore(r) && !m.wanted(r) && !m.against(c, r) {
				m.Bind(c, r, pairs.ByPosition)
			}
		}
	}
}

// matchPositions matches the calls and results of a turn of which one has no id. First it matches
// those with the same index, if there are as many results as calls, then those of one tool, then
// the others.
func (m *Matching) matchPositions() {
	searched := false
	for _, t := range m.rest.turns {
		p := inTurn{Matching: m, turn: &m.Turns[t.turn], results: m.freeResultsIn(t)}
		if len(p.results) == 0 {
			continue
		}
		if !searched {
			searched = true
			m.findFirstCalls()
		}
		p.results = slices.DeleteFunc(p.results, func(r int) bool {
			if blank(m.Results[r].ID) {
				return false // right after the calls, one without an id is of these
			}
			return m.Results[r].Held || namesCall(m.Results[r].ID) && m.isCalledBefore(r)
		})
		p.calls = m.skipWaiting(m.openCallsOf(t), len(p.results))
		if len(p.calls) == 0 {
			p.useFilled()
		}
		p.calls = slices.DeleteFunc(p.calls, m.spoke)
		p.matchIndices()
		if p.anyWithoutID() {
			p.matchKinds()
			p.attachSurplus()
		}
	}
}

// inTurn is the work of matchPositions on one turn: the calls and results that are left.
type inTurn struct {
	*Matching
	turn           *Turn
	calls, results []int
	filled         bool // the calls have an answer, but only a placeholder
}

// findFirstCalls finds the first message with a call that has the id of a result left, by the hash
// of the normalized id.
func (m *Matching) findFirstCalls() {
	l := &m.rest
	if l.firsts == nil {
		l.firsts = make(map[uint64]int)
	}
	clear(l.firsts)
	for _, c := range m.related() {
		if _, known := l.firsts[m.callHash(c)]; !known {
			l.firsts[m.callHash(c)] = m.Calls[c].Message
		}
	}
}

// isCalledBefore reports whether a call before result r has its id, in any spelling. Calls after it
// do not count: the result may have been sent before they were made.
func (m *Matching) isCalledBefore(r int) bool {
	first, known := m.rest.firsts[m.resultHash(r)]
	return known && first < m.Results[r].Message
}

// anyWithoutID reports whether a call or a result has no id.
func (p *inTurn) anyWithoutID() bool {
	return slices.ContainsFunc(p.results, func(r int) bool { return !namesCall(p.Results[r].ID) }) ||
		slices.ContainsFunc(p.calls, func(c int) bool { return !namesCall(p.Calls[c].ID) })
}

// useFilled makes the calls that only a placeholder answers those to be matched, and leaves out
// other placeholders. An empty result does not count as one: it may be all that the tool gave.
func (p *inTurn) useFilled() {
	p.filled = true
	for c := p.turn.Calls.First; c < p.turn.Calls.End; c++ {
		if a := p.Calls[c].Answer; a != None && p.WorthOf(a).IsPlaceholder() && p.WorthOf(a) != Empty {
			p.calls = append(p.calls, c)
		}
	}
	p.results = slices.DeleteFunc(p.results, func(r int) bool {
		return p.WorthOf(r).IsPlaceholder()
	})
}

// give matches call c and result r, unless something speaks against it.
func (p *inTurn) give(c, r int) {
	if p.against(c, r) {
		return
	}
	why := pairs.ByPosition
	if name := p.Results[r].Name; !blank(name) && name == p.Calls[c].Name {
		why = pairs.ByName
	}
	if p.filled {
		p.attach(c, r, why)
	} else {
		p.Bind(c, r, why)
	}
}

// matchIndices matches the calls and results with the same index, if there are as many results as
// calls, unless there is a result without an id for each call that is left.
func (p *inTurn) matchIndices() {
	if p.turn.Calls.len() != p.turn.Results.len() || p.filled {
		return
	}
	blanks := 0
	for _, r := range p.results {
		if !namesCall(p.Results[r].ID) {
			blanks++
		}
	}
	if blanks == len(p.calls) {
		return
	}
	next := 0
	for _, r := range p.results {
		c := p.turn.Calls.First + r - p.turn.Results.First
		for next < len(p.calls) && p.calls[next] < c {
			next++
		}
		if next < len(p.calls) && p.calls[next] == c {
			p.give(c, r)
		}
	}
	p.calls = slices.DeleteFunc(p.calls, p.isMatched)
	p.results = slices.DeleteFunc(p.results, func(r int) bool { return p.Results[r].Call != None })
}

// kind is what a call and its result have to agree in: the name of the tool, unless the result has
// none, and the variant.
type kind struct{ name, variant string }

// matchKinds matches what is left of each kind, first the results with a name.
func (p *inTurn) matchKinds() {
	calls, results := make(map[kind][]int), make(map[kind][]int)
	for _, c := range p.calls {
		call := &p.Calls[c]
		calls[kind{"", call.Variant}] = append(calls[kind{"", call.Variant}], c)
		if !blank(call.Name) {
			calls[kind{call.Name, call.Variant}] = append(calls[kind{call.Name, call.Variant}], c)
		}
	}
	var named, unnamed []kind // in order
	for _, r := range p.results {
		of := kind{p.Results[r].Name, p.Results[r].Variant}
		if blank(of.name) {
			of.name = ""
		}
		switch results[of] = append(results[of], r); {
		case len(results[of]) > 1:
		case of.name == "":
			unnamed = append(unnamed, of)
		default:
			named = append(named, of)
		}
	}
	for _, of := range append(named, unnamed...) {
		p.matchRest(p.unmatched(calls[of]), results[of])
	}
}

// isMatched reports whether call c has been matched.
func (p *inTurn) isMatched(c int) bool { return p.Calls[c].Answer != None && !p.filled }

// unmatched returns those of the calls that have not been matched.
func (p *inTurn) unmatched(calls []int) []int {
	return slices.DeleteFunc(slices.Clone(calls), p.isMatched)
}

// matchRest matches calls and results of one kind, in order. If there are fewer results without ids
// than calls, only calls without ids are matched. If there are more, those right after another are
// left out, as they may be further results. Calls without ids are matched with the results whose
// ids no call has, too, unless there are fewer calls than such results.
func (p *inTurn) matchRest(calls, results []int) {
	var blanks, others []int
	for _, r := range results {
		if namesCall(p.Results[r].ID) {
			others = append(others, r)
		} else {
			blanks = append(blanks, r)
		}
	}
	if len(blanks) > len(calls) {
		heads := slices.DeleteFunc(slices.Clone(blanks), p.followsBlank)
		if len(heads) >= len(calls) {
			blanks = heads
		}
	}
	nameless := slices.DeleteFunc(slices.Clone(calls), func(c int) bool {
		return namesCall(p.Calls[c].ID)
	})
	if len(blanks) < len(calls) { // which of several calls with ids has a result?
		calls = p.skipEarlier(slices.Clone(nameless), len(blanks))
	}
	for k, r := range blanks[:min(len(blanks), len(calls))] {
		p.give(calls[k], r)
	}
	if nameless = p.unmatched(nameless); len(others) <= len(nameless) {
		for k, r := range others {
			p.give(nameless[k], r)
		}
	}
}

// attachSurplus attaches a result without an id to the call of the result before it, if that has
// none either. If the provider matches by name, it may be the result of a lost call.
func (p *inTurn) attachSurplus() {
	for _, r := range p.results {
		if p.Results[r].Call == None && p.followsBlank(r) && !p.byName() {
			if c := p.Results[r-1].Call; c != None && !p.against(c, r) {
				p.attach(c, r, pairs.ByPosition)
			}
		}
	}
}

// followsBlank reports whether result r and the result right before it are in the zone of a turn
// and have no ids.
func (m *Matching) followsBlank(r int) bool {
	return r > 0 && m.Results[r].Zone != None && m.Results[r].Zone == m.Results[r-1].Zone &&
		!namesCall(m.Results[r].ID) && !namesCall(m.Results[r-1].ID)
}

// attachLearned attaches the results that have the id of a result of a call without one.
func (m *Matching) attachLearned() {
	var learned map[string]int // id -> the call, or None if there are several
	for _, r := range m.rest.results {
		result := &m.Results[r]
		if !namesCall(result.ID) || m.hasCall(r) {
			continue
		}
		c, known := learned[result.ID]
		switch {
		case result.Call == None && known && c != None && !m.against(c, r):
			m.attach(c, r, pairs.ByPosition)
		case result.Call == None || namesCall(m.Calls[result.Call].ID):
		default:
			if learned == nil {
				learned = make(map[string]int)
			}
			if known && c != result.Call {
				learned[result.ID] = None
			} else {
				learned[result.ID] = result.Call
			}
		}
	}
}

// matchCounts matches the remaining calls and results of a turn, in order and whatever their names,
// if its zone has as many results as the turn has calls: Gemini accepted the response
// "call_1338..." for the one call before it (docker/cagent, TestExec_Gemini_ToolCall). A call and a
// result with contradicting ids are not matched.
func (m *Matching) matchCounts() {
	for _, t := range m.rest.turns {
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
