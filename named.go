package preflight

import "slices"

// This file pairs by name, where a provider lets calls and results go without ids (Profile.PairByName): a blank id falls
// back to the tool's name, in order within the turn. An id that is there counts first, and a result always bears the name
// of its call.

// nameKey is what a call and a result agree in beside, or instead of, their id.
func (p *pairing) nameKey(id, name string) string {
	if !p.d.profile.PairByName || !p.names && !blank(id) {
		return id
	}
	return id + "\x00" + name
}

// leaveWaiting takes calls that wait on purpose, the last ones first, out of those that results are looked for, when there are
// fewer results than calls: what they agree in does not tell them apart, and a call that waits has no result. What it returns
// stands at the end of calls.
func leaveWaiting[Call any](calls []Call, results int, waits func(Call) bool) []Call {
	surplus := len(calls) - results
	first := len(calls)
	for _, c := range slices.Backward(calls) {
		if surplus > 0 && waits(c) {
			surplus--
			continue
		}
		first--
		calls[first] = c
	}
	return calls[first:]
}

// matchNames goes on behind the first look into the zones, at which ids and names had to agree. It reports whether everything
// is in its place; if not, ids count before the places of what has none.
func (p *pairing) matchNames() bool {
	p.matchHalves()
	p.matchPlaces()
	if p.complete() {
		return true
	}
	for t := range p.turns {
		p.settleRepeats(&p.turns[t])
	}
	for c := range p.calls {
		p.calls[c].answer = none
	}
	for r := range p.results {
		p.results[r].call, p.results[r].rebound = none, false
	}
	p.matchZones(exactID)
	p.matchIDs(true)
	p.matchIDs(false)
	p.matchHalves()
	p.relievePlaceholders()
	p.names = false
	p.matchZones(exactID) // other names
	p.names = true
	p.matchPlaces()
	p.matchBehind()
	p.matchAnywhere(exactID)
	p.matchLoneIDs()
	return false
}

// relievePlaceholders puts results in the place of the placeholders that answer the calls of their id and name. A call of
// another name in front of such a result may still get its own.
func (p *pairing) relievePlaceholders() {
	waiting := make(map[string][]int)
	next := 0
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			if a := p.calls[next].answer; a != none && !blank(p.calls[next].call.ID) && p.isStandIn(a) {
				id := p.callKey(next, exactID)
				waiting[id] = append(waiting[id], next)
			}
		}
		id := p.resultKey(r, exactID)
		if q := waiting[id]; len(q) > 0 && !p.isStandIn(r) {
			p.settleDuplicate(q[0], r)
			waiting[id] = q[1:]
		}
	}
}

// matchLoneIDs matches results that do not bear the name of their call with the call of their id, where there is but one before
// them.
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
			p.bind(c, r)
		}
	}
}

// matchPlaces matches, in order, what is left in a turn that has as many results in its zone as calls, whatever names they bear:
// Gemini took the response "call_1338..." for the one call before it (docker/cagent, TestExec_Gemini_ToolCall). Ids that
// contradict each other are no such pair.
func (p *pairing) matchPlaces() {
	for t := range p.turns {
		turn := &p.turns[t]
		if turn.calls[1]-turn.calls[0] != turn.results[1]-turn.results[0] {
			continue
		}
		calls, results := p.openCalls(turn.calls), p.freeResults(turn.results)
		if len(calls) != len(results) {
			continue
		}
		for k, c := range calls {
			if samePlace(p.calls[c].call, p.results[results[k]].result) {
				p.bind(c, results[k])
			}
		}
	}
}

// samePlace reports whether the ids of a call and a result, where both have one, allow that their places alone match them.
func samePlace(call *ToolCall, r *ToolResult) bool {
	return blank(call.ID) || blank(r.CallID) || call.ID == r.CallID
}

// matchHalves matches, in the zones, calls and results of which one has no id.
func (p *pairing) matchHalves() {
	for t := range p.turns {
		p.matchHalfNamed(p.turns[t].calls, p.freeResults(p.turns[t].results))
	}
}

// matchIDs matches results that have an id with the open calls of that id and name before them: those of the turn that they stand
// behind, or any.
func (p *pairing) matchIDs(near bool) {
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
	queues := make(map[key][]int)
	for _, c := range p.openCalls([2]int{0, len(p.calls)}) {
		if ref := &p.calls[c]; !blank(ref.call.ID) {
			k := key{turn(ref.turn), ref.call.ID, ref.call.Name}
			queues[k] = append(queues[k], c)
		}
	}
	t := 0
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		ref := &p.results[r]
		for t+1 < len(p.turns) && p.turns[t+1].first <= ref.node {
			t++
		}
		k := key{turn(t), ref.result.CallID, ref.result.Name}
		if q := queues[k]; len(q) > 0 && p.precedes(q[0], r) {
			p.bind(q[0], r)
			queues[k] = q[1:]
		}
	}
}

