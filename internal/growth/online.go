package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file says how much reasoning a repairer who does not know the future has to lose: of
// sessions that begin alike, he sends the same beginning. Each damaged session has such sisters:
// the session without the damage, and those that leave it at one of its steps and go on with plain
// words. All that can be sent at each step is tried: the session as it is, repaired with each of
// the policies, and what a repairer would send who knows the end of any of the sisters. What costs
// least in all of them together is the best that can be done.

// A sister is a session, and how many of its messages it has in common with the damaged one.
type sister struct {
	history []preflight.Message
	common  int
	last    preflight.Result // what a repairer would make of all of it
}

// sisters returns the damaged session of a pair, the whole one, and the plain ones.
func (b binder) sisters(p pair) []sister {
	h := p.damaged
	all := []sister{{history: h, common: len(h)}}
	n := 0
	for n < min(len(h), len(p.whole)) && slices.Equal(
		blocksOf(h[n:n+1]), blocksOf(p.whole[n:n+1])) {
		n++
	}
	all = append(all, sister{history: p.whole, common: n})
	ks := steps(h)
	for i, k := range ks {
		plain := h[:k:k]
		for t := range len(ks) - 1 - i {
			plain = append(plain, preflight.Message{Role: "assistant", Parts: []preflight.Part{
				b.thinks(fmt.Sprint("plain ", t)), &preflight.Text{Text: "ok"},
			}}, preflight.UserText("go on"))
		}
		if len(plain) > k {
			all = append(all, sister{history: plain, common: k})
		}
	}
	for i := range all {
		all[i].last, _ = preflight.Sanitize(context.Background(), all[i].history, b.keeps(), nil)
	}
	return all
}

// policies are the repairs that a caller can choose.
var policies = []preflight.Options{
	{Dangling: preflight.DanglingAnswer},
	{Orphans: preflight.OrphanText},
}

// accepted reports whether nothing is changed of a session as it is: it is sent so, whatever comes.
func (b binder) accepted(h []preflight.Message) bool {
	body, err := b.body(h)
	if err != nil {
		return false
	}
	res, err := wire.Sanitize(context.Background(), body, &wire.Options{
		Provider: b.provider, Model: b.model, Options: preflight.Options{RepairedBefore: true},
	})
	return err == nil && !res.Changed
}

// forms returns what can be sent of the first k messages of a session, given some of its sisters.
func (b binder) forms(h []preflight.Message, k int, of []sister) (out [][]preflight.Message) {
	out = append(out, h[:k:k])
	if b.accepted(out[0]) {
		return out
	}
	sent := map[string]bool{}
	add := func(form []preflight.Message) {
		if body, err := b.body(form); err == nil && !sent[string(body)] {
			sent[string(body)] = true
			out = append(out, form)
		}
	}
	for _, s := range of {
		if s.common >= k {
			add(known(s.last, s.history, k))
			add(thinking(known(s.last, s.history, k), s.history))
		}
	}
	for _, o := range policies {
		if res, err := preflight.Sanitize(context.Background(), out[0], b.keeps(), &o); err == nil {
			add(res.Messages)
		}
	}
	return out
}

// ends returns what a sister costs at least, when its beginning was sent in these forms.
func (b binder) ends(s sister, begin map[int][]preflight.Message) int {
	best := impossible
	for _, form := range []func(k int) []preflight.Message{
		func(k int) []preflight.Message { return s.history[:k] },
		func(k int) []preflight.Message { return known(s.last, s.history, k) },
		func(k int) []preflight.Message { return thinking(known(s.last, s.history, k), s.history) },
	} {
		best = min(best, b.recorded(s.history, true, func(k int) []preflight.Message {
			if form, ok := begin[k]; ok && k <= s.common {
				return form
			}
			if begin != nil && b.accepted(s.history[:k]) {
				return s.history[:k]
			}
			return form(k)
		}).sum())
	}
	return best
}

// online is what some sisters cost: as we repair them, as nobody can do better who does not know
// which of them it will be, and as somebody does who knows.
type online struct{ sessions, ours, best, perfect int }

func (o *online) add(x online) {
	o.sessions += x.sessions
	o.ours += x.ours
	o.best += x.best
	o.perfect += x.perfect
}

// online compares what a model costs with the best that can be sent of sisters to this one, which
// drops only what it has to.
func (b binder) online(ours binder, of []sister) (o online) {
	for _, s := range of {
		cost := ours.recorded(s.history, true, func(k int) []preflight.Message {
			return s.history[:k]
		}).sum()
		o.ours += cost
		o.perfect += min(cost, b.ends(s, nil))
	}
	o.sessions, o.best = len(of), o.ours
	s := search{binder: b, best: o.ours, costs: map[string]int{}, begin: map[int][]preflight.Message{}}
	for _, k := range steps(of[0].history) {
		if slices.ContainsFunc(of[1:], func(s sister) bool { return s.common >= k }) {
			s.steps = append(s.steps, k)
		}
	}
	s.try(of[0].history, 0, "", 0, of)
	o.best = s.best
	return o
}

// search tries all that can be sent at the steps that sisters have in common.
type search struct {
	binder
	steps []int
	begin map[int][]preflight.Message // what is sent at each of them
	costs map[string]int              // of a sister, by what is sent of it
	best  int
}

// try tries what can be sent from a step on. Open are the sisters whose beginning is not sent yet,
// and spent is what the others cost.
func (s *search) try(h []preflight.Message, at int, sent string, spent int, open []sister) {
	var left []sister
	for _, x := range open {
		if at < len(s.steps) && x.common >= s.steps[at] {
			left = append(left, x)
			continue
		}
		name := fmt.Sprintf("%s %p", sent, &x.history[0])
		if _, done := s.costs[name]; !done {
			s.costs[name] = s.ends(x, s.begin)
		}
		spent += s.costs[name]
	}
	switch {
	case spent >= s.best:
	case len(left) == 0:
		s.best = spent
	default:
		for n, form := range s.forms(h, s.steps[at], left) {
			s.begin[s.steps[at]] = form
			s.try(h, at+1, fmt.Sprint(sent, ".", n), spent, left)
			delete(s.begin, s.steps[at])
		}
	}
}

// alikeTable writes the table of the sessions that cost more than they have to, with their sisters.
func alikeTable(rows map[string]*[4]bound) string {
	b := &strings.Builder{}
	line := func(name string, o online) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", name, number(o.sessions), number(o.ours),
			number(o.best), number(o.perfect))
	}
	b.WriteString("\n| Sessions that begin alike | sessions | ours | without the future | perfect |\n" +
		"|---|--:|--:|--:|--:|\n")
	var total online
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		var of online
		for k := range rows[name] {
			of.add(rows[name][k].alike)
		}
		if total.add(of); of.sessions > 0 {
			line(name, of)
		}
	}
	line("all", total)
	return b.String()
}
