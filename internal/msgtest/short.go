package msgtest

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file writes messages and warnings down.

// Lines writes a history down, a message per line.
func Lines(h []preflight.Message) []string {
	out := []string{}
	for _, m := range h {
		parts := make([]string, len(m.Parts))
		for j, p := range m.Parts {
			parts[j] = Line(p)
		}
		out = append(out, string(m.Role)+": "+strings.Join(parts, " | "))
	}
	return out
}

// Line writes a part down: text in quotes, call ID, result ID "text", error ID "text", thinking
// SIGNATURE, server-call ID…
func Line(p preflight.Part) string {
	cache := ""
	if preflight.CarriedBy(p).Cache != nil {
		cache = " (cached)"
	}
	switch p := p.(type) {
	case *preflight.Text:
		return fmt.Sprintf("%q", p.Text) + cache
	case *preflight.Reasoning:
		return strings.TrimSpace("thinking "+p.Signature+p.Opaque) + cache
	case *preflight.ToolCall:
		word := "call "
		if p.ProviderExecuted {
			word = "server-call "
		}
		if string(p.Input) != "{}" && !p.ProviderExecuted {
			return word + p.ID + " " + string(p.Input) + cache
		}
		return word + p.ID + cache
	case *preflight.ToolResult:
		word, content := "result ", ""
		switch {
		case p.ProviderExecuted:
			word, content = "server-result ", string(p.Output)
		case p.IsError:
			word = "error "
		}
		for _, c := range p.Content {
			content += Line(c)
		}
		return strings.TrimSpace(word+p.CallID+" "+content) + cache
	case *preflight.Media:
		return p.Kind + cache
	}
	return preflight.PartKind(p) + cache
}

// Summaries returns warnings with all that is API in them: code, rule, position, tool call id,
// whether the repair was ambiguous, and what was removed and added.
func Summaries(warnings []preflight.Warning) []string {
	var out []string
	for _, w := range warnings {
		s := fmt.Sprintf("%s %s %s", w.Code, w.Rule, w.At)
		if w.ToolCallID != "" {
			s += " " + w.ToolCallID
		}
		if w.Ambiguous {
			s += " ?"
		}
		out = append(out, s+Counted(" -", w.Removed)+Counted(" +", w.Added))
	}
	return out
}

// Counted returns a tally, "" for none.
func Counted(sign string, t preflight.Tally) string {
	if (t == preflight.Tally{}) {
		return ""
	}
	var s string
	for _, n := range []struct {
		of    string
		count int
	}{
		{"text", t.Texts},
		{"reasoning", t.Reasonings},
		{"call", t.Calls},
		{"result", t.Results},
		{"media", t.Media},
		{"other", t.Others},
		{"byte", t.Bytes},
	} {
		if n.count != 0 {
			s += fmt.Sprintf("%s%d %s", sign, n.count, n.of)
		}
	}
	return s
}
