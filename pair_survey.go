package preflight

import (
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file finds the calls, the results and the turns that the matcher works on.

// passesOver reports whether a part may be ignored between a call and its result: a later fixer
// removes it. Blank text stays where a user message may hold it beside other content.
func passesOver(p *Profile, part Part) bool {
	if isNil(part) {
		return true
	}
	t, ok := part.(*Text)
	if !ok {
		return false
	}
	problem, refused := textRefusal(p, t.Text)
	return refused && (problem != rule.BlankText || !acceptsBlankBeside(p, RoleUser))
}

// survey lists the turns, calls and results of a side, in order. Text that the profile refuses and
// messages without parts do not end a zone, because a later fixer removes them. Neither do other
// parts of a tool message, because a later fixer moves them to another message.
func (p *pairing) survey(of side) {
	p.reset()
	n := p.len()
	p.side, p.heldUntil = of, heldBoundary(p.profile, p.policy.Request, n, p.message)
	open := false  // the zone of the last turn is still open
	after := false // the last message with parts was the assistant's
	for i := range n {
		m := p.message(i)
		if len(m.Parts) == 0 {
			continue
		}
		role, _ := roleOf(m.Role)
		if role != RoleAssistant {
			after = false
			open = p.surveyZone(i, m, role, open && p.side == clientSide)
			continue
		}
		if !after || !p.profile.Turns.Joined() {
			p.turns = append(p.turns, turnRef{
				first:   i,
				calls:   [2]int{len(p.calls), len(p.calls)},
				results: [2]int{len(p.results), len(p.results)},
			})
		}
		p.surveyTurn(i, m)
		open, after = true, true
	}
}

func (p *pairing) surveyTurn(i int, m *Message) {
	t := len(p.turns) - 1
	p.turns[t].last = i
	zone := none
	if p.side == serverSide {
		zone = t // results of the provider are in the assistant turn
	}
	for j, part := range m.Parts {
		if c := p.call(part); c != nil {
			p.calls = append(p.calls, callRef{node: i, part: j, turn: t, call: c, answer: none})
		} else if r := p.result(part); r != nil {
			p.results = append(p.results, resultRef{
				node: i, part: j, zone: zone, lastTurn: t, result: r, call: none,
			})
		}
	}
	p.turns[t].calls[1] = len(p.calls)
	if p.turns[t].results[1] = len(p.results); p.side == clientSide {
		p.turns[t].results[0] = len(p.results)
	}
}

// surveyZone adds the results of message i and reports whether the zone is still open after it.
func (p *pairing) surveyZone(i int, m *Message, role Role, open bool) bool {
	t := len(p.turns) - 1
	ends := false // something in the message ends the zone
	for j, part := range m.Parts {
		r := p.result(part)
		if r == nil {
			ends = ends || role != RoleTool && !passesOver(p.profile, part)
			open = open && (p.profile.Pairing.Results == provider.ResultsTogether || !ends)
			continue
		}
		ref := resultRef{node: i, part: j, zone: none, lastTurn: t, result: r, call: none}
		if open {
			ref.zone = t
		}
		p.results = append(p.results, ref)
		if open {
			p.turns[t].results[1] = len(p.results)
		}
	}
	return open && !ends
}

// inOrder checks for the common case, which needs no survey: the results of each turn answer its
// calls in order, and no call or result is left over.
func (p *pairing) inOrder(of side) bool {
	p.side = of
	p.names = p.byName()
	anywhere := p.profile.Pairing.Results == provider.ResultsAnywhere && of == clientSide
	open, next := p.inTurn[:0], 0
	zone, after := false, false
	for i := range p.len() {
		m := p.message(i)
		if len(m.Parts) == 0 {
			continue
		}
		role, _ := roleOf(m.Role)
		assistant := role == RoleAssistant
		if assistant && !anywhere && next < len(open) && !(after && p.profile.Turns.Joined()) {
			return false
		}
		zone, after = zone || assistant, assistant
		ends := false // something in the message ends the zone
		for _, part := range m.Parts {
			if c := p.call(part); c != nil {
				if assistant {
					open = append(open, c)
					p.inTurn = open
				}
				continue
			}
			r := p.result(part)
			if r == nil {
				ends = ends || !assistant && role != RoleTool && !passesOver(p.profile, part)
				zone = zone && (p.profile.Pairing.Results == provider.ResultsTogether || !ends)
				continue
			}
			inPlace := anywhere || zone && assistant == (of == serverSide)
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

// callRef and resultRef are a call and a result with their match.
type callRef struct {
	node, part int
	turn       int
	call       *ToolCall
	answer     int // index of its result, or none
	// set by Check if a further result is in the place of its answer
	filled bool
}

type resultRef struct {
	node, part int
	zone       int // the turn in whose zone it is, or none
	lastTurn   int // the last turn that begins before it, or none
	result     *ToolResult
	call       int        // index of its call, or none
	reason     PairReason // for that match
	further    bool       // the call has another answer
	repeats    int        // it is a copy of the result this many before it; 0 when it is not
	rebound    bool       // it has to change to be taken for the answer of its call
	handled    bool       // the fixer has repaired it
	worth      worth      // see pairing.worth
}

// turnRef is one assistant turn: a run of messages, and the ranges of its calls and of the results
// in its zone.
type turnRef struct {
	first, last int // message indices; empty messages between them are ignored
	calls       [2]int
	results     [2]int
	cut         cutState
	swapped     bool // a call got another answer than the first with its id
}