// matchHalfNamed matches, in order, calls of a turn and results of which one has no id: those of one name, then the results
// that have no name with whatever is left.
func (p *pairing) matchHalfNamed(span [2]int, results []int) {
	if len(results) == 0 {
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
			} else if (any || ref.zone == none) && p.named(r) {
				continue // it is meant for the call with its id
			}
			q := queues[name]
			for len(q) > 0 && p.calls[q[0]].answer != none {
				q = q[1:]
			}
			if len(q) > 0 {
				p.bind(q[0], r)
				q = q[1:]
			}
			queues[name] = q
		}
	}
}

// matchBehind matches displaced results with the open calls of the turn that they stand behind. Names come again in every
// turn, so the nearest turn is meant, where an id would be looked for from the start.
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
			p.match(p.turns[t].calls, [2]int{free[0], free[end-1] + 1}, exactID, p.leaveEarlier)
			p.matchHalfNamed(p.turns[t].calls, free[:end])
			free = free[end:]
		}
	}
}

// misnames reports whether a result has to be changed so that the provider takes it for the answer of the call it was matched
// with. An id that is missing on one side is no reason, nor is another name: only an empty name is refused.
func (p *pairing) misnames(call *ToolCall, r *ToolResult) bool {
	return nameless(p.d.profile, call, r) || p.otherID(call, r)
}

// nameless reports whether a result needs a name that its call has.
func nameless(p *Profile, call *ToolCall, r *ToolResult) bool {
	return p.PairByName && blank(r.Name) && call.Name != r.Name
}

// otherName reports whether a result says that it is of another tool than a call, where results say so.
func (p *pairing) otherName(c, r int) bool {
	name := p.results[r].result.Name
	return p.d.profile.PairByName && !blank(name) && name != p.calls[c].call.Name
}

// otherID reports whether a result has another id than its call, and one that matters.
func (p *pairing) otherID(call *ToolCall, r *ToolResult) bool {
	switch {
	case call.ID == r.CallID:
		return false
	case !p.d.profile.PairByName:
		return true
	}
	return r.CallID != "" && (call.ID != "" || idProblem(p.d.profile.CallID, r.CallID) != "")
}

// rebound is r as the answer of call: with its id and, where results bear names, its name.
func (p *pairing) rebound(r *ToolResult, call *ToolCall) *ToolResult {
	return edited(r, func(x *ToolResult) {
		if p.otherID(call, r) {
			x.CallID = call.ID
		}
		if p.d.profile.PairByName {
			x.Name = call.Name
		}
	})
}

func (p *pairing) reboundNote(ref *resultRef, call *ToolCall) note {
	if p.otherID(call, ref.result) {
		return note{code: CodeResultRebound, problem: ProblemOrphan, id: ref.result.CallID, detail: "gave a result the id of the call it answers, as that call spells it"}
	}
	return note{code: CodeNameRepaired, problem: ProblemResultName, id: ref.result.CallID, detail: "gave a tool result the name of the call it answers"}
}

// namedTurn is one turn and the results behind it, while Check reads them.
type namedTurn struct {
	calls   []pendingCall
	results []namedResult
	open    bool // only results so far behind the turn
}

type namedResult struct {
	message, part int
	result        *ToolResult
	first         bool // nothing but results stands before it
	call          int  // which call it answers, or none
}

// pairsByName checks that every call of the caller's side has exactly one result in the run of results right behind its turn,
// with its name, and its id where both have one.
func (c *checker) pairsByName() {
	var t namedTurn
	after := false
	for i := range c.history {
		m := &c.history[i]
		if len(m.Parts) == 0 {
			continue
		}
		assistant := c.role(i) == RoleAssistant
		if assistant && !(after && c.profile.JoinTurns) {
			c.closeNamed(&t)
			t = namedTurn{calls: t.calls[:0], results: t.results[:0]}
		}
		after = assistant
		t.open = (t.open || assistant) && c.role(i) != RoleSystem
		ends := false // something in the message ends the run of results
		for j, part := range m.Parts {
			if call := clientCall(part); call != nil {
				if assistant {
					t.calls = append(t.calls, pendingCall{i, j, call, false, none})
				}
			} else if r := clientResult(part); r == nil {
				ends = ends || !assistant && !c.vanishes(part)
				t.open = t.open && (c.profile.ResultsTogether || !ends)
			} else if !assistant {
				t.results = append(t.results, namedResult{i, j, r, t.open, none})
			} else {
				c.report(ProblemOrphan, i, j, r.CallID, "the tool result stands inside the assistant's turn")
			}
		}
		t.open = t.open && !ends
	}
	c.closeNamed(&t)
}

