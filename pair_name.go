package preflight

import (
	"slices"
)

// This file pairs calls and results for providers that accept them without ids
// (Profile.Pairing.ByName): by id when present, else by tool name, in order within the turn. A
// result has the name of its call.

// matchNames runs after the first matchInPlace, which requires equal ids and names. It reports
// whether all calls and results are in place. If not, it discards the matches of the first turn
// that is not complete and of all after it, and starts again there, with ids before positions. The
// turns before may have been sent as they are.
func (p *pairing) matchNames() bool {
	p.matchInPlace(normalizedID, ReasonNormalized)
	p.matchBlankInTurns()
	p.matchCounts()
	first := p.firstIncomplete()
	if first == len(p.turns) {
		return true
	}
	for t := range p.turns {
		p.markRepeats(&p.turns[t])
	}
	for c := range p.calls {
		if p.calls[c].turn >= first {
			p.calls[c].answer = none
		}
	}
	for r := range p.results {
		if p.results[r].lastTurn >= first {
			p.results[r].call, p.results[r].rebound = none, false
		}
	}
	p.matchInPlace(exactID, ReasonID)
	p.matchIDs(true, true)
	p.matchIDs(false, true)
	p.matchIDs(true, false)
	p.attachSent(first)
	p.replacePlaceholders()
	p.attachInPlace(exactID, ReasonID)
	p.matchIDs(false, false)
	p.matchInPlace(normalizedID, ReasonNormalized)
	p.names = false
	p.matchInPlace(exactID, ReasonID) // other names
	p.matchInPlace(normalizedID, ReasonNormalized)
	p.names = true
	p.attachInPlace(normalizedID, ReasonNormalized)
	p.matchAhead(exactID, ReasonID)
	p.matchBlankInTurns()
	p.matchCounts()
	p.matchDisplacedByTurn()
	p.matchAnywhere(exactID, ReasonID)
	p.matchOnlyCallOfID()
	return false
}

// attachSent attaches results of turn t, the first that is not complete, that were sent as answers
// of its calls although they have other names: the turn was complete when it had as many results as
// calls.
func (p *pairing) attachSent(t int) {
	if t == none {
		return
	}
	span, results := p.turns[t].calls, p.turns[t].results
	n := span[1] - span[0]
	if last := results[0] + n - 1; last+1 >= results[1] ||
		last >= results[0] && p.results[last].node == p.results[last+1].node {
		return // no result came later, or no message ends with the last of as many results as calls
	}
	type key struct{ id, name string }
	named := make(map[key]int) // results with the id and the name of a call
	for r := results[0]; r < results[0]+n; r++ {
		named[key{p.results[r].result.CallID, p.results[r].result.Name}]++
	}
	var calls []int // without such a result
	for c := span[0]; c < span[1]; c++ {
		k := key{p.calls[c].call.ID, p.calls[c].call.Name}
		if named[k]--; named[k] < 0 {
			calls = append(calls, c)
			named[k] = 0
		}
	}
	var others []int // as many results
	for r := results[0] + n - 1; r >= results[0]; r-- {
		k := key{p.results[r].result.CallID, p.results[r].result.Name}
		if named[k] > 0 {
			others = append(others, r)
			named[k]--
		}
	}
	slices.Reverse(others)
	for k, c := range calls {
		if id := p.calls[c].call.ID; blank(id) || id != p.results[others[k]].result.CallID {
			return
		}
	}
	for k, c := range calls {
		if r := others[k]; p.results[r].call == none && p.calls[c].answer != none {
			p.attach(c, r, ReasonID)
		}
	}
}

// attachInPlace makes a result with the id, but not the name, of an answered call in whose zone it
// is a further result of that call. It was sent as a result of that call, so it does not belong to
// an earlier call with the same id.
func (p *pairing) attachInPlace(key spelling, why PairReason) {
	calls := make(map[string]int) // id -> last call with it in the turn, or none if one is open
	turn := none
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		ref := &p.results[r]
		if ref.zone == none || blank(ref.result.CallID) {
			continue
		}
		if ref.zone != turn {
			turn = ref.zone
			clear(calls)
			for c := p.turns[turn].calls[0]; c < p.turns[turn].calls[1]; c++ {
				id := key.of(p.calls[c].call.ID)
				if last, known := calls[id]; known && last == none || p.calls[c].answer == none {
					calls[id] = none
				} else {
					calls[id] = c
				}
			}
		}
		c, known := calls[key.of(ref.result.CallID)]
		if known && c != none && p.calls[c].call.Name != ref.result.Name {
			p.attach(c, r, why)
		}
	}
}

