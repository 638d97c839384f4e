package compact

import (
	"cmp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/cut"
	"github.com/go-preflight/preflight/internal/unread"
)

// This file says what of a message is left once it is only text.

// resultBytes is the most of one tool result that is used for a message's text. Long outputs repeat
// themselves, and would crowd out what people said.
const resultBytes = 4000

// callHead is what the text of a call begins with.
const callHead = "[tool call"

// InputOf returns a message as the input of a summary: its text parts as they are, and a
// placeholder in brackets for everything else, one line each.
//
//	[tool call read_file {"path":"a.go"}]
//	[tool result read_file] package a
//	[image image/png omitted]
//	[reasoning omitted]
//
// Of longer arguments and results, 4000 bytes are kept, half at the beginning and half at the end,
// cut between characters. The text of an earlier compaction loses its delimiters, so that they do
// not nest. The cost is linear in the message.
func InputOf(m preflight.Message) Input {
	in := Input{Role: m.Role}
	in.Text, in.pieces = pieces(m)
	return in
}

// piece is the text of a part, or a mark.
type piece struct {
	text  string
	label string // of its owner
	kind  kind
	id    string // of a call or result
	skip  int    // of a mark: the messages that an earlier record left out there
}

// pieces returns the text of a message, whole and by part.
func pieces(m preflight.Message) (string, []piece) {
	var lines []string
	var found []piece
	label := roleLabel(m.Role)
	for _, p := range m.Parts {
		of := piece{text: partText(p), label: label}
		switch p := p.(type) {
		case *preflight.ToolCall:
			if p != nil {
				of.kind, of.id, of.label = called, p.ID, assistantLabel
			}
		case *preflight.ToolResult:
			if p != nil {
				of.kind, of.id, of.label = returned, p.CallID, toolLabel
			}
		case *preflight.Text:
			if record, after, ok := earlier(of.text); ok && label == userLabel {
				lines, found = append(lines, record), append(found, recordPieces(record)...)
				of.text = after
			} else if label == userLabel && quoted(of.text) {
				of.kind, of.label = returned, toolLabel
			}
		}
		if strings.TrimSpace(of.text) != "" {
			lines, found = append(lines, of.text), append(found, of)
		}
	}
	return strings.Join(lines, "\n"), found
}

func partText(p preflight.Part) string {
	switch p := p.(type) {
	case *preflight.Reasoning:
		if p != nil {
			return "[reasoning omitted]"
		}
	case *preflight.ToolCall:
		if p != nil {
			return bracketed(callHead[1:], p.Name, cut.Shorten(string(p.Input), resultBytes))
		}
	case *preflight.ToolResult:
		if p != nil {
			return resultText(p)
		}
	default:
		return leafText(p)
	}
	return ""
}

func resultText(r *preflight.ToolResult) string {
	head := "tool result"
	if r.IsError {
		head = "tool error"
	}
	return bracketed(head, r.Name) + " " + cut.Shorten(contentText(r), resultBytes)
}

// contentText returns the text of a result's content.
func contentText(r *preflight.ToolResult) string {
	var texts []string
	for _, p := range r.Content {
		if s := leafText(p); s != "" {
			texts = append(texts, s)
		}
	}
	if len(texts) == 0 && len(r.Output) > 0 {
		texts = append(texts, string(r.Output))
	}
	return strings.Join(texts, "\n")
}

// leafText returns the text of a part that a tool result may hold.
func leafText(p preflight.Part) string {
	switch p := p.(type) {
	case *preflight.Text:
		if p != nil {
			return unread.Text(p.Text, p.Native.JSON)
		}
	case *preflight.Media:
		if p != nil {
			return bracketed(cmp.Or(p.Kind, "media"), p.Name, p.MediaType, "omitted")
		}
	case *preflight.Other:
		if p != nil {
			return bracketed(cmp.Or(p.Kind, "part"), "omitted")
		}
	}
	return ""
}

// bracketed returns words in brackets, without the empty ones.
func bracketed(words ...string) string {
	kept := words[:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return "[" + strings.Join(kept, " ") + "]"
}
