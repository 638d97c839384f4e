package pairing

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results for providers that accept them without ids: by id when
// present, else by tool name, in order within the turn. A result has the name of its call.

// nameLadder has the steps after matchByName.
var nameLadder = []step{
	(*Matching).matchSharedIDs,
	byIDs(anyTurn, sameName),
	byIDs(nearTurn, noName),
	(*Matching).attachSent,
	(*Matching).replacePlaceholders,
	by((*Matching).attachInPlace, sameID),
	byIDs(anyTurn, noName),
	by((*Matching).matchInPlace, respelledNamed),
	by((*Matching).matchInPlace, sameID),
	by((*Matching).matchAhead, sameIDAndName),
	(*Matching).matchBlankInTurns,
	(*Matching).matchCounts,
	(*Matching).matchDisplacedByTurn,
	by((*Matching).matchAnywhere, sameIDAndName),
	(*Matching).matchAliases,
	(*Matching).attachToEarlierCalls,
	by((*Matching).matchAnywhere, sameID),
	by((*Matching).matchAnywhere, respelled),
	by((*Matching).matchAhead, sameID),
	by((*Matching).matchAhead, respelled),
	(*Matching).attachToRenamed,
	(*Matching).matchPositions,
	(*Matching).matchSoleNames,
}

// matchByName runs after the first step. It reports whether all calls and results are in place. If
// not, it discards the matches of the first turn that is not complete and of all after it, for
// nameLadder to start again there, with ids before positions. The turns before may have been sent
// as they are.
func (m *Matching) matchByName() bool {
	m.matchBlankInTurns()
	m.matchCounts()
	m.incomplete = m.firstIncomplete()
	if m.incomplete == len(m.Turns) {
		return true
	}
	m.discard(m.incomplete)
	m.excludeRepeats()
	return false
}

// matchSharedIDs matches the results in the zone of a turn whose id a result of another tool has,
// too, by their names, in order: such an id does not tell which call is meant. Those of a tool that
// has more calls than results stay with the call of their id, and surplus ones are further results.
func (m *Matching) matchSharedIDs() {
	for _, t := range m.rest.turns {
		turn := &m.Turns[t.turn]
		shared := m.sharedIDs(turn)
		if len(shared) == 0 {
			continue
		}
		calls, results := make(map[string][]int), make(map[string][]int) // by name, in order
		for c := turn.Calls.First; c < turn.Calls.End; c++ {
			if a := m.Calls[c].Answer; a == None || shared[m.Results[a].ID] {
				calls[m.Calls[c].Name] = append(calls[m.Calls[c].Name], c)
			}
		}
		for r := turn.Results.First; r < turn.Results.End; r++ {
			if result := &m.Results[r]; shared[result.ID] {
				results[result.Name] = append(results[result.Name], r)
			}
		}
		for name, open := range calls {
			given := results[name]
			unanswered := func(c int) bool { return m.Calls[c].Answer == None }
			if blank(name) || len(given) < len(open) || !slices.ContainsFunc(open, unanswered) {
				continue
			}
			for k, c := range open {
				if a := m.Calls[c].Answer; a != None {
					m.Results[a].Call, m.Calls[c].Answer = None, None
				}
				m.Results[given[k]].Call = None
			}
			for k, c := range open {
				if m.sameType(c, given[k]) && m.Precedes(c, given[k]) {
					m.Bind(c, given[k], pairs.ByName)
				}
			}
		}
	}
}

// sharedIDs returns the ids that results of different tools in the zone of a turn have, without
// those that several of its calls have, too.
func (m *Matching) sharedIDs(turn *Turn) map[string]bool {
	var shared map[string]bool
	names := make(map[string]string) // by id
	for r := turn.Results.First; r < turn.Results.End; r++ {
		result := &m.Results[r]
		name, known := names[result.ID]
		if known && name != result.Name && !blank(result.ID) {
			if shared == nil {
				shared = make(map[string]bool)
			}
			shared[result.ID] = true
		}
		names[result.ID] = result.Name
	}
	if shared == nil {
		return nil
	}
	calls := make(map[string]int) // by id
	for c := turn.Calls.First; c < turn.Calls.End; c++ {
		calls[normalizeID(m.Calls[c].ID)]++
	}
	maps.DeleteFunc(shared, func(id string, _ bool) bool { return calls[normalizeID(id)] > 1 })
	return shared
}

// discard discards the matches of turn first and of all after it, except those of the first step.
func (m *Matching) discard(first int) {
	for _, c := range m.rest.calls {
		if m.Calls[c].Turn >= first {
			m.Calls[c].Answer = None
		}
	}
	for _, r := range m.rest.results {
		if result := &m.Results[r]; result.LastTurn >= first {
			result.Call, result.Changes = None, false
		}
	}
}

// excludeRepeats excludes the results of messages that were recorded twice from what follows.
func (m *Matching) excludeRepeats() {
	found := false
	for _, t := range m.rest.turns {
		if turn := &m.Turns[t.turn]; m.markRepeats(turn) {
			found = true
			m.reset(turn)
			m.matchTurn(turn)
		}
	}
	if found {
		m.collectRest()
	}
}

