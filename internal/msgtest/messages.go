// Package msgtest holds what tests share: constructors of messages, their short forms, and runs of
// a preset with what holds for every one.
package msgtest

import (
	"encoding/json"

	"github.com/go-preflight/preflight"
)

// History is messages, for short.
func History(messages ...preflight.Message) []preflight.Message { return messages }

func System(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleSystem, Parts: parts}
}

func User(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleUser, Parts: parts}
}

func Assistant(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleAssistant, Parts: parts}
}

func Tool(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleTool, Parts: parts}
}

// Decoded is a message as it is decoded from a request in the wire format.
func Decoded(format string, m preflight.Message) preflight.Message {
	m.Native = preflight.Native{Format: format, JSON: json.RawMessage(`{}`)}
	return m
}

func Says(text string) preflight.Part { return &preflight.Text{Text: text} }

func Thinks(text, signature string) preflight.Part {
	return &preflight.Reasoning{Text: text, Signature: signature}
}

func Redacted() preflight.Part { return &preflight.Reasoning{Opaque: "blob"} }

func Calls(id string) *preflight.ToolCall { return CallsWith(id, `{}`) }

func CallsWith(id, input string) *preflight.ToolCall {
	return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage(input)}
}

func Waits(id string) *preflight.ToolCall {
	c := Calls(id)
	c.Awaiting = preflight.AwaitingApproval
	return c
}

func Answers(id, text string) *preflight.ToolResult {
	return &preflight.ToolResult{CallID: id, Content: []preflight.Part{Says(text)}}
}

func Fails(id, text string) *preflight.ToolResult {
	r := Answers(id, text)
	r.IsError = true
	return r
}

func Searches(id string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:               id,
		Name:             "web_search",
		Input:            json.RawMessage(`{"query":"q"}`),
		ProviderExecuted: true,
	}
}

func Finds(id, output string) *preflight.ToolResult {
	return &preflight.ToolResult{
		CallID:           id,
		Output:           json.RawMessage(output),
		ProviderExecuted: true,
	}
}

func Image() *preflight.Media {
	return &preflight.Media{Kind: "image", URL: "https://example.com/a.png"}
}

func Cached(p *preflight.Text) *preflight.Text {
	p.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	return p
}