// replacePlaceholders attaches results to calls with the same id and name that only a placeholder
// answers. A call with another name before such a result may still get its own.
func (p *pairing) replacePlaceholders() {
	var waiting placeholderQueues
	next := 0
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			if a := p.calls[next].answer; a != none && !blank(p.calls[next].call.ID) &&
				p.worth(a) == worthPlaceholder {
				waiting.add(p.callKey(next, exactID), next, p.policy.promises(p.results[a].result))
			}
		}
		id := p.resultKey(r, exactID)
		if first := waiting.first(id); first != none && p.worth(r) != worthPlaceholder {
			p.attach(first, r, ReasonID)
			waiting.take(id)
		}
	}
}

// matchOtherNames matches the remaining results with open calls with the same id, before or after
// them, whatever their names.
func (p *pairing) matchOtherNames() {
	p.names = false
	all, results := [2]int{0, len(p.calls)}, [2]int{0, len(p.results)}
	p.match(all, results, exactID, ReasonID, p.skipWaiting)
	p.match(all, results, normalizedID, ReasonNormalized, p.skipWaiting)
	p.matchAhead(exactID, ReasonID)
	p.matchAhead(normalizedID, ReasonNormalized)
	p.attachBy(normalizedID, ReasonNormalized, earlierNames)
	p.names = true
}

// matchOnlyCallOfID matches results that lack the name of their call with the call with their id,
// if there is exactly one before them.
func (p *pairing) matchOnlyCallOfID() {
	calls := make(map[string]int)
	next := 0
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			id := p.calls[next].call.ID
			if _, again := calls[id]; again || blank(id) {
				calls[id] = none
				continue
			}
			calls[id] = next
		}
		c, ok := calls[p.results[r].result.CallID]
		if ok && c != none && p.calls[c].answer == none {
			p.bind(c, r, ReasonID)
		}
	}
}

// normalizedIDs returns the normalized ids of a range of calls.
func (p *pairing) normalizedIDs(span [2]int) map[string]bool {
	ids := make(map[string]bool, span[1]-span[0])
	for c := span[0]; c < span[1]; c++ {
		ids[normalizeID(p.calls[c].call.ID)] = true
	}
	return ids
}

// wanted reports whether a call before the turn of result r has its id and no answer but a
// placeholder. Then r belongs to that call.
func (p *pairing) wanted(r int) bool {
	if p.wanting == nil {
		p.wanting = make(map[string]int)
		for c := range p.calls {
			ref := &p.calls[c]
			if ref.answer == none && p.policy.staysOpen(ref.call) ||
				ref.answer != none && p.worth(ref.answer) != worthPlaceholder {
				continue
			}
			if _, known := p.wanting[ref.call.ID]; !known {
				p.wanting[ref.call.ID] = ref.turn
			}
		}
	}
	ref := &p.results[r]
	turn, known := p.wanting[ref.result.CallID]
	return known && !blank(ref.result.CallID) && turn < ref.lastTurn &&
		p.worth(r) != worthPlaceholder
}

// matchBlankInTurns matches calls with results in their zones if one of the two has no id.
func (p *pairing) matchBlankInTurns() {
	p.wanting = nil
	for t := range p.turns {
		p.matchBlankByName(p.turns[t].calls, p.freeResults(p.turns[t].results))
	}
}