// attachSent is for the first turn that is not complete. When it had as many results as calls, it
// was complete, and they were sent as the answers of its calls, whatever names they have: they stay
// so.
func (m *Matching) attachSent() {
	t := m.incomplete
	if t == None {
		return
	}
	calls, results := m.Turns[t].Calls, m.Turns[t].Results
	n := calls.len()
	if last := results.First + n - 1; last+1 >= results.End ||
		last >= results.First && m.Results[last].Message == m.Results[last+1].Message {
		return // no result came later, or no message ends with the last of as many results as calls
	}
	type key struct{ id, name string }
	named := make(map[key]int) // results with the id and the name of a call
	for r := results.First; r < results.First+n; r++ {
		named[key{m.Results[r].ID, m.Results[r].Name}]++
	}
	var alone []int // the calls without such a result
	for c := calls.First; c < calls.End; c++ {
		k := key{m.Calls[c].ID, m.Calls[c].Name}
		if named[k]--; named[k] < 0 {
			alone = append(alone, c)
			named[k] = 0
		}
	}
	var others []int // as many results
	for r := results.First + n - 1; r >= results.First; r-- {
		k := key{m.Results[r].ID, m.Results[r].Name}
		if named[k] > 0 {
			others = append(others, r)
			named[k]--
		}
	}
	slices.Reverse(others)
	for k, c := range alone {
		if id := m.Calls[c].ID; blank(id) || id != m.Results[others[k]].ID {
			return
		}
	}
	for k, c := range alone {
		if r := others[k]; m.Results[r].Call == None && m.Calls[c].Answer != None {
			m.attach(c, r, pairs.ByID)
		}
	}
}

// attachInPlace makes a result with the id, but not the name, of an answered call in whose zone it
// is a further result of that call. It was sent as a result of that call, so it does not belong to
// an earlier call with the same id.
func (m *Matching) attachInPlace(k key) {
	calls := make(map[string]int) // id -> last call with it in the turn, or None if one is open
	turn := None
	for _, r := range m.freeResults() {
		result := &m.Results[r]
		if result.Zone == None || blank(result.ID) {
			continue
		}
		if result.Zone != turn {
			turn = result.Zone
			clear(calls)
			for c := m.Turns[turn].Calls.First; c < m.Turns[turn].Calls.End; c++ {
				id := k.of(m.Calls[c].ID)
				if last, known := calls[id]; known && last == None || m.Calls[c].Answer == None {
					calls[id] = None
				} else {
					calls[id] = c
				}
			}
		}
		c, known := calls[k.of(result.ID)]
		if known && c != None && m.Calls[c].Name != result.Name {
			m.attach(c, r, m.reason(r, k))
		}
	}
}

// replacePlaceholders attaches results to calls with the same id and name that only a placeholder
// answers. A call with another name before such a result may still get its own.
func (m *Matching) replacePlaceholders() {
	var waiting placeholderQueues
	next, related := 0, m.related()
	for _, r := range m.freeResults() {
		for ; next < len(related) && m.Precedes(related[next], r); next++ {
			c := related[next]
			if a := m.Calls[c].Answer; a != None && !blank(m.Calls[c].ID) {
				waiting.add(m.callKey(c, sameIDAndName), c, m.WorthOf(a))
			}
		}
		id := m.resultKey(r, sameIDAndName)
		if first := waiting.first(id); first != None && !m.WorthOf(r).IsPlaceholder() {
			m.attach(first, r, pairs.ByID)
			waiting.take(id)
		}
	}
}

// attachToRenamed attaches the results that have the id, in any spelling, of an answered call
// before them, whatever their names.
func (m *Matching) attachToRenamed() { m.attachBy(respelled, earlierNames) }

// The conditions of byIDs.
const (
	nearTurn, anyTurn = true, false // of the call: the turn right before the result, or any
	sameName, noName  = true, false // of the result: the name of the call, or that of no tool
)

// byIDs returns a step that matches results that have an id with open calls before them that have
// the same id.
func byIDs(near, named bool) step {
	return func(m *Matching) { m.matchIDs(near, named) }
}

// matchIDs is the step that byIDs returns.
func (m *Matching) matchIDs(near, named bool) {
	k := sameID
	if named {
		k = sameIDAndName
	}
	noID := func(c int) bool { return blank(m.Calls[c].ID) }
	other := func(r int) bool { return blank(m.Results[r].ID) || !named && m.namesTool(r) }
	if !near {
		free := slices.DeleteFunc(m.freeResults(), other)
		m.matchNearest(slices.DeleteFunc(m.openCalls(), noID), free, k, nil)
		return
	}
	for _, t := range m.rest.turns {
		free := slices.DeleteFunc(m.freeResultsAfter(t), other)
		m.match(slices.DeleteFunc(m.openCallsOf(t), noID), free, k, nil)
	}
}
