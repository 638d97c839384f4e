package main

import (
	"bytes"
	"fmt"
	"io"
)

// This file judges how the time grows with the size.

// grown is how many times as long ten times the messages take, and how many it may be.
type grown struct {
	name        string
	times, most float64
}

func (r *results) growth() []grown {
	var out []grown
	add := func(name string, most float64) {
		small, large := r.time("%s/1000/sanitize", name), r.time("%s/10000/sanitize", name)
		if small > 0 && large > 0 {
			out = append(out, grown{name, large / small, most})
		}
	}
	for _, shape := range shapes {
		add("Memory/"+shape, 25)
	}
	for _, body := range bodies {
		add("Wire/"+body, 12)
	}
	return out
}

func (r *results) growthTable(b *bytes.Buffer) {
	all := r.growth()
	if len(all) == 0 {
		return
	}
	table(b, "ten times the messages", "times as long")
	for _, g := range all {
		fmt.Fprintf(b, "| %s | %.1f |\n", g.name, g.times)
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
