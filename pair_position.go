package preflight

import (
	"slices"
)

// This file matches calls and results by tool name and by position, where ids do not tell.

// matchBlankIDs matches, within a turn and in order, a call and a result of which one has no id at
// all.
func (p *pairing) matchBlankIDs() {
	for t := range p.turns {
		open := p.openCalls(p.turns[t].calls)
		var nameless []int
		for _, c := range open {
			if blank(p.calls[c].call.ID) {
				nameless = append(nameless, c)
			}
		}
		for _, r := range p.freeResults(p.turns[t].results) {
			if blank(p.results[r].result.CallID) {
				open = p.bindFirst(open, r)
			} else if len(nameless) > 0 && !p.calledBefore(r) {
				nameless = p.bindFirst(nameless, r)
			}
		}
	}
}

// bindFirst matches r with the first of the calls that is still open, and returns the calls after
// it.
func (p *pairing) bindFirst(calls []int, r int) []int {
	for k, c := range calls {
		if p.calls[c].answer == none && p.sameType(c, r) {
			p.bind(c, r, ReasonPosition)
			return calls[k+1:]
		}
	}
	return nil
}

// otherTool reports whether call c and result r name different tools, where alias is no name.
func (p *pairing) otherTool(c, r int, alias string) bool {
	call, name := p.calls[c].call.Name, p.results[r].result.Name
	return name != alias && !blank(name) && !blank(call) && name != call
}

// unknownAfterTurn are the free results after turn t and before the next one whose ids are those of no
// call; the slice is good until the next call of freeResults.
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

// matchTools matches, in order, the results after a turn with its calls of the same tool, where ids
// do not tell.
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

// matchPlaces matches what is left of a turn and after it: one call and one result, or, where
// results have names, as many of both in neighbouring messages.
func (p *pairing) matchPlaces() {
	from := 0
	for t := range p.turns {
		results := p.unknownAfterTurn(t, &from)
		if len(results) == 0 {
			continue
		}
		open := p.skipAllWaiting(p.openCalls(p.turns[t].calls), 0)
		if len(open) != len(results) || len(open) > 1 && !p.profile.Pairing.ByName {
			continue
		}
		for k, c := range open {
			if r := results[k]; p.sameType(c, r) && (!p.otherTool(c, r, "") ||
				p.byName() && !p.otherID(p.calls[c].call, p.results[r].result)) {
				p.bind(c, r, ReasonPosition)
			}
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
		ids := p.normalizedIDs(turn.calls)
		for k, c := range calls {
			call, result := p.calls[c].call, p.results[results[k]].result
			if blank(result.CallID) || call.ID == result.CallID ||
				blank(call.ID) && !ids[normalizeID(result.CallID)] {
				p.bind(c, results[k], ReasonPosition)
			}
		}
	}
}
