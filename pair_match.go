package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/provider"
)

// This file holds the steps of the matcher: each matches the calls and results that are left and
// agree in some key.

// bind matches call c and result r.
func (p *pairing) bind(c, r int, why PairReason) {
	ref := &p.results[r]
	p.calls[c].answer, ref.call, ref.reason, ref.further = r, c, why, false
	ref.rebound = p.misnames(p.calls[c].call, ref.result)
	if p.side == clientSide && p.profile.Pairing.Results == provider.ResultsAnywhere && p.calls[c].node < ref.node {
		ref.zone = p.calls[c].turn // it is in its place wherever it is
	}
}

// matchZones matches the calls and results of each turn that agree in key, by occurrence, in order.
func (p *pairing) matchZones(key spelling, why PairReason) {
	for t := range p.turns {
		turn := &p.turns[t]
		if !p.matchInOrder(turn, key, why) {
			p.match(turn.calls, turn.results, key, why, p.leaveEarlier)
		}
	}
}

// matchInOrder is the common case without a table: as many results as calls, in their order. It
// binds nothing otherwise, and reports whether nothing is left.
func (p *pairing) matchInOrder(turn *turnRef, key spelling, why PairReason) bool {
	first, results := turn.calls[0], turn.results[0]
	if turn.calls[1]-first != turn.results[1]-results {
		return false
	}
	if key == looseID && turn.calls[1] > first && p.calls[first].answer == none && looseHash(p.calls[first].call.ID) != looseHash(p.results[results].result.CallID) {
		return false
	}
	for c := first; c < turn.calls[1]; c++ {
		r := results + c - first
		call, result := &p.calls[c], &p.results[r]
		if (call.answer == none) != (result.call == none) {
			return false
		}
		if call.answer == none && (!p.precedes(c, r) || p.callKey(c, key) != p.resultKey(r, key)) {
			return false
		}
	}
	for c := first; c < turn.calls[1]; c++ {
		if p.calls[c].answer == none {
			p.bind(c, results+c-first, why)
		}
	}
	return true
}

// choice says which of several calls that agree in key are looked at, when there are fewer results
// than calls.
type choice func(calls []int, results int) []int

// leaveWaiting leaves out calls that wait on purpose, the last ones first, when there are fewer
// results than calls: what they agree in does not tell them apart, and a call that waits has no
// result.
func (p *pairing) leaveWaiting(calls []int, results int) []int {
	surplus := len(calls) - results
	first := len(calls)
	for _, c := range slices.Backward(calls) {
		if surplus > 0 && p.policy.waits(p.calls[c].call) {
			surplus--
			continue
		}
		first--
		calls[first] = c
	}
	return calls[first:]
}

// leaveAllWaiting leaves out every call that waits on purpose.
func (p *pairing) leaveAllWaiting(calls []int, _ int) []int {
	return slices.DeleteFunc(calls, func(c int) bool { return p.policy.waits(p.calls[c].call) })
}

// leaveEarlier leaves out calls that wait on purpose, then those of the earlier messages of a turn,
// and the last ones of the message where that ends: results follow the last message, and what kept
// an earlier one apart from it may only just have gone.
func (p *pairing) leaveEarlier(calls []int, results int) []int {
	if calls = p.leaveWaiting(calls, results); results >= len(calls) {
		return calls
	}
	kept := len(calls) // from there on
	for end := kept; len(calls)-kept < results; {
		first := end - 1
		for first > 0 && p.calls[calls[first-1]].node == p.calls[calls[first]].node {
			first--
		}
		for k := min(end, first+results-(len(calls)-kept)) - 1; k >= first; k-- {
			kept--
			calls[kept] = calls[k]
		}
		end = first
	}
	return calls[kept:]
}

// matchAnywhere matches what is left: results with the earliest open call before them that agrees
// in key.
func (p *pairing) matchAnywhere(key spelling, why PairReason) {
	calls, results := [2]int{0, len(p.calls)}, [2]int{0, len(p.results)}
	switch {
	case p.profile.Pairing.ByName:
		p.match(calls, results, key, why, p.leaveWaiting)
		return
	case p.profile.Pairing.Results == provider.ResultsAnywhere:
		p.match(calls, results, key, why, p.leaveAllWaiting)
	}
	p.match(calls, results, key, why, nil)
}

