package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
	"slices"
)

// This file pairs by name, where a provider lets calls and results go without ids
// (Profile.PairByName): a blank id falls back to the tool's name, in order within the turn. An id
// that is there counts first, and a result has the name of its call.

// matchNames goes on behind the first look into the zones, at which ids and names had to agree. It
// reports whether everything is in its place; if not, ids count before the places of what has none.
func (p *pairing) matchNames() bool {
	p.matchZones(looseID, ReasonNormalized)
	p.matchHalves()
	p.matchCounts()
	if p.complete() {
		return true
	}
	for t := range p.turns {
		p.markRepeats(&p.turns[t])
	}
	for c := range p.calls {
		p.calls[c].answer = none
	}
	for r := range p.results {
		p.results[r].call, p.results[r].rebound = none, false
	}
	p.matchZones(exactID, ReasonID)
	for _, named := range []bool{true, false} {
		p.matchIDs(true, named)
		p.matchIDs(false, named)
	}
	p.matchZones(looseID, ReasonNormalized)
	p.relievePlaceholders()
	p.names = false
	p.matchZones(exactID, ReasonID) // other names
	p.matchZones(looseID, ReasonNormalized)
	p.names = true
	p.matchHalves()
	p.matchCounts()
	p.matchBehind()
	p.matchAnywhere(exactID, ReasonID)
	p.matchLoneIDs()
	return false
}

