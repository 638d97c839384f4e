package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file has the contents of messages and results, as the formats without parts write them.

// contentOf returns the content of a client result: its parts, followed by its output as text.
// Merged results have both.
func contentOf(r *preflight.ToolResult) []preflight.Part {
	content := withoutNil(r.Content)
	if len(bytes.TrimSpace(r.Output)) == 0 {
		return content
	}
	return append(slices.Clip(content), &preflight.Text{Text: string(r.Output)})
}

// textsOf returns parts as texts: a line for media, and the JSON of parts of an unknown kind.
func textsOf(parts []preflight.Part) []string {
	var texts []string
	for _, p := range parts {
		if isNil(p) {
			continue
		}
		switch p := p.(type) {
		case *preflight.Text:
			texts = append(texts, wordsOf(p))
		case *preflight.Media:
			texts = append(texts, mediaLine(p))
		case *preflight.Other:
			texts = append(texts, string(p.Native.JSON))
		}
	}
	return texts
}

// areTexts reports whether parts are texts, and there are some.
func areTexts(parts []preflight.Part) bool {
	for _, p := range parts {
		if _, ok := p.(*preflight.Text); !ok {
			return false
		}
	}
	return len(parts) > 0
}

// joinTexts returns the text of parts, joined by line breaks. Empty ones add none.
func joinTexts(parts []preflight.Part) string {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if t, ok := p.(*preflight.Text); ok && !isEmptyText(t) {
			texts = append(texts, wordsOf(t))
		}
	}
	return strings.Join(texts, "\n")
}

// saysNothing reports whether parts are empty texts, or none.
func saysNothing(parts []preflight.Part) bool {
	return !slices.ContainsFunc(parts, func(p preflight.Part) bool {
		t, ok := p.(*preflight.Text)
		return !ok || !isEmptyText(t)
	})
}

// isMember reports whether a part is a member of its message. A block has its kind as type.
func isMember(p *preflight.Other) bool {
	if !slices.Contains(memberKinds, p.Kind) {
		return false
	}
	v := valueOf(p.Native.JSON)
	return v.Exists() && !v.Get("type").StrIs(p.Kind)
}

// otherBlock writes a part of unknown kind as it was, except for its cache marker.
func otherBlock(p *preflight.Other, format string) ([][]byte, error) {
	o, block := openObject(p.Native, format, `{}`)
	if p.Native.Format != format || o.v.Get("type").Kind() != jsonscan.String {
		return nil, noFormOf(p.Kind)
	}
	block.cache(p.Cache)
	return o.pieces()
}
