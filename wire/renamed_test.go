package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// A name with a character that some hosts refuse, and what they get for it.
const (
	dotted = "docs.search"
	sent   = "docs_search_a7e557a3"
)

// TestRenamed: in every format, a tool that a repair renames can be given its name back in what the
// model answers, and nothing else of the answer changes.
func TestRenamed(t *testing.T) {
	for _, tt := range []struct{ provider, model, body, answer, want string }{
		{
			"anthropic", "claude-sonnet-4-5",
			`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}],` +
				`"tools":[{"name":"docs.search","input_schema":{"type":"object"}}]}`,
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"SENT"},` +
				`{"type":"tool_use","id":"toolu_1","name":"SENT","input":{"name":"SENT","n":1.0}}]}`,
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"SENT"},` +
				`{"type":"tool_use","id":"toolu_1","name":"docs.search","input":{"name":"SENT","n":1.0}}]}`,
		},
		{
			"anthropic", "claude-sonnet-4-5",
			`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}],` +
				`"tools":[{"name":"docs.search","input_schema":{"type":"object"}}]}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"SENT"}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"docs.search"}}`,
		},
		{
			"openai-chat", "gpt-5",
			`{"model":"gpt-5","messages":[{"role":"user","content":"q"}],"tools":[{"type":"function",` +
				`"function":{"name":"docs.search","parameters":{}}}],"tool_choice":{"type":"function",` +
				`"function":{"name":"docs.search"}}}`,
			`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":` +
				`{"name":"SENT","arguments":"{\"name\":\"SENT\"}"}}]}}]}`,
			`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":` +
				`{"name":"docs.search","arguments":"{\"name\":\"SENT\"}"}}]}}]}`,
		},
		{
			"openai-responses", "gpt-5",
			`{"model":"gpt-5","input":[{"role":"user","content":"q"}],"tools":[{"type":"function",` +
				`"name":"docs.search","parameters":{}}]}`,
			`{"type":"response.completed","response":{"tools":[{"type":"function","name":"SENT"}],` +
				`"output":[{"type":"function_call","name":"SENT","arguments":"{}"}]}}`,
			`{"type":"response.completed","response":{"tools":[{"type":"function","name":"SENT"}],` +
				`"output":[{"type":"function_call","name":"docs.search","arguments":"{}"}]}}`,
		},
		{
			"bedrock", "anthropic.claude-sonnet-4-5",
			`{"messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[` +
				`{"toolSpec":{"name":"docs.search","inputSchema":{"json":{"type":"object"}}}}]}}`,
			`{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t",` +
				`"name":"SENT","input":{"toolUse":{"name":"SENT"}}}}]}}}`,
			`{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t",` +
				`"name":"docs.search","input":{"toolUse":{"name":"SENT"}}}}]}}}`,
		},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(tt.body),
			&wire.Options{Provider: tt.provider, Model: tt.model})
		require.NoError(t, err)
		require.Equal(t, map[string]string{sent: dotted}, result.Renamed, tt.provider)
		require.Equal(t, result.Renamed, wire.RenamedTools([]byte(tt.body), result.Body),
			tt.provider)
		got := string(result.ReturnNames([]byte(replaceSent(tt.answer))))
		require.Empty(t, cmp.Diff(replaceSent(tt.want), got), tt.provider)
	}
}

