package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file moves tool results to where the provider looks for them.
//
//	assistant: call a
//	user:      "Go on."
//	tool:      result a                        it moves before "Go on."

// answer is a result that has to be put into a zone.
type answer struct {
	call int
	part Part
	from origin
}

// moveResults moves displaced and inserted results into the zones of their calls, in call order,
// and before the results of later calls. Between two answers of the model they go to the seams.
func (p *toolPairs) moveResults() {
	if p.profile.Pairing.Results == provider.ResultsAnywhere {
		p.putAnywhere()
		return
	}
	for t := range p.Turns {
		p.reorderSameIDResults(t)
		p.spellIDs(p.Turns[t].Results)
		if moved := p.putAtSeams(t, p.takeAnswers(t)); len(moved) > 0 {
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
	turn := &p.Turns[t]
	if turn.Results.First == turn.Results.End || p.profile.Pairing.ResultRole == RoleUser {
		return p.profile.Pairing.ResultRole == RoleUser
	}
	return p.d.role(p.Results[turn.Results.First].Message) == RoleUser
}

// putAnywhere is moveResults for providers that accept a result anywhere after its call: results
// after their calls stay. If several calls share an id, a result is inserted after the results of
// the earlier calls with that id.
func (p *toolPairs) putAnywhere() {
	p.spellIDs(pairing.Span{End: len(p.Results)})
	behind := make(map[string]int) // id -> node after the last result so far of calls with that id
	for t := range p.Turns {
		seams := p.seams(t)
		answers := p.takeAnswers(t)
		turn := &p.Turns[t]
		end := turn.Last + 1
		for c := turn.Calls.First; c < turn.Calls.End; c++ {
			r, k := p.Calls[c].Answer, p.CallKey(c)
			switch {
			case r == none:
				continue
			case len(answers) > 0 && answers[0].call == c:
				for len(seams) > 0 && seams[0] <= p.Calls[c].Message {
					seams = seams[1:]
				}
				at := end
				if len(seams) > 0 {
					at = seams[0]
				}
				at = max(at, behind[k])
				p.d.insertBefore(at, newNode(
					resultRoleOf(p.profile), []Part{answers[0].part}, []origin{answers[0].from},
				))
				behind[k], answers = at, answers[1:]
			default:
				behind[k] = max(behind[k], p.Results[r].Message+1)
				if turn.Results.First <= r && r < turn.Results.End {
					end = max(end, p.Results[r].Message+1)
				}
			}
		}
	}
}

// reorderSameIDResults takes the results of calls that share an id out of the zone of turn t, so
// that moveResults puts all of them back in the order of the calls: among results with one id, only
// the order tells which call each answers. It does so if one of them gets that id only now, is out
// of order, or comes from elsewhere and would be put in a wrong place.
func (p *toolPairs) reorderSameIDResults(t int) {
	calls := p.Turns[t].Calls
	if calls.End-calls.First < 2 {
		return
	}
	var shared map[string]int // id -> number of calls of the turn with that id
	for c := calls.First; c < calls.End; c++ {
		r := p.Calls[c].Answer
		if r == none || p.Results[r].Zone == t && !p.Results[r].Changes && !p.Turns[t].Swapped {
			continue
		}
		shared = make(map[string]int)
		for c := calls.First; c < calls.End; c++ {
			shared[p.CallKey(c)]++
		}
		break
	}
	if len(shared) == 0 || len(shared) == calls.End-calls.First {
		return
	}
	arriving, latest := make(map[string]bool), make(map[string]int)
	elsewhere := make(map[string][]int) // id -> the calls whose results come from elsewhere
	for c := calls.First; c < calls.End; c++ {
		if r, id := p.Calls[c].Answer, p.CallKey(c); r != none && shared[id] > 1 {
			if p.Results[r].Zone != t {
				elsewhere[id] = append(elsewhere[id], c)
				continue
			}
			arriving[id] = arriving[id] || p.Results[r].Changes || r < latest[id]
			latest[id] = r
		}
	}
	p.findMisplaced(t, elsewhere, arriving)
	for c := calls.First; c < calls.End; c++ {
		if r := p.Calls[c].Answer; r != none &&
			arriving[p.CallKey(c)] && p.Results[r].Zone == t {
			p.Results[r].Zone = none
		}
	}
}

// findMisplaced adds to arriving the ids whose results would be out of order: the result of one
// call stays in the zone of turn t, and that of a later call with the id, which comes from
// elsewhere, would be put before it. putToolMessages and putIntoUserTurn put a result before the
// first one of a later call in the zone, and putIntoUserTurn before all other content, too.
func (p *toolPairs) findMisplaced(t int, elsewhere map[string][]int, arriving map[string]bool) {
	zone := p.Turns[t].Results
	toUser := p.toUserTurn(t)
	content := none // the first other content of the first message with results, if that matters
	if toUser && zone.First < zone.End {
		content = slices.IndexFunc(p.d.nodes[p.Results[zone.First].Message].Parts, func(x Part) bool {
			return !isNil(x) && p.asResult(x) == nil && !passesOver(p.profile, x)
		})
	}
	last := none // the last of the calls that the results so far answer
	for r := zone.First; r < zone.End; r++ {
		if !p.answers(r, t) {
			continue
		}
		c := p.Results[r].Call
		last = max(last, c)
		calls := elsewhere[p.CallKey(c)]
		next, _ := slices.BinarySearch(calls, c)
		apart := toUser && (p.Results[r].Message != p.Results[zone.First].Message ||
			content != none && p.Results[r].Part > content)
		if next < len(calls) && (last > calls[next] || apart) {
			arriving[p.CallKey(c)] = true
		}
	}
	for id, calls := range elsewhere {
		if len(calls) > 1 && p.Turns[t].Swapped {
			arriving[id] = true
		}
	}
}

// spellIDs gives results that are in place the id of their call in the call's spelling.
func (p *toolPairs) spellIDs(of pairing.Span) {
	for r := of.First; r < of.End; r++ {
		ref := &p.Results[r]
		if ref.Call != none && ref.Changes && p.Calls[ref.Call].Turn == ref.Zone &&
			!ref.Handled && !p.resultLeftAlone(r) {
			p.d.replace(ref.Message, ref.Part, p.rebound(r), p.reboundNote(r))
		}
	}
}

// rebound returns result r changed to answer its call: with the id of the call, its name if results
// have names, and its variant.
func (p *toolPairs) rebound(r int) *ToolResult {
	if p.fresh == nil {
		n := 0
		for k := range p.Results {
			if p.Results[k].Changes {
				n++
			}
		}
		p.fresh = make([]ToolResult, 0, n)
	}
	p.fresh = append(p.fresh, *p.result(r))
	x, c := &p.fresh[len(p.fresh)-1], p.Results[r].Call
	call := p.call(c)
	if p.OtherID(c, r) {
		x.CallID = call.ID
	}
	if p.byName() {
		x.Name = call.Name
	}
	if p.OtherType(c, r) {
		x.Variant = call.Variant
	}
	return x
}

// reboundNote returns the warning for result r, which has to change to answer its call.
func (p *toolPairs) reboundNote(r int) note {
	ref := &p.Results[r]
	if p.OtherID(ref.Call, r) {
		detail := "changed the result's id to match its call"
		if ref.Reason == pairs.ByPosition {
			detail = "changed the result's id to that of the only call it can answer"
		}
		return note{
			code: codes.ResultRebound, problem: problems.Orphan, id: ref.ID, detail: detail,
		}
	}
	if p.OtherType(ref.Call, r) {
		return note{
			code: codes.ResultRebound, problem: problems.Orphan, id: ref.ID,
			detail: "changed the result's type to match its call", ambiguous: true,
		}
	}
	return note{
		code: codes.NameRepaired, problem: problems.ResultName, id: ref.ID,
		detail: "changed a tool result's name to that of its call",
	}
}

// takeAnswers removes the answers of turn t that are outside its zone from their messages and
// returns them in call order.
func (p *toolPairs) takeAnswers(t int) []answer {
	var out []answer
	var named map[string]int // calls of the turn by their names; made when it is needed
	for c := p.Turns[t].Calls.First; c < p.Turns[t].Calls.End; c++ {
		r := p.Calls[c].Answer
		if r == none || p.Results[r].Zone == t && !p.takesPlace(c, r) {
			continue
		}
		ref := &p.Results[r]
		if ref.Message == none {
			out = append(out, answer{c, p.result(r), origin{none, none}})
			continue
		}
		if p.resultLeftAlone(r) {
			continue
		}
		rebound := ref.Changes || p.byName() && ref.Name != p.Calls[c].Name
		onlyUnnamed := ref.Reason == pairs.ByID && ref.Name == "" && !p.OtherType(c, r)
		p.d.warn(p.d.position(ref.Message, ref.Part), note{
			code: codes.ResultMoved, problem: problems.Orphan, id: ref.ID,
			detail:    "moved a result to the call it answers",
			ambiguous: rebound && !onlyUnnamed || ref.Reason == pairs.ByPosition,
		}, Tally{}, Tally{})
		part, from := p.d.takePart(ref.Message, ref.Part)
		if rebound {
			part = p.rebound(r)
		}
		if x, ok := part.(*ToolResult); ok && blank(x.CallID) && !blank(p.Calls[c].ID) {
			if named == nil {
				named = p.countNames(t)
			}
			if named[p.Calls[c].Name] > 1 || p.profile.Pairing.ResultIDOptional {
				// among results without ids the order counts
				part = edited(x, func(x *ToolResult) { x.CallID = p.call(c).ID })
			}
		}
		if p.takesPlace(c, r) {
			at := &p.Results[p.vacant[c]]
			n := p.d.ownParts(at.Message)
			n.Parts[at.Part], n.from[at.Part] = part, from
			continue
		}
		out = append(out, answer{c, part, from})
	}
	return out
}

// countNames counts the calls of turn t by their names.
func (p *toolPairs) countNames(t int) map[string]int {
	n := make(map[string]int)
	for c := p.Turns[t].Calls.First; c < p.Turns[t].Calls.End; c++ {
		n[p.Calls[c].Name]++
	}
	return n
}

// putToolMessages puts each answer into a tool message of its own.
func (p *toolPairs) putToolMessages(t int, answers []answer) {
	zone := p.Turns[t].Results
	r := zone.First
	end := p.Turns[t].Last + 1
	for _, a := range answers {
		for ; r < zone.End && (!p.answers(r, t) || p.Results[r].Call < a.call); r++ {
			if p.answers(r, t) {
				end = p.Results[r].Message + 1
			}
		}
		p.d.insertBefore(end, newNode(RoleTool, []Part{a.part}, []origin{a.from}))
	}
}

// putIntoUserTurn puts the answers at the beginning of the user turn after turn t, or into a new
// one.
func (p *toolPairs) putIntoUserTurn(t int, answers []answer) {
	d := p.d
	i := p.Turns[t].Last + 1
	for i < len(d.nodes) && len(d.nodes[i].Parts) == 0 {
		i++
	}
	if i == len(d.nodes) || d.role(i) == RoleAssistant || d.role(i) == RoleSystem {
		n := newNode(resultRoleOf(d.profile), nil, nil)
		for _, a := range answers {
			n.Parts, n.from = append(n.Parts, a.part), append(n.from, a.from)
		}
		d.insertBefore(p.Turns[t].Last+1, n)
		return
	}
	n := d.ownParts(i)
	parts := make([]Part, 0, len(n.Parts)+len(answers))
	from := make([]origin, 0, cap(parts))
	place := make([]int, len(n.Parts)) // new index of each part
	zone := p.Turns[t].Results
	r := zone.First
	put := func(before int) {
		for len(answers) > 0 && (before == none || answers[0].call < before) {
			parts, from = append(parts, answers[0].part), append(from, answers[0].from)
			answers = answers[1:]
		}
	}
	for j, part := range n.Parts {
		for r < zone.End &&
			(p.Results[r].Message < i || p.Results[r].Message == i && p.Results[r].Part < j) {
			r++
		}
		if inZone := r < zone.End && p.Results[r].Message == i && p.Results[r].Part == j; !inZone {
			if !isNil(part) && !passesOver(d.profile, part) {
				put(none)
			}
		} else if p.answers(r, t) {
			put(p.Results[r].Call)
		}
		place[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
	}
	put(none)
	d.setParts(i, parts, from)
	for r := zone.First; r < len(p.Results) && p.Results[r].Message == i; r++ {
		p.Results[r].Part = place[p.Results[r].Part] // a later call may still have to take it
	}
}
