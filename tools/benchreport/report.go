package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// This file writes the tables.

var (
	shapes = []string{"clean", "dirty1", "dirty20", "run", "parallel", "payloads"}
	sizes  = []int{10, 100, 1000, 10_000, 100_000}
	bodies = []string{
		"anthropic/clean", "openai-chat/clean", "anthropic/parallel", "anthropic/payloads",
		"anthropic/dirty1", "anthropic/dirty20", "anthropic/run",
	}
)

// wire writes the table of bodies.
func (r *results) wire(b *bytes.Buffer) {
	var rows bytes.Buffer
	for _, body := range bodies {
		for _, n := range sizes {
			r.wireRow(&rows, body, n)
		}
	}
	if rows.Len() == 0 {
		return
	}
	table(b, "body", "messages", "MB", "÷ utf8.Valid", "÷ json.Valid",
		"÷ encoding/json round trip", "allocations", "allocated ÷ body", "peak ÷ body")
	b.Write(rows.Bytes())
}

// target is a target of speed: the worst of the measured values has to keep the limit.
type target struct {
	what   string
	limit  float64
	least  bool // the values may not be below the limit; otherwise not above
	values []float64
}

// targets writes each target with the worst value that was measured.
func (r *results) targets(b *bytes.Buffer) {
	if !r.measured("Memory/clean/1000/sanitize") {
		return
	}
	b.WriteString("| target | limit | worst | median | |\n|---|--:|--:|--:|---|\n")
	large := []int{100, 1000, 10_000, 100_000}
	all := slices.Sorted(maps.Keys(r.of))
	for _, t := range []target{
		{"in memory, clean: ÷ (floor + text validation)", 1.8, false, r.each(large, func(
			n int,
		) float64 {
			return r.time("Memory/clean/%d/sanitize", n) /
				(r.time("Memory/clean/%d/floor", n) + r.time("Memory/clean/%d/text", n))
		})},
		{"in memory, one message in 100 broken: ÷ clean", 5, false, r.overClean("dirty1", large)},
		{"in memory, one in 5 broken: ÷ clean", 6, false, r.overClean("dirty20", large)},
		{"in memory, one in 5 broken: allocations", 8, false, r.each(large, func(n int) float64 {
			return r.unit("allocs/op", "Memory/dirty20/%d/sanitize", n)
		})},
		{"on the wire, clean, every format: ÷ json.Valid", 2.5, true, r.formatSpeeds(all)},
		{"on the wire, clean, every format: allocations", 0, false, r.formatAllocations(all)},
		{"on the wire, one in 100 broken: ÷ json.Valid", 1.2, true, r.wireSpeeds("dirty1", large)},
		{"on the wire, one in 5 broken: ÷ json.Valid", 0.9, true, r.wireSpeeds("dirty20", large)},
		{"on the wire, all messages become one: ÷ json.Valid", 1, true, r.wireSpeeds("run", large)},
		{"on the wire, all messages become one: allocations", 100, false, r.each(large, func(
			n int,
		) float64 {
			return r.unit("allocs/op", "Wire/anthropic/run/%d/sanitize", n)
		})},
		{"peak memory ÷ body, every shape", 2, false, r.peaks()},
		{"the process, repairing 256 MB: memory ÷ body", 2.5, false, r.footprints()},
		{"a session of 1,000 turns in memory ÷ encoding it", 0.1, false,
			[]float64{r.time("Session/memory") / r.time("Session/marshal")}},
	} {
		t.write(b)
	}
}

func (t target) write(b *bytes.Buffer) {
	values := slices.DeleteFunc(t.values, math.IsNaN)
	if len(values) == 0 {
		return
	}
	slices.Sort(values)
	worst, bound, met := values[len(values)-1], "at most", false
	if met = worst <= t.limit; t.least {
		worst, bound = values[0], "at least"
		met = worst >= t.limit
	}
	verdict := "**missed**"
	if met {
		verdict = "met"
	}
	fmt.Fprintf(b, "| %s | %s %.3g | %.2f | %.2f | %s |\n",
		t.what, bound, t.limit, worst, values[len(values)/2], verdict)
}

// each returns a value for each size, NaN where nothing was measured.
func (r *results) each(sizes []int, value func(n int) float64) []float64 {
	out := make([]float64, 0, len(sizes))
	for _, n := range sizes {
		v := value(n)
		if math.IsInf(v, 0) || v == 0 && r.time("Memory/dirty20/%d/sanitize", n) == 0 {
			v = math.NaN()
		}
		out = append(out, v)
	}
	return out
}

func (r *results) overClean(shape string, sizes []int) []float64 {
	return r.each(sizes, func(n int) float64 {
		return r.time("Memory/%s/%d/sanitize", shape, n) / r.time("Memory/clean/%d/sanitize", n)
	})
}

func (r *results) wireSpeeds(shape string, sizes []int) []float64 {
	return r.each(sizes, func(n int) float64 {
		return r.time("Wire/anthropic/%s/%d/json.Valid", shape, n) /
			r.time("Wire/anthropic/%s/%d/sanitize", shape, n)
	})
}

