package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestResultsStay: real results that once were removed, since something beside the matcher decided
// whose they are. Each body holds results R1, R2 and so on, all of which have to be in the output.
func TestResultsStay(t *testing.T) {
	const (
		ask  = `{"role":"user","content":"q"}`
		call = `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
			`"arguments":{}}}]}`
		tool = `{"role":"tool","tool_name":"f","content":`
	)
	for _, c := range []struct {
		reason, provider, in string
		want                 []string
	}{
		{"Ollama: a result by name after an error", "ollama",
			`{"messages":[` + ask + `,` + call + `,` + tool + `"Error: no connection"},` +
				tool + `"R1"}]}`, []string{"R1"}},
		{"Ollama: two results by name", "ollama",
			`{"messages":[` + ask + `,` + call + `,` + tool + `"R1"},` + tool + `"R2"}]}`,
			[]string{"R1", "R2"}},
		{"Ollama: an id counts before a name", "ollama",
			`{"messages":[` + ask +
				`,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{}}},` +
				`{"id":"b","function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_call_id":"a","content":"R1"},` +
				tool + `"R2"},{"role":"tool","tool_call_id":"b","content":"R3"}]}`, []string{
				"R1", "R2", "R3",
			}},
		{"Responses: a result inside a user message", "openai-responses",
			`{"input":[` + ask +
				`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},` +
				`{"role":"user","content":[` +
				`{"type":"function_call_output","call_id":"a","output":"R1"}]}]}`, []string{"R1"}},
		{"Responses: a call and its result inside messages", "openai-responses",
			`{"input":[` + ask + `,{"role":"assistant","content":[{"type":"output_text",` +
				`"text":"t"},` +
				`{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]},` +
				`{"role":"user","content":[` +
				`{"type":"function_call_output","call_id":"a","output":"R1"}]}]}`, []string{"R1"}},
		{"Responses: a function's output for a tool search, spelled otherwise", "openai-responses",
			`{"input":[` + ask +
				`,{"type":"tool_search_call","call_id":"s_1","execution":"client",` +
				`"arguments":{"query":"x"}},` +
				`{"type":"function_call_output","call_id":"s-1","output":"R1"}]}`, []string{"R1"}},
		{"two sessions in one, with the same ids", "openai-chat",
			`{"messages":[` + ask +
				`,{"role":"assistant","tool_calls":[{"id":"a","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"a","content":"R1"},` + ask + `,` +
				`{"role":"assistant","tool_calls":[{"id":"a","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				ask + `,` +
				`{"role":"tool","tool_call_id":"a","content":"R2"}]}`, []string{"R1", "R2"}},
		{"two agents whose rounds are mixed", "openai-chat",
			`{"messages":[` + ask +
				`,{"role":"assistant","tool_calls":[{"id":"a","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"assistant","tool_calls":[{"id":"b","type":"function",` +
				`"function":{"name":"g","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"b","content":"R2"},` +
				`{"role":"assistant","content":"so"},` +
				`{"role":"tool","tool_call_id":"a","content":"R1"}]}`, []string{"R1", "R2"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), []byte(c.in),
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			for _, want := range c.want {
				require.Contains(t, string(result.Body), want)
			}
			again, err := wire.Sanitize(context.Background(), result.Body,
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			require.False(t, again.Changed, "%s", result.Body)
		})
	}
}
