package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/provider"
)

// This file matches calls and results by their ids: in place, anywhere, and in another spelling.

// matchInPlace matches the calls and results of each turn that have the same key, in order.
func (p *pairing) matchInPlace(key spelling, why PairReason) {
	for t := range p.turns {
		turn := &p.turns[t]
		if !p.matchInOrder(turn, key, why) {
			p.match(turn.calls, turn.results, key, why, p.skipEarlier)
		}
	}
}

// matchInOrder handles the common case, as many results as calls and in the same order, without a
// table. Otherwise it binds nothing. It reports whether all are matched. If names count, results
// with the exact ids may have names that no call so far has.
func (p *pairing) matchInOrder(turn *turnRef, key spelling, why PairReason) bool {
	first, results := turn.calls[0], turn.results[0]
	if turn.calls[1]-first != turn.results[1]-results {
		return false
	}
	if key == normalizedID && turn.calls[1] > first && p.calls[first].answer == none &&
		normalizedHash(p.calls[first].call.ID) !=
			normalizedHash(p.results[results].result.CallID) {
		return false
	}
	renamed := false
	for c := first; c < turn.calls[1]; c++ {
		r := results + c - first
		call, result := &p.calls[c], &p.results[r]
		if (call.answer == none) != (result.call == none) {
			return false
		}
		if call.answer != none {
			continue
		}
		if !p.precedes(c, r) || !p.sameType(c, r) ||
			key.of(call.call.ID) != key.of(result.result.CallID) {
			return false
		}
		if p.comparesNames(call.call.ID) && call.call.Name != result.result.Name {
			if key != exactID || blank(call.call.ID) {
				return false
			}
			renamed = true
		}
	}
	if renamed && !p.namesUnknown(turn) {
		return false
	}
	for c := first; c < turn.calls[1]; c++ {
		if p.calls[c].answer == none {
			p.bind(c, results+c-first, why)
		}
	}
	return true
}

// namesUnknown reports whether each result of a turn with as many results as calls has the name of
// its call, in order, or one that no call of the turn or before it has.
func (p *pairing) namesUnknown(turn *turnRef) bool {
	if p.named == nil {
		p.named = make(map[string]int)
		for c := range p.calls {
			if name := p.calls[c].call.Name; !blank(name) {
				if _, known := p.named[name]; !known {
					p.named[name] = c
				}
			}
		}
	}
	for c := turn.calls[0]; c < turn.calls[1]; c++ {
		name := p.results[turn.results[0]+c-turn.calls[0]].result.Name
		if first, known := p.named[name]; known && first < turn.calls[1] &&
			name != p.calls[c].call.Name {
			return false
		}
	}
	return true
}

// matchNear matches results between a turn and the next one with open calls of that turn that have
// the same id, wherever in between they are. Ids may be used again in every turn.
func (p *pairing) matchNear() {
	first := 0
	for t := range p.turns {
		for first < len(p.results) && p.results[first].lastTurn < t {
			first++
		}
		end := first
		for end < len(p.results) && p.results[end].lastTurn == t {
			end++
		}
		p.match(p.turns[t].calls, [2]int{first, end}, exactID, ReasonID, p.skipEarlier)
		first = end
	}
}

// matchAnywhere matches each free result with the earliest open call before it that has the same
// key.
func (p *pairing) matchAnywhere(key spelling, why PairReason) {
	calls, results := [2]int{0, len(p.calls)}, [2]int{0, len(p.results)}
	switch {
	case p.profile.Pairing.ByName:
		p.match(calls, results, key, why, p.skipWaiting)
		return
	case p.profile.Pairing.Results == provider.ResultsAnywhere:
		p.match(calls, results, key, why, p.skipAllWaiting)
	}
	p.match(calls, results, key, why, nil)
}

// matchAhead matches results that are before every call with their id with open calls with that id
// (and name, if names count) in the first turn that has one. A result after such a call is more
// likely a further result of it, and a call of a later turn must not take a result that was sent
// for the first.
func (p *pairing) matchAhead(key spelling, why PairReason) {
	named := p.names
	defer func() { p.names = named }()
	p.names = false // the first turn is the first one with the id, whatever the names
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	if free = p.seek(free, key); len(free) == 0 {
		return
	}
	type slot struct{ id, name string }
	of := func(id, name string) slot {
		if !named {
			name = ""
		}
		return slot{id, name}
	}
	queues := make(map[slot][]int) // open calls
	for c := range p.calls {
		s := p.sought(c, key)
		if s == nil {
			continue
		}
		if s.First == none {
			s.First = c
		}
		if ref := &p.calls[c]; ref.answer == none && ref.turn == p.calls[s.First].turn {
			k := of(s.ID, ref.call.Name)
			queues[k] = append(queues[k], c)
		}
	}
	if len(queues) == 0 {
		return
	}
	for _, r := range free {
		result := p.results[r].result
		s := p.latest.Known(p.resultKey(r, key))
		if s.First == none || p.precedes(s.First, r) || blank(result.CallID) ||
			p.answersPast(&p.results[r]) {
			continue
		}
		k := of(s.ID, result.Name)
		if q := queues[k]; len(q) > 0 {
			p.bind(q[0], r, why)
			queues[k] = q[1:]
		}
	}
}

