// Package compacttest has the messages, sessions and summarizers that the tests of compaction
// share.
package compacttest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

func Call(id, name string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:    id,
		Name:  name,
		Input: json.RawMessage(`{"path":"/tmp/` + id + `"}`),
	}
}

func Answer(id, text string) *preflight.ToolResult {
	return &preflight.ToolResult{CallID: id, Content: []preflight.Part{&preflight.Text{Text: text}}}
}

func Message(role preflight.Role, parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: role, Parts: parts}
}

func Say(role preflight.Role, text string) preflight.Message {
	return preflight.Message{Role: role, Parts: []preflight.Part{&preflight.Text{Text: text}}}
}

// Chatter returns a conversation of n messages about seven topics.
func Chatter(n int) []preflight.Message {
	h := make([]preflight.Message, n)
	for i := range h {
		role := preflight.RoleUser
		if i%2 == 1 {
			role = preflight.RoleAssistant
		}
		h[i] = Say(role,
			fmt.Sprintf("message %d is about topic %d and the file src/topic%d.go", i, i/3%7,
				i/3%7))
	}
	return h
}

// IsBudget reports whether an error says that the budget is too small.
func IsBudget(err error) bool {
	var e *compact.BudgetError
	return errors.As(err, &e)
}

// Extractive summarizes by extracting, but is asked as a model would be. Where not even a line has
// room, it still says something, as models do.
func Extractive(_ context.Context, m compact.Material) (string, error) {
	return cmp.Or(compact.Limits{}.Extract("", m.Budget, slices.Values(m.Inputs))[0], "…"), nil
}

// Returns returns a summarizer that knows what it says without reading.
func Returns(f func() (string, error)) compact.Summarizer {
	return func(context.Context, compact.Material) (string, error) { return f() }
}

// Lookups returns a session of n questions, each with a tool call and its long output.
func Lookups(n int) []preflight.Message {
	h := []preflight.Message{Say(preflight.RoleSystem, "You are on call.")}
	for i := range n {
		id := fmt.Sprintf("toolu_%02d", i)
		lines := ""
		for k := range 30 {
			lines += fmt.Sprintf("host-%02d.internal up %d days\n", k, i+k)
		}
		lines = strings.TrimSuffix(lines, "\n")
		h = append(h, Say(preflight.RoleUser, fmt.Sprintf("Check rack %d.", i)),
			Message(preflight.RoleAssistant, Call(id, "hosts")),
			Message(preflight.RoleUser, Answer(id, lines)),
			Say(preflight.RoleAssistant,
				fmt.Sprintf("Rack %d is fine, ticket OPS-%d is closed.", i, 100+i)))
	}
	return append(h, Say(preflight.RoleUser, "Which ticket was rack 3?"))
}
