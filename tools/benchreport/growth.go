package main

import (
	"bytes"
	"fmt"
	"io"
)

// This file judges how the time grows with the size.

// grown is how many times as long ten times the messages take, how many it may be, and how many it
// is for a pass that only reads the texts.
type grown struct {
	name              string
	times, most, read float64
}

func (r *results) growth() []grown {
	var out []grown
	times := func(name, pass string) float64 {
		return r.time("%s/10000/%s", name, pass) / r.time("%s/1000/%s", name, pass)
	}
	add := func(name string, most float64, reading string) {
		if r.time("%s/1000/sanitize", name) > 0 && r.time("%s/10000/sanitize", name) > 0 {
			out = append(out, grown{name, times(name, "sanitize"), most, times(name, reading)})
		}
	}
	for _, shape := range shapes {
		add("Memory/"+shape, 25, "text")
	}
	for _, body := range bodies {
		add("Wire/"+body, 12, "utf8.Valid")
	}
	return out
}

func (r *results) growthTable(b *bytes.Buffer) {
	all := r.growth()
	if len(all) == 0 {
		return
	}
	table(b, "ten times the messages", "times as long", "only to read the texts")
	for _, g := range all {
		if fmt.Fprintf(b, "| %s | %.1f |", g.name, g.times); g.read > 0 {
			fmt.Fprintf(b, " %.1f", g.read)
		}
		b.WriteString(" |\n")
	}
}

// tooFast writes what grew faster than it may.
func (r *results) tooFast(out io.Writer) error {
	all := r.growth()
	if len(all) == 0 {
		return fmt.Errorf("nothing was measured at both 1,000 and 10,000 messages")
	}
	for _, g := range all {
		if g.times > g.most {
			fmt.Fprintf(out, "%s: ten times the messages take %.1f times as long, more than %.0f\n",
				g.name, g.times, g.most)
		}
	}
	return nil
}