// matchIDs matches results that have an id with open calls before them that have the same id. If
// near is set, the call must be in the turn right before the result. If named is set, the names
// must be equal; otherwise only results without a name are matched.
func (p *pairing) matchIDs(near, named bool) {
	type key struct {
		turn     int
		id, name string
	}
	turn := func(t int) int {
		if !near {
			return none
		}
		return t
	}
	free := slices.DeleteFunc(p.freeResults([2]int{0, len(p.results)}), func(r int) bool {
		return blank(p.results[r].result.CallID) || !named && !blank(p.results[r].result.Name)
	})
	if len(free) == 0 {
		return
	}
	queues := make(map[key][]int)
	for _, c := range p.openCalls([2]int{0, len(p.calls)}) {
		if ref := &p.calls[c]; !blank(ref.call.ID) {
			k := key{turn(ref.turn), ref.call.ID, ""}
			if named {
				k.name = ref.call.Name
			}
			queues[k] = append(queues[k], c)
		}
	}
	t := 0
	for _, r := range free {
		ref := &p.results[r]
		for t+1 < len(p.turns) && p.turns[t+1].first <= ref.node {
			t++
		}
		k := key{turn(t), ref.result.CallID, ""}
		if named {
			k.name = ref.result.Name
		}
		if q := queues[k]; len(q) > 0 && p.precedes(q[0], r) {
			p.bind(q[0], r, ReasonID)
			queues[k] = q[1:]
		}
	}
}

// matchBlankByName matches calls of a turn and results if one of the two has no id, in order: first
// those with the same name, then the results without a name with the remaining calls.
func (p *pairing) matchBlankByName(span [2]int, results []int) {
	if len(results) == 0 {
		return
	}
	if calls := p.openCalls(span); len(calls) == 0 ||
		len(calls) == 1 && len(results) == 1 && p.bindBlankByName(calls[0], results[0]) {
		return
	}
	open, nameless := make(map[string][]int), make(map[string][]int)
	queue := func(name string, c int) {
		open[name] = append(open[name], c)
		if blank(p.calls[c].call.ID) {
			nameless[name] = append(nameless[name], c)
		}
	}
	const all = "\x00" // never a tool name
	ids := p.normalizedIDs(span)
	for _, c := range p.openCalls(span) {
		queue(p.calls[c].call.Name, c)
		queue(all, c)
	}
	for _, any := range []bool{false, true} { // first by name, then results without one
		for _, r := range results {
			ref := &p.results[r]
			name := ref.result.Name
			if ref.call != none || any && !blank(name) {
				continue
			}
			if any {
				name = all
			}
			queues := nameless
			if blank(ref.result.CallID) {
				queues = open
			} else if (any || ref.zone == none) && p.calledBefore(r) || p.wanted(r) ||
				ids[normalizeID(ref.result.CallID)] {
				continue // it belongs to the call with its id
			}
			q := queues[name]
			for len(q) > 0 && p.calls[q[0]].answer != none {
				q = q[1:]
			}
			if len(q) > 0 {
				p.bind(q[0], r, ReasonName)
				q = q[1:]
			}
			queues[name] = q
		}
	}
}

// bindBlankByName handles the common case of one call and one result that has no id, but the name
// of the call. It reports whether it bound them.
func (p *pairing) bindBlankByName(c, r int) bool {
	result := p.results[r].result
	if p.results[r].call != none || !blank(result.CallID) || result.Name != p.calls[c].call.Name {
		return false
	}
	p.bind(c, r, ReasonName)
	return true
}

// matchDisplacedByTurn matches displaced results with open calls of the last turn before them.
// Names are repeated from turn to turn, so the nearest turn is tried, whereas an id is matched with
// the first call that has it.
func (p *pairing) matchDisplacedByTurn() {
	free := slices.Clone(p.freeResults([2]int{0, len(p.results)}))
	for t := 0; t < len(p.turns) && len(free) > 0; t++ {
		for len(free) > 0 && p.results[free[0]].node < p.turns[t].first {
			free = free[1:]
		}
		end := len(free)
		if t+1 < len(p.turns) {
			for end = 0; end < len(free) && p.results[free[end]].node < p.turns[t+1].first; {
				end++
			}
		}
		if end > 0 {
			p.match(p.turns[t].calls, [2]int{free[0], free[end-1] + 1},
				exactID, ReasonID, p.skipEarlier)
			p.matchBlankByName(p.turns[t].calls, free[:end])
			free = free[end:]
		}
	}
}
