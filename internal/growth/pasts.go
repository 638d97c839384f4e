package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file says how much reasoning a repairer has to lose who sees a damaged session, and not the
// session before the damage: several sound sessions may become the same one. Here they are made of
// the damaged one: each fault of package histgen that can be undone without knowing what is gone is
// undone in every place, and what the fake accepts is a session that it may have been. Whatever is
// sent of the damaged one is the same in all of them. It has one beginning before each thought, and
// keeps that thought in those sessions alone in which the model had the same beginning before it.
// No repair is looked at for that.

// mostPasts is how many sessions are tried at most that one may have been.
const mostPasts = 24

// pasts returns the session of a pair, and other sound ones that become the same when they are
// damaged.
func (b binder) pasts(p pair) []pair {
	all := []pair{p}
	known := map[string]bool{outline(p.whole): true}
	thoughts, _ := b.made(p.whole)
	undo(p.damaged, !b.mayBe(p.damaged), func(h []preflight.Message) {
		name := outline(h)
		if known[name] || !b.mayBe(h) {
			return
		}
		known[name] = true
		body, err := b.body(h)
		if err != nil {
			return
		}
		if wrong, err := preflighttest.Violations(b.provider, body); err != nil || len(wrong) > 0 {
			return
		}
		made, sound := b.made(h)
		each(p.damaged, func(_ preflight.Role, q preflight.Part) bool {
			sound = sound && (!thoughts[thought(q)] || made[thought(q)])
			return sound
		})
		if sound {
			all = append(all, pair{h, p.damaged})
		}
	})
	if n := len(all); n > mostPasts {
		for k := range mostPasts {
			all[k] = all[k*n/mostPasts]
		}
		all = all[:mostPasts]
	}
	return all
}

// made returns the thoughts that the model makes when a session is recorded, and whether it is
// sound: nothing of it is refused or dropped.
func (b binder) made(h []preflight.Message) (made map[string]bool, sound bool) {
	made, sound = map[string]bool{}, true
	r := b.start(false)
	defer r.server.Close()
	for _, k := range steps(h) {
		s, ok := r.send(h[:k], h[:k], r.next(h, k))
		if sound = sound && ok && !s.refused && s.dropped == 0; !sound {
			return made, false
		}
	}
	for name := range r.made {
		made[name] = true
	}
	return made, true
}

// mayBe reports whether messages may be a sound session, as far as their order tells: it saves the
// question to the fake.
func (b binder) mayBe(h []preflight.Message) bool {
	open, last := map[string]int{}, preflight.RoleSystem
	left := 0 // calls without a result
	for _, m := range h {
		if len(m.Parts) == 0 || b.provider == "anthropic" && m.Role == preflight.RoleSystem &&
			last == preflight.RoleAssistant ||
			m.Role == preflight.RoleAssistant && last != m.Role && left > 0 {
			return false
		}
		last = m.Role
		for _, p := range m.Parts {
			switch q := p.(type) {
			case *preflight.ToolCall:
				if q != nil && !q.ProviderExecuted {
					open[q.ID]++
					left++
				}
			case *preflight.ToolResult:
				if q != nil && !q.ProviderExecuted {
					if open[q.CallID]--; open[q.CallID] < 0 {
						return false
					}
					left--
				}
			}
		}
	}
	return left == 0
}

// outline names messages by their parts, whatever the borders between them.
func outline(h []preflight.Message) string {
	var b strings.Builder
	for _, m := range h {
		for j, block := range blocksOf([]preflight.Message{m}) {
			b.WriteString(block + flagOf(m.Parts[j]) + "\n")
		}
	}
	return b.String()
}

// flagOf names what a call or a result says of who ran the tool.
func flagOf(p preflight.Part) string {
	switch q := p.(type) {
	case *preflight.ToolCall:
		return fmt.Sprint(q != nil && q.ProviderExecuted)
	case *preflight.ToolResult:
		return fmt.Sprint(q != nil && q.ProviderExecuted)
	}
	return ""
}

