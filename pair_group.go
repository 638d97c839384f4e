package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file pairs open calls and free results that have the same key.

// callFilter selects the candidates among several calls with the same key, for the case that there
// are fewer results than calls.
type callFilter func(calls []int, results int) []int

// skipWaiting leaves out calls that wait on purpose, the last ones first, while there are fewer
// results than calls: their key does not distinguish them, and a call that waits has no result.
func (p *pairing) skipWaiting(calls []int, results int) []int {
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

// skipAllWaiting leaves out every call that waits on purpose.
func (p *pairing) skipAllWaiting(calls []int, _ int) []int {
	return slices.DeleteFunc(calls, func(c int) bool { return p.policy.waits(p.calls[c].call) })
}

// skipEarlier leaves out calls that wait on purpose, then prefers the calls of the last messages of
// a turn, and within a message its first calls. Results follow the last message; an earlier message
// may belong to the turn only because a fixer removed what separated them.
func (p *pairing) skipEarlier(calls []int, results int) []int {
	if calls = p.skipWaiting(calls, results); results >= len(calls) {
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

// openCalls returns the calls of a range without an answer. The slice is valid until the next call
// of openCalls.
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

// freeResults returns the results of a range without a call. The slice is valid until the next call
// of freeResults.
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

// match pairs open calls and free results of two ranges that have the same key: each result with
// the first open call, if that is before it. leave, which may be nil, selects the candidates.
func (p *pairing) match(
	callSpan, resultSpan [2]int, key spelling, why PairReason, leave callFilter,
) {
	calls, results := p.openCalls(callSpan), p.freeResults(resultSpan)
	if len(calls) == 0 || len(results) == 0 {
		return
	}
	if p.side == clientSide && !p.byName() { // that neither has an id is no evidence
		results = slices.DeleteFunc(results, func(r int) bool {
			return blank(p.results[r].result.CallID)
		})
	}
	if key == normalizedID {
		if calls, results = p.withSharedIDs(calls, results); len(results) == 0 {
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
		if g := groups.of(p.resultKey(r, key)); g != nil && len(g.calls) > 0 &&
			p.precedes(g.calls[0], r) {
			p.bind(g.calls[0], r, why)
			g.calls = g.calls[1:]
		}
	}
}

// withSharedIDs keeps the calls and results whose normalized ids occur on both sides.
func (p *pairing) withSharedIDs(calls, results []int) (c, r []int) {
	p.noteHashes(results)
	calls = slices.DeleteFunc(calls, func(c int) bool { return !p.markCall(c) })
	return calls, p.markedResults(results)
}

// callGroup holds the calls with one key, in order, and the number of results with that key.
type callGroup struct {
	calls  []int
	wanted int
}

// callGroups holds the groups of one match. Its buffers are reused, since a long history is matched
// turn by turn.
type callGroups struct {
	index idtable.Table // key -> index in all
	all   []callGroup
	room  []int // backing array of the groups' calls
}

func (g *callGroups) release() {
	g.index.Reset()
	clear(g.all)
	g.all = g.all[:0]
}

// group groups calls by key. The groups are valid until the next call of group.
func (p *pairing) group(calls []int, key spelling) *callGroups {
	g := &p.groups
	g.release()
	for _, c := range calls {
		s, known := g.index.Of(p.callKey(c, key))
		if !known {
			s.First = len(g.all)
			g.all = append(g.all, callGroup{})
		}
		s.Last++ // number of calls in the group
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

// of returns the group of a key, or nil.
func (g *callGroups) of(key string) *callGroup {
	if s := g.index.Known(key); s != nil {
		return &g.all[s.First]
	}
	return nil
}
