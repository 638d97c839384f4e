package wire

import (
	"errors"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file has the reasoning of several formats.

// opaqueReasoning lists the text of reasoning, which its signature covers.
func opaqueReasoning(reasoning jsonscan.Value) []string {
	if reasoning.Has("signature") {
		return []string{"text"}
	}
	return nil
}

// isOpaque reports whether reasoning has no readable text.
func isOpaque(r *preflight.Reasoning) bool { return r.Opaque != "" && isWordless(r) }

var errOpaque = noForm("opaque reasoning")

// thinkingText returns the text of a thinking block: a string, or a list of text blocks.
func thinkingText(v jsonscan.Value) string {
	if v.Kind() != jsonscan.Array {
		return v.Str()
	}
	var b strings.Builder
	for e := v.First(); e.Exists(); e = e.Next() {
		b.WriteString(e.Get("text").Str())
	}
	return b.String()
}

// summaryText returns the summary of reasoning as one text.
func summaryText(v jsonscan.Value) string {
	var texts []string
	for s := v.Get("summary").First(); s.Exists(); s = s.Next() {
		if t := s.Get("text"); t.Kind() == jsonscan.String {
			texts = append(texts, t.Str())
		}
	}
	return strings.Join(texts, "\n")
}

// lacksReasoning reports whether missing reasoning is the only cause of an error.
func lacksReasoning(err error) bool {
	var u *preflight.Error
	if !errors.As(err, &u) || len(u.Violations) == 0 {
		return false
	}
	for _, v := range u.Violations {
		if v.Problem != problems.ReasoningMissing {
			return false
		}
	}
	return true
}
