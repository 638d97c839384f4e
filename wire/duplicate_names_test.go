package wire_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// oneMessage are requests with one message, by format.
var oneMessage = map[string]string{
	"anthropic": `{"model":"some-model","max_tokens":64,"messages":[{"role":"user","content":"q"}],` +
		`"tools":[{"name":"f","input_schema":{"type":"object"}}]}`,
	"openai-chat":      `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"openai-responses": `{"model":"some-model","input":[{"role":"user","content":"q"}]}`,
	"gemini": `{"model":"some-model","contents":[{"role":"user","parts":[{"text":"q"}]}],` +
		`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]}`,
	"bedrock": `{"modelId":"some-model","messages":[{"role":"user","content":[{"text":"q"}]}],` +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}}`,
	"mistral": `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"cohere":  `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"ollama":  `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
}

// TestDuplicateNamesInMemory: an output in memory that has a name twice means what the last one
// says. In every format it is written as a value that has it once, or as text, and the arguments of
// a call are, too: Check finds nothing in the body, and Sanitize changes nothing.
func TestDuplicateNamesInMemory(t *testing.T) {
	const doubled = `{"a":1,"a":2,"c":[{"d":1,"\u0064":{"e":1,"e":3}}]}`
	once, text := `{"a":2,"c":[{"\u0064":{"e":3}}]}`, string(quotedJSON(t, doubled))
	for name, body := range oneMessage {
		profile, ok := provider.ByName(name, "some-model")
		require.True(t, ok)
		res, err := preflight.Sanitize(context.Background(), []preflight.Message{
			{Role: "user", Parts: []preflight.Part{&preflight.Text{
				Text:    "q",
				Carried: preflight.Carried{Cache: []byte(`{"type":"x","type":"ephemeral"}`)},
			}}},
			{Role: "assistant", Parts: []preflight.Part{
				&preflight.ToolCall{ID: "call00001", Name: "f", Input: []byte(doubled)},
			}},
			{Role: "tool", Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "call00001", Name: "f", Output: []byte(doubled)},
			}},
		}, profile, nil)
		require.NoError(t, err)
		r, err := wire.Decode([]byte(body), &wire.Options{Provider: name})
		require.NoError(t, err)
		out, err := r.Encode(res.Messages)
		require.NoError(t, err)
		again, err := wire.Sanitize(context.Background(), out, &wire.Options{Provider: name})
		require.NoError(t, err)
		require.Empty(t, again.Warnings, "%s: %s", name, out)
		found, err := wire.Check(out, &wire.Options{Provider: name})
		require.NoError(t, err)
		require.Empty(t, found.Violations, "%s: %s", name, out)
		written := strings.Count(string(out), once) + strings.Count(string(out), text)
		require.Equal(t, 2, written, "%s: %s", name, out)
	}
}

func quotedJSON(t *testing.T, s string) []byte {
	data, err := json.Marshal(s)
	require.NoError(t, err)
	return data
}
