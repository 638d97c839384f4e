package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/provider"
)

// This file records the calls, the results and the turns of a history for the matcher, and the ids
// that parts of unknown kinds name.
//
//	assistant: call a, call b; tool: result b; user: "ok"; tool: result a
//	one turn with two calls; result b is in its zone, result a is not

// survey records the turns, calls and results of a side, in order. Text that the profile refuses
// and messages without parts do not end a zone, because a later fixer removes them. Neither do
// other parts of a tool message, because a later fixer moves them to another message.
func (p *toolPairing) survey(of side) {
	p.reset()
	p.makeRoom()
	n := p.len()
	p.side, p.Source = of, (*pairContents)(p)
	p.Rules = pairing.Rules{
		PairingRules: p.profile.Pairing, Server: bool(of), KeepWaiting: p.options.KeepWaiting,
	}
	heldUntil := heldBoundary(p.profile, p.options.Request, p)
	open := false  // the zone of the last turn is still open
	after := false // the last message with parts was the assistant's
	var exchange exchange
	p.spoken = none
	for i := range n {
		m := p.at(i)
		if len(m.Parts) == 0 {
			continue
		}
		held := of == clientSide && (i > heldUntil || p.frontHeld())
		role := roleOf(m)
		goesOn := of == serverSide && p.profile.Pairing.ServedLater && exchange.next(m, role)
		if role != RoleAssistant {
			after = false
			open = p.surveyZone(i, m, role, open && of == clientSide, held)
			continue
		}
		if (!after || !p.profile.Turns.Joined()) && !goesOn {
			calls, results := len(p.Calls), len(p.Results)
			p.Turns = append(p.Turns, pairing.Turn{
				First:   i,
				Calls:   pairing.Span{First: calls, End: calls},
				Results: pairing.Span{First: results, End: results},
				Spoken:  none,
			})
		}
		p.surveyTurn(i, m, held)
		open, after = true, true
	}
}

// exchange tells which message of the assistant goes on with the turn before it: there, nothing but
// results of the caller's tools is between the two. In such a message the provider may give the
// results of its own tools, too.
type exchange struct {
	calls    bool // the last messages of the assistant have client calls
	answered bool // client results follow them, and nothing else
	after    bool // the last message was the assistant's
}

// next takes the next message and reports whether the assistant goes on with it after an exchange.
func (x *exchange) next(m *Message, role Role) (goesOn bool) {
	if role != RoleAssistant {
		x.answered = x.calls && (x.after || x.answered) && !slices.ContainsFunc(m.Parts, besidesResults)
		x.after = false
		return false
	}
	goesOn = x.answered
	calls := slices.ContainsFunc(m.Parts, isClientCall)
	x.calls, x.answered, x.after = x.after && x.calls || calls, false, true
	return goesOn
}

func isClientCall(p Part) bool { return !isNil(p) && clientCall(p) != nil }

// besidesResults reports whether a part is anything but a result of the caller's tools.
func besidesResults(p Part) bool { return !isNil(p) && clientResult(p) == nil }

// makeRoom makes room for the records of a survey, so that they are not copied again and again.
func (p *toolPairing) makeRoom() {
	of := &p.expected
	p.Turns = slices.Grow(p.Turns, of.turns)
	p.Calls, p.callParts = slices.Grow(p.Calls, of.calls), slices.Grow(p.callParts, of.calls)
	p.Results = slices.Grow(p.Results, of.results)
	p.resultParts = slices.Grow(p.resultParts, of.results)
}

// surveyTurn records the calls and results of message i of the last turn.
func (p *toolPairing) surveyTurn(i int, m *Message, held bool) {
	t := len(p.Turns) - 1
	turn := &p.Turns[t]
	turn.Last = i
	zone := none
	if p.side == serverSide {
		zone = t // results of the provider are in the assistant turn
	}
	for j, part := range m.Parts {
		if c := p.asCall(part); c != nil {
			p.callParts = append(p.callParts, c)
			p.Calls = append(p.Calls, pairing.Call{
				ID: c.ID, Name: c.Name, Variant: p.variant(c.Variant), Item: m.ID,
				Message: i, Part: j, Turn: t, Answer: none,
			})
		} else if r := p.asResult(part); r != nil {
			p.record(r, pairing.Result{Message: i, Part: j, Zone: zone, LastTurn: t}, held)
		} else if x, ok := part.(*Text); ok && x != nil && !passesOver(p.profile, part) {
			turn.Spoken = i
		} else {
			p.noteUnknown(part, i, none)
		}
	}
	turn.Calls.End = len(p.Calls)
	if turn.Results.End = len(p.Results); p.side == clientSide {
		turn.Results.First = len(p.Results)
	}
}

