package pairing

import (
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file matches lists of calls and results that have the same keys.

// match matches results with calls that have the same key: each result with the first open call, if
// that is before it. choose, which may be nil, selects the candidates.
func (m *Matching) match(calls, results []int, k key, choose choice) {
	groups, results := m.prepare(calls, results, k, choose)
	for _, r := range results {
		if g := groups.of(m.resultKey(r, k)); g != nil && len(g.calls) > 0 &&
			m.Precedes(g.calls[0], r) {
			m.Bind(g.calls[0], r, m.reason(r, k))
			g.calls = g.calls[1:]
		}
	}
}

// matchNearest matches results with calls that have the same key and are before them. Ids are used
// again, so the results of each message are matched with the nearest such calls, in order.
func (m *Matching) matchNearest(calls, results []int, k key, choose choice) {
	groups, results := m.prepare(calls, results, k, choose)
	for len(results) > 0 {
		end := 1
		for end < len(results) &&
			m.Results[results[end]].Message == m.Results[results[0]].Message {
			end++
		}
		for _, r := range results[:end] {
			if g := groups.of(m.resultKey(r, k)); g != nil {
				g.wanted++
				m.push(g, r)
			}
		}
		for _, r := range results[:end] {
			g := groups.of(m.resultKey(r, k))
			if g == nil {
				continue
			}
			if g.wanted > 0 {
				first := max(0, g.before-g.wanted)
				g.nearest = g.calls[first:g.before]
				g.before, g.wanted = first, 0
				slices.Sort(g.nearest)
			}
			if len(g.nearest) > 0 && m.Precedes(g.nearest[0], r) && !m.isTooFar(g.nearest[0], r) {
				m.Bind(g.nearest[0], r, m.reason(r, k))
				g.nearest = g.nearest[1:]
			}
		}
		results = results[end:]
	}
}

// push adds the further calls of a group that are before result r to those before the results so
// far. Of a message with several calls, the first is then the nearest.
func (m *Matching) push(g *callGroup, r int) {
	for g.next < len(g.calls) && m.Precedes(g.calls[g.next], r) {
		first := g.before
		message := m.Calls[g.calls[g.next]].Message
		for g.next < len(g.calls) && m.Precedes(g.calls[g.next], r) &&
			m.Calls[g.calls[g.next]].Message == message {
			g.calls[g.before] = g.calls[g.next]
			g.before++
			g.next++
		}
		slices.Reverse(g.calls[first:g.before])
	}
}

// prepare groups calls for match and matchNearest. It returns the results that may have one of
// them.
func (m *Matching) prepare(calls, results []int, k key, choose choice) (*callGroups, []int) {
	if len(calls) == 0 || len(results) == 0 {
		return nil, nil
	}
	if !m.Rules.Server && !m.byName() { // that neither has an id is no evidence
		results = slices.DeleteFunc(results, func(r int) bool { return blank(m.Results[r].ID) })
	}
	if k.respelled {
		if results = m.withCalls(results); len(results) == 0 {
			return nil, nil
		}
		calls = slices.DeleteFunc(calls, func(c int) bool { return !m.rest.hashes[m.callHash(c)] })
	}
	groups := m.group(calls, k)
	if choose == nil {
		return groups, results
	}
	for _, r := range results {
		if g := groups.of(m.resultKey(r, k)); g != nil {
			g.wanted++
		}
	}
	for i := range groups.all {
		g := &groups.all[i]
		g.calls, g.wanted = choose(g.calls, g.wanted), 0
	}
	return groups, results
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

	// for matchNearest
	before  int   // number of calls before the results so far, without those that are matched
	next    int   // the index in calls of the first after these results
	nearest []int // the calls for the results of one message
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
