package main

import (
	"fmt"
	"io"
	"strings"
)

// This file writes the tables of growing sessions.

// grown is what a way did over all sessions at one budget.
type grown struct {
	recall      []share // at each checkpoint: the mean over sessions
	early       share
	cached      []share
	compactions int
	counter
	requests int
	invalid  int
	over     int
}

func sum(all []growth, way string, budget int) grown {
	out := grown{recall: make([]share, checkpoints), cached: make([]share, checkpoints)}
	for _, g := range all {
		if g.way != way || g.budget != budget {
			continue
		}
		for k, s := range g.recall {
			out.recall[k].add(float64(s.hit), float64(s.of))
		}
		out.early.add(float64(g.early.hit), float64(g.early.of))
		for k, s := range g.shares {
			out.cached[k].add(s.again, s.of)
		}
		out.compactions += g.compactions
		out.calls += g.calls
		out.tokens += g.tokens
		out.requests += g.requests
		out.invalid += g.invalid
		out.over += g.over
	}
	return out
}

// add adds a share to a mean of shares.
func (s *share) add(part, whole float64) {
	if whole > 0 {
		s.again += part / whole
		s.of++
	}
}

// mean returns the mean over the checkpoints.
func mean(list []share) share {
	var out share
	for _, s := range list {
		out.add(s.again, s.of)
	}
	return out
}

func writeGrowth(w io.Writer, all []growth) {
	budgets := strings.Trim(strings.ReplaceAll(fmt.Sprint(growBudgets), " ", " / "), "[]")
	fmt.Fprintf(w, `### Growing sessions

A request before every message of the assistant, and facts asked for after each tenth of the
requests. Each session counts the same. Budgets are in percent of what the session costs in the end:
%s %%. Compactions and calls are those at %d %%.

`, budgets, growBudgets[1])
	t := table{head: []string{
		"way", "facts, at the end", "facts, on average", "facts of the first quarter, at the end",
		"prefix reused", "requests for each compaction", "model calls for each compaction",
		"tokens of a call",
	}}
	for _, x := range ways() {
		t.add(growthRow(all, x)...)
	}
	t.writeTo(w)
	invalid, over, requests := 0, 0, 0
	for _, g := range all {
		invalid, over, requests = invalid+g.invalid, over+g.over, requests+g.requests
	}
	fmt.Fprintf(w, "In all %d requests: %d broken rules at the checkpoints, %d budgets exceeded.\n\n",
		requests, invalid, over)
}

func growthRow(all []growth, x way) []string {
	cells := func(of func(grown) share) string {
		var out []string
		for _, b := range growBudgets {
			out = append(out, strings.TrimSuffix(of(sum(all, x.name, b)).String(), " %"))
		}
		return strings.Join(out, " / ")
	}
	s := sum(all, x.name, growBudgets[1])
	ratio := func(a, b int) string {
		if a == 0 || b == 0 {
			return "–"
		}
		return fmt.Sprintf("%.3g", float64(a)/float64(b))
	}
	return []string{
		x.name,
		cells(func(g grown) share { return g.recall[checkpoints-1] }),
		cells(func(g grown) share { return mean(g.recall) }),
		cells(func(g grown) share { return g.early }),
		cells(func(g grown) share { return mean(g.cached) }),
		ratio(s.requests, s.compactions), ratio(s.calls, s.compactions), ratio(s.tokens, s.calls),
	}
}

// growthBySession are the ways of the table by session.
var growthBySession = []string{
	"session, flat", "session, masking", "flat, of everything at once",
}

func writeGrowthBySession(w io.Writer, all []growth) {
	fmt.Fprintf(w, `### Growing sessions, one by one

Facts remembered at the end, at %d %%, and the share of the prefix that a cache can reuse.

`, growBudgets[1])
	t := table{head: append([]string{"session", "messages", "tokens", "facts"}, growthBySession...)}
	t.head = append(t.head, "prefix reused")
	seen := make(map[*session]bool)
	for _, g := range all {
		if seen[g.session] {
			continue
		}
		seen[g.session] = true
		row := []string{
			g.session.name, fmt.Sprint(len(g.session.history)), fmt.Sprint(cost(g.session.history)),
			fmt.Sprint(len(g.session.facts)),
		}
		var cached share
		for _, name := range growthBySession {
			for _, x := range all {
				if x.session != g.session || x.way != name || x.budget != growBudgets[1] {
					continue
				}
				row = append(row, x.recall[len(x.recall)-1].String())
				if name == growthBySession[0] {
					cached = mean(x.shares)
				}
			}
		}
		t.add(append(row, cached.String())...)
	}
	t.writeTo(w)
}
