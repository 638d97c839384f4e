package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestPortableBodies: what Options.Portable does beyond the provider's own demands, and that it
// takes nothing away on which the rest of the request depends.
func TestPortableBodies(t *testing.T) {
	const responses = `{"model":"gpt-5","input":[{"type":"message","role":"user",` +
		`"content":[{"type":"input_text","text":"q"}]},`
	const gemini = `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"a","args":{},"id":"1"}},` +
		`{"functionCall":{"name":"b","args":{},"id":"2"}}]},{"role":"user","parts":[`
	for _, c := range []struct{ name, provider, body, want string }{
		{"text before results moves after them, and they are in the order of their calls",
			"gemini",
			gemini +
				`{"text":"t"},{"functionResponse":{"name":"b","response":{"output":"2"},` +
				`"id":"2"}},{"functionResponse":{"name":"a","response":{"output":"1"},` +
				`"id":"1"}}]}]}`,
			gemini +
				`{"functionResponse":{"name":"a","response":{"output":"1"},"id":"1"}},` +
				`{"functionResponse":{"name":"b","response":{"output":"2"},"id":"2"}},` +
				`{"text":"t"}]}]}`},
		{"a host that takes empty ids is one of few", "gemini-chat",
			`{"model":"gemini-2.5-pro","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","tool_calls":[{"id":"","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"","content":"x"}]}`,
			`{"model":"gemini-2.5-pro","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_db3426e8","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"call_db3426e8","content":"x"}]}`},
		{"white space alone is no message", "openai-chat",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"   "}]}`,
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"Continue."}]}`},
		{"reasoning under an id that OpenAI holds is content, and its call needs it",
			"openai-responses",
			responses +
				`{"type":"reasoning","id":"rs_1","summary":[]},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}",` +
				`"id":"fc_1"},{"type":"function_call_output","call_id":"c1","output":"ok"}]}`, ""},
		{"the first turn of a history that OpenAI holds is not here", "openai-responses",
			`{"model":"gpt-4o","previous_response_id":"resp_1","input":null}`, ""},
		{"nor is it where there is no input", "openai-responses", `{"conversation":"c"}`, ""},
		{"the beginning of an answer is one of its host's", "moonshot",
			`{"model":"kimi-k2.5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","partial":true}]}`,
			`{"model":"kimi-k2.5","messages":[{"role":"user","content":"q"}]}`},
		{"an image's address without an object is one of its host's", "moonshot",
			`{"model":"kimi-k2.5","messages":[{"role":"user","content":[` +
				`{"type":"image_url","image_url":"https://e/x.png"}]}]}`,
			`{"model":"kimi-k2.5","messages":[{"role":"user","content":[` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png"}}]}]}`},
		{"reasoning that led to nothing", "openai-responses",
			responses +
				`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAA"},` +
				`{"type":"message","role":"user","content":[{"type":"input_text",` +
				`"text":"n"}]}]}`,
			responses +
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"n"}]}]}`},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(c.body),
			&wire.Options{Provider: c.provider, Portable: true})
		require.NoError(t, err, c.name)
		if c.want == "" {
			c.want = c.body
			require.Empty(t, result.Warnings, c.name)
		}
		require.JSONEq(t, c.want, string(result.Body), c.name)
		again, err := wire.Sanitize(context.Background(), result.Body,
			&wire.Options{Provider: c.provider, Portable: true})
		require.NoError(t, err, c.name)
		require.False(t, again.Changed, c.name)
	}
}

// TestPortableRepairsPass: what the repair writes passes Check, and a second repair changes
// nothing. The bodies are those of a fuzzer for which it was not so.
func TestPortableRepairsPass(t *testing.T) {
	name := strings.Repeat("a", 69) // longer than 64, which other providers take
	renamed := strings.Repeat("a", 55) + "_ef5ed46e"
	calls := func(tools string) string {
		return `{"model":"claude-sonnet-4-5","max_tokens":5,` + tools + `"messages":[` +
			`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use",` +
			`"id":"t1","name":"` + name + `","input":{}}]},{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t1","content":"r"}]}]}`
	}
	declared := calls(`"tools":[{"name":"` + name + `","input_schema":{"type":"object"}}],` +
		`"tool_choice":{"type":"tool","name":"` + name + `"},`)
	nested := func(block string) string {
		return `{"model":"gpt-5","input":[{"role":"assistant","content":[` +
			`{"type":"function_call","name":"q"},` + block + `]}]}`
	}
	const bare, unknownRole = `{"type":"message"}`, `{"type":"message","status":"q","role":"q"}`
	for _, c := range []struct{ title, provider, body, has, not string }{
		{"a declaration that is made", "bedrock-anthropic", calls(""),
			`"tools":[{"name":"` + renamed + `"`, name},
		{"a declaration, and its choice", "bedrock-anthropic", declared, renamed, name},
		{"a declaration, at the provider itself", "anthropic", declared, renamed, name},
		{"a message in the content of a message", "openai-responses", nested(bare),
			`"content":[` + bare + `]`, "function_call"},
		{"one with a role that there is not", "openai-responses", nested(unknownRole),
			`"content":[` + unknownRole + `]`, "function_call"},
	} {
		options := &wire.Options{Provider: c.provider, Portable: true}
		result, err := wire.Sanitize(context.Background(), []byte(c.body), options)
		require.NoError(t, err, c.title)
		require.Contains(t, string(result.Body), c.has, c.title)
		require.NotContains(t, string(result.Body), c.not, c.title)
		report, err := wire.Check(result.Body, options)
		require.NoError(t, err, c.title)
		require.Empty(t, report.Violations, c.title)
		again, err := wire.Sanitize(context.Background(), result.Body, options)
		require.NoError(t, err, c.title)
		require.False(t, again.Changed, c.title)
	}
}