// undo calls f with what messages may have been before one fault. Nothing was moved where their
// order shows nothing of it.
func undo(h []preflight.Message, moved bool, f func([]preflight.Message)) {
	for i, m := range h {
		without := slices.Delete(slices.Clone(h), i, i+1)
		for to := range h {
			if moved {
				f(slices.Insert(slices.Clone(without), to, m))
			}
		}
		if slices.ContainsFunc(without, func(o preflight.Message) bool { return sameMessage(m, o) }) {
			f(without) // it was repeated
		}
		for _, role := range []preflight.Role{"user", "assistant", "system", "tool"} {
			f(with(h, i, preflight.Message{Role: role, Parts: m.Parts, Name: m.Name}))
			for j := 1; j < len(m.Parts); j++ { // two were joined
				first, second := m, m
				first.Parts, second.Parts, second.Role = m.Parts[:j:j], m.Parts[j:], role
				f(slices.Insert(with(h, i, first), i+1, second))
			}
		}
		for j, p := range m.Parts {
			undoPart(h, i, j, p, moved, f)
		}
	}
}

// undoPart calls f with what messages may have been before part j of message i was moved, or came,
// or had another flag.
func undoPart(
	h []preflight.Message, i, j int, p preflight.Part, moved bool, f func([]preflight.Message),
) {
	m := h[i]
	m.Parts = slices.Delete(slices.Clone(m.Parts), j, j+1)
	without := with(h, i, m)
	for k := range without {
		for at := range len(without[k].Parts) + 1 {
			if !moved {
				break
			}
			to := without[k]
			to.Parts = slices.Insert(slices.Clone(to.Parts), at, p)
			f(filled(with(without, k, to)))
		}
	}
	switch q := p.(type) {
	case *preflight.ToolCall:
		if q != nil {
			flipped := *q
			flipped.ProviderExecuted = !q.ProviderExecuted
			f(with(h, i, replaced(h[i], j, &flipped)))
		}
	case *preflight.ToolResult:
		if q == nil {
			return
		}
		flipped := *q
		flipped.ProviderExecuted = !q.ProviderExecuted
		f(with(h, i, replaced(h[i], j, &flipped)))
		for k := range without { // another result of the call is a copy, or stands in its place
			for at, o := range without[k].Parts {
				if r, ok := o.(*preflight.ToolResult); ok && r != nil && r.CallID == q.CallID {
					f(filled(without))
					f(filled(with(without, k, replaced(without[k], at, p))))
				}
			}
		}
	}
}

// with returns messages with another one at an index.
func with(h []preflight.Message, i int, m preflight.Message) []preflight.Message {
	h = slices.Clone(h)
	h[i] = m
	return h
}

// replaced returns a message with another part at an index.
func replaced(m preflight.Message, j int, p preflight.Part) preflight.Message {
	m.Parts = slices.Clone(m.Parts)
	m.Parts[j] = p
	return m
}

// filled returns messages without those that have no parts.
func filled(h []preflight.Message) []preflight.Message {
	empty := func(m preflight.Message) bool { return len(m.Parts) == 0 }
	return slices.DeleteFunc(slices.Clone(h), empty)
}

// sameMessage reports whether one message is a copy of the other, whose text may have been edited.
func sameMessage(a, b preflight.Message) bool {
	return a.Role == b.Role && slices.EqualFunc(a.Parts, b.Parts, func(p, q preflight.Part) bool {
		return histgen.Tag(p) != "" && histgen.Tag(p) == histgen.Tag(q) ||
			thought(p) != "" && thought(p) == thought(q)
	})
}

// blind is what sessions cost that are the same once they are damaged: as we repair them, as nobody
// can do better who sees the damaged one alone, and as somebody does who knows the session before.
type blind struct{ damaged, sessions, ours, best, perfect int }

func (o *blind) add(x blind) {
	o.damaged += x.damaged
	o.sessions += x.sessions
	o.ours += x.ours
	o.best += x.best
	o.perfect += x.perfect
}

// blind compares what a damaged session costs a model, in all sessions that it may have been, with
// the best that can be sent of it to this one, which drops only what it has to. It leaves out what
// is accepted as it is, and sent so.
func (b binder) blind(ours binder, p pair) (o blind) {
	asIs, _ := b.later(p, false)
	if slices.ContainsFunc(asIs, func(s seen) bool { return !s.refused }) {
		return o
	}
	of := b.pasts(p)
	o.damaged, o.sessions = 1, len(of)
	for _, past := range of {
		turns, _ := ours.later(past, true)
		for _, s := range turns {
			o.ours += s.dropped
		}
		o.perfect += b.restored(past).dropped
	}
	o.best = b.least(p.damaged, of)
	// what we can do, others can, and he who does not know the session before can do no more
	o.perfect = min(o.perfect, o.ours)
	o.best = min(max(o.best, o.perfect), o.ours)
	return o
}

