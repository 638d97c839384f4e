package main

import (
	"bytes"
	"fmt"
	"math"
)

// This file draws the cost of a history over its size, both logarithmic.

// The measures of the picture.
const (
	width, height = 760, 360
	left, bottom  = 90, 310
	right, top    = 500, 30
	legend        = right + 20
)

// curves are the times that are drawn; those of other sanitizers are dashed.
var curves = []struct {
	name, label, colour string
	dashed              bool
}{
	{"Peer/deepagents/dirty20/%d", "deepagents, one in 5 broken", "#5b2c6f", true},
	{"Peer/pi-ai/dirty20/%d", "pi-ai, one in 5 broken", "#2874a6", true},
	{"Peer/eino/dirty20/%d", "eino, one in 5 broken", "#784212", true},
	{"Memory/dirty20/%d/sanitize", "one message in 5 broken", "#c0392b", false},
	{"Memory/dirty1/%d/sanitize", "one in 100 broken", "#d68910", false},
	{"Memory/clean/%d/sanitize", "valid", "#1e8449", false},
	{"Memory/clean/%d/text", "validation of the texts alone", "#7f8c8d", false},
}

// picture is the SVG of the time of Sanitize in memory, of text validation, and of the peers.
func (r *results) picture() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "+
		"font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height)
	for k, label := range []string{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"} {
		y := yOf(math.Pow10(3 + k))
		fmt.Fprintf(&b, "<path d=\"M%d %.0fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.0f\" "+
			"text-anchor=\"end\">%s</text>\n", left, y, right, left-6, y+4, label)
	}
	for _, n := range sizes {
		fmt.Fprintf(&b, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
			xOf(n), bottom+18, n)
	}
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">messages</text>\n",
		(left+right)/2, bottom+38)
	fmt.Fprintf(&b, "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">"+
		"time of one pass</text>\n", (top+bottom)/2)
	row := 0
	for _, c := range curves {
		if r.curve(&b, c.name, c.colour, c.dashed) {
			y := top + 16 + 18*row
			fmt.Fprintf(&b, "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"2\"%s/>"+
				"<text x=\"%d\" y=\"%d\" fill=\"#333\">%s</text>\n",
				legend, y-4, c.colour, dashes(c.dashed), legend+32, y, c.label)
			row++
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// curve draws the times of one benchmark at all sizes, and reports whether there are any.
func (r *results) curve(b *bytes.Buffer, name, colour string, dashed bool) bool {
	path := ""
	for _, n := range sizes {
		t := r.time(name, n)
		if t == 0 {
			continue
		}
		command := "L"
		if path == "" {
			command = "M"
		}
		path += fmt.Sprintf("%s%.1f %.1f", command, xOf(n), yOf(t))
	}
	if path == "" {
		return false
	}
	fmt.Fprintf(b, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
		path, colour, dashes(dashed))
	return true
}

// dashes is the attribute of a dashed line.
func dashes(dashed bool) string {
	if dashed {
		return ` stroke-dasharray="5 3"`
	}
	return ""
}

// xOf is the place of a number of messages, from 10 to 100,000.
func xOf(n int) float64 { return left + (math.Log10(float64(n))-1)/4*(right-left) }

// yOf is the place of a time in nanoseconds, from 100 ns to 1 s.
func yOf(ns float64) float64 { return bottom - (math.Log10(ns)-2)/7*(bottom-top) }
