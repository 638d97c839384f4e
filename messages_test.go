package preflight_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file holds the constructors and the short form of messages for all tests.

func sysMsg(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleSystem, Parts: parts}
}

func userMsg(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleUser, Parts: parts}
}

func botMsg(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleAssistant, Parts: parts}
}

func toolMsg(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleTool, Parts: parts}
}

// decoded is a message as it is decoded from a request in the wire format.
func decoded(format string, m preflight.Message) preflight.Message {
	m.Native = preflight.Native{Format: format, JSON: json.RawMessage(`{}`)}
	return m
}

func says(text string) preflight.Part { return &preflight.Text{Text: text} }

func thinks(text, signature string) preflight.Part {
	return &preflight.Reasoning{Text: text, Signature: signature}
}

func redacted() preflight.Part { return &preflight.Reasoning{Opaque: "blob"} }

func calls(id string) *preflight.ToolCall { return callsWith(id, `{}`) }

func callsWith(id, input string) *preflight.ToolCall {
	return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage(input)}
}

func waits(id string) *preflight.ToolCall {
	c := calls(id)
	c.Awaiting = preflight.AwaitingApproval
	return c
}

func answers(id, text string) *preflight.ToolResult {
	return &preflight.ToolResult{CallID: id, Content: []preflight.Part{says(text)}}
}

func fails(id, text string) *preflight.ToolResult {
	r := answers(id, text)
	r.IsError = true
	return r
}

func searches(id string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:               id,
		Name:             "web_search",
		Input:            json.RawMessage(`{"query":"q"}`),
		ProviderExecuted: true,
	}
}

func finds(id, output string) *preflight.ToolResult {
	return &preflight.ToolResult{
		CallID:           id,
		Output:           json.RawMessage(output),
		ProviderExecuted: true,
	}
}

func image() *preflight.Media {
	return &preflight.Media{Kind: "image", URL: "https://example.com/a.png"}
}

func cached(p *preflight.Text) *preflight.Text {
	p.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	return p
}

// lines writes a history down, a message per line.
func lines(h []preflight.Message) []string {
	out := []string{}
	for _, m := range h {
		parts := make([]string, len(m.Parts))
		for j, p := range m.Parts {
			parts[j] = line(p)
		}
		out = append(out, string(m.Role)+": "+strings.Join(parts, " | "))
	}
	return out
}

// line writes a part down: text in quotes, call ID, result ID "text", error ID "text", thinking
// SIGNATURE, server-call ID…
func line(p preflight.Part) string {
	cache := ""
	if cacheOf(p) != nil {
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
			content += line(c)
		}
		return strings.TrimSpace(word+p.CallID+" "+content) + cache
	case *preflight.Media:
		return p.Kind + cache
	}
	return preflight.PartKind(p) + cache
}