// relievePlaceholders puts results in the place of the placeholders that answer the calls of their
// id and name. A call of another name in front of such a result may still get its own.
func (p *pairing) relievePlaceholders() {
	var waiting stoodIn
	next := 0
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			if a := p.calls[next].answer; a != none && !blank(p.calls[next].call.ID) && p.worth(a) == worthPlaceholder {
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

// matchOtherNames matches the results that are left with the open calls of their id, whatever their
// names, before them or after them.
func (p *pairing) matchOtherNames() {
	p.names = false
	all, results := [2]int{0, len(p.calls)}, [2]int{0, len(p.results)}
	p.match(all, results, exactID, ReasonID, p.leaveWaiting)
	p.match(all, results, looseID, ReasonNormalized, p.leaveWaiting)
	p.matchAhead(exactID, ReasonID)
	p.matchAhead(looseID, ReasonNormalized)
	p.attachBy(looseID, ReasonNormalized, earlierNames)
	p.names = true
}

// matchLoneIDs matches results that do not bear the name of their call with the call of their id,
// where there is but one before them.
func (p *pairing) matchLoneIDs() {
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

// matchCounts matches, in order, what is left in a turn that has as many results in its zone as
// calls, whatever names they have: Gemini took the response "call_1338..." for the one call before
// it (docker/cagent, TestExec_Gemini_ToolCall). Ids that contradict each other are no such pair.
func (p *pairing) matchCounts() {
	for t := range p.turns {
		turn := &p.turns[t]
		if turn.calls[1]-turn.calls[0] != turn.results[1]-turn.results[0] {
			continue
		}
		calls, results := p.openCalls(turn.calls), p.freeResults(turn.results)
		if len(calls) != len(results) || len(calls) == 0 {
			continue
		}
		ids := p.looseIDs(turn.calls)
		for k, c := range calls {
			call, result := p.calls[c].call, p.results[results[k]].result
			if blank(result.CallID) || call.ID == result.CallID || blank(call.ID) && !ids[loosely(result.CallID)] {
				p.bind(c, results[k], ReasonPosition)
			}
		}
	}
}

// looseIDs are the ids of a range of calls, spelled loosely.
func (p *pairing) looseIDs(span [2]int) map[string]bool {
	ids := make(map[string]bool, span[1]-span[0])
	for c := span[0]; c < span[1]; c++ {
		ids[loosely(p.calls[c].call.ID)] = true
	}
	return ids
}

// matchHalves matches, in the zones, calls and results of which one has no id.
func (p *pairing) matchHalves() {
	for t := range p.turns {
		p.matchHalfNamed(p.turns[t].calls, p.freeResults(p.turns[t].results))
	}
}

// matchIDs matches results that have an id with the open calls of that id before them: those of the
// turn that they follow, or any. The results are those that name their call's tool, or those that
// name none.
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

// matchHalfNamed matches, in order, calls of a turn and results of which one has no id: those of
// one name, then the results that have no name with whatever is left.
func (p *pairing) matchHalfNamed(span [2]int, results []int) {
	if len(results) == 0 {
		return
	}
	if calls := p.openCalls(span); len(calls) == 0 || len(calls) == 1 && len(results) == 1 && p.bindHalfNamed(calls[0], results[0]) {
		return
	}
	open, nameless := make(map[string][]int), make(map[string][]int)
	queue := func(name string, c int) {
		open[name] = append(open[name], c)
		if blank(p.calls[c].call.ID) {
			nameless[name] = append(nameless[name], c)
		}
	}
	const all = "\x00" // no name is spelled like this
	ids := p.looseIDs(span)
	for _, c := range p.openCalls(span) {
		queue(p.calls[c].call.Name, c)
		queue(all, c)
	}
	for _, any := range []bool{false, true} { // first those that agree in what name they have
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
			} else if (any || ref.zone == none) && p.named(r) || ids[loosely(ref.result.CallID)] {
				continue // it is meant for the call with its id
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

// bindHalfNamed is the common case of one call and one result without an id that has the call's
// name.
func (p *pairing) bindHalfNamed(c, r int) bool {
	result := p.results[r].result
	if p.results[r].call != none || !blank(result.CallID) || result.Name != p.calls[c].call.Name {
		return false
	}
	p.bind(c, r, ReasonName)
	return true
}

// matchBehind matches displaced results with the open calls of the turn that they stand behind.
// Names come again in every turn, so the nearest turn is meant, where an id would be looked for
// from the start.
func (p *pairing) matchBehind() {
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
			p.match(p.turns[t].calls, [2]int{free[0], free[end-1] + 1}, exactID, ReasonID, p.leaveEarlier)
			p.matchHalfNamed(p.turns[t].calls, free[:end])
			free = free[end:]
		}
	}
}

// misnames reports whether a result has to be changed so that the provider takes it for the answer
// of the call it was matched with. An id that is missing on one side is no reason, nor is another
// name: only an empty name is refused.
func (p *pairing) misnames(call *ToolCall, r *ToolResult) bool {
	return p.byName() && blank(r.Name) && call.Name != r.Name || p.otherID(call, r) || p.otherType(call, r)
}

// otherType reports whether a result is of another variant than its call, where that matters.
func (p *pairing) otherType(call *ToolCall, r *ToolResult) bool {
	return p.variant(call.Variant) != p.variant(r.Variant)
}

// otherName reports whether a result says that it is of another tool than a call, where results say
// so.
func (p *pairing) otherName(c, r int) bool {
	name := p.results[r].result.Name
	return p.byName() && !blank(name) && name != p.calls[c].call.Name
}

// otherID reports whether a result has another id than its call, and one that matters.
func (p *pairing) otherID(call *ToolCall, r *ToolResult) bool {
	switch {
	case call.ID == r.CallID:
		return false
	case !p.byName():
		return true
	}
	return r.CallID != "" && (call.ID != "" || idProblem(p.profile.IDs.Call, r.CallID) != "")
}

func (p *pairing) reboundNote(ref *resultRef, call *ToolCall) note {
	if p.otherID(call, ref.result) {
		detail := "gave a result the id of the call it answers, as that call spells it"
		if ref.reason == ReasonPosition {
			detail = "gave a result the id of the one call that it can answer here"
		}
		return note{code: codes.ResultRebound, problem: rule.Orphan, id: ref.result.CallID, detail: detail}
	}
	if p.otherType(call, ref.result) {
		return note{code: codes.ResultRebound, problem: rule.Orphan, id: ref.result.CallID, detail: "gave a result the type that answers its call", ambiguous: true}
	}
	return note{code: codes.NameRepaired, problem: rule.ResultName, id: ref.result.CallID, detail: "gave a tool result the name of the call it answers"}
}

// markRepeats marks messages of results after a turn that say again, result by result, what the
// message right before them says, where there are more results than calls: a retry was recorded
// twice. By its name alone such a result would answer some earlier call.
func (p *pairing) markRepeats(turn *turnRef) {
	surplus := turn.results[1] - turn.results[0] - (turn.calls[1] - turn.calls[0])
	before := [2]int{} // the results of the message before
	for r := turn.results[0]; r < turn.results[1] && surplus > 0; {
		end := r + 1
		for end < turn.results[1] && p.results[end].node == p.results[r].node {
			end++
		}
		if p.repeats(before, [2]int{r, end}) {
			surplus -= end - r
			for k := r; k < end; k++ {
				p.results[k].further, p.results[k].repeats = true, end-r
			}
		}
		before, r = [2]int{r, end}, end
	}
}

// repeats reports whether the results of a message are those of the message before.
func (p *pairing) repeats(before, span [2]int) bool {
	n := span[1] - span[0]
	if before[1]-before[0] != n || p.results[before[0]].node != p.results[span[0]].node-1 {
		return false
	}
	for k := range n {
		a, b := p.results[before[0]+k].result, p.results[span[0]+k].result
		if a.CallID != b.CallID || a.Name != b.Name || !sameResult(a, b) {
			return false
		}
	}
	return true
}