// closeNamed judges a turn whose results are all known.
func (c *checker) closeNamed(t *namedTurn) {
	any := func(*ToolResult) bool { return true }
	waits := func(k int) bool { return c.policy.pending(t.calls[k].call) }
	t.claim(waits, any, func(id, name string) [2]string { return [2]string{id, name} })
	t.claim(waits, any, func(_, name string) [2]string { return [2]string{"", name} })
	t.claim(waits, func(r *ToolResult) bool { return r.CallID != "" }, func(id, _ string) [2]string { return [2]string{id, ""} })
	t.claim(waits, func(r *ToolResult) bool { return blank(r.Name) }, func(_, _ string) [2]string { return [2]string{} })
	t.claimPlaces()
	answered := make(map[string]bool) // ids and names of calls that have their result
	for k := range t.calls {
		if call := t.calls[k].call; t.calls[k].answered {
			answered[call.ID], answered["\x00"+call.Name] = true, true
		}
	}
	for k := range t.results {
		r := &t.results[k]
		switch {
		case r.call == none && (r.result.CallID != "" && answered[r.result.CallID] || r.result.CallID == "" && answered["\x00"+r.result.Name]):
			c.report(ProblemDuplicateResult, r.message, r.part, r.result.CallID, "the call has a result already")
		case r.call == none:
			c.report(ProblemOrphan, r.message, r.part, r.result.CallID, "the tool result has no call in the turn before it")
		case nameless(c.profile, t.calls[r.call].call, r.result):
			c.report(ProblemResultName, r.message, r.part, r.result.CallID, "the tool result has no name")
		case !r.first:
			c.report(ProblemResultNotFirst, r.message, r.part, r.result.CallID, "the tool result stands behind other content")
		}
	}
	for k := range t.calls {
		p := &t.calls[k]
		if !p.answered && !c.policy.pending(p.call) {
			c.report(ProblemDangling, p.message, p.part, p.call.ID, "the tool call has no result right behind it")
		}
	}
}

// claim gives each wanted result that has no call yet the first open call with its key. By a key without the id, a result that
// has one answers a call that has none.
func (t *namedTurn) claim(waits func(int) bool, wanted func(*ToolResult) bool, key func(id, name string) [2]string) {
	if !t.unsettled() {
		return
	}
	open := make(map[[2]string][]int)
	bare := make(map[[2]string][]int) // those of the calls without an id
	for k := range t.calls {
		if call := t.calls[k].call; !t.calls[k].answered {
			at := key(call.ID, call.Name)
			open[at] = append(open[at], k)
			if call.ID == "" {
				bare[at] = append(bare[at], k)
			}
		}
	}
	count := make(map[[2]string]int)
	for k := range t.results {
		if r := &t.results[k]; r.call == none && wanted(r.result) {
			count[key(r.result.CallID, r.result.Name)]++
		}
	}
	for at, q := range open {
		open[at] = leaveWaiting(q, count[at], waits)
	}
	for k := range t.results {
		r := &t.results[k]
		if r.call != none || !wanted(r.result) {
			continue
		}
		at := key(r.result.CallID, r.result.Name)
		queues := open
		if at[0] != r.result.CallID {
			queues = bare
		}
		q := queues[at]
		for len(q) > 0 && t.calls[q[0]].answered {
			q = q[1:]
		}
		if len(q) > 0 {
			r.call, t.calls[q[0]].answered = q[0], true
			q = q[1:]
		}
		queues[at] = q
	}
}

// claimPlaces gives the results that have no call yet the calls that have no result, in order, where there are as many results
// as calls, all in their place.
func (t *namedTurn) claimPlaces() {
	if !t.unsettled() || len(t.calls) != len(t.results) {
		return
	}
	k := 0
	for i := range t.results {
		r := &t.results[i]
		if !r.first {
			return
		}
		if r.call != none {
			continue
		}
		for t.calls[k].answered {
			k++
		}
		if samePlace(t.calls[k].call, r.result) {
			r.call, t.calls[k].answered = k, true
		} else {
			k++
		}
	}
}

// unsettled reports whether some result has no call yet.
func (t *namedTurn) unsettled() bool {
	for k := range t.results {
		if t.results[k].call == none {
			return true
		}
	}
	return false
}

// settleRepeats drops messages of results behind a turn that say again, result by result, what the message right before them
// says, where there are more results than calls: a retry was recorded twice. By its name alone such a result would answer some
// earlier call.
func (p *pairing) settleRepeats(turn *turnRef) {
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
				p.dropDuplicate(k, note{code: CodeDuplicateRemoved, detail: "removed a result that was recorded twice"})
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