// surveyZone records the results of message i and reports whether the zone is still open after it.
func (p *toolPairing) surveyZone(i int, m *Message, role Role, open, held bool) bool {
	t := len(p.Turns) - 1
	ends := false // something in the message ends the zone
	results := len(p.Results)
	for j, part := range m.Parts {
		r := p.asResult(part)
		if r == nil {
			answers := p.noteUnknown(part, i, t) && open
			ends = ends || role != RoleTool && !passesOver(p.profile, part) && !answers
			open = open && (p.profile.Pairing.Results == provider.ResultsTogether || !ends)
			continue
		}
		at := pairing.Result{Message: i, Part: j, Zone: none, LastTurn: t}
		if open {
			at.Zone = t
		}
		p.record(r, at, held)
		if open {
			p.Turns[t].Results.End = len(p.Results)
		}
	}
	if ends && role == RoleUser && len(p.Results) == results && slices.ContainsFunc(m.Parts, isSaid) {
		p.spoken = i // words next to results say nothing about them
	}
	return open && !ends
}

// isSaid reports whether a part is content, and not blank text.
func isSaid(part Part) bool {
	t, ok := part.(*Text)
	return !isNil(part) && !(ok && t.isBlank())
}

// record records a result at its place. held reports whether the provider may hold its call.
func (p *toolPairing) record(r *ToolResult, at pairing.Result, held bool) {
	at.ID, at.Name, at.Variant, at.Call = r.CallID, r.Name, p.variant(r.Variant), none
	at.Spoken = p.spoken
	at.Decoded = len(r.Native.JSON) > 0
	at.Object = len(r.Output) > 0 && r.Output[0] == '{'
	at.Held = held && idProblem(p.profile.IDs.Call, r.CallID) == "" ||
		p.mayBeCalled(r, at.Message)
	p.resultParts = append(p.resultParts, r)
	p.Results = append(p.Results, at)
}

// variant returns the variant if calls and results must agree in it, or "" if they need not.
func (p *toolPairing) variant(variant string) string {
	if p.side == serverSide && variant == mcpVariant ||
		p.side == clientSide && p.profile.Pairing.Typed {
		return variant // an MCP call is answered by an MCP result alone
	}
	return ""
}

// asCall returns part as a call of this side, nil if it is anything else.
func (p *toolPairing) asCall(part Part) *ToolCall {
	if c, ok := part.(*ToolCall); ok && c != nil && side(c.ProviderExecuted) == p.side {
		return c
	}
	return nil
}

// asResult returns part as a result of this side, nil if it is anything else.
func (p *toolPairing) asResult(part Part) *ToolResult {
	if r, ok := part.(*ToolResult); ok && r != nil && side(r.ProviderExecuted) == p.side {
		return r
	}
	return nil
}

// inOrder checks for the common case, which needs no survey: the results of each turn answer its
// calls in order, and no call or result is left over.
func (p *toolPairing) inOrder(of side) bool {
	p.side = of
	anywhere := p.profile.Pairing.Results == provider.ResultsAnywhere && of == clientSide
	open, next := p.inTurn[:0], 0
	zone, after := false, false
	for i := range p.len() {
		m := p.at(i)
		if len(m.Parts) == 0 {
			continue
		}
		role := roleOf(m)
		assistant := role == RoleAssistant
		if assistant && !anywhere && next < len(open) && !(after && p.profile.Turns.Joined()) {
			return false
		}
		zone, after = zone || assistant, assistant
		ends := false // something in the message ends the zone
		for _, part := range m.Parts {
			if c := p.asCall(part); c != nil {
				if assistant {
					open = append(open, c)
					p.inTurn = open
				}
				continue
			}
			r := p.asResult(part)
			if r == nil && next == len(open) {
				continue // a result that follows has no call, wherever it is
			}
			if r == nil {
				ends = ends || !assistant && role != RoleTool && !passesOver(p.profile, part)
				zone = zone && (p.profile.Pairing.Results == provider.ResultsTogether || !ends)
				continue
			}
			inPlace := zone && assistant == (of == serverSide)
			if anywhere { // a result without an id is told by its place: see survey
				inPlace = !assistant && !blank(r.CallID)
			}
			if !inPlace || next == len(open) || !p.agree(open[next], r) {
				return false
			}
			if next++; next == len(open) {
				open, next = open[:0], 0
			}
		}
		zone = zone && !ends
	}
	return next == len(open)
}

