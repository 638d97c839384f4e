package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file finds the places in which the model saw the results that toolpair_move.go moves, so
// that reasoning that is bound to what came before it stays valid.

// seams returns the messages of turn t that begin with reasoning bound to all before it, where the
// calls of the turn before them have results outside the zone. In no recorded request does
// reasoning follow an open call: the model had seen the results, so they were between the two:
//
//	assistant: call a
//	                                  the result of call a was here
//	assistant: reasoning, text
func (p *toolPairs) seams(t int) (at []int) {
	turn := &p.Turns[t]
	if !p.profile.Reasoning.Bound {
		return nil
	}
	c := turn.Calls.First
	for i := turn.First + 1; i <= turn.Last; i++ {
		for ; c < turn.Calls.End && p.Calls[c].Message < i; c++ {
			if r := p.Calls[c].Answer; r == none || p.Results[r].Zone == t {
				return at
			}
		}
		parts := p.d.nodes[i].Parts
		j := slices.IndexFunc(parts, func(x Part) bool { return !isNil(x) })
		if j >= 0 && signed(parts[j]) {
			at = append(at, i)
		}
	}
	return at
}

// putAtSeams puts the answers of turn t before the reasoning that the model made of them, and
// returns the others.
func (p *toolPairs) putAtSeams(t int, answers []answer) []answer {
	if len(answers) == 0 {
		return nil
	}
	role := resultRoleOf(p.profile)
	for _, i := range p.seams(t) {
		var n node
		for ; len(answers) > 0 && p.Calls[answers[0].call].Message < i; answers = answers[1:] {
			if len(n.Parts) > 0 && role == RoleTool {
				p.d.insertBefore(i, n)
				n = node{}
			}
			n = newNode(role, append(n.Parts, answers[0].part), append(n.from, answers[0].from))
		}
		if len(n.Parts) > 0 {
			p.d.insertBefore(i, n)
		}
	}
	return answers
}

// vacate lets the answer of call c take the place of result r, if that is in the zone of the call,
// so that the results of the turn keep their order. Where the provider takes results anywhere, a
// late one stays where it is.
func (p *toolPairs) vacate(c, r int) {
	if p.Results[r].Zone == p.Calls[c].Turn &&
		p.profile.Pairing.Results != provider.ResultsAnywhere {
		if p.vacant == nil {
			p.vacant = make(map[int]int)
		}
		p.vacant[c] = r
	}
}

// handCache moves the breakpoint of placeholder r to kept, the answer of its call, if that takes
// its place or is beside it.
func (p *toolPairs) handCache(r, kept int) {
	from, to := &p.Results[r], &p.Results[kept]
	cache := p.result(r).Cache
	beside := p.InPlace(kept) && from.Zone == to.Zone
	if cache == nil || !beside && !p.takesPlace(to.Call, kept) {
		return
	}
	p.d.warn(p.d.position(from.Message, from.Part), note{
		code: codes.CacheMoved, problem: problems.DuplicateResult,
		detail: "moved the cache breakpoint of a placeholder to the real result",
	}, Tally{}, Tally{})
	p.d.setCache(from.Message, bearer{from.Part, none}, nil)
	if p.result(kept).Cache == nil {
		p.d.setCache(to.Message, bearer{to.Part, none}, cache)
	}
}

// takesPlace reports whether r, the answer of call c, takes the place of a placeholder that the
// assistant has responded to. It does not if other calls of the turn have the id of c, whose
// results are told apart by their order.
func (p *toolPairs) takesPlace(c, r int) bool {
	place, ok := p.vacant[c]
	return ok && p.AssistantBetween(place, r) && !p.sharesID(c)
}

// sharesID reports whether another call of the turn of call c has its id.
func (p *toolPairs) sharesID(c int) bool {
	t := p.Calls[c].Turn
	if !p.shared.known || p.shared.turn != t {
		p.shared.known, p.shared.turn, p.shared.calls = true, t, map[string]int{}
		for k := p.Turns[t].Calls.First; k < p.Turns[t].Calls.End; k++ {
			p.shared.calls[p.CallKey(k)]++
		}
	}
	return p.shared.calls[p.CallKey(c)] > 1
}
