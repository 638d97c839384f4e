package preflight

import (
	"slices"
)

// This file matches calls and results by tool name and by position, if their ids are no evidence.

// matchBlankIDs matches calls and results of a turn, in order, if one of the two has no id. If
// there are not as many results as calls, those without ids are matched with each other first.
func (p *pairing) matchBlankIDs() {
	for t := range p.turns {
		free := p.freeResults(p.turns[t].results)
		if len(free) == 0 {
			continue
		}
		open := p.skipWaiting(p.openCalls(p.turns[t].calls), len(free))
		var nameless []int
		for _, c := range open {
			if blank(p.calls[c].call.ID) {
				nameless = append(nameless, c)
			}
		}
		if len(free) != len(open) {
			p.matchBothBlank(nameless, free)
		}
		for _, r := range free {
			switch {
			case p.results[r].call != none:
			case blank(p.results[r].result.CallID):
				open = p.bindFirst(open, r)
			case len(nameless) > 0 && !p.calledBefore(r):
				nameless = p.bindFirst(nameless, r)
			}
		}
	}
}

// matchReusedIDs matches the calls of a turn without ids with results in its zone that have the id
// of an answered call, in order: an id that is used again in every turn. It does so if as many
// results as calls are left.
func (p *pairing) matchReusedIDs() {
	p.wanting = nil
	for t := range p.turns {
		calls, results := p.openCalls(p.turns[t].calls), p.freeResults(p.turns[t].results)
		if len(calls) != len(results) {
			continue
		}
		for k, c := range calls {
			r := results[k]
			if blank(p.calls[c].call.ID) && p.calledBefore(r) && !p.wanted(r) && p.sameType(c, r) &&
				!p.otherTool(c, r, "") {
				p.bind(c, r, ReasonPosition)
			}
		}
	}
}

// matchBothBlank matches calls without ids with those of the results that have none, in order.
func (p *pairing) matchBothBlank(calls, results []int) {
	n := 0
	for _, r := range results {
		if blank(p.results[r].result.CallID) {
			n++
		}
	}
	calls = p.skipEarlier(slices.Clone(calls), n)
	for _, r := range results {
		if blank(p.results[r].result.CallID) {
			calls = p.bindFirst(calls, r)
		}
	}
}

// bindFirst matches r with the first call that is still open, and returns the calls after it.
func (p *pairing) bindFirst(calls []int, r int) []int {
	for k, c := range calls {
		if p.calls[c].answer == none && p.sameType(c, r) {
			p.bind(c, r, ReasonPosition)
			return calls[k+1:]
		}
	}
	return nil
}

// otherTool reports whether call c and result r name different tools. alias does not count as a
// name.
func (p *pairing) otherTool(c, r int, alias string) bool {
	call, name := p.calls[c].call.Name, p.results[r].result.Name
	return name != alias && !blank(name) && !blank(call) && name != call
}

// unknownAfterTurn returns the free results between turn t and the next one whose ids no call has.
// The slice is valid until the next call of freeResults.
func (p *pairing) unknownAfterTurn(t int, from *int) []int {
	for *from < len(p.results) && p.results[*from].lastTurn < t {
		*from++
	}
	end := *from
	for end < len(p.results) && p.results[end].lastTurn == t {
		end++
	}
	span := [2]int{*from, end}
	*from = end
	return slices.DeleteFunc(p.freeResults(span), func(r int) bool {
		return p.results[r].node <= p.turns[t].last || p.hasCall(r) || p.answersPast(&p.results[r])
	})
}

// matchTools matches the results after a turn whose ids no call has with the turn's calls of the
// same tool, in order.
func (p *pairing) matchTools() {
	from := 0
	for t := range p.turns {
		results := slices.DeleteFunc(p.unknownAfterTurn(t, &from), func(r int) bool {
			return blank(p.results[r].result.Name)
		})
		if len(results) == 0 {
			continue
		}
		open := make(map[string][]int)
		for _, c := range p.openCalls(p.turns[t].calls) {
			if call := p.calls[c].call; !blank(call.Name) && !p.policy.waits(call) {
				open[call.Name] = append(open[call.Name], c)
			}
		}
		for _, r := range results {
			if q := open[p.results[r].result.Name]; len(q) > 0 && p.sameType(q[0], r) {
				p.bind(q[0], r, ReasonName)
				open[p.results[r].result.Name] = q[1:]
			}
		}
	}
}

// matchCounts matches the remaining calls and results of a turn, in order and whatever their names,
// if its zone has as many results as the turn has calls: Gemini accepted the response
// "call_1338..." for the one call before it (docker/cagent, TestExec_Gemini_ToolCall). A call and a
// result with contradicting ids are not matched.
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
		ids := p.normalizedIDs(turn.calls)
		for k, c := range calls {
			call, result := p.calls[c].call, p.results[results[k]].result
			if blank(result.CallID) || call.ID == result.CallID ||
				blank(call.ID) && !ids[normalizeID(result.CallID)] && !p.wanted(results[k]) {
				p.bind(c, results[k], ReasonPosition)
			}
		}
	}
}