// agree reports whether the provider takes r for the answer of c in its place: their ids, names if
// they count, and variants are equal.
func (p *toolPairing) agree(c *ToolCall, r *ToolResult) bool {
	decoded := len(r.Native.JSON) > 0
	return c.ID == r.CallID && p.variant(c.Variant) == p.variant(r.Variant) &&
		(c.Name == r.Name || !p.byName() || pairing.NamedByEncoder(c.ID, r.CallID, r.Name, decoded))
}

// unknownParts are the ids that parts of unknown kinds name, with the messages of these parts. The
// names of tools count where results are matched by them. A provider may add a kind of call or
// result at any time: a part that names the id of a call is no proof that the call was answered,
// nor that it was not, so the call is left alone.
type unknownParts struct {
	first, last map[string]int
	collected   bool // called has the calls of turn
	turn        int
	called      map[string]bool // their ids, and names where these count
	doc         jsonscan.Doc
}

// reset forgets all parts.
func (u *unknownParts) reset() {
	clear(u.first)
	clear(u.last)
	u.collected, u.called = false, nil
}

// noteUnknown records the ids that a part of message i names. It reports whether one of them is
// that of a call of turn t, which the part may answer.
func (p *toolPairing) noteUnknown(part Part, i, t int) (answers bool) {
	x, ok := part.(*Other)
	if !ok || x == nil || len(x.Native.JSON) == 0 || p.unknown.doc.Parse(x.Native.JSON) != nil {
		return false
	}
	for m := p.unknown.doc.Root().First(); m.Exists(); m = m.Next() {
		answers = p.noteMember(m, i, t) || answers
		if m.Kind() != jsonscan.Object {
			continue
		}
		// blocks that are named by a member have their own members in it
		for inner := m.First(); inner.Exists(); inner = inner.Next() {
			answers = p.noteMember(inner, i, t) || answers
		}
	}
	p.unknown.doc.Release()
	return answers
}

// noteMember records the value of a member if it is an id, or a name that counts, and reports
// whether it is that of a call of turn t.
func (p *toolPairing) noteMember(m jsonscan.Value, i, t int) bool {
	if m.Kind() != jsonscan.String {
		return false
	}
	key := m.Key().Str()
	if key != "id" && !strings.HasSuffix(key, "_id") && !strings.HasSuffix(key, "Id") &&
		!(key == "name" && p.byName()) {
		return false
	}
	u := &p.unknown
	if u.first == nil {
		u.first, u.last = map[string]int{}, map[string]int{}
	}
	value := strings.Clone(m.Str())
	if _, known := u.first[value]; !known {
		u.first[value] = i
	}
	u.last[value] = i
	return t != none && !blank(value) && p.isCalledIn(t, value)
}

// isCalledIn reports whether a call of turn t has an id, or a name where names count. It remembers
// the calls of the last turn.
func (p *toolPairing) isCalledIn(t int, value string) bool {
	u := &p.unknown
	if !u.collected || u.turn != t {
		u.collected, u.turn, u.called = true, t, map[string]bool{}
		for c := p.Turns[t].Calls.First; c < p.Turns[t].Calls.End; c++ {
			u.called[p.Calls[c].ID] = true
			if p.byName() {
				u.called[p.Calls[c].Name] = true
			}
		}
	}
	return u.called[value]
}

// mayBeAnswered reports whether a part of an unknown kind may be the answer of call c: it names the
// call, and is not before it.
func (p *toolPairing) mayBeAnswered(c int) bool {
	call := &p.Calls[c]
	return p.isNamed(p.unknown.last, call.ID, call.Name, func(i int) bool {
		return i >= call.Message
	})
}

// mayBeCalled reports whether a part of an unknown kind may be the call of result r: it names the
// call that the result answers, and is not after it.
func (p *toolPairing) mayBeCalled(r *ToolResult, message int) bool {
	return p.isNamed(p.unknown.first, r.CallID, r.Name, func(i int) bool { return i <= message })
}

// isNamed reports whether a part of an unknown kind, in a message that fits, names the id, or,
// where names count, the name of the tool.
func (p *toolPairing) isNamed(at map[string]int, id, name string, fits func(int) bool) bool {
	if len(at) == 0 {
		return false
	}
	for _, s := range [2]string{id, name} {
		if i, named := at[s]; named && !blank(s) && fits(i) {
			return true
		}
		if !p.byName() {
			break
		}
	}
	return false
}
