package wire_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// toolRoles are names of the tool's role: GLM's templates have observation, those of Llama ipython,
// those of OLMo environment.
var toolRoles = []string{
	"tool", "Tool", "TOOL", "tool ", "function", "observation", "tool_result", "tool_response",
	"tool_output", "function_response", "function_call_output", "ipython", "environment",
}

// TestToolRoles: a message of a tool answers its call whatever the tool's role is called, with the
// id of the call or without one, and never becomes the words of the user.
func TestToolRoles(t *testing.T) {
	const calls = `{"role":"assistant","content":"","tool_calls":[{"id":"call_abc1",` +
		`"type":"function","function":{"name":"ls","arguments":"{}"}}]}`
	forms := []struct{ provider, head, call string }{
		{"openai-chat", `{"model":"gpt-4.1","messages":[`, calls},
		{"mistral", `{"model":"mistral-large-latest","messages":[`, calls},
		{"groq", `{"model":"llama-3.3-70b-versatile","messages":[`, calls},
		{"cohere", `{"model":"command-a-03-2025","messages":[`, calls},
		{"ollama", `{"model":"qwen3","messages":[`, `{"role":"assistant","tool_calls":[` +
			`{"id":"call_abc1","function":{"name":"ls","arguments":{}}}]}`},
		{"openai-responses", `{"model":"gpt-4.1","input":[`, `{"type":"function_call",` +
			`"call_id":"call_abc1","name":"ls","arguments":"{}"}`},
		{"anthropic", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[`,
			`{"role":"assistant","content":[{"type":"tool_use","id":"call_abc1","name":"ls","input":{}}]}`},
		{"bedrock", `{"messages":[`, `{"role":"assistant","content":[{"toolUse":` +
			`{"toolUseId":"call_abc1","name":"ls","input":{}}}]}`},
		{"gemini", `{"contents":[`, `{"role":"model","parts":[{"functionCall":` +
			`{"id":"call_abc1","name":"ls","args":{}}}]}`},
	}
	for _, f := range forms {
		first := `{"role":"user","content":"go"},`
		switch f.provider {
		case "bedrock":
			first = `{"role":"user","content":[{"text":"go"}]},`
		case "gemini":
			first = `{"role":"user","parts":[{"text":"go"}]},`
		}
		for _, role := range toolRoles {
			for _, id := range []string{`,"tool_call_id":"call_abc1"`, ""} {
				blocks := f.provider == "anthropic" || f.provider == "bedrock" || f.provider == "gemini"
				if id == "" && (role == "function" || blocks) {
					continue // a legacy result; a message of text in a format of blocks
				}
				body := f.head + first + f.call + `,{"role":"` + role + `","content":"RESULT"` + id +
					`}]}`
				options := &wire.Options{Provider: f.provider}
				res, err := wire.Sanitize(t.Context(), []byte(body), options)
				require.NoError(t, err, body)
				var request map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(res.Body, &request))
				require.True(t, answersItsCall(string(res.Body)), "%s\n%s", body, res.Body)
				for _, w := range res.Warnings {
					require.NotEqual(t, codes.DanglingRemoved, w.Code, body)
				}
			}
		}
	}
}

// TestToolRolesWithIDs: the id beside another spelling of the role decides which call is answered,
// also where the results come in another order than the calls.
func TestToolRolesWithIDs(t *testing.T) {
	for provider, form := range map[string]string{
		"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
			`{"role":"user","content":"go"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"call_abc1","name":"ls","input":{}},` +
			`{"type":"tool_use","id":"call_abc2","name":"ls","input":{}}]}`,
		"bedrock": `{"messages":[{"role":"user","content":[{"text":"go"}]},` +
			`{"role":"assistant","content":[` +
			`{"toolUse":{"toolUseId":"call_abc1","name":"ls","input":{}}},` +
			`{"toolUse":{"toolUseId":"call_abc2","name":"ls","input":{}}}]}`,
		"openai-responses": `{"model":"gpt-4.1","input":[{"role":"user","content":"go"},` +
			`{"type":"function_call","call_id":"call_abc1","name":"ls","arguments":"{}"},` +
			`{"type":"function_call","call_id":"call_abc2","name":"ls","arguments":"{}"}`,
		"openai-chat": `{"model":"gpt-4.1","messages":[{"role":"user","content":"go"},` +
			`{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"call_abc1","type":"function","function":{"name":"ls","arguments":"{}"}},` +
			`{"id":"call_abc2","type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
	} {
		for _, role := range toolRoles {
			body := form + `,{"role":"` + role + `","content":"SECOND","tool_call_id":"call_abc2"}` +
				`,{"role":"` + role + `","content":"FIRST","tool_call_id":"call_abc1"}]}`
			res, err := wire.Sanitize(t.Context(), []byte(body), &wire.Options{Provider: provider})
			require.NoError(t, err, body)
			for text, id := range map[string]string{"FIRST": "call_abc1", "SECOND": "call_abc2"} {
				require.Regexp(t, `\{[^{]*"`+id+`"[^{}]*(\{[^{]*)?"`+text+`"|"`+text+`"[^{]*"`+id+`"`,
					string(res.Body), body)
			}
		}
	}
}

// TestUserCallsNoTools: a user message with calls beside its content, in the form of Chat, does not
// become a call of the assistant, in formats whose own messages have no such member either. Its
// result has no call (which Ollama takes).
func TestUserCallsNoTools(t *testing.T) {
	const user = `{"role":"user","content":"hello","tool_calls":[{"id":"call_abc1",` +
		`"type":"function","function":{"name":"pay","arguments":"{}"}}]}`
	const tool = `{"role":"tool","tool_call_id":"call_abc1","content":"APPROVED"}`
	for provider, form := range map[string][2]string{
		"openai-chat":      {`{"model":"gpt-4.1","messages":[`, `{"role":"user","content":"go"}]}`},
		"mistral":          {`{"model":"m","messages":[`, `{"role":"user","content":"go"}]}`},
		"openai-responses": {`{"model":"gpt-4.1","input":[`, `{"role":"user","content":"go"}]}`},
		"gemini":           {`{"contents":[`, `{"role":"user","parts":[{"text":"go"}]}]}`},
	} {
		body := form[0] + strings.TrimSuffix(form[1], "]}") + "," + user + "," + tool + "," + form[1]
		res, err := wire.Sanitize(t.Context(), []byte(body), &wire.Options{Provider: provider})
		require.NoError(t, err, provider)
		out := string(res.Body)
		require.Contains(t, out, "hello", provider)
		for _, sign := range []string{`"assistant"`, `"role":"model"`, `"function_call"`,
			`"functionCall"`, `"toolUse"`, "APPROVED"} {
			require.NotContains(t, out, sign, provider)
		}
		require.NotEmpty(t, res.Warnings, provider)
	}
}

// answersItsCall reports whether the text RESULT is in a result, and the call is there.
func answersItsCall(body string) bool {
	before, _, found := strings.Cut(body, "RESULT")
	if !found || !strings.Contains(before, `"ls"`) {
		return false
	}
	for _, sign := range []string{
		`"function_call_output"`, `"tool_result"`, `"toolResult"`, `"functionResponse"`, `"role":"tool"`,
	} {
		if strings.Contains(body, sign) {
			return true
		}
	}
	return false
}

// TestUnknownRoleCallsTools: a message of an unknown role that calls tools may be anybody's: it is
// taken for the assistant's, and Strict refuses to.
func TestUnknownRoleCallsTools(t *testing.T) {
	in := []byte(`{"messages":[{"role":"user","content":"q"},{"role":"agent","tool_calls":[{"id":"c",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"r"}]}`)
	options := &wire.Options{Provider: "openai-chat"}
	res, err := wire.Sanitize(context.Background(), in, options)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(string(in), "agent", "assistant", 1), string(res.Body))
	require.True(t, res.Warnings[0].Ambiguous)
	options.Options.Strict = true
	_, err = wire.Sanitize(context.Background(), in, options)
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
}
