package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule/problems"
)

// nestable reports whether a part may be inside a tool result.
func nestable(p Part) bool {
	if isNil(p) {
		return false
	}
	switch p.(type) {
	case *Text, *Media, *Other:
		return true
	}
	return false
}

// wellFormed removes nil parts, and replaces parts that may not be inside a tool result by their
// text.
func wellFormed(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if isNil(p) {
				d.warn(d.position(i, j), note{
					code: codes.NilRemoved, problem: problems.NilPart, detail: "removed a nil part",
				}, Tally{}, Tally{})
				d.take(i, j)
			} else if r, ok := p.(*ToolResult); ok && !allNestable(r.Content) {
				flat := edited(r, func(x *ToolResult) { x.Content = flatten(r) })
				d.replace(i, j, flat, note{
					code: codes.NestingRemoved, problem: problems.Nested, id: r.CallID,
					detail: "replaced parts that a tool result may not hold by their text",
				})
			}
		}
	}
	d.commit()
}

func allNestable(content []Part) bool {
	return !slices.ContainsFunc(content, func(p Part) bool { return !nestable(p) })
}

// flatten returns the content of a result, with parts that may not be inside one replaced by their
// text, if they have any. The text of a result that is nested several times, or inside itself, is
// returned once.
func flatten(r *ToolResult) []Part {
	seen := map[*ToolResult]bool{r: true}
	out := make([]Part, 0, len(r.Content))
	for _, p := range r.Content {
		if nestable(p) {
			out = append(out, p)
		} else if text := deepText(p, seen); text != "" {
			out = append(out, &Text{Text: text})
		}
	}
	return out
}

// deepText returns all text and arguments in a part, at any depth, in order, without the results in
// seen, to which it adds. It keeps its own stack, because the nesting may be too deep for the
// goroutine's.
func deepText(part Part, seen map[*ToolResult]bool) string {
	var lines []string
	for stack := [][]Part{{part}}; len(stack) > 0; {
		top := len(stack) - 1
		if len(stack[top]) == 0 {
			stack = stack[:top]
			continue
		}
		p := stack[top][0]
		stack[top] = stack[top][1:]
		if isNil(p) {
			continue
		}
		text := ""
		switch p := p.(type) {
		case *Text:
			text = p.Text
		case *Reasoning:
			text = p.Text
		case *ToolCall:
			text = string(p.Input)
		case *ToolResult:
			if !seen[p] {
				seen[p] = true
				text = string(p.Output)
				stack = append(stack, p.Content)
			}
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// wellFormed checks that the history has no nil parts and no invalid nesting. It also records the
// roles and counts the parts.
func (c *checker) wellFormed() {
	c.roles = slices.Grow(c.roles, len(c.history))
	c.turns, c.calls, c.results = 0, 0, 0
	for i := range c.history {
		role, _ := roleOf(c.history[i].Role)
		c.roles = append(c.roles, role)
		if role == RoleAssistant {
			c.turns++
		}
		for j, p := range c.history[i].Parts {
			if !c.count(p) {
				c.report(problems.NilPart, i, j, "", "the part is nil")
				continue
			}
			r, ok := p.(*ToolResult)
			if !ok {
				continue
			}
			for _, inner := range r.Content {
				if !c.count(inner) || !nestable(inner) {
					c.report(problems.Nested, i, j, r.CallID,
						"the tool result holds a part that may not be inside one")
					break
				}
			}
		}
	}
}