// least returns how much of the reasoning in messages is lost whatever is sent of them, in all
// sessions together that they may have been. Of reasoning that is there twice, one is lost in each.
func (b binder) least(h []preflight.Message, of []pair) (n int) {
	for _, alike := range b.beginnings(h, of) {
		most := 0
		for _, sessions := range alike {
			most = max(most, len(sessions))
		}
		n += laterTurns * (len(of) - most)
	}
	return n
}

// beginnings returns, for each thought of messages, the sessions that they may have been, by what
// they have before the thought. Reasoning that is there twice has no sessions the second time. Left
// out is a beginning with a part that is gone, and one without a result of messages: a repairer who
// keeps what he sent has sent it by the next thought after both the result and a call of its id.
func (b binder) beginnings(h []preflight.Message, of []pair) (all []map[string][]pair) {
	made, _ := b.made(of[0].whole)
	kept := map[string]bool{}
	each(h, func(_ preflight.Role, q preflight.Part) bool {
		text := thought(q)
		if !made[text] {
			return true
		}
		alike := map[string][]pair{}
		for _, past := range of {
			if before := contextOf(past.whole, text); !kept[text] && !lacks(h, past.whole, text) &&
				!leavesOut(past.whole, h, text) {
				alike[before.order] = append(alike[before.order], past)
			}
		}
		kept[text] = true
		all = append(all, alike)
		return true
	})
	return all
}

// lacks reports whether a part that a session has before a thought is gone from messages.
func lacks(h, session []preflight.Message, text string) (gone bool) {
	left := map[string]bool{"": true}
	each(h, func(_ preflight.Role, p preflight.Part) bool {
		left[histgen.Tag(p)] = true
		return true
	})
	each(session, func(_ preflight.Role, p preflight.Part) bool {
		gone = gone || !left[histgen.Tag(p)]
		return thought(p) != text
	})
	return gone
}

// leavesOut reports whether a session has not, before a thought, a result that messages have before
// it, although a call of the result's id is there.
func leavesOut(session, h []preflight.Message, text string) bool {
	has, called := map[string]bool{}, map[string]bool{}
	each(session, func(_ preflight.Role, p preflight.Part) bool {
		switch q := p.(type) {
		case *preflight.ToolResult:
			has[blockOf(p)] = true
		case *preflight.ToolCall:
			called[q.ID] = true
		}
		return thought(p) != text
	})
	missing := false
	each(h, func(_ preflight.Role, p preflight.Part) bool {
		r, ok := p.(*preflight.ToolResult)
		// a placeholder may go, and so may an empty result
		ok = ok && !strings.HasPrefix(histgen.Tag(p), "p") && len(r.Output)+len(r.Content) > 0
		missing = missing || ok && !has[blockOf(p)] && called[r.CallID]
		return thought(p) != text
	})
	return missing
}

// blindTable writes the table of the sessions that are the same once they are damaged.
func blindTable(rows map[string]*[4]bound) string {
	b := &strings.Builder{}
	b.WriteString("\n| Alike once they are damaged | damaged | sessions | the server drops: ours | " +
		"without the original | perfect | it refuses: ours | without the original | perfect |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	line := func(name string, drops, refuses blind) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name,
			number(drops.damaged+refuses.damaged), number(drops.sessions+refuses.sessions),
			number(drops.ours), number(drops.best), number(drops.perfect),
			number(refuses.ours), number(refuses.best), number(refuses.perfect))
	}
	var total [2]blind
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		var of [2]blind
		for k := range rows[name] {
			of[min(k/2, 1)].add(rows[name][k].blind)
		}
		for k := range of {
			total[k].add(of[k])
		}
		if of[0].ours > of[0].perfect || of[1].ours > of[1].perfect {
			line(name, of[0], of[1])
		}
	}
	line("all", total[0], total[1])
	return b.String()
}
