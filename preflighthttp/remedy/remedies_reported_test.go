package remedy_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestRemediesReported: shapes that one host or model refused and others accepted are left as they
// are at first, and after a refusal in the reported words they are sent as the host takes them.
func TestRemediesReported(t *testing.T) {
	const converse = "/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse"
	const lone = "Item 'rs_1' of type 'reasoning' was provided without its required following item."
	const unanswered = "messages.1: `tool_use` ids were found without `tool_result` blocks " +
		"immediately after: toolu_1. Each `tool_use` block must have a corresponding " +
		"`tool_result` block in the next message."
	call := `{"type":"tool_use","id":"toolu_1","name":"run","input":{}}`
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}`
	claude := func(messages string) string {
		return `{"model":"claude-opus-4-8","max_tokens":10,"messages":[` + messages + `]` + tools
	}
	chat := func(arguments string) string {
		return `{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f",` +
			`"arguments":` + arguments + `}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}]}`
	}
	responses := func(items string) string {
		return `{"model":"gpt-5.3-codex","store":false,"input":[` + items + `]}`
	}
	reasoning := `{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}`
	use := `{"toolUse":{"toolUseId":"tooluse_a","name":"f","input":{}}}`
	used := `{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_a","content":[{"text":"ok"}]}}]}` +
		`],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}}`
	mistral := `{"model":"mistralai/mistral-small-4-119b-2603","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"abcDEF123","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcDEF123",` +
		`"content":"r"},`
	for _, tt := range []struct {
		source, path, dialect, words, body, want, remedy string
	}{
		{
			source: "openai/codex#10722: reasoning without id, alone in its turn",
			path:   "/v1/responses", remedy: "forget-items",
			words: `{"error":{"message":"` + lone + `","type":"invalid_request_error"}}`,
			body: responses(`{"role":"user","content":"q"},` + reasoning +
				`,{"role":"user","content":"r"},` + reasoning +
				`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`),
			want: responses(`{"role":"user","content":"q"},{"role":"user","content":"r"},` + reasoning +
				`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`),
		},
		{
			source: "NousResearch/hermes-agent#63983: Claude's words through Converse",
			path:   converse, remedy: "drop-blank",
			words: `{"message":"The model returned the following errors: messages: text content ` +
				`blocks must contain non-whitespace text"}`,
			body: `{"messages":[{"role":"user","content":[{"text":"x"},{"text":"\n"},{"text":"q"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"text":"x"},{"text":"q"}]}]}`,
		},
		{
			source: "ggml-org/llama.cpp#25510: arguments that were cut off",
			path:   "/v1/chat/completions", dialect: "openai-compatible", remedy: "enforce-rule",
			words: `{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: ` +
				`[json.exception.parse_error.101] parse error at line 1, column 2"}}`,
			body: chat(`"{"`), want: chat(`"{\"_raw\":\"{\"}"`),
		},
		{
			source: "langchain-ai/langchain-aws#1118: text beside a call",
			path:   "/model/mistral.mistral-large-2402-v1:0/converse", remedy: "drop-text",
			words: `{"message":"The model returned the following errors: messages.1.content: ` +
				`Conversation blocks and tool use blocks cannot be provided in the same turn."}`,
			body: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[{"text":"Let me look."},` + use + `]},` + used,
			want: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[` + use + `]},` + used,
		},
		{
			source: "NousResearch/hermes-agent#52160: every pair whole, the first turn the assistant's",
			path:   path, words: refusal(unanswered), remedy: "settle-calls",
			body: claude(`{"role":"assistant","content":"So far."},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[` + call + `]},` + result),
			want: claude(`{"role":"user","content":"(conversation resumed)"},` +
				`{"role":"assistant","content":"So far."},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[` + call + `]},` + result),
		},
		{
			source: "vercel/ai#13013: text after a call",
			path:   path, words: refusal(unanswered), remedy: "settle-calls",
			body: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` + call +
				`,{"type":"text","text":"a"}]},` + result),
			want: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"text","text":"a"},` + call + `]},` + result),
		},
		{
			source: "NousResearch/hermes-agent#20154: Mistral's template at NIM",
			path:   "/v1/chat/completions", dialect: "openai-compatible", remedy: "bridge-results",
			words: `{"error":{"message":"Unexpected role 'user' after role 'tool'","type":` +
				`"BadRequestError","code":400}}`,
			body: mistral + `{"role":"user","content":"s"}]}`,
			want: mistral + `{"role":"assistant","content":"I have read the tool results."},` +
				`{"role":"user","content":"s"}]}`,
		},
		{
			source: "RooCodeInc/Roo-Code#4147: a leading assistant turn, Claude 4 through Converse",
			path:   converse, remedy: "enforce-rule",
			words: `{"message":"A conversation must start with a user message. Try again with a ` +
				`conversation that starts with a user message."}`,
			body: `{"messages":[{"role":"assistant","content":[{"text":"a"}]},{"role":"user",` +
				`"content":[{"text":"q"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"text":"(conversation resumed)"}]},` +
				`{"role":"assistant","content":[{"text":"a"}]},{"role":"user","content":[{"text":"q"}]}]}`,
		},
		{
			source: "langgenius/dify#9294: neighbours of one role through Converse",
			path:   converse, remedy: "enforce-rule",
			words: `{"message":"A conversation must alternate between user and assistant roles. Make ` +
				`sure the conversation alternates between user and assistant roles and try again."}`,
			body: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user",` +
				`"content":[{"text":"r"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"text":"q"},{"text":"r"}]}]}`,
		},
		{
			source: "danny-avila/agents#124: blank text beside text",
			path:   path, remedy: "drop-blank",
			words: refusal("messages: text content blocks must contain non-whitespace text"),
			body: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"text","text":" "},{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
			want: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
		},
		{
			source: "continuedev/continue#12620: an item with an id, without its reasoning",
			path:   "/v1/responses", remedy: "forget-items",
			words: `{"error":{"message":"Item 'fc_1' of type 'function_call' was provided without its ` +
				`required 'reasoning' item: 'rs_1'.","type":"invalid_request_error"}}`,
			body: responses(`{"role":"user","content":"q"},{"type":"function_call","id":"fc_1",` +
				`"call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c",` +
				`"output":"r"}`),
			want: responses(`{"role":"user","content":"q"},{"type":"function_call",` +
				`"call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c",` +
				`"output":"r"}`),
		},
		{
			source: "NousResearch/hermes-agent#55427: the model first",
			path:   "/v1beta/models/gemini-3-flash-preview:generateContent", remedy: "enforce-rule",
			words: `{"error":{"code":400,"message":"Please ensure that multiturn requests alternate ` +
				`between user and model.","status":"INVALID_ARGUMENT"}}`,
			body: `{"contents":[{"role":"model","parts":[{"text":"a"}]},{"role":"user",` +
				`"parts":[{"text":"q"}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"(conversation resumed)"}]},` +
				`{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"q"}]}]}`,
		},
		{
			source: "langchain-ai/langchain#34140: calls without content", dialect: "xai",
			path: "/v1/chat/completions", remedy: "fill-content",
			words: `{"code":"Client specified an invalid argument","error":"Invalid request content: ` +
				`Each message must have at least one content element."}`,
			body: `{"model":"grok-4","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
			want: `{"model":"grok-4","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}],` +
				`"content":""},{"role":"tool","tool_call_id":"c","content":"r"}]}`,
		},
		{
			source: "microsoft/agent-framework#4701: a text of which no rule is known",
			path:   "/v1/responses", remedy: "drop-named",
			words: `400 Unknown parameter: 'input[1].phase'`,
			body: responses(`{"role":"user","content":"q"},{"type":"message","role":"assistant",` +
				`"phase":"final","content":[{"type":"output_text","text":"a"}]},{"role":"user","content":"r"}`),
			want: responses(`{"role":"user","content":"q"},{"type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]},{"role":"user","content":"r"}`),
		},
	} {
		t.Run(tt.source, func(t *testing.T) {
			code := 400
			if strings.Contains(tt.words, `"code":500`) {
				code = 500
			}
			transport, all, server := resending(code, tt.words, tt.want)
			transport.Endpoints[0].Provider = tt.dialect
			status, _ := do(t, transport, post(t, address+tt.path, tt.body))
			got := server.received()
			require.Len(t, got, 2)
			require.Empty(t, cmp.Diff(tt.body, got[0].body))
			require.Empty(t, cmp.Diff(tt.want, got[1].body))
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, tt.remedy, all.all[1].Remedy)
			require.True(t, all.all[1].Changed)
		})
	}
}
