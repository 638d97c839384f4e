package preflight

import "strings"

// This file takes out control characters, where hosts stumble over them.

// StripControls removes control characters other than tab and line ends from texts, where the profile refuses them. Signed
// reasoning is never edited.
var StripControls = Fixer{
	Name:   "strip-controls",
	Doc:    "removes control characters other than tab and line ends from texts",
	repair: stripControls,
}

func stripControls(d *draft) {
	if !d.profile.RefuseControls {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if holdsControl(p) {
				d.replace(i, j, withoutControls(p), note{code: CodeTextRepaired, problem: ProblemControl, id: partID(p), detail: "removed control characters"})
			}
		}
	}
}

// isControl reports whether r is a control character that is neither tab nor a line end. NUL is none of this file's.
func isControl(r rune) bool {
	return 0 < r && r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// holdsControl reports whether a part holds one in a text that may be edited.
func holdsControl(p Part) bool {
	switch p := p.(type) {
	case *Text:
		return strings.IndexFunc(p.Text, isControl) >= 0
	case *Reasoning:
		return !p.Signed() && strings.IndexFunc(p.Text, isControl) >= 0
	case *ToolResult:
		for _, c := range p.Content {
			if t, ok := c.(*Text); ok && holdsControl(t) {
				return true
			}
		}
	}
	return false
}

func withoutControls(p Part) Part {
	switch p := p.(type) {
	case *Text:
		return edited(p, func(t *Text) { t.Text = plainText(t.Text) })
	case *Reasoning:
		return edited(p, func(r *Reasoning) { r.Text = plainText(r.Text) })
	case *ToolResult:
		content := make([]Part, len(p.Content))
		for k, c := range p.Content {
			if content[k] = c; holdsControl(c) {
				content[k] = withoutControls(c)
			}
		}
		return edited(p, func(r *ToolResult) { r.Content = content })
	}
	return p
}

func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, s)
}
