package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/wire"
)

const (
	chatRound = `{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"r"}`
	toolRound = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
		`"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":"r"}]}`
	bareRound = `{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f",` +
		`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
		`"content":[{"text":"r"}]}}]}`
	itemRound = `{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"r"}`
	partRound = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`
	question = `{"role":"user","content":"q"}`
)

// TestMismatch: a body in another format than the one named is an error that says so, and is not
// touched. The first row is the case that users met (a completed call was deleted, and its output
// became the user's words).
func TestMismatch(t *testing.T) {
	for _, c := range []struct{ provider, body, format, path string }{
		{"anthropic", `{"model":"gpt-4o","messages":[` + question + `,` + chatRound + `]}`,
			"openai-chat", "messages[1]"},
		{"anthropic", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` + question +
			`,` + chatRound + `]}`, "openai-chat", "messages[1]"},
		{"anthropic", `[` + question + `,` + chatRound + `]`, "openai-chat", "messages[1]"},
		{"anthropic", `[{"role":"tool","tool_call_id":"c1","content":"r"}]`, "openai-chat",
			"messages[0]"},
		{"anthropic",
			`{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[` + question + `]}`,
			"openai-chat", "tools"},
		{"anthropic", `{"input":"q"}`, "openai-responses", "input"},
		{"anthropic", `{"contents":[]}`, "gemini", "contents"},
		{"anthropic", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
		{"anthropic", `[` + partRound + `]`, "gemini", "messages[0]"},
		{"anthropic", `[` + question + `,` + itemRound + `]`, "openai-responses", "messages[1]"},
		{"deepseek-anthropic", `[` + chatRound + `]`, "openai-chat", "messages[0]"},
		{"bedrock-anthropic", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
		{"openai-chat", `{"system":"s","messages":[` + question + `]}`, "anthropic", "system"},
		{"openai-chat", `{"tools":[{"name":"f","input_schema":{}}],"messages":[` + question + `]}`,
			"anthropic", "tools"},
		{"openai-chat", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"openai-chat", `{"model":"claude-sonnet-4-5","messages":[` + toolRound + `]}`, "anthropic",
			"messages[0]"},
		{"openai-chat", `{"toolConfig":{},"messages":[` + question + `]}`, "bedrock", "toolConfig"},
		{"groq", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"mistral", `{"system":"s","messages":[` + question + `]}`, "anthropic", "system"},
		{"ollama", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"openai-chat", `{"input":[` + question + `]}`, "openai-responses", "input"},
		{"bedrock", `{"contents":[]}`, "gemini", "contents"},
		{"openai-responses", `{"messages":[` + question + `,` + chatRound + `]}`, "openai-chat",
			"messages"},
		{"openai-responses", `{"messages":[` + toolRound + `]}`, "anthropic", "messages"},
		{"openai-responses", `{"messages":[` + question + `]}`, "another provider", "messages"},
		{"openai-responses", `[` + chatRound + `]`, "openai-chat", "input[0]"},
		{"xai-responses", `[` + toolRound + `]`, "anthropic", "input[0]"},
		{"gemini", `{"messages":[` + bareRound + `]}`, "bedrock", "messages"},
		{"gemini", `[` + chatRound + `]`, "openai-chat", "contents[0]"},
		{"vertex-gemini", `[` + toolRound + `]`, "anthropic", "contents[0]"},
		{"deepseek", `{"contents":[]}`, "gemini", "contents"}, // which DeepSeek does not speak
		{"openai", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
	} {
		in := []byte(c.body)
		result, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: c.provider})
		var mismatch *wire.Error
		require.True(t, errors.As(err, &mismatch), "%s %s: %v", c.provider, c.body, err)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.ErrorIs(t, err, wire.ErrOtherFormat)
		require.Equal(t, [2]string{c.format, c.path}, [2]string{mismatch.Providers[1], mismatch.Path},
			"%s %s", c.provider, c.body)
		require.True(t, sameSlice(in, result.Body))
		require.False(t, result.Changed)
		_, err = wire.Check(in, &wire.Options{Provider: c.provider})
		require.Equal(t, mismatch, err)
		_, err = wire.Convert(context.Background(), in,
			c.provider, &wire.Options{Provider: "gemini"})
		require.Equal(t, mismatch, err)
	}
	require.EqualError(t,
		&wire.Error{
			Reason: wire.ErrOtherFormat, Providers: []string{"anthropic", "openai-chat"},
			Path: "messages[1]",
		},
		"not a request body for anthropic: messages[1] shows the format of openai-chat")
}

// TestNoMismatch: what a body lacks says nothing, nor does what an agent brought along from another
// provider.
func TestNoMismatch(t *testing.T) {
	const schema = `"tools":[{"name":"f","input_schema":{"type":"object"}}],`
	for _, c := range []struct{ provider, body string }{
		{"anthropic", `{"messages":[` + question + `]}`},
		{"anthropic", `{"model":"gpt-4o","messages":[` + question + `]}`},
		{"anthropic", `{"model":"gpt-4o","n":1,"stream_options":{},"messages":[` + question + `]}`},
		{"anthropic", `{"messages":[{"role":"system","content":"s"},` + question + `]}`},
		{"anthropic", `{` + schema + `"messages":[` + question +
			`,{"role":"tool","content":[{"type":"tool_result","tool_use_id":"t1",` +
			`"content":"r"}],"tool_call_id":"t1"}]}`},
		{"anthropic",
			`{"messages":[` + question + `,{"role":"assistant","content":"a","tool_calls":[]}]}`},
		{"anthropic",
			`{"messages":[` + question + `,{"role":"assistant","content":"a","tool_calls":null}]}`},
		{"openai-chat", `{"messages":[` + question + `]}`},
		{"openai-chat", `{"model":"gpt-4o","messages":[` + question + `,` + toolRound + `]}`},
		{"openai-chat", `{"messages":[` + chatRound + `,` + toolRound + `]}`},
		{"openai-chat", `{"messages":[` + question +
			`,{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
			`"input":{}}]}]}`},
		{"openai-chat", `{"system":"","messages":[` + question + `]}`},
		{"openai-chat", `{"system":"s","messages":[` + question + `,` + chatRound + `]}`},
		{"bedrock", `{"messages":[` + question + `]}`},
		{"bedrock", `{"messages":[` + bareRound + `,` + toolRound + `]}`},
		{"gemini", `{"contents":[],"messages":[` + chatRound + `]}`},
		{"openai-responses", `{"input":[` + question + `,` + chatRound + `]}`},
		{"cohere", `{"messages":[` + chatRound + `]}`},
		{"ollama", `{"messages":[` + chatRound + `]}`},
	} {
		_, err := wire.Decode([]byte(c.body), &wire.Options{Provider: c.provider})
		require.NoError(t, err, "%s %s", c.provider, c.body)
	}
}

// TestAnyShapeIsTotal: for any body, in any format and any stored form, an error or a valid body
// comes back.
func TestAnyShapeIsTotal(t *testing.T) {
	pieces := []string{
		chatRound,
		toolRound,
		bareRound,
		itemRound,
		partRound,
		question,
		`null`,
		`7`,
		`[]`,
		`{}`,
		`{"role":{}}`,
		`{"parts":7}`,
		`{"parts":[[]]}`,
		`{"role":"user","parts":[{"type":{}}]}`,
		`{"content":[{"type":"tool-call","toolCallId":{}}]}`,
		`{"lc":{},"id":[]}`,
		`{"kind":"request","parts":[]}`,
		`{"type":"human","data":7}`,
		`{"tool_calls":{"a":{}}}`,
		`{"role":"tool","tool_call_id":[]}`,
		strings.Repeat(`{"parts":[`, 100) + strings.Repeat(`]}`, 100),
	}
	wrappers := []string{
		`[%]`,
		`{"messages":[%]}`,
		`{"contents":[%]}`,
		`{"input":[%]}`,
		`{"generateContentRequest":{"contents":[%]}}`,
		`{"generateContentRequest":[%]}`,
		`{"messages":{"0":[%]}}`,
		`{"system":[%],"messages":[]}`,
		`{"tools":[%],"messages":[%]}`,
		`{"prompt":[%]}`,
		`[[%]]`,
		`{"model":"a/b","messages":[%]}`,
	}
	providers := append(append([]string{""}, wire.Providers()...), wire.Vendors()...)
	rapid.Check(t, func(t *rapid.T) {
		list := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "pieces"), ",")
		body := strings.ReplaceAll(rapid.SampledFrom(wrappers).Draw(t, "wrapper"), "%", list)
		requireGuarantees(t, []byte(body),
			&wire.Options{Provider: rapid.SampledFrom(providers).Draw(t, "provider")})
	})
}
