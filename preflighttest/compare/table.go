package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/rule"
)

// This file makes the table, and its text.

func (c *comparison) table() *Table {
	t := &Table{Provider: c.provider}
	for _, measure := range []string{
		Refused, Errors, Left, Changed, Broken, Lost, Swapped, Invented, Order, Prefix,
		Growth,
	} {
		row := Row{Measure: measure, Of: c.of[measure]}
		if f := c.sides[0].faults[measure]; f != nil {
			row.Yours, row.Example, row.Why, row.Rules = f.count, f.example, f.why, f.rules
			row.Link = f.link(measure)
			if len(f.damage) > 0 {
				row.Damage = f.damage
			}
		}
		if f := c.sides[1].faults[measure]; f != nil {
			row.Preflight, row.PreflightExample, row.PreflightWhy = f.count, f.example, f.why
			row.PreflightLink = f.link(measure)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// String returns the table as text, with the examples below it. It returns empty for nil.
func (t *Table) String() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %4s %6s %10s\n", t.Provider, "of", "yours", "preflight")
	for _, r := range t.Rows {
		if r.Measure == Growth {
			fmt.Fprintf(&b, "%-40s %4s %6s %10s\n", "time for 4 times the messages", "",
				times(r.Yours), times(r.Preflight))
			continue
		}
		fmt.Fprintf(&b, "%-40s %4d %6d %10d\n", r.Measure, r.Of, r.Yours, r.Preflight)
	}
	for _, r := range t.Rows {
		writeCounts(&b, r.Measure+", by rule", r.Rules)
		writeCounts(&b, r.Measure+", by damage", r.Damage)
		if r.Example != nil {
			fmt.Fprintf(&b, "\n%s: %s\n%s\n%s\n", r.Measure, r.Why, r.Link, r.Example)
		}
		if r.PreflightExample != nil {
			fmt.Fprintf(&b, "\nby preflight, %s: %s\n%s\n%s\n", r.Measure, r.PreflightWhy,
				r.PreflightLink, r.PreflightExample)
		}
	}
	return b.String()
}

// writeCounts writes what there are several of, and how often.
func writeCounts(b *strings.Builder, title string, counts map[string]int) {
	if len(counts) < 2 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(b, "%6d %s\n", counts[name], name)
	}
}

// times writes a percentage of four times.
func times(percent int) string {
	if percent == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1fx", float64(percent)/25)
}

// pages are the parts of the documentation that say why a fault is one.
var pages = map[string]string{
	Changed: "proof.md#the-guarantees", Broken: "proof.md#the-guarantees",
	Prefix: "proof.md#growing-sessions",
}

// link returns the address of the evidence of the rule that the example breaks, or else of a page.
func (f *fault) link(measure string) string {
	if f.example == nil {
		return ""
	}
	id, _, _ := strings.Cut(f.why, ": ")
	if r, ok := rule.ByID(cmp.Or(f.rule, id)); ok {
		return r.Sources[0]
	}
	return "https://github.com/go-preflight/preflight/blob/main/docs/" +
		cmp.Or(pages[measure], "faq.md")
}
