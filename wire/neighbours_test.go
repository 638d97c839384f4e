package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestUntouchedNeighbours: whatever happens to the last message, the bytes before it stay.
func TestUntouchedNeighbours(t *testing.T) {
	for _, c := range sound(t) {
		tail := c.body[strings.LastIndexByte(c.body, '}'):]
		head := strings.TrimSuffix(c.body, "]}")
		if head == c.body || strings.Contains(tail, "]") || strings.Contains(c.reason, "paused") ||
			strings.Contains(c.reason, "prefix") || c.provider == "ollama" {
			// the list of messages is not last, or what follows decides about the turn
			// before, or a result may be without a call
			continue
		}
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			stray := `, {"role":"tool","tool_call_id":"nobody","content":"x"}`
			if c.provider == "bedrock" {
				stray = `, {"role":"assistant","content":[{"toolUse":{"toolUseId":"open",` +
					`"name":"f","input":{}}}]}`
			}
			if c.provider == "openai-responses" {
				stray = `, {"type":"function_call","call_id":"open","name":"f","arguments":"{}"}`
			}
			if c.provider == "gemini-interactions" {
				stray = `, {"type":"function_call","id":"open","name":"f","arguments":{}}`
			}
			if c.provider == "gemini" {
				stray = `, {"role":"user","parts":[{"functionResponse":{"name":"nobody",` +
					`"response":{}}}]}`
			}
			if c.provider == "anthropic" {
				stray = `, {"role":"assistant","content":[{"type":"tool_use","id":"open",` +
					`"name":"f","input":{}}]}`
			}
			result, err := wire.Sanitize(context.Background(), []byte(head+stray+"]}"),
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			require.Equal(t, c.body, string(result.Body))
			require.NotEmpty(t, result.Warnings)
		})
	}
}
