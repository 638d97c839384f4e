package wire_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/wire"
)

// This file redacts a secret in every place of a request where a person, a model or a tool may have
// written it.

// secretBodies have the secret hunter2 in every text of their messages. Where the provider verifies
// a text, it is not in there.
var secretBodies = map[string]string{
	"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},
	"system":[{"type":"text","text":"It is hunter2."}],
	"tools":[{"name":"f","input_schema":{"type":"object"}}],
	"messages":[{"role":"user","content":"Use hunter2 <b>"},
	{"role":"assistant","content":[{"type":"thinking","thinking":"signed","signature":"c2lnbmVk"},
		{"type":"text","text":"hunter2?","citations":[{"type":"char_location","cited_text":"a hunter2","document_index":0,"document_title":"hunter2","start_char_index":0,"end_char_index":1}]},
		{"type":"tool_use","id":"toolu_1","name":"f","input":{"name":"hunter2","n":1.0,"a":["hunter2 "]}}]},
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"pw=hunter2\n"}]},
		{"type":"document","title":"hunter2","context":"hunter2","source":{"type":"text","media_type":"text/plain","data":"hunter2 data."}},
		{"type":"text","text":"hunter2"}]}]}`,
	"anthropic tools of the provider": `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"type":"web_search_20250305","name":"web_search"},{"type":"code_execution_20250825","name":"code_execution"}],"messages":[
	{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"hunter2"}},{"type":"text","text":"q"}]},
	{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"hunter2"}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a.b","title":"t","encrypted_content":"ZW5j","page_age":null}]},
		{"type":"server_tool_use","id":"srvtoolu_2","name":"bash_code_execution","input":{"command":"echo hunter2"}},
		{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result","stdout":"hunter2","stderr":"hunter2","return_code":0,"content":[]}}]},
	{"role":"user","content":"hunter2"}]}`,
	"openai-responses tools of the provider": `{"model":"gpt-5","input":[{"role":"user","content":"hunter2"},
	{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"hunter2","queries":["hunter2"]}},
	{"id":"fs_1","type":"file_search_call","status":"completed","queries":["hunter2"],"results":[{"file_id":"f","filename":"a","score":0.5,"text":"hunter2"}]},
	{"id":"ci_1","type":"code_interpreter_call","status":"completed","container_id":"c","code":"print('hunter2')","outputs":[{"type":"logs","logs":"hunter2"}]},
	{"id":"mcp_1","type":"mcp_call","server_label":"s","name":"f","arguments":"{\"a\":\"hunter2\"}","output":"hunter2"},
	{"id":"lsh_1","type":"local_shell_call","call_id":"call_1","status":"completed","action":{"type":"exec","command":["echo","hunter2"],"env":{}}},
	{"type":"local_shell_call_output","call_id":"call_1","output":"hunter2"},
	{"role":"user","content":"hunter2"}]}`,
	"openai-chat": `{"model":"gpt-5","messages":[{"role":"system","content":"hunter2"},
	{"role":"user","content":[{"type":"text","text":"hunter2"}]},
	{"role":"assistant","content":"my hunter2","refusal":"hunter2","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"name\":\"hunter2\",\"n\":1.0}"}}]},
	{"role":"tool","tool_call_id":"call_1","content":"{\"type\":\"hunter2\"}"},
	{"role":"assistant","content":[{"type":"refusal","refusal":"hunter2"}]},
	{"role":"user","content":"hunter2"}]}`,
	"openai-responses": `{"model":"gpt-5","instructions":"Never say hunter2.","input":[{"role":"user","content":[{"type":"input_text","text":"hunter2"}]},
	{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"sealed"}],"encrypted_content":"ZW5j"},
	{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hunter2","annotations":[{"type":"url_citation","title":"hunter2","url":"https://a.b","start_index":0,"end_index":1}]},{"type":"refusal","refusal":"hunter2"}]},
	{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"name\":\"hunter2\"}"},
	{"type":"function_call_output","call_id":"call_1","output":"hunter2"},
	{"id":"ctc_1","type":"custom_tool_call","call_id":"call_2","name":"g","input":"run hunter2"},
	{"type":"custom_tool_call_output","call_id":"call_2","output":"hunter2"},
	{"role":"user","content":"hunter2"}]}`,
	"anthropic string and nested": `{"model":"claude-sonnet-4-5","max_tokens":9,"system":"It is hunter2.",
	"tools":[{"name":"f","input_schema":{"type":"object"}}],
	"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{"deep":{"er":[{"x":"hunter2"}]}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":[
		{"type":"search_result","source":"s","title":"hunter2","content":[{"type":"text","text":"hunter2"}]},
		{"type":"document","title":"hunter2","source":{"type":"content","content":[{"type":"text","text":"hunter2"}]}},
		{"type":"text","text":"pw=hunter2"}]}]}]}`,
	"openai-chat lists": `{"model":"gpt-5","messages":[{"role":"developer","content":[{"type":"text","text":"hunter2"}]},
	{"role":"user","content":"q"},
	{"role":"assistant","content":[{"type":"text","text":"hunter2"}],"tool_calls":[{"id":"call_1","type":"custom","custom":{"name":"f","input":"say hunter2"}}]},
	{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"hunter2"}]}]}`,
	"openai-responses plain reasoning": `{"model":"gpt-5","instructions":"hunter2","input":[{"role":"developer","content":"hunter2"},{"role":"user","content":"q"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"name\":[\"hunter2\"]}"},{"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"hunter2"}]}]}`,
	"gemini": `{"systemInstruction":{"parts":[{"text":"hunter2"}]},"contents":[{"role":"user","parts":[{"text":"hunter2"}]},
	{"role":"model","parts":[{"text":"a thought of hunter2","thought":true},{"text":"hunter2"},{"executableCode":{"language":"PYTHON","code":"print('hunter2')"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"hunter2"}},{"functionCall":{"name":"f","args":{"name":"hunter2"}},"thoughtSignature":"c2lnbmVk"}]},
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"type":"hunter2","n":1.0}}}]},
	{"role":"user","parts":[{"text":"hunter2"}]}]}`,
	"bedrock": `{"system":[{"text":"hunter2"}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"user","content":[{"text":"hunter2"}]},
	{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"signed","signature":"c2lnbmVk"}}},{"text":"hunter2"},{"toolUse":{"toolUseId":"t1","name":"f","input":{"name":"hunter2"}}}]},
	{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"hunter2"},{"json":{"type":"hunter2"}}]}},{"text":"hunter2"}]}]}`,
	"mistral": `{"model":"mistral-large-latest","messages":[{"role":"user","content":"hunter2"},
	{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hunter2"}]},{"type":"text","text":"hunter2"}],"tool_calls":[{"id":"abcdefgh1","function":{"name":"f","arguments":"{\"a\":\"hunter2\"}"}}]},
	{"role":"tool","tool_call_id":"abcdefgh1","name":"f","content":"hunter2"}]}`,
	"cohere": `{"model":"command-a","messages":[{"role":"user","content":"hunter2"},
	{"role":"assistant","tool_plan":"hunter2","tool_calls":[{"id":"f_1","type":"function","function":{"name":"f","arguments":"{\"a\":\"hunter2\"}"}}]},
	{"role":"tool","tool_call_id":"f_1","content":[{"type":"document","document":{"id":"1","data":{"text":"hunter2"}}}]}]}`,
	"ollama": `{"model":"qwen3","messages":[{"role":"user","content":"hunter2"},
	{"role":"assistant","content":"hunter2","thinking":"hunter2","tool_calls":[{"function":{"name":"f","arguments":{"name":"hunter2"}}}]},
	{"role":"tool","tool_name":"f","content":"hunter2"}]}`,
	"deepseek": `{"model":"deepseek-chat","messages":[{"role":"user","content":"hunter2"},
	{"role":"assistant","content":"hunter2","reasoning_content":"hunter2","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":\"hunter2\"}"}}]},
	{"role":"tool","tool_call_id":"call_1","content":"hunter2"}]}`,
}

// TestRedactEverywhere: of a body, the hook changes the secret and nothing else.
func TestRedactEverywhere(t *testing.T) {
	hidden := func(text string) string { return strings.ReplaceAll(text, "hunter2", "****") }
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, hidden), nil
		},
	}
	for provider, body := range secretBodies {
		t.Run(provider, func(t *testing.T) {
			provider, _, _ = strings.Cut(provider, " ")
			options := &wire.Options{Provider: provider}
			report, err := wire.Check([]byte(body), options)
			require.NoError(t, err)
			require.Empty(t, report.Violations)
			options.Sanitize.Hooks = []preflight.Hook{hook}
			result, err := wire.Sanitize(context.Background(), []byte(body), options)
			require.NoError(t, err)
			require.Equal(t, hidden(body), string(result.Body))
		})
	}
}