// TestRenamedInteractions: the Interactions API is not known to refuse a name; where every provider
// shall take it, the declared and the allowed name change with the calls.
func TestRenamedInteractions(t *testing.T) {
	body := `{"model":"gemini-3.7-flash","input":"q","tools":[{"type":"function",` +
		`"name":"docs.search"}],"generation_config":{"tool_choice":{"allowed_tools":` +
		`{"mode":"any","tools":["docs.search"]}}}}`
	options := &wire.Options{Provider: "gemini-interactions"}
	result, err := wire.Sanitize(context.Background(), []byte(body), options)
	require.NoError(t, err)
	require.False(t, result.Changed)
	options.Portable = true
	result, err = wire.Sanitize(context.Background(), []byte(body), options)
	require.NoError(t, err)
	require.Equal(t, map[string]string{sent: dotted}, result.Renamed)
	require.Equal(t, strings.ReplaceAll(body, dotted, sent), string(result.Body))
	answer := `{"status":"requires_action","steps":[{"type":"function_call","id":"c","name":"` + sent +
		`","arguments":{"name":"` + sent + `"}}]}`
	require.Equal(t, strings.Replace(answer, sent, dotted, 1),
		string(result.ReturnNames([]byte(answer))))
}

// TestRenamedGemini: Gemini takes dots and refuses slashes.
func TestRenamedGemini(t *testing.T) {
	body := `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[` +
		`{"name":"docs/search"}]}],"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":` +
		`["docs/search"]}}}`
	result, err := wire.Sanitize(context.Background(), []byte(body),
		&wire.Options{Provider: "gemini", Model: "gemini-2.5-flash"})
	require.NoError(t, err)
	require.Len(t, result.Renamed, 1)
	for name, declared := range result.Renamed {
		require.Equal(t, "docs/search", declared)
		answer := `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"N",` +
			`"args":{"functionCall":{"name":"N"}}}}]}}]}`
		want := strings.Replace(strings.ReplaceAll(answer, "N\"", name+"\""), name, declared, 1)
		require.Equal(t, want,
			string(result.ReturnNames([]byte(strings.ReplaceAll(answer, "N\"", name+"\"")))))
		response, err := wire.DecodeResponse("gemini",
			result.ReturnNames([]byte(strings.ReplaceAll(answer, "N\"", name+"\""))))
		require.NoError(t, err)
		require.Equal(t, "docs/search", response.Calls()[0].Name)
	}
}

// TestRenamedAlike: a name that two tools have after the repair is given back to none.
func TestRenamedAlike(t *testing.T) {
	body := `{"model":"gpt-5","messages":[{"role":"user","content":"q"}],"tools":[` +
		`{"type":"function","function":{"name":" search"}},` +
		`{"type":"function","function":{"name":"search"}},` +
		`{"type":"function","function":{"name":"docs.search"}}]}`
	result, err := wire.Sanitize(context.Background(), []byte(body),
		&wire.Options{Provider: "openai-chat", Model: "gpt-5"})
	require.NoError(t, err)
	require.Equal(t, map[string]string{sent: dotted}, result.Renamed)
	require.Equal(t, result.Renamed, wire.RenamedTools([]byte(body), result.Body))
}

