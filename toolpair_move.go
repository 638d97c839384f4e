package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file moves tool results to where the provider looks for them.

// answer is a result that has to be put into a zone.
type answer struct {
	call int
	part Part
	from origin
}

// moveResults moves displaced and inserted results into the zones of their calls, in call order,
// and before the results of later calls.
func (p *toolPairs) moveResults() {
	if p.profile.Pairing.Results == provider.ResultsAnywhere {
		p.putAnywhere()
		return
	}
	for t := range p.turns {
		p.reorderSameIDResults(t)
		p.spellIDs(p.turns[t].results)
		if moved := p.takeAnswers(t); len(moved) > 0 {
			if p.toUserTurn(t) {
				p.putIntoUserTurn(t, moved)
			} else {
				p.putToolMessages(t, moved)
			}
		}
	}
}

// toUserTurn reports whether the results of turn t are put into the message after it: where the
// provider has results in user messages, or where the first of them is in one.
func (p *toolPairs) toUserTurn(t int) bool {
	turn := &p.turns[t]
	if turn.results[0] == turn.results[1] || p.profile.Pairing.ResultRole == RoleUser {
		return p.profile.Pairing.ResultRole == RoleUser
	}
	return p.d.role(p.results[turn.results[0]].node) == RoleUser
}

// putAnywhere is moveResults for providers that accept a result anywhere after its call: results
// after their calls stay. If several calls share an id, a result is inserted after the results of
// the earlier calls with that id.
func (p *toolPairs) putAnywhere() {
	p.spellIDs([2]int{0, len(p.results)})
	behind := make(map[string]int) // id -> node after the last result so far of calls with that id
	for t := range p.turns {
		answers := p.takeAnswers(t)
		turn := &p.turns[t]
		end := turn.last + 1
		for c := turn.calls[0]; c < turn.calls[1]; c++ {
			r, k := p.calls[c].answer, p.callKey(c, exactID)
			switch {
			case r == none:
				continue
			case len(answers) > 0 && answers[0].call == c:
				at := max(end, behind[k])
				p.d.insertBefore(at, made(
					resultRoleOf(p.profile), []Part{answers[0].part}, []origin{answers[0].from},
				))
				behind[k], answers = at, answers[1:]
			default:
				behind[k] = max(behind[k], p.results[r].node+1)
				if turn.results[0] <= r && r < turn.results[1] {
					end = max(end, p.results[r].node+1)
				}
			}
		}
	}
}

// reorderSameIDResults removes results of calls that share an id from the zone of turn t, so that
// all are put back in call order. It does so when one of them comes from elsewhere, will get that
// id, or is not in call order: among results with one id, only their order tells which call each
// belongs to.
func (p *toolPairs) reorderSameIDResults(t int) {
	calls := p.turns[t].calls
	if calls[1]-calls[0] < 2 {
		return
	}
	var shared map[string]int // id -> number of calls of the turn with that id
	for c := calls[0]; c < calls[1]; c++ {
		r := p.calls[c].answer
		if r == none || p.results[r].zone == t && !p.results[r].rebound && !p.turns[t].swapped {
			continue
		}
		shared = make(map[string]int)
		for c := calls[0]; c < calls[1]; c++ {
			shared[p.callKey(c, exactID)]++
		}
		break
	}
	if len(shared) == 0 || len(shared) == calls[1]-calls[0] {
		return
	}
	arriving, latest := make(map[string]bool), make(map[string]int)
	for c := calls[0]; c < calls[1]; c++ {
		if r, id := p.calls[c].answer, p.callKey(c, exactID); r != none && shared[id] > 1 {
			arriving[id] = arriving[id] || p.results[r].zone != t || p.results[r].rebound ||
				r < latest[id]
			latest[id] = r
		}
	}
	for c := calls[0]; c < calls[1]; c++ {
		if r := p.calls[c].answer; r != none &&
			arriving[p.callKey(c, exactID)] && p.results[r].zone == t {
			p.results[r].zone = none
		}
	}
}

// spellIDs gives results that are in place, but spell the id of their call differently, the call's
// spelling.
func (p *toolPairs) spellIDs(span [2]int) {
	for r := span[0]; r < span[1]; r++ {
		ref := &p.results[r]
		if ref.call == none || !ref.rebound || p.calls[ref.call].turn != ref.zone {
			continue
		}
		call := p.calls[ref.call].call
		p.d.replace(ref.node, ref.part, p.rebound(ref.result, call), p.reboundNote(ref, call))
	}
}

