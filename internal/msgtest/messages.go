// Package msgtest holds what tests share: constructors of messages, their short forms, and runs of
// a preset with what holds for every one.
package msgtest

import (
	"encoding/json"

	"github.com/go-preflight/preflight"
)

// History returns messages, for short.
func History(messages ...preflight.Message) []preflight.Message { return messages }

// System is a message of this role; so are User, Assistant and Tool.
func System(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleSystem, Parts: parts}
}

// User returns a message of the user's.
func User(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleUser, Parts: parts}
}

// Assistant returns a message of the assistant's.
func Assistant(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleAssistant, Parts: parts}
}

// Tool returns a message of results.
func Tool(parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: preflight.RoleTool, Parts: parts}
}

// Decoded returns a message as it is decoded from a request in the wire format.
func Decoded(format string, m preflight.Message) preflight.Message {
	m.Native = preflight.Native{Format: format, JSON: json.RawMessage(`{}`)}
	return m
}

// Says returns a text.
func Says(text string) preflight.Part { return &preflight.Text{Text: text} }

// Thinks is reasoning with a signature, or without one.
func Thinks(text, signature string) preflight.Part {
	return &preflight.Reasoning{Text: text, Signature: signature}
}

// Redacted is reasoning that only the provider can read.
func Redacted() preflight.Part { return &preflight.Reasoning{Opaque: "blob"} }

// Calls returns a call of the tool f without arguments.
func Calls(id string) *preflight.ToolCall { return CallsWith(id, `{}`) }

// CallsWith returns a call of the tool f.
func CallsWith(id, input string) *preflight.ToolCall {
	return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage(input)}
}

// Waits returns a call that waits for approval.
func Waits(id string) *preflight.ToolCall {
	c := Calls(id)
	c.Awaiting = preflight.AwaitingApproval
	return c
}

// Answers returns a result with a text.
func Answers(id, text string) *preflight.ToolResult {
	return &preflight.ToolResult{CallID: id, Content: []preflight.Part{Says(text)}}
}

// Fails returns an error result.
func Fails(id, text string) *preflight.ToolResult {
	r := Answers(id, text)
	r.IsError = true
	return r
}

// Searches returns a call of web search, which the provider runs.
func Searches(id string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:               id,
		Name:             "web_search",
		Input:            json.RawMessage(`{"query":"q"}`),
		ProviderExecuted: true,
	}
}

// Finds returns the result of a tool that the provider runs.
func Finds(id, output string) *preflight.ToolResult {
	return &preflight.ToolResult{
		CallID:           id,
		Output:           json.RawMessage(output),
		ProviderExecuted: true,
	}
}

// Image returns an image by its address.
func Image() *preflight.Media {
	return &preflight.Media{Kind: "image", URL: "https://example.com/a.png"}
}

// Hourly returns a text with a cache breakpoint of an hour.
func Hourly(text string) preflight.Part {
	t := &preflight.Text{Text: text}
	t.Cache = json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)
	return t
}

// Cached returns p with a cache breakpoint.
func Cached(p *preflight.Text) *preflight.Text {
	p.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	return p
}
