package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestInferredStays: what no provider was seen to refuse comes back as the very bytes, though other
// hosts of the same format refuse it. Each body was changed while its rule was an analogy.
func TestInferredStays(t *testing.T) {
	for _, c := range []struct{ name, provider, body string }{
		{
			"arguments that are no object", "cohere",
			`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"[1"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"r"}]}`,
		},
		{
			"an assistant message without content", "cohere",
			`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant"},{"role":"user","content":"n"}]}`,
		},
		{
			"an id twice in a turn", "cohere",
			`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}},` +
				`{"id":"c1","type":"function","function":{"name":"g","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"r"},` +
				`{"role":"tool","tool_call_id":"c1","content":"s"}]}`,
		},
		{
			"an empty result", "cohere",
			`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":""}]}`,
		},
		{
			"a result without content", "mistral",
			`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"abcDEF123",` +
				`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","name":"f","tool_call_id":"abcDEF123","content":null}]}`,
		},
		{
			"an assistant message without content", "ollama",
			`{"model":"qwen3","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":""},{"role":"user","content":"n"}]}`,
		},
		{
			"an id twice in a turn", "ollama",
			`{"model":"qwen3","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1",` +
				`"function":{"name":"f","arguments":{}}},` +
				`{"id":"c1","function":{"name":"g","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"f","tool_call_id":"c1","content":"r"},` +
				`{"role":"tool","tool_name":"g","tool_call_id":"c1","content":"s"}]}`,
		},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(c.body),
			&wire.Options{Provider: c.provider})
		require.NoError(t, err, c.name)
		require.Empty(t, result.Warnings, "%s, %s", c.provider, c.name)
		require.Equal(t, c.body, string(result.Body), "%s, %s", c.provider, c.name)
	}
}
