package preflight

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTruncateSkipsRunningCalls(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	call := func() Part {
		return &ToolCall{
			ID:   "srvtoolu_1",
			Name: "code_execution", Input: long, ProviderExecuted: true,
		}
	}
	answer := &ToolResult{
		CallID: "srvtoolu_1", ProviderExecuted: true,
		Output: json.RawMessage(`{}`),
	}
	in := []Message{
		{Role: RoleAssistant, Parts: []Part{call(), answer}},
		{Role: RoleUser, Parts: []Part{&Text{Text: "again"}}},
		{Role: RoleAssistant, Parts: []Part{call()}},
	}
	out, warnings := TruncateProviderExecuted.Apply(in, nil,
		&Options{MaxString: 100, TruncateInputs: true})
	require.Len(t, warnings, 1, "the second call with the id is still running")
	require.Less(t, len(out[0].Parts[0].(*ToolCall).Input), 200)
	require.Same(t, in[2].Parts[0], out[2].Parts[0])
}

// TestTruncateContent: text in the result of a provider's tool is shortened like its output.
func TestTruncateContent(t *testing.T) {
	in := []Message{
		{
			Role: RoleAssistant,
			Parts: []Part{
				&ToolCall{
					ID:      "mcptoolu_1",
					Name:    "search",
					Input:   json.RawMessage(`{}`),
					Variant: "mcp", ProviderExecuted: true,
				},
				&ToolResult{
					CallID: "mcptoolu_1", Variant: "mcp", ProviderExecuted: true,
					Content: []Part{&Text{Text: strings.Repeat("c", 900)}, &Text{Text: "short"}},
				},
			},
		},
	}
	out, warnings := TruncateProviderExecuted.Apply(in, nil, &Options{MaxString: 100})
	require.Len(t, warnings, 1)
	content := out[0].Parts[1].(*ToolResult).Content
	require.Equal(t, 100, utf8.RuneCountInString(content[0].(*Text).Text))
	require.Equal(t, "short", content[1].(*Text).Text)
}