// matchAnyOrder matches open calls and free results of two ranges that have the same key, in any
// order.
func (p *pairing) matchAnyOrder(calls, results [2]int, key spelling, why PairReason) {
	open, free := p.openCalls(calls), p.freeResults(results)
	if len(open) == 0 || len(free) == 0 {
		return
	}
	groups := p.group(open, key)
	for _, r := range free {
		if g := groups.of(p.resultKey(r, key)); g != nil && len(g.calls) > 0 {
			p.bind(g.calls[0], r, why)
			g.calls = g.calls[1:]
		}
	}
}

// calledBefore reports whether a call before result r has its id. Then r belongs to that call,
// wherever r is.
func (p *pairing) calledBefore(r int) bool {
	first := p.firstCall(r)
	return first != none && first < p.results[r].node
}

// hasCall reports whether any call has the id of result r.
func (p *pairing) hasCall(r int) bool { return p.firstCall(r) != none }

// firstCall returns the first message with a call that has the id of result r, or none.
func (p *pairing) firstCall(r int) int {
	id := p.results[r].result.CallID
	if len(p.ids.Places) == 0 {
		for k := range p.calls {
			if s, known := p.ids.Of(p.calls[k].call.ID); !known {
				s.First = p.calls[k].node
			}
		}
	}
	if s := p.ids.Known(id); s != nil && !blank(id) {
		return s.First
	}
	return none
}

// matchAliases matches results that refer to their call by another id: the id of its item or
// message, or, if results have names, the call's id in the place of the tool name.
func (p *pairing) matchAliases() {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	owns := p.byName() // a call's own id is another name for it
	for _, r := range free {
		owns = owns || strings.Contains(p.results[r].result.CallID, "|")
	}
	var queues map[string][]int
	add := func(alias string, c int) {
		if !blank(alias) {
			queues[alias] = append(queues[alias], c)
		}
	}
	for _, r := range free {
		result := p.results[r].result
		if p.hasCall(r) || p.answersPast(&p.results[r]) {
			continue
		}
		if queues == nil {
			queues = make(map[string][]int)
			for c := range p.calls {
				if p.calls[c].answer == none {
					_, item, _ := strings.Cut(p.calls[c].call.ID, "|")
					add(item, c)
					if owns {
						add(p.calls[c].call.ID, c)
					}
					add(p.message(p.calls[c].node).ID, c)
				}
			}
		}
		aliases := [3]string{result.CallID}
		_, aliases[1], _ = strings.Cut(result.CallID, "|")
		if p.profile.Pairing.ByName {
			aliases[2] = result.Name
		}
		for _, alias := range aliases {
			q, ok := queues[alias]
			if !ok {
				continue
			}
			for len(q) > 0 && p.calls[q[0]].answer != none {
				q = q[1:]
			}
			if queues[alias] = q; len(q) > 0 && p.sameType(q[0], r) &&
				!p.otherTool(q[0], r, alias) {
				p.bind(q[0], r, ReasonNormalized)
				break
			}
		}
	}
}

// matchTypes matches the remaining calls and results with the same id but different variants, for
// profiles whose results have the variant of their calls. The result takes the variant of the call.
// Results whose output is an object are left out: they have no form in another variant.
func (p *pairing) matchTypes() {
	if !p.profile.Pairing.Typed {
		return
	}
	var open map[string][]int
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		result := p.results[r].result
		if blank(result.CallID) || len(result.Output) > 0 && result.Output[0] == '{' {
			continue
		}
		if open == nil {
			open = make(map[string][]int)
			for _, c := range p.openCalls([2]int{0, len(p.calls)}) {
				if call := p.calls[c].call; !slices.Contains(
					p.profile.Pairing.Unanswerable, call.Variant,
				) {
					open[call.ID] = append(open[call.ID], c)
				}
			}
		}
		if q := open[result.CallID]; len(q) > 0 && p.precedes(q[0], r) {
			p.bind(q[0], r, ReasonID)
			open[result.CallID] = q[1:]
		}
	}
}
