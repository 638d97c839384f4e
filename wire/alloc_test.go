package wire_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// cleanHistory is a session with all that valid requests are made of: a system prompt, texts with
// escapes, a picture, tool calls and their results, some in parallel, and signed reasoning.
func cleanHistory() []preflight.Message {
	text := strings.Repeat("A line of the log.\n\t\"quoted\" ", 40)
	says := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	call := func(id string) *preflight.ToolCall {
		return &preflight.ToolCall{ID: id, Name: "read_file",
			Input: json.RawMessage(`{"path":"a.go"}`)}
	}
	result := func(id string) *preflight.ToolResult {
		return &preflight.ToolResult{
			CallID: id, Name: "read_file", Content: []preflight.Part{&preflight.Text{Text: text}},
		}
	}
	picture := &preflight.Media{
		Kind: "image", MediaType: "image/png", Data: strings.Repeat("iVBORw0KGgoAAAAN", 40),
	}
	history := []preflight.Message{says(preflight.RoleSystem, &preflight.Text{Text: text})}
	for range 5 {
		history = append(history,
			says(preflight.RoleUser, &preflight.Text{Text: text}, picture),
			says(preflight.RoleAssistant, &preflight.Text{Text: text}, call("a"), call("b")),
			says(preflight.RoleTool, result("a"), result("b")),
			says(preflight.RoleAssistant, call("c")),
			says(preflight.RoleTool, result("c")),
			says(preflight.RoleAssistant, &preflight.Text{Text: text}),
			says(preflight.RoleUser, &preflight.Text{Text: text}),
			says(preflight.RoleAssistant, &preflight.Text{Text: text}))
	}
	return append(history, says(preflight.RoleUser, &preflight.Text{Text: text}))
}

// emptyBodies are requests without messages, with the tools that the history calls.
var emptyBodies = []string{
	`{"messages":[],"toolConfig":{"tools":[
		{"toolSpec":{"name":"read_file","inputSchema":{"json":{"type":"object"}}}},
		{"toolSpec":{"name":"run","inputSchema":{"json":{"type":"object"}}}}]}}`,
	`{"messages":[],"tools":[
		{"type":"function","function":{"name":"read_file","parameters":{"type":"object"}}},
		{"type":"function","function":{"name":"run","parameters":{"type":"object"}}}]}`,
	`{"messages":[],"max_tokens":100,"tools":[
		{"name":"read_file","input_schema":{"type":"object"}},
		{"name":"run","input_schema":{"type":"object"}}]}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"read_file"},{"name":"run"}]}]}`,
	`{"input":[],"tools":[
		{"type":"function","name":"read_file","parameters":{"type":"object"}},
		{"type":"function","name":"run","parameters":{"type":"object"}}]}`,
}

// cleanBody is a valid body of a provider.
func cleanBody(t testing.TB, provider string) []byte {
	options := &wire.Options{Provider: provider}
	for _, empty := range emptyBodies {
		r, err := wire.Decode([]byte(empty), options)
		if err != nil {
			continue
		}
		res, err := preflight.Sanitize(context.Background(), cleanHistory(), &r.Profile, nil)
		require.NoError(t, err)
		body, err := r.Encode(res.Messages)
		require.NoError(t, err)
		first, err := wire.Sanitize(context.Background(), body, options)
		if err == nil && len(first.Warnings) == 0 {
			return first.Body
		}
	}
	require.Fail(t, "no valid body")
	return nil
}

// TestCleanBodiesAllocateNothing: a valid body costs no allocation, whatever its format, while the
// memory of a Sanitizer lasts.
func TestCleanBodiesAllocateNothing(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			body := cleanBody(t, provider)
			options := &wire.Options{Provider: provider}
			var s wire.Sanitizer
			least := math.Inf(1) // the race detector empties pools now and then
			for range 50 {
				least = min(least, testing.AllocsPerRun(1, func() {
					result, err := s.Sanitize(context.Background(), body, options)
					if err != nil || result.Changed {
						t.Errorf("changed %v, error %v, warnings %v", result.Changed, err,
							result.Warnings)
					}
				}))
			}
			require.Zero(t, least, "a check decodes a text, or makes something: text.go has what "+
				"can be asked of a text without decoding it")
		})
	}
}
