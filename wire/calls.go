package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file has what formats have in common in how they write tool calls and results.

// customVariant marks calls of custom tools, whose input is free text.
const customVariant = "custom"

const mcpVariant = "mcp"

// callsTools reports whether a role is the assistant's in one of its spellings. In messages of
// other roles the provider ignores tool calls.
func callsTools(r preflight.Role) bool {
	if r == preflight.RoleAssistant || r == preflight.RoleUser || r == preflight.RoleTool {
		return r == preflight.RoleAssistant // most are
	}
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "assistant", "ai", "model", "bot":
		return true
	}
	return false
}

// holdsCall reports whether the value for tool calls has one: it should be a list, and may be a
// call itself.
func holdsCall(calls jsonscan.Value) bool {
	if calls.Kind() != jsonscan.Array {
		return calls.Kind() == jsonscan.Object && calls.Len() > 0
	}
	for e := calls.First(); e.Exists(); e = e.Next() {
		if e.Kind() == jsonscan.Object {
			return true
		}
	}
	return false
}

// onlyResult returns the result in a tool message, nil for other messages.
func onlyResult(m *preflight.Message) *preflight.ToolResult {
	if m.Role != preflight.RoleTool || len(m.Parts) != 1 {
		return nil
	}
	r, _ := m.Parts[0].(*preflight.ToolResult)
	return r
}

// functionCall returns a call with free text as one with arguments.
func functionCall(c *preflight.ToolCall) *preflight.ToolCall {
	out := *c
	out.Variant, out.Native = "", preflight.Native{}
	out.Input = wrapped("input", quoted(string(c.Input)))
	return &out
}

// arguments makes member key the arguments of a call, an object, which may be left out if it is
// empty.
func (m *member) arguments(key string, c *preflight.ToolCall) {
	switch {
	case c.Variant == customVariant: // another format's free text
		m.raw(key, functionCall(c).Input)
	case len(c.Input) > 0 && !bytes.Equal(c.Input, noArguments):
		m.raw(key, c.Input)
	case hasValue(m.v.Get(key)):
		m.raw(key, noArguments)
	}
}

// noArguments are those of a call that has none: they may be left out.
var noArguments = json.RawMessage(`{}`)
