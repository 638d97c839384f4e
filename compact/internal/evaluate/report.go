package main

import (
	"fmt"
	"io"
	"strings"
)

// This file writes the tables.

// table is a Markdown table.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) writeTo(w io.Writer) {
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	line(strings.Split(strings.Repeat("---,", len(t.head)-1)+"---", ","))
	for _, r := range t.rows {
		line(r)
	}
	fmt.Fprintln(w)
}

// report writes the tables of the page of figures.
func report(w io.Writer, sessions []session, growths []growth) error {
	all, err := measureAll(sessions, budgets...)
	if err != nil {
		return err
	}
	if err := writeForms(w); err != nil {
		return err
	}
	if err := writePrograms(w); err != nil {
		return err
	}
	writeGrowthBySession(w, growths)
	writeRecall(w, all)
	writeBySession(w, all)
	writeShapes(w, all)
	if err := writeSeams(w, sessions); err != nil {
		return err
	}
	invalid, over := 0, 0
	for _, o := range all {
		invalid += o.invalid
		if o.tokens > o.limit {
			over++
		}
	}
	const line = "In all %d runs: %d broken rules in the results, %d budgets exceeded.\n"
	fmt.Fprintf(w, line, len(all), invalid, over)
	return nil
}

func writeRecall(w io.Writer, all []outcome) {
	fmt.Fprint(w,
		`### Facts remembered, by budget

Over all sessions. The budget is for the whole history that is sent, in percent of the session's
tokens.

`)
	t := table{head: []string{"condition"}}
	for _, b := range budgets {
		t.head = append(t.head, fmt.Sprintf("%d %%", b))
	}
	for _, c := range conditions() {
		row := []string{c.name}
		for _, b := range budgets {
			match := func(o outcome) bool { return o.condition == c.name && o.budget == b }
			row = append(row, tally(all, match).String())
		}
		t.add(row...)
	}
	t.writeTo(w)
}

func writeBySession(w io.Writer, all []outcome) {
	fmt.Fprintf(w, "### Facts remembered, by session\n\nAt a budget of %d %%.\n\n", budgets[1])
	t := table{head: []string{"session"}}
	for _, c := range conditions() {
		t.head = append(t.head, c.name)
	}
	seen := make(map[string]bool)
	for _, o := range all {
		name := o.session.name
		if seen[name] {
			continue
		}
		seen[name] = true
		row := []string{name}
		for _, c := range conditions() {
			match := func(x outcome) bool {
				return x.session == o.session && x.condition == c.name && x.budget == budgets[1]
			}
			row = append(row, tally(all, match).String())
		}
		t.add(row...)
	}
	t.writeTo(w)
}

func writeShapes(w io.Writer, all []outcome) {
	fmt.Fprintf(w,
		`### The clusters

At a budget of %d %%. Purity is the share of messages that are in a cluster with a majority of their
own topic. The next column is the purity of random clusters of the same sizes.

`, budgets[1])
	t := table{
		head: []string{
			"session", "clusters", "largest", "purity", "by chance",
			"without cap: clusters", "largest", "purity", "by chance",
		},
	}
	row := func(o outcome) []string {
		s, chance := shapeOf(o), shapeOf(dealt(o))
		return []string{
			fmt.Sprint(s.clusters), fmt.Sprintf("%.0f %%", 100*s.largest),
			fmt.Sprintf("%.0f %%", 100*s.purity), fmt.Sprintf("%.0f %%", 100*chance.purity),
		}
	}
	for _, o := range all {
		if o.budget != budgets[1] || o.condition != "union-find, apart" {
			continue
		}
		for _, x := range all {
			if x.session == o.session && x.budget == o.budget &&
				x.condition == "union-find, apart, without cap" {
				t.add(append(append([]string{o.session.name}, row(o)...), row(x)...)...)
			}
		}
	}
	t.writeTo(w)
}

func writeSeams(w io.Writer, sessions []session) error {
	rows, err := seams(sessions)
	if err != nil {
		return err
	}
	fmt.Fprintf(w,
		`### The seam

How many requests a provider refuses when the last %d or %d messages, in turns, simply follow a
summary and an acknowledgement, and when this package cuts.

`, keep, keep+1)
	t := table{head: []string{"provider", "requests", "refused, simply cut", "refused, compact"}}
	for _, r := range rows {
		naive := fmt.Sprintf("%d (%d %%)", r.naive, 100*r.naive/r.requests)
		t.add(r.profile, fmt.Sprint(r.requests), naive, fmt.Sprint(r.ours))
	}
	t.writeTo(w)
	return nil
}
