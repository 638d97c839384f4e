package main

import (
	"bytes"
	"fmt"
	"math"
)

// This file draws the cost of a history over its size, both logarithmic.

// The measures of the picture.
const (
	width, height = 640, 360
	left, bottom  = 70, 310
	right, top    = 500, 30
)

var curves = []struct{ name, label, colour string }{
	{"Memory/dirty20/%d/sanitize", "one message in 5 broken", "#c0392b"},
	{"Memory/dirty1/%d/sanitize", "one in 100 broken", "#d68910"},
	{"Memory/clean/%d/sanitize", "valid", "#1e8449"},
	{"Memory/clean/%d/text", "validation of the texts alone", "#7f8c8d"},
}

// picture is the SVG of the time of Sanitize in memory, and of text validation.
func (r *results) picture() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "+
		"font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height)
	for k, label := range []string{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms"} {
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
	for k, c := range curves {
		r.curve(&b, c.name, c.colour)
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
			left+16, top+16+18*k, c.colour, c.label)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// curve draws the times of one benchmark at all sizes.
func (r *results) curve(b *bytes.Buffer, name, colour string) {
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
		return
	}
	fmt.Fprintf(b, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path,
		colour)
}

// xOf is the place of a number of messages, from 10 to 100,000.
func xOf(n int) float64 { return left + (math.Log10(float64(n))-1)/4*(right-left) }

// yOf is the place of a time in nanoseconds, from 100 ns to 100 ms.
func yOf(ns float64) float64 { return bottom - (math.Log10(ns)-2)/6*(bottom-top) }