// formatSpeeds are the speeds of clean bodies, relative to json.Valid: of every provider, and of
// the long ones.
func (r *results) formatSpeeds(all []string) (out []float64) {
	for _, name := range all {
		base, ok := strings.CutSuffix(name, "/json.Valid")
		clean := strings.HasPrefix(base, "Format/") ||
			strings.HasPrefix(base, "Wire/") && strings.Contains(base, "/clean/")
		if ok && clean {
			out = append(out, r.time("%s", name)/r.time("%s/sanitize", base))
		}
	}
	return out
}

func (r *results) formatAllocations(all []string) (out []float64) {
	for _, name := range all {
		if strings.HasPrefix(name, "Format/") && strings.HasSuffix(name, "/sanitize") {
			out = append(out, r.unit("allocs/op", "%s", name))
		}
	}
	return out
}

func (r *results) peaks() (out []float64) {
	for name, f := range r.of {
		if base, ok := strings.CutPrefix(name, "Peak/"); ok {
			out = append(out, f["peak-B"]/r.unit("body-B", "Wire/%s/sanitize", base))
		}
	}
	return out
}

// memory writes the table of histories in memory.
func (r *results) memory(b *bytes.Buffer) {
	if !r.measured("Memory/clean/1000/sanitize") {
		return
	}
	table(b, "history", "messages", "floor, ns per message", "text, ns per message",
		"Sanitize ÷ (floor + text)", "Sanitize ÷ clean", "allocations")
	for _, shape := range shapes {
		for _, n := range sizes {
			floor := r.time("Memory/%s/%d/floor", shape, n)
			text := r.time("Memory/%s/%d/text", shape, n)
			all := r.time("Memory/%s/%d/sanitize", shape, n)
			if floor > 0 && all > 0 {
				fmt.Fprintf(b, "| %s | %d | %.1f | %.0f | %.1f | %.1f | %.0f |\n", shape, n,
					floor/float64(n), text/float64(n), all/(floor+text),
					all/r.time("Memory/clean/%d/sanitize", n),
					r.unit("allocs/op", "Memory/%s/%d/sanitize", shape, n))
			}
		}
	}
}

func (r *results) wireRow(b *bytes.Buffer, body string, n int) {
	name := fmt.Sprintf("Wire/%s/%d/", body, n)
	all, size := r.time("%ssanitize", name), r.unit("body-B", "%ssanitize", name)
	if all == 0 {
		return
	}
	fmt.Fprintf(b, "| %s | %d | %.2f |", body, n, size/1e6)
	for _, pass := range []string{"utf8.Valid", "json.Valid", "roundtrip"} {
		if t := r.time("%s%s", name, pass); t > 0 {
			fmt.Fprintf(b, " %.2f |", t/all)
		} else {
			b.WriteString(" |")
		}
	}
	fmt.Fprintf(b, " %.0f | %.2f |", r.unit("allocs/op", "%ssanitize", name),
		r.unit("B/op", "%ssanitize", name)/size)
	if peak, ok := r.of[fmt.Sprintf("Peak/%s/%d", body, n)]["peak-B"]; ok {
		fmt.Fprintf(b, " %.2f |\n", peak/size)
	} else {
		b.WriteString(" |\n")
	}
}

// formats writes the table of clean bodies of every provider.
func (r *results) formats(b *bytes.Buffer) {
	if !r.measured("Format/anthropic/sanitize") {
		return
	}
	table(b, "provider", "÷ json.Valid", "allocations")
	for _, name := range slices.Sorted(maps.Keys(r.of)) {
		base, ok := strings.CutSuffix(name, "/json.Valid")
		if provider, format := strings.CutPrefix(base, "Format/"); ok && format {
			fmt.Fprintf(b, "| %s | %.2f | %.0f |\n", provider,
				r.time("%s", name)/r.time("%s/sanitize", base),
				r.unit("allocs/op", "%s/sanitize", base))
		}
	}
}

// session writes what a session of many requests costs, in all and as a share of encoding its
// requests.
func (r *results) session(b *bytes.Buffer) {
	encoding := r.time("Session/marshal")
	if encoding == 0 {
		return
	}
	table(b, fmt.Sprintf("%.0f requests together", r.unit("turns", "Session/marshal")),
		"seconds", "÷ encoding")
	for _, row := range []struct{ pass, what string }{
		{"marshal", "encode every request with encoding/json, from structs as an SDK has them"},
		{"memory", "Sanitize the whole history for every request"},
		{"wire", "wire.Sanitize every body"},
		{"prefix", "compare every body with the last one, and wire.Sanitize what is new"},
	} {
		if t := r.time("Session/%s", row.pass); t > 0 {
			fmt.Fprintf(b, "| %s | %.2f | %.2f |\n", row.what, t/1e9, t/encoding)
		}
	}
}