// matchAhead matches results that are before every call of their id with the open calls of that id,
// and of their name where names count, in the first turn that has any of the id. A result after such
// a call has another reading, as a further result of it; and a call of a later turn must not take
// from the first what was sent as its result.
func (p *pairing) matchAhead(key spelling, why PairReason) {
	named := p.names
	defer func() { p.names = named }()
	p.names = false // the first turn is that of the id, whatever the names
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
		if s.First == none || p.precedes(s.First, r) || blank(result.CallID) || p.answersPast(&p.results[r]) {
			continue
		}
		k := of(s.ID, result.Name)
		if q := queues[k]; len(q) > 0 {
			p.bind(q[0], r, why)
			queues[k] = q[1:]
		}
	}
}

// matchEitherWay matches the open calls and free results of two ranges that agree in key, whichever
// is first.
func (p *pairing) matchEitherWay(calls, results [2]int, key spelling, why PairReason) {
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
			} else if len(nameless) > 0 && !p.named(r) {
				nameless = p.bindFirst(nameless, r)
			}
		}
	}
}

// named reports whether a call before result r has its id: then it is meant for that call, wherever
// that is.
func (p *pairing) named(r int) bool {
	p.noteIDs()
	s := p.ids.Known(p.results[r].result.CallID)
	return s != nil && s.First < p.results[r].node
}

// known reports whether any call has the id of result r.
func (p *pairing) known(r int) bool {
	p.noteIDs()
	return p.ids.Known(p.results[r].result.CallID) != nil
}

