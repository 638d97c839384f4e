package main

import (
	"fmt"
	"strings"
)

// This file draws what growing sessions remember and send again over their turns, as SVG.

// chartFile is the name of the picture, next to the page.
const chartFile = "compaction-growing.svg"

// charted are the ways in the picture, in the order they are drawn in: where lines are in the same
// place, the wider ones are seen beside the others, and between the dashes.
var charted = []struct {
	way, colour string
	stroke      string // further attributes of the line
}{
	{"flat, of everything at once", "#8c959f", `stroke-width="9" stroke-opacity="0.5"`},
	{"session, masking", "#2da44e", `stroke-width="5"`},
	{"flat, on its own output", "#d1600a", `stroke-width="2"`},
	{"session, flat", "#1f6feb", `stroke-width="2.5" stroke-dasharray="7 6"`},
}

// chartStyle has the colours of paper, text and grid for light and dark pages.
const chartStyle = `<style>
text { fill: #1f2328 }
.paper { fill: #ffffff }
.grid { stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.paper { fill: #0d1117 }
.grid { stroke: #3d444d }
}
</style>
<rect class="paper" width="100%" height="100%"/>
`

const (
	panelWidth, panelHeight = 330, 220
	panelTop, panelLeft     = 40, 50
)

// chart draws both panels at the middle budget.
func chart(all []growth) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="sans-serif" font-size="12">`+"\n", 2*(panelWidth+panelLeft)+20,
		panelHeight+panelTop+110)
	b.WriteString(chartStyle)
	panel(&b, 0, fmt.Sprintf("facts remembered, at %d %%", growBudgets[1]), all,
		func(g grown) []share { return g.recall })
	panel(&b, panelWidth+panelLeft, "share of the prefix reused", all,
		func(g grown) []share { return g.cached })
	for k, c := range charted {
		x, y := panelLeft+k%2*(panelWidth+panelLeft), panelTop+panelHeight+60+k/2*24
		fmt.Fprintf(&b, `<path d="M%d %dh48" fill="none" stroke="%s" %s/>`+
			`<text x="%d" y="%d">%s</text>`+"\n", x, y-4, c.colour, c.stroke, x+56, y, c.way)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// panel draws one panel: a line for each way, a point for each checkpoint.
func panel(b *strings.Builder, left int, title string, all []growth, of func(grown) []share) {
	x := func(k int) float64 {
		return float64(left+panelLeft) + float64(panelWidth-20)*float64(k)/(checkpoints-1)
	}
	y := func(part float64) float64 { return panelTop + panelHeight*(1-part) }
	fmt.Fprintf(b, `<text x="%d" y="22" font-size="14">%s</text>`+"\n", left+panelLeft, title)
	for tick := 0; tick <= 100; tick += 25 {
		at := y(float64(tick) / 100)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+
			`<text x="%d" y="%.1f" text-anchor="end">%d %%</text>`+"\n", x(0), at,
			x(checkpoints-1), at, left+panelLeft-6, at+4, tick)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">tenths of the session</text>`+"\n",
		x(checkpoints/2), panelTop+panelHeight+30)
	for k := range checkpoints {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(k),
			panelTop+panelHeight+16, k+1)
	}
	for _, c := range charted {
		var points []string
		for k, s := range of(sum(all, c.way, growBudgets[1])) {
			if s.of > 0 {
				points = append(points, fmt.Sprintf("%.1f,%.1f", x(k), y(s.again/s.of)))
			}
		}
		if len(points) > 0 {
			fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" %s/>`+"\n",
				strings.Join(points, " "), c.colour, c.stroke)
		}
	}
}