// TestVerified: text that the provider verifies is not edited, and redact.Verified returns it, so
// that a hook can remove it. Without it, the secret is nowhere in the request.
func TestVerified(t *testing.T) {
	hidden := func(text string) string { return strings.ReplaceAll(text, "hunter2", "****") }
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},` +
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result",` +
		`"title":"about hunter2","url":"https://a.b","encrypted_content":"ZW5j"}]},`
	for provider, body := range map[string]string{
		"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},` +
			`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"thinking","thinking":"say hunter2","signature":"c2lnbmVk"},` + search +
			`{"type":"text","text":"hunter2"}]},{"role":"user","content":"r"}]}`,
		"bedrock": `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[` +
			`{"reasoningContent":{"reasoningText":{"text":"hunter2","signature":"c2lnbmVk"}}},{"text":"hunter2"}]},` +
			`{"role":"user","content":[{"text":"r"}]}]}`,
		"openai-responses": `{"input":[{"role":"user","content":"q"},{"type":"reasoning","id":"rs_1","encrypted_content":"ZW5j",` +
			`"summary":[{"type":"summary_text","text":"hunter2"}]},` +
			`{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[` +
			`{"type":"output_text","text":"hunter2"}]},` +
			`{"role":"user","content":"r"}]}`,
	} {
		t.Run(provider, func(t *testing.T) {
			kept := 0
			options := &wire.Options{Provider: provider}
			run := func(drop bool) string {
				options.Sanitize.Hooks = []preflight.Hook{{Name: "redact", Message: func(
					_ context.Context, m preflight.Message,
				) (preflight.Message, error) {
					m = redact.Message(m, hidden)
					verified := redact.Verified(m, hidden)
					kept += len(verified)
					if drop {
						m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
							return slices.Contains(verified, p)
						})
					}
					return m, nil
				}}}
				result, err := wire.Sanitize(context.Background(), []byte(body), options)
				require.NoError(t, err)
				return string(result.Body)
			}
			before := run(false)
			require.Positive(t, kept)
			require.Equal(t, strings.Count(body, "hunter2")-1, strings.Count(before, "hunter2"),
				"only the text is edited: %s", before)
			require.NotContains(t, run(true), "hunter2")
		})
	}
}
