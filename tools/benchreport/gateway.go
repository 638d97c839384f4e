package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes what a gateway sees, and the memory of the largest bodies.

// gateway writes the bodies of each size that are served in a second.
func (r *results) gateway(b *bytes.Buffer) {
	if !r.measured("Gateway/10KB/clean") {
		return
	}
	table(b, "bodies a second (share of the garbage collector)", "only read", "all valid",
		"one in 100 broken", "all broken")
	for _, size := range []string{"10KB", "100KB", "1MB"} {
		fmt.Fprintf(b, "| %s %s |", size[:len(size)-2], size[len(size)-2:])
		for _, mix := range []string{"read", "clean", "broken1", "broken100"} {
			// the time that passed: it counts what the processors wait for each other
			t := r.unit("ns/op", "Gateway/%s/%s", size, mix)
			fmt.Fprintf(b, " %s (%.0f %%) |", thousands(1e9/t),
				r.unit("gc-%", "Gateway/%s/%s", size, mix))
		}
		b.WriteString("\n")
	}
}

// thousands is v with two significant digits or more, and commas.
func thousands(v float64) string {
	switch {
	case v >= 10_000:
		return fmt.Sprintf("%.0f,000", v/1000)
	case v >= 1000:
		return fmt.Sprintf("%d,%d00", int(v+50)/1000, int(v+50)%1000/100)
	}
	return fmt.Sprintf("%.0f", v)
}

// footprint writes the memory of the process while it repairs one very large body.
func (r *results) footprint(b *bytes.Buffer) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.of)), func(name string) bool {
		return !strings.HasPrefix(name, "Footprint/")
	})
	if len(names) == 0 {
		return
	}
	table(b, "body", "MB", "memory of the process ÷ body")
	for _, name := range names {
		f := r.of[name]
		fmt.Fprintf(b, "| %s | %.0f | %.2f |\n",
			strings.TrimSuffix(strings.TrimPrefix(name, "Footprint/"), "/256MB"),
			f["body-B"]/(1<<20), f["rss-B"]/f["body-B"])
	}
}

// footprints are the footprints of all large bodies, divided by the bodies.
func (r *results) footprints() (out []float64) {
	for name, f := range r.of {
		if strings.HasPrefix(name, "Footprint/") {
			out = append(out, f["rss-B"]/f["body-B"])
		}
	}
	return out
}
