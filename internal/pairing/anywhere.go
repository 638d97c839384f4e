package pairing

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/pairs"
)

// This file matches calls and results by their ids anywhere in the history, in both directions.

// matchAnywhere matches free results with open calls before them that have the same key. A call
// that waits on purpose is matched with what is left: it has no result yet.
func (m *Matching) matchAnywhere(k key) {
	if m.Rules.ByName {
		m.matchNearest(m.openCalls(), m.freeResults(), k, m.skipWaiting)
		return
	}
	m.matchNearest(m.openCalls(), m.freeResults(), k, m.skipAllWaiting)
	m.matchNearest(m.openCalls(), m.freeResults(), k, nil)
}

// matchAhead matches results that are before every call with their id with open calls with that id
// (and name, if names count) in the first turn that has one. A result after such a call is more
// likely a further result of it, and a call of a later turn must not take a result that was sent
// for the first.
func (m *Matching) matchAhead(k key) {
	named := k.named && m.byName()
	k.named = false // the first turn is the first one with the id, whatever the names
	free := m.seek(m.freeResults(), k)
	if len(free) == 0 {
		return
	}
	type slot struct{ id, name string }
	queues := make(map[slot][]int) // open calls, also without their names
	for _, c := range m.related() {
		s := m.sought(c, k)
		if s == nil {
			continue
		}
		if s.First == None {
			s.First = c
		}
		if call := &m.Calls[c]; call.Answer == None && call.Turn == m.Calls[s.First].Turn {
			queues[slot{id: s.ID}] = append(queues[slot{id: s.ID}], c)
			if named && !blank(call.Name) {
				q := slot{s.ID, call.Name}
				queues[q] = append(queues[q], c)
			}
		}
	}
	if len(queues) == 0 {
		return
	}
	for _, r := range free {
		result := &m.Results[r]
		s := m.latest.Known(m.resultKey(r, k))
		if s.First == None || m.Precedes(s.First, r) || blank(result.ID) || result.Held {
			continue
		}
		of := slot{id: s.ID}
		if named && m.called(result.Name) < m.Turns[m.Calls[s.First].Turn].Calls.End {
			of.name = result.Name // any other name is no evidence
		}
		q := queues[of]
		for len(q) > 0 && m.Calls[q[0]].Answer != None {
			q = q[1:]
		}
		if len(q) > 0 {
			m.Bind(q[0], r, m.reason(r, k))
			q = q[1:]
		}
		queues[of] = q
	}
}

// matchAliases matches results that refer to their call by another id: the id of its item or
// message, or, if results have names, the call's id in the place of the tool name.
func (m *Matching) matchAliases() {
	free := slices.DeleteFunc(m.freeResults(), func(r int) bool {
		return m.hasCall(r) || m.Results[r].Held
	})
	if len(free) == 0 {
		return
	}
	owns := m.byName() // a call's own id is another name for it
	for _, r := range free {
		owns = owns || strings.Contains(m.Results[r].ID, "|")
	}
	queues := make(map[string][]int)
	add := func(alias string, c int) {
		if !blank(alias) {
			queues[alias] = append(queues[alias], c)
		}
	}
	for _, c := range m.openCalls() {
		call := &m.Calls[c]
		_, item, _ := strings.Cut(call.ID, "|")
		add(item, c)
		if owns {
			add(call.ID, c)
		}
		add(call.Item, c)
	}
	for _, r := range free {
		result := &m.Results[r]
		aliases := [3]string{result.ID}
		_, aliases[1], _ = strings.Cut(result.ID, "|")
		if m.Rules.ByName {
			aliases[2] = result.Name
		}
		for _, alias := range aliases {
			q, ok := queues[alias]
			if !ok {
				continue
			}
			for len(q) > 0 && m.Calls[q[0]].Answer != None {
				q = q[1:]
			}
			if queues[alias] = q; len(q) > 0 && m.sameType(q[0], r) && !m.otherTool(q[0], r, alias) {
				m.Bind(q[0], r, pairs.ByNormalizedID)
				break
			}
		}
	}
}

// matchTypes matches the remaining calls and results with equal ids but different variants, for
// providers whose results have the variant of their calls. The result takes the variant of the
// call. Results that are an object have no form in another variant.
func (m *Matching) matchTypes(k key) {
	if !m.Rules.Typed {
		return
	}
	free := slices.DeleteFunc(m.freeResults(), func(r int) bool {
		return blank(m.Results[r].ID) || m.Results[r].Object
	})
	if len(free) == 0 {
		return
	}
	open := make(map[string][]int)
	for _, c := range m.openCalls() {
		if call := &m.Calls[c]; !slices.Contains(m.Rules.Unanswerable, call.Variant) {
			id := k.of(call.ID)
			open[id] = append(open[id], c)
		}
	}
	for _, r := range free {
		id := k.of(m.Results[r].ID)
		if q := open[id]; len(q) > 0 && m.Precedes(q[0], r) {
			m.Bind(q[0], r, m.reason(r, k))
			open[id] = q[1:]
		}
	}
}
