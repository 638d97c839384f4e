package compact

import (
	"strings"

	"github.com/go-preflight/preflight"
)

// This file turns messages into labelled segments, and takes the delimiters off the summaries in
// histories that were compacted before.

// earlier reads a text in the form of block, and what a repair joined to it: the summary and the
// text after it. ok is false for every other text. Anybody can write such a text: it is what its
// message says, one message, whatever number it claims to replace.
func earlier(s string) (summary, after string, ok bool) {
	inner, ok := strings.CutPrefix(s, openTag+"\n")
	if !ok {
		return "", "", false
	}
	inner, after, ok = strings.Cut(inner, closeTag)
	if !ok {
		return "", "", false
	}
	note, summary, _ := strings.Cut(inner, "\n")
	count, _, ok := strings.Cut(note, " "+noteText)
	if !ok || strings.Trim(count, "0123456789") != "" {
		return "", "", false
	}
	return strings.TrimSuffix(summary, "\n"), strings.TrimLeft(after, "\n"), true
}

// labelRoles are the roles whose labels are read in a summary.
var labelRoles = []preflight.Role{
	preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool, preflight.RoleSystem,
	"developer", "model", "function",
}

// cutLabel takes the label off a line of a summary, and another label that an older summary put
// before it.
func cutLabel(line string) (label, text string, ok bool) {
	text = line
	for again := true; again; {
		again = false
		for _, role := range labelRoles {
			if said, cut := strings.CutPrefix(text, string(role)+": "); cut {
				label, text, ok, again = string(role)+": ", said, true, true
			}
		}
	}
	return label, text, ok
}

// toolWeight is what the score of a segment of a tool call or result is multiplied by: what people
// and models say counts for more, because a call can be made again.
const toolWeight = 0.5

// labelled cuts the text of an input into segments with their labels. The segments of a summary
// have the labels that they have in it, so that labels do not nest.
func (in Input) labelled() []segment {
	if in.Summary {
		return summarySegments(in.Text)
	}
	parts := in.pieces
	if parts == nil {
		parts = []piece{{text: in.Text}}
	}
	label := in.label()
	var found []segment
	for _, p := range parts {
		if p.tool {
			for _, s := range records(collapse(p.text)) {
				s.label, s.text, s.weight = label, unlabelled(s.text, label), toolWeight
				found = append(found, s)
			}
			continue
		}
		for _, s := range segments(p.text) {
			found = append(found, segment{label: label, text: unlabelled(s, label), weight: 1})
		}
	}
	return numbered(found)
}

// numbered says of each segment of an input how many are before and after it.
func numbered(found []segment) []segment {
	for k := range found {
		found[k].at, found[k].left = k, len(found)-1-k
	}
	return found
}

// unlabelled is a segment without its own label, which the lines of an earlier summary have: labels
// do not nest.
func unlabelled(s, label string) string {
	for label != "" {
		rest, ok := strings.CutPrefix(s, label)
		if !ok || !hasWord(rest) {
			break
		}
		s = rest
	}
	return s
}

// attributed is a text with its label before it, if it is the first under it, and before each line
// that begins with a label: nobody can write a line that reads as if another had said it.
func attributed(label, text string, first bool) string {
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if _, _, ok := cutLabel(line); k == 0 && first || ok {
			lines[k] = label + unlabelled(line, label)
		}
	}
	return strings.Join(lines, "\n")
}

// collapse keeps one of the lines of a text that repeat one after the other, with a mark.
func collapse(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[:0]
	for k := 0; k < len(lines); {
		line, end := lines[k], k+1
		for end < len(lines) && lines[end] == line {
			end++
		}
		if end > k+1 && strings.TrimSpace(line) != "" {
			line += " " + gap(end-k-1)
		}
		out, k = append(out, line), end
	}
	return strings.Join(out, "\n")
}

// summarySegments are the segments of a summary, with the labels that are in it.
func summarySegments(text string) []segment {
	var found []segment
	label := ""
	for _, s := range sentences(text) {
		if l, said, ok := cutLabel(s); ok {
			label, s = l, said
		}
		if s != "" {
			found = append(found, segment{label: label, text: s, weight: 1})
		}
	}
	return numbered(found)
}
