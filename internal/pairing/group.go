package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file matches lists of calls and results that have the same keys.

// match matches results with calls that have the same key: each result with the first open call, if
// that is before it. choose, which may be nil, selects the candidates.
func (m *Matching) match(calls, results []int, k key, choose choice) {
	if len(calls) == 0 || len(results) == 0 {
		return
	}
	if !m.Rules.Server && !m.byName() { // that neither has an id is no evidence
		results = slices.DeleteFunc(results, func(r int) bool { return blank(m.Results[r].ID) })
	}
	if k.respelled {
		if results = m.withCalls(results); len(results) == 0 {
			return
		}
		calls = slices.DeleteFunc(calls, func(c int) bool { return !m.left.hashes[m.callHash(c)] })
	}
	groups := m.group(calls, k)
	for _, r := range results {
		if g := groups.of(m.resultKey(r, k)); g != nil {
			g.wanted++
		}
	}
	if choose != nil {
		for i := range groups.all {
			g := &groups.all[i]
			g.calls = choose(g.calls, g.wanted)
		}
	}
	for _, r := range results {
		if g := groups.of(m.resultKey(r, k)); g != nil && len(g.calls) > 0 &&
			m.Precedes(g.calls[0], r) {
			m.Bind(g.calls[0], r, m.reason(r, k))
			g.calls = g.calls[1:]
		}
	}
}

// matchAnyOrder matches results with calls that have the same id, before or after them.
func (m *Matching) matchAnyOrder(calls, results []int) {
	if len(calls) == 0 || len(results) == 0 {
		return
	}
	groups := m.group(calls, sameID)
	for _, r := range results {
		if g := groups.of(m.resultKey(r, sameID)); g != nil && len(g.calls) > 0 {
			m.Bind(g.calls[0], r, m.reason(r, sameID))
			g.calls = g.calls[1:]
		}
	}
}

// choice selects the candidates among several calls with the same key, for the case that there are
// fewer results than calls.
type choice func(calls []int, results int) []int

// skipWaiting leaves out calls that wait on purpose, the last ones first, while there are fewer
// results than calls: their key does not distinguish them, and a call that waits has no result.
func (m *Matching) skipWaiting(calls []int, results int) []int {
	surplus := len(calls) - results
	first := len(calls)
	for _, c := range slices.Backward(calls) {
		if surplus > 0 && m.Source.Waits(c) {
			surplus--
			continue
		}
		first--
		calls[first] = c
	}
	return calls[first:]
}

// skipAllWaiting leaves out every call that waits on purpose.
func (m *Matching) skipAllWaiting(calls []int, _ int) []int {
	return slices.DeleteFunc(calls, m.Source.Waits)
}

// skipEarlier leaves out calls that wait on purpose, then prefers the calls of the last messages of
// a turn, and within a message its first calls. Results follow the last message; an earlier message
// may belong to the turn only because a fixer removed what separated them.
func (m *Matching) skipEarlier(calls []int, results int) []int {
	if calls = m.skipWaiting(calls, results); results >= len(calls) {
		return calls
	}
	kept := len(calls) // from there on
	for end := kept; len(calls)-kept < results; {
		first := end - 1
		for first > 0 && m.Calls[calls[first-1]].Message == m.Calls[calls[first]].Message {
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

// callGroup holds the calls with one key, in order, and the number of results with that key.
type callGroup struct {
	calls  []int
	wanted int
}

// callGroups holds the groups of one match. Its buffers are reused.
type callGroups struct {
	index idtable.Table // key -> index in all
	all   []callGroup
	room  []int // backing array of the groups' calls
}

func (g *callGroups) reset() {
	g.index.Reset()
	clear(g.all)
	g.all = g.all[:0]
}

// group groups calls by key. The groups are valid until the next call of group.
func (m *Matching) group(calls []int, k key) *callGroups {
	g := &m.groups
	g.reset()
	for _, c := range calls {
		s, known := g.index.Of(m.callKey(c, k))
		if !known {
			s.First = len(g.all)
			g.all = append(g.all, callGroup{})
		}
		s.Last++ // number of calls in the group
	}
	g.room = slices.Grow(g.room[:0], len(calls))
	room := g.room[:len(calls)]
	for _, c := range calls {
		s := g.index.Known(m.callKey(c, k))
		into := &g.all[s.First]
		if into.calls == nil {
			into.calls, room = room[:0:s.Last], room[s.Last:]
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