func respelled(r *ToolResult, id string) *ToolResult {
	return edited(r, func(x *ToolResult) { x.CallID = id })
}

// rebound returns r changed to answer call: with the id of the call, its name if results have
// names, and its variant.
func (p *toolPairs) rebound(r *ToolResult, call *ToolCall) *ToolResult {
	if p.fresh == nil {
		n := 0
		for k := range p.results {
			if p.results[k].rebound {
				n++
			}
		}
		p.fresh = make([]ToolResult, 0, n)
	}
	p.fresh = append(p.fresh, *r)
	x := &p.fresh[len(p.fresh)-1]
	if p.otherID(call, r) {
		x.CallID = call.ID
	}
	if p.byName() {
		x.Name = call.Name
	}
	if p.otherType(call, r) {
		x.Variant = call.Variant
	}
	return x
}

// takeAnswers removes the answers of turn t that are outside its zone from their messages and
// returns them in call order.
func (p *toolPairs) takeAnswers(t int) []answer {
	var out []answer
	for c := p.turns[t].calls[0]; c < p.turns[t].calls[1]; c++ {
		r := p.calls[c].answer
		if r == none || p.results[r].zone == t {
			continue
		}
		ref := &p.results[r]
		if ref.node == none {
			out = append(out, answer{c, ref.result, origin{none, none}})
			continue
		}
		rebound := ref.rebound || p.byName() && ref.result.Name != p.calls[c].call.Name
		p.d.warn(p.d.position(ref.node, ref.part), note{
			code: codes.ResultMoved, problem: rule.Orphan, id: ref.result.CallID,
			detail:    "moved a result to the call it answers",
			ambiguous: rebound || ref.reason == ReasonPosition,
		}, Tally{}, Tally{})
		part, from := p.d.take(ref.node, ref.part)
		if rebound {
			part = p.rebound(ref.result, p.calls[c].call)
		}
		out = append(out, answer{c, part, from})
	}
	return out
}

// putToolMessages puts each answer into a tool message of its own.
func (p *toolPairs) putToolMessages(t int, answers []answer) {
	zone := p.turns[t].results
	r := zone[0]
	end := p.turns[t].last + 1
	for _, a := range answers {
		for ; r < zone[1] && (!p.answers(r, t) || p.results[r].call < a.call); r++ {
			if p.answers(r, t) {
				end = p.results[r].node + 1
			}
		}
		p.d.insertBefore(end, made(RoleTool, []Part{a.part}, []origin{a.from}))
	}
}

// putIntoUserTurn puts the answers at the beginning of the user turn after turn t, or into a new
// one.
func (p *toolPairs) putIntoUserTurn(t int, answers []answer) {
	d := p.d
	i := p.turns[t].last + 1
	for i < len(d.nodes) && len(d.nodes[i].Parts) == 0 {
		i++
	}
	if i == len(d.nodes) || d.role(i) == RoleAssistant || d.role(i) == RoleSystem {
		n := made(resultRoleOf(d.profile), nil, nil)
		for _, a := range answers {
			n.Parts, n.from = append(n.Parts, a.part), append(n.from, a.from)
		}
		d.insertBefore(p.turns[t].last+1, n)
		return
	}
	n := d.own(i)
	parts := make([]Part, 0, len(n.Parts)+len(answers))
	from := make([]origin, 0, cap(parts))
	place := make([]int, len(n.Parts)) // new index of each part
	r, zone := p.turns[t].results[0], p.turns[t].results
	put := func(before int) {
		for len(answers) > 0 && (before == none || answers[0].call < before) {
			parts, from = append(parts, answers[0].part), append(from, answers[0].from)
			answers = answers[1:]
		}
	}
	for j, part := range n.Parts {
		for r < zone[1] &&
			(p.results[r].node < i || p.results[r].node == i && p.results[r].part < j) {
			r++
		}
		if inZone := r < zone[1] && p.results[r].node == i && p.results[r].part == j; !inZone {
			if !isNil(part) && !passesOver(d.profile, part) {
				put(none)
			}
		} else if p.answers(r, t) {
			put(p.results[r].call)
		}
		place[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
	}
	put(none)
	d.setParts(i, parts, from)
	for r := zone[0]; r < len(p.results) && p.results[r].node == i; r++ {
		p.results[r].part = place[p.results[r].part] // a later call may still have to take it
	}
}
