package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestLeft: a problem that is left because of a member is told, with the member, and where it is in
// the body that came. What would not have been changed anyway is not.
func TestLeft(t *testing.T) {
	type left struct{ member, rule, path string }
	for _, c := range []struct {
		name, provider, body string
		want                 []left
	}{
		{"a member of the request, a result at the front", "anthropic", `{"model":"claude-opus-9",` +
			`"max_tokens":9,"resume":{"from":"msg_1"},"messages":[{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}]}]}`,
			[]left{{"resume", "anthropic/tool-result-orphan", "messages[0].content[0]"}}},
		{"the last turn", "anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"aim":"x",` +
			`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`,
			[]left{{"aim", "anthropic/prefill-unsupported", "messages[1]"}}},
		{"an empty list", "openai-chat", `{"model":"m","resume":"r1","messages":[]}`,
			[]left{{"resume", "openai-chat/messages-empty", "messages"}}},
		{"a call", "openai-responses", `{"model":"gpt-9","input":[{"role":"user","content":"q"},` +
			`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}",` +
			`"deferred":{"until":"later"}},{"role":"user","content":"q"}]}`,
			[]left{{"deferred", "openai-responses/tool-output-missing", "input[1]"}}},
		{"a call that says so", "openai-responses", `{"model":"gpt-6-astra","input":[` +
			`{"role":"user","content":"q"},{"type":"function_call","call_id":"c1","name":"f",` +
			`"arguments":"{}","async":true},{"role":"user","content":"q"}]}`,
			[]left{{"async", "openai-responses/tool-output-missing", "input[1]"}}},
		{"nothing wrong", "anthropic", `{"model":"claude-opus-9","max_tokens":9,"resume":"r",` +
			`"messages":[{"role":"user","content":"q"}]}`, nil},
		{"an answered call", "openai-responses", `{"model":"gpt-9","input":[` +
			`{"role":"user","content":"q"},{"type":"function_call","call_id":"c1","name":"f",` +
			`"arguments":"{}","deferred":"x"},{"type":"function_call_output","call_id":"c1",` +
			`"output":"r"}]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := &wire.Options{Provider: c.provider}
			result, err := wire.Sanitize(t.Context(), []byte(c.body), options)
			require.NoError(t, err)
			require.Equal(t, c.body, string(result.Body))
			report, err := wire.Check([]byte(c.body), options)
			require.NoError(t, err)
			require.Empty(t, report.Violations)
			require.Equal(t, report.Left, result.Left)
			var got []left
			for _, l := range result.Left {
				got = append(got, left{l.Member, l.Rule, l.Path})
			}
			require.Equal(t, c.want, got)

			text, err := json.Marshal(wire.OutcomeOf(result, nil))
			require.NoError(t, err)
			var back wire.Outcome
			require.NoError(t, json.Unmarshal(text, &back))
			require.Len(t, back.Left, len(c.want))
		})
	}
}

// TestLeftBesideRepairs: the path of what is left is that of the body that came, also if messages
// before it were joined.
func TestLeftBesideRepairs(t *testing.T) {
	const body = `{"model":"claude-opus-9","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
		`{"role":"user","content":"q"},{"role":"user","content":""},{"role":"assistant","content":[` +
		`{"type":"text","text":"a"},` +
		`{"type":"tool_use","id":"toolu_2","name":"f","input":{},"later":{"by":"noon"}}]},` +
		`{"role":"user","content":"q"}]}`
	result, err := wire.Sanitize(t.Context(), []byte(body), &wire.Options{Provider: "anthropic"})
	require.NoError(t, err)
	require.True(t, result.Changed)
	require.NotContains(t, string(result.Body), "toolu_1")
	require.Contains(t, string(result.Body), `"later":{"by":"noon"}`)
	require.Len(t, result.Left, 1)
	require.Equal(t, "later", result.Left[0].Member)
	require.Equal(t, "toolu_2", result.Left[0].ToolCallID)
	require.Equal(t, "messages[4].content[1]", result.Left[0].Path)
	require.Equal(t, 4, result.Left[0].At.Message())
	require.Contains(t, result.Left[0].String(), `because of the member "later"`)
}
