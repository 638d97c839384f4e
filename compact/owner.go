package compact

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file says whose words a line of a record is. Every line begins with a label, and content has
// no line breaks of its own there, so that nothing that anybody writes can look like another's line.

// The labels of a record.
const (
	userLabel      = "user: "
	assistantLabel = "assistant: "
	toolLabel      = "tool: "
	systemLabel    = "system: "
	summaryLabel   = "summary: " // what a summarizer wrote
)

// labels are all of them.
var labels = []string{userLabel, assistantLabel, toolLabel, systemLabel, summaryLabel}

// roleLabel returns the label of the words in a message of a role. An unknown role is a user's.
func roleLabel(role preflight.Role) string {
	switch strings.ToLower(strings.TrimSpace(string(role))) {
	case "":
		return ""
	case "assistant", "model", "ai", "bot":
		return assistantLabel
	case "tool", "function":
		return toolLabel
	case "system", "developer":
		return systemLabel
	}
	return userLabel
}

// lineBreaks turns every line break of Unicode, and the separators that some readers take for one,
// into "\n".
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\x1c", "\n", "\x1d", "\n", "\x1e", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// inLines returns a text with every line break as "\n". One that has no others is not copied.
func inLines(s string) string {
	if strings.ContainsAny(s, "\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029") {
		return lineBreaks.Replace(s)
	}
	return s
}

// goesOnMark is before every line that is of the same owner as the line above it.
const goesOnMark = "| "

// attributed returns a text with its label before it, or as what goes on with a line above it.
// Lines without anything in them go.
func attributed(label, text string, goesOn bool) string {
	if label == "" {
		return text
	}
	if goesOn {
		label = goesOnMark
	}
	if text = inLines(text); !strings.Contains(text, "\n") {
		return label + text
	}
	lines := strings.Split(text, "\n")
	out := lines[:0]
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			out = append(out, label+line)
			label = goesOnMark
		}
	}
	return strings.Join(out, "\n")
}

// cutLabel takes the label off a line of a record. There is one: what is after it is content, even
// if it looks like a label.
func cutLabel(line string) (label, text string, ok bool) {
	for _, label := range labels {
		if text, ok := strings.CutPrefix(line, label); ok {
			return label, text, true
		}
	}
	return "", line, false
}

// labelled returns a record in which every line has a label, goes on with one that has, or is a
// mark: other lines are those of a summarizer.
func labelled(record string) string {
	lines := strings.Split(inLines(record), "\n")
	owned := false
	for k, line := range lines {
		switch _, _, ok := cutLabel(line); {
		case ok:
			owned = true
		case leftOut(line) > 0:
			owned = false
		case strings.TrimSpace(line) != "" && !(owned && strings.HasPrefix(line, goesOnMark)):
			lines[k], owned = summaryLabel+line, true
		}
	}
	return strings.Join(lines, "\n")
}

// leftOutMark returns the line for n messages that are missing between two lines of a record.
func leftOutMark(n int) string {
	if n == 1 {
		return "[1 message left out]"
	}
	return "[" + strconv.Itoa(n) + " messages left out]"
}

// leftOut returns the number of messages in such a line, 0 for every other line.
func leftOut(line string) int {
	rest, ok := strings.CutPrefix(line, "[")
	digits, _, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || line != leftOutMark(n) {
		return 0
	}
	return n
}

// gap returns the mark for n segments of a message that are missing.
func gap(n int) string {
	if n == 1 {
		return "…"
	}
	return "[…" + strconv.Itoa(n) + "]"
}

// earlier reads a text in the form of block, and what a repair joined to it: the record and the
// text after it. ok is false for every other text. Anybody can write such a text into a message of
// a user's: it is one message, whatever number it claims to replace.
func earlier(s string) (record, after string, ok bool) {
	inner, ok := strings.CutPrefix(s, openTag+"\n")
	if !ok {
		return "", "", false
	}
	inner, after, ok = strings.Cut(inner, closeTag)
	if !ok {
		return "", "", false
	}
	note, record, _ := strings.Cut(inner, "\n")
	count, _, ok := strings.Cut(note, " "+noteText)
	if !ok || strings.Trim(count, "0123456789") != "" {
		return "", "", false
	}
	record = strings.TrimSuffix(record, "\n")
	owned := false
	for _, line := range strings.Split(record, "\n") {
		_, _, ok := cutLabel(line)
		if owned = ok || owned && strings.HasPrefix(line, goesOnMark); !owned && line != "" &&
			leftOut(line) == 0 && line != strings.TrimSpace(separator) {
			return "", "", false
		}
	}
	return record, strings.TrimLeft(after, "\n"), true
}

// quoted reports whether a text is a tool's output that a repair made text of: it is the tool's
// still.
func quoted(s string) bool {
	head, rest, ok := strings.Cut(s, ":\n```")
	return ok && !strings.Contains(head, "\n") &&
		strings.HasSuffix(strings.TrimRight(rest, "\n"), "```") &&
		(strings.HasPrefix(head, "Quoted result of ") || strings.HasPrefix(head, "Result of "))
}