// TestNotRenamed: without a renamed tool there are no names to return, and answers keep their bytes
// and memory.
func TestNotRenamed(t *testing.T) {
	result, err := wire.Sanitize(context.Background(), []byte(`{"model":"gpt-5","messages":[`+
		`{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"search"}}]}`),
		&wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	require.Nil(t, result.Renamed)
	answer := []byte(`{"choices":[{"message":{"tool_calls":[{"function":{"name":"search"}}]}}]}`)
	require.Same(t, &answer[0], &result.ReturnNames(answer)[0])
	require.Nil(t, (*wire.Result)(nil).ReturnNames(nil))
	renamed := &wire.Result{Renamed: map[string]string{sent: dotted}}
	for _, text := range []string{"", "[DONE]", `{"name":"` + sent, `{"text":"` + sent + `"}`,
		`{"choices":[{"message":{"content":"` + sent + `"}}]}`} {
		require.Equal(t, text, string(renamed.ReturnNames([]byte(text))))
	}
}

// replaceSent puts the name that is sent in its place.
func replaceSent(s string) string { return strings.ReplaceAll(s, "SENT", sent) }

// TestReturnNamesInStream: a name that comes in pieces, as deltas of the Chat format may have it,
// is given back when it is whole, and other names come through.
func TestReturnNamesInStream(t *testing.T) {
	result := &wire.Result{
		Renamed: map[string]string{sent: dotted},
		Body: []byte(`{"tools":[{"function":{"name":"` + sent + `"}},` +
			`{"function":{"name":"docs"}}]}`),
	}
	chunk := func(call, function string) string {
		return `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":` + call +
			`,"function":{` + function + `}}]}}]}`
	}
	for _, tt := range []struct {
		name      string
		got, want []string
	}{
		{"whole", []string{chunk("0", `"name":"`+sent+`","arguments":""`), chunk("0", `"arguments":"{}"`)},
			[]string{chunk("0", `"name":"docs.search","arguments":""`), chunk("0", `"arguments":"{}"`)}},
		{"in pieces", []string{chunk("0", `"name":"docs_se"`), chunk("0", `"name":"arch_a7e5"`),
			chunk("0", `"name":"57a3","arguments":"{"`)},
			[]string{chunk("0", `"name":""`), chunk("0", `"name":""`),
				chunk("0", `"name":"docs.search","arguments":"{"`)}},
		{"another name that begins alike", []string{chunk("0", `"name":"docs_"`), chunk("0", `"name":"x"`)},
			[]string{chunk("0", `"name":""`), chunk("0", `"name":"docs_x"`)}},
		{"another tool's name", []string{chunk("0", `"name":"docs"`), chunk("0", `"arguments":"{}"`)},
			[]string{chunk("0", `"name":"docs"`), chunk("0", `"arguments":"{}"`)}},
		{"no more of it", []string{chunk("0", `"name":"docs_s"`), chunk("0", `"arguments":"{}"`)},
			[]string{chunk("0", `"name":""`), chunk("0", `"arguments":"{}","name":"docs_s"`)}},
		{"two calls at once", []string{chunk("0", `"name":"docs_search_"`), chunk("1", `"name":"docs"`),
			chunk("0", `"name":"a7e557a3"`)},
			[]string{chunk("0", `"name":""`), chunk("1", `"name":"docs"`),
				chunk("0", `"name":"docs.search"`)}},
		{"no chunk of calls", []string{`[DONE]`, `{"choices":[{"delta":{"content":"` + sent + `"}}]}`,
			`{"type":"tool-call-start","delta":{"message":{"tool_calls":{"function":{"name":"` + sent +
				`"}}}}}`},
			[]string{`[DONE]`, `{"choices":[{"delta":{"content":"` + sent + `"}}]}`,
				`{"type":"tool-call-start","delta":{"message":{"tool_calls":{"function":{"name":"docs.search"}}}}}`}},
	} {
		give := result.ReturnNamesInStream()
		var out []string
		for _, event := range tt.got {
			out = append(out, string(give([]byte(event))))
		}
		require.Empty(t, cmp.Diff(tt.want, out), tt.name)
	}
}

// TestRenamedTools: a tool that a repair declares is after those of the caller, and is not taken
// for one of them.
func TestRenamedTools(t *testing.T) {
	const body = `{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use",` +
		`"id":"toolu_1","name":"other","input":{}}]},{"role":"user","content":[` +
		`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}]}],` +
		`"tools":[{"name":"docs.search","input_schema":{"type":"object"}}]}`
	result, err := wire.Sanitize(context.Background(), []byte(body),
		&wire.Options{Provider: "bedrock-anthropic", Model: "anthropic.claude-sonnet-4-5"})
	require.NoError(t, err)
	require.Equal(t, map[string]string{sent: dotted}, result.Renamed)
	require.Equal(t, result.Renamed, wire.RenamedTools([]byte(body), result.Body))

	require.Nil(t, wire.RenamedTools([]byte(body), []byte(body)))
	require.Nil(t, wire.RenamedTools([]byte(body), []byte(`{}`)))
	require.Nil(t, wire.RenamedTools([]byte(`{`), result.Body))
}
