package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestOllamaLeavesMessages: what results are made to say is written, and the caller's messages stay
// as they are.
func TestOllamaLeavesMessages(t *testing.T) {
	const in = `[{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]},` +
		`{"role":"tool","tool_name":"f","content":"a"}]`
	r, err := wire.Decode([]byte(in), &wire.Options{Provider: "ollama"})
	require.NoError(t, err)
	messages := part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" })(slices.Clone(r.Messages))
	result := messages[1].Parts[0]
	out, err := r.Encode(messages)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(in, `"f"`, `"g"`), string(out))
	require.Same(t, result, messages[1].Parts[0])
	require.Equal(t, "f", result.(*preflight.ToolResult).Name)
}