// noteIDs notes the first message of the calls with each id.
func (p *pairing) noteIDs() {
	if len(p.ids.Places) == 0 {
		for k := range p.calls {
			if s, known := p.ids.Of(p.calls[k].call.ID); !known {
				s.First = p.calls[k].node
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

// matchAliases matches results that call their call by another of its names: the id of its item,
// or, where results have names, its id in the place of the tool's name.
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
		if p.known(r) || p.answersPast(&p.results[r]) {
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
			if queues[alias] = q; len(q) > 0 && p.sameType(q[0], r) && !p.otherTool(q[0], r, alias) {
				p.bind(q[0], r, ReasonNormalized)
				break
			}
		}
	}
}

// otherTool reports whether call c and result r name different tools, where alias is no name.
func (p *pairing) otherTool(c, r int, alias string) bool {
	call, name := p.calls[c].call.Name, p.results[r].result.Name
	return name != alias && !blank(name) && !blank(call) && name != call
}

// nearResults are the free results after turn t and before the next one whose ids are those of no
// call; the slice is good until the next call of freeResults.
func (p *pairing) nearResults(t int, from *int) []int {
	for *from < len(p.results) && p.results[*from].near < t {
		*from++
	}
	end := *from
	for end < len(p.results) && p.results[end].near == t {
		end++
	}
	span := [2]int{*from, end}
	*from = end
	return slices.DeleteFunc(p.freeResults(span), func(r int) bool {
		return p.results[r].node <= p.turns[t].last || p.named(r) || p.answersPast(&p.results[r])
	})
}

// matchTools matches, in order, the results after a turn with its calls of the same tool, where ids
// do not tell.
func (p *pairing) matchTools() {
	from := 0
	for t := range p.turns {
		results := slices.DeleteFunc(p.nearResults(t, &from), func(r int) bool { return blank(p.results[r].result.Name) })
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
		results := p.nearResults(t, &from)
		if len(results) == 0 {
			continue
		}
		open := p.leaveAllWaiting(p.openCalls(p.turns[t].calls), 0)
		if len(open) != len(results) || len(open) > 1 && !p.profile.Pairing.ByName {
			continue
		}
		for k, c := range open {
			if r := results[k]; p.sameType(c, r) && (!p.otherTool(c, r, "") || p.byName() && !p.otherID(p.calls[c].call, p.results[r].result)) {
				p.bind(c, r, ReasonPosition)
			}
		}
	}
}

// matchTypes matches, where results have the variant of their calls, the calls and results of one
// id that are left: nothing else can be meant, and the result takes the variant of its call. A
// result that is an object has no form in another one.
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
				if call := p.calls[c].call; !slices.Contains(p.profile.Pairing.Unanswerable, call.Variant) {
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

// openCalls are the calls of a range without an answer; the slice is good until the next call of
// openCalls.
func (p *pairing) openCalls(span [2]int) []int {
	out := p.open[:0]
	for c := span[0]; c < span[1]; c++ {
		if p.calls[c].answer == none {
			out = append(out, c)
		}
	}
	p.open = out
	return out
}

// freeResults are the results of a range without a call; the slice is good until the next call of
// freeResults.
func (p *pairing) freeResults(span [2]int) []int {
	out := p.free[:0]
	for r := span[0]; r < span[1]; r++ {
		if p.results[r].call == none && !p.results[r].further {
			out = append(out, r)
		}
	}
	p.free = out
	return out
}

// match pairs the open calls and free results of two ranges that agree in key, each result with the
// first open call, if that is before it. leave may be nil.
func (p *pairing) match(callSpan, resultSpan [2]int, key spelling, why PairReason, leave choice) {
	calls, results := p.openCalls(callSpan), p.freeResults(resultSpan)
	if len(calls) == 0 || len(results) == 0 {
		return
	}
	if key == looseID {
		if calls, results = p.alike(calls, results); len(results) == 0 {
			return
		}
	}
	groups := p.group(calls, key)
	for _, r := range results {
		if g := groups.of(p.resultKey(r, key)); g != nil {
			g.wanted++
		}
	}
	if leave != nil {
		for k := range groups.all {
			g := &groups.all[k]
			g.calls = leave(g.calls, g.wanted)
		}
	}
	for _, r := range results {
		if g := groups.of(p.resultKey(r, key)); g != nil && len(g.calls) > 0 && p.precedes(g.calls[0], r) {
			p.bind(g.calls[0], r, why)
			g.calls = g.calls[1:]
		}
	}
}

// alike leaves the calls and results that have a loose id in common with any of the others.
func (p *pairing) alike(calls, results []int) (c, r []int) {
	p.hash(results)
	calls = slices.DeleteFunc(calls, func(c int) bool { return !p.mark(c) })
	return calls, p.marked(results)
}

// callGroup is the calls that agree in key, in order, and how many results do, too.
type callGroup struct {
	calls  []int
	wanted int
}

// callGroups are such groups. They keep their memory from one match to the next: a long history is
// matched turn by turn.
type callGroups struct {
	index idtable.Table // the place of a key's group in all
	all   []callGroup
	room  []int // what the groups' calls are pieces of
}

func (g *callGroups) release() {
	g.index.Reset()
	clear(g.all)
	g.all = g.all[:0]
}

// group sorts calls into groups. They are good until the next call of group.
func (p *pairing) group(calls []int, key spelling) *callGroups {
	g := &p.groups
	g.release()
	for _, c := range calls {
		s, known := g.index.Of(p.callKey(c, key))
		if !known {
			s.First = len(g.all)
			g.all = append(g.all, callGroup{})
		}
		s.Last++ // the calls of the group
	}
	g.room = slices.Grow(g.room[:0], len(calls))
	rest := g.room[:len(calls)]
	for _, c := range calls {
		s := g.index.Known(p.callKey(c, key))
		into := &g.all[s.First]
		if into.calls == nil {
			into.calls, rest = rest[:0:s.Last], rest[s.Last:]
		}
		into.calls = append(into.calls, c)
	}
	return g
}

// of is the group of a key, nil when no call has it.
func (g *callGroups) of(key string) *callGroup {
	if s := g.index.Known(key); s != nil {
		return &g.all[s.First]
	}
	return nil
}
