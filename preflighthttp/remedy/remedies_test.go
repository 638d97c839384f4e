package remedy_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/rule"
)

// tools ends a body, and declares the tool of its history.
const tools = `,"tools":[{"name":"run","input_schema":{"type":"object"}}]}`

// TestRemedies: what each remedy sends for the refusals it is for, in the words on record.
func TestRemedies(t *testing.T) {
	tests := []struct {
		name, path string
		dialect    string // the host's
		words      string
		status     int
		body, want string
		remedy     string
		edit       func(*preflighthttp.Transport)
	}{
		{
			name: "thinking off for a loop whose thinking is removed", path: path,
			remedy: "drop-reasoning",
			words:  refusal("messages.1.content.0: Invalid `signature` in `thinking` block"),
			body: strings.Replace(thought, `"stream":true`,
				`"thinking":{"type":"enabled","budget_tokens":1024}`, 1),
			want: strings.Replace(thoughtless, `"stream":true`, `"thinking":{"type":"disabled"}`,
				1),
		},
		{
			name: "texts that speak of a Signature keep what they have", path: path,
			remedy: "drop-reasoning",
			words:  refusal("messages.1.content.0: Invalid `signature` in `thinking` block"),
			body: `{"model":"claude-opus-5-5","messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"Signature?","x":1}]},{"role":"assistant","content":[{"type":"thinking",` +
				`"thinking":"Hm.","signature":"QUJD"},{"type":"text","text":"The Signature.",` +
				`"citations":[{"type":"page_location","cited_text":"c"}]}]},` +
				`{"role":"user","content":"r"}]}`,
			want: `{"model":"claude-opus-5-5","messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"Signature?","x":1}]},{"role":"assistant","content":[{"type":"text",` +
				`"text":"The Signature.","citations":[{"type":"page_location","cited_text":"c"}]}]},` +
				`{"role":"user","content":"r"}]}`,
		},
		{
			name: "redacted thinking that was a whole message", path: path,
			remedy: "drop-reasoning",
			words:  refusal("messages.1.content.0: Invalid `data` in `redacted_thinking` block"),
			body: `{"model":"claude-opus-5-5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"redacted_thinking","data":"QUJD"},` +
				` {"type":"text","text":"a"}]},{"role":"user","content":"r"}]}`,
			want: `{"model":"claude-opus-5-5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"r"}]}`,
		},
		{
			name: "encrypted reasoning of another organization", path: "/v1/responses",
			remedy: "drop-reasoning",
			words: `{"error":{"message":"The encrypted content for item rs_1 could not be ` +
				`verified. Reason: Encrypted content organization_id did not match the target ` +
				`organization.","type":"invalid_request_error"}}`,
			body: `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
			want: `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
		},
		{
			name: "what another account compacted", path: "/v1/responses", remedy: "drop-reasoning",
			words: `{"error":{"message":"The encrypted content for item cmp_1 could not be ` +
				`verified.","type":"invalid_request_error"}}`,
			body: `{"model":"gpt-5.4","store":false,"input":[{"type":"compaction","id":"cmp_1",` +
				`"encrypted_content":"gAAA"},{"role":"user","content":"q"}]}`,
			want: `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"}]}`,
		},
		{
			name: "what two accounts compacted and thought, with a summary", path: "/v1/responses",
			remedy: "drop-reasoning",
			words: `{"error":{"message":"Conflicting authenticated continuation identities.",` +
				`"type":"invalid_request_error"}}`,
			body: `{"model":"gpt-5.4","store":false,"input":[{"type":"compaction",` +
				`"id":"cmp_1","encrypted_content":"gAAA","summary":[{"type":"summary_text",` +
				`"text":"so far"}]},{"type":"reasoning","summary":[],` +
				`"encrypted_content":"gAAB"},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"role":"user","content":"q"}]}`,
			want: `{"model":"gpt-5.4","store":false,"input":[{"role":"user",` +
				`"content":"so far"},{"type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]},{"role":"user","content":"q"}]}`,
		},
		{
			name: "reasoning of another account at xAI", path: "/v1/responses", dialect: "xai",
			remedy: "drop-reasoning",
			words: `{"error":"Could not decrypt the provided encrypted_content. Ensure the ` +
				`value is the unmodified encrypted_content from a previous response."}`,
			body: `{"model":"grok-4.3","input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"AAAA"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"r"}]}`,
			want: `{"model":"grok-4.3","input":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"r"}]}`,
		},
		{
			name: "what another account compacted at xAI", path: "/v1/responses", dialect: "xai",
			remedy: "drop-reasoning",
			words: `{"error":"Could not decode the compaction blob. Ensure it is unmodified ` +
				`from the compact response."}`,
			body: `{"model":"grok-4.3","input":[{"type":"compaction",` +
				`"encrypted_content":"AAAA"},{"role":"user","content":"r"}]}`,
			want: `{"model":"grok-4.3","input":[{"role":"user","content":"r"}]}`,
		},
		{
			name: "null members at a Foundry project", path: "/v1/responses", dialect: "azure",
			remedy: "drop-nulls",
			words: `{"error":{"code":"invalid_payload","message":"Invalid payload",` +
				`"type":"invalid_request_error","details":[{"code":"ValidationError",` +
				`"message":"type: Value is \"null\" but should be \"string\"",` +
				`"param":"/input/1/status","type":"error","details":[]}]}}`,
			body: `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":1.0}",` +
				`"status":null},{"type":"function_call_output","call_id":"c","output":"r",` +
				`"status":null}]}`,
			want: `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":1.0}"},` +
				`{"type":"function_call_output","call_id":"c","output":"r"}]}`,
		},
		{
			name: "content that is null at SGLang", path: "/v1/chat/completions",
			dialect: "openai-compatible", remedy: "fill-content",
			words: `{"object":"error","message":"1 validation error for ` +
				`ChatCompletionRequest\nmessages.1.ChatCompletionMessageGenericParam.content.str\n` +
				`  Input should be a valid string [type=string_type, input_value=None, ` +
				`input_type=NoneType]","type":"BadRequestError","code":400}`,
			body: `{"model":"deepseek-r1","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
			want: `{"model":"deepseek-r1","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
		},
		{
			name: "two texts for an older model of xAI's", path: "/v1/chat/completions",
			dialect: "xai", remedy: "join-texts",
			words: "{\"error\":\"The model expects a single `text` element per message.\"}",
			body: `{"model":"grok-2-vision","messages":[{"role":"user",` +
				`"content":[{"type":"text","text":"q"},{"type":"text","text":"r"}]}]}`,
			want: `{"model":"grok-2-vision","messages":[{"role":"user",` +
				`"content":[{"type":"text","text":"q\nr"}]}]}`,
		},
		{
			name: "items that expired", path: "/v1/responses", remedy: "forget-items",
			words: "{\"error\":{\"message\":\"Item with id 'rs_1' not found. Items are not " +
				"persisted when `store` is set to false. Try again with `store` set to true," +
				" or remove this item from your input.\"," + `"type":"invalid_request_error",` +
				`"param":"input","code":null}}`,
			body: `{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"item_reference","id":"msg_0"},` +
				`{"type":"reasoning","id":"rs_1","summary":[]},` +
				`{"type":"function_call","id":"fc_1","call_id":"c1","name":"f",` +
				`"arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
			want: `{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
		},
		{
			name: "a signature of another model",
			path: "/v1beta/models/gemini-3-pro:generateContent", remedy: "drop-reasoning",
			words: `{"error":{"code":400,"message":"Corrupted thought signature.",` +
				`"status":"INVALID_ARGUMENT"}}`,
			body: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"Hm.","thoughtSignature":"QUJD"},` +
				`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"QUJD"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"a":1.0}}}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"Hm."},` +
				`{"functionCall":{"name":"f","args":{}},` +
				`"thoughtSignature":"skip_thought_signature_validator"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"a":1.0}}}]}]}`,
		},
		{
			name: "a final model turn that an unknown model refuses",
			path: "/v1beta/models/gemini-9-flash:generateContent", remedy: "enforce-rule",
			words: `{"error":{"code":400,"message":"Requests ending with a model turn are not ` +
				`supported.","status":"INVALID_ARGUMENT"}}`,
			body: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"The answer is"}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"The answer is"}]},` +
				`{"role":"user","parts":[{"text":"Continue."}]}]}`,
		},
		{
			name: "a signature that an unknown model misses",
			path: "/v1beta/models/gemini-9-flash:generateContent", remedy: "enforce-rule",
			words: `{"error":{"code":400,"message":"Function call is missing a ` +
				`thought_signature in functionCall parts. This is required for tools to work ` +
				`correctly, and missing thought_signature may lead to degraded model ` +
				`performance. Additional data, function call ` + "`default_api:f`" + ` , ` +
				`position 2. Please refer to https:` +
				`//ai.google.dev/gemini-api/docs/thought-signatures for more details.",` +
				`"status":"INVALID_ARGUMENT"}}`,
			body: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"a":1.0}}}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},` +
				`"thoughtSignature":"skip_thought_signature_validator"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"a":1.0}}}]}]}`,
		},
		{
			name: "a call that was thought to wait", path: path, remedy: "end-waiting",
			words: refusal("messages.1: `tool_use` ids were found without `tool_result` blocks " +
				"immediately after: toolu_1. Each `tool_use` block must have a corresponding " +
				"`tool_result` block in the next message."),
			body: strings.TrimSuffix(dirty, "}") + tools,
			want: strings.TrimSuffix(strings.Replace(dirty, `{"role":"user","content":"Stop."}`,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",`+
					`"content":"`+
					"The tool call has not finished yet: there is no result so far."+
					`"},`+`{"type":"text","text":"Stop."}]}`,
				1), "}") + tools,
			edit: func(tr *preflighthttp.Transport) {
				tr.Options.KeepWaiting = true
				tr.Options.OpenCall = func(c *preflight.ToolCall) preflight.Part {
					if c.Name == "run" {
						return c
					}
					return nil
				}
			},
		},
		{
			name: "a host behind a gateway", path: "/v1/chat/completions", remedy: "bridge-results",
			words: `{"error":{"message":"Unexpected role 'user' after role 'tool'",` +
				`"type":"invalid_request_error","code":"invalid_request_message_order",` +
				`"raw_status_code":400}}`,
			body: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"abcDEF123",` +
				`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"abcDEF123","name":"f","content":"r"},` +
				`{"role":"user","content":"s"}]}`,
			want: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"abcDEF123",` +
				`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"abcDEF123","name":"f","content":"r"},` +
				`{"role":"assistant","content":"I have read the tool results."},` +
				`{"role":"user","content":"s"}]}`,
		},
		{
			name: "a field that a strict host refuses, with status 422",
			path: "/v1/chat/completions", status: 422, remedy: "drop-named",
			words: `{"detail":[{"type":"extra_forbidden","loc":["body","messages",1,"assistant",` +
				`"reasoning_content"],"msg":"Extra inputs are not permitted"}]}`,
			body: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","reasoning_content":"Hm.","content":"a"},` +
				`{"role":"user","content":"s"}]}`,
			want: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"s"}]}`,
		},
		{
			name: "a field that Groq refuses, behind a gateway", path: "/v1/chat/completions",
			remedy: "drop-named",
			words: `{"error":{"message":"'messages.1' : for 'role:assistant' the following ` +
				`must be satisfied[('messages.1' : property 'reasoning' is unsupported,` +
				` did you mean 'role'?)]","type":"invalid_request_error"}}`,
			body: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","reasoning":"Hm.","content":"a"},` +
				`{"role":"user","content":"s"}]}`,
			want: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"s"}]}`,
		},
		{
			name: "a field that Cerebras refuses, behind a gateway", path: "/v1/chat/completions",
			remedy: "drop-named",
			words: `{"message":"messages.1.assistant.reasoning_content: property ` +
				`'messages.1.assistant.reasoning_content' is unsupported",` +
				`"type":"invalid_request_error","param":"validation_error",` +
				`"code":"wrong_api_format"}`,
			body: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","reasoning_content":"Hm.","content":"a"},` +
				`{"role":"user","content":"s"}]}`,
			want: `{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"s"}]}`,
		},
		{
			name: "a relay that quotes the model's host", path: "/v1/chat/completions",
			dialect: "openrouter", remedy: "drop-reasoning",
			words: `{"error":{"message":"Provider returned error","code":400,` +
				`"metadata":{"raw":"{\\"type\\":\\"error\\",` +
				`\\"error\\":{\\"type\\":\\"invalid_request_error\\",` +
				`\\"message\\":\\"messages.1.content.0: Invalid ` + "`signature` in `thinking`" +
				` block\\"}}","provider_name":"Anthropic"}}}`,
			body: `{"model":"anthropic/claude-sonnet-4.5","messages":[{"role":"user",` +
				`"content":"q"},{"role":"assistant","content":"a","reasoning":"Hm.",` +
				`"reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"QUJD",` +
				`"format":"anthropic-claude-v1","index":0}]},{"role":"user","content":"s"}]}`,
			want: `{"model":"anthropic/claude-sonnet-4.5","messages":[{"role":"user",` +
				`"content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"s"}]}`,
		},
		{
			name:   "Bedrock, which quotes it too",
			path:   "/model/us.anthropic.claude-opus-5-5-v1:0/converse-stream",
			remedy: "drop-reasoning",
			words: `{"message":"The model returned the following errors: messages.1.content.0: ` +
				`Invalid ` + "`signature` in `thinking`" + ` block"}`,
			body: `{"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":` +
				`"Hm.","signature":"QUJD"}}},{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"r"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"r"}]}]}`,
		},
		{
			name: "neighbours of one role at a host that still refuses them", path: path,
			remedy: "enforce-rule",
			words: refusal(`messages: roles must alternate between "user" and "assistant",` +
				` but found multiple "user" roles in a row`),
			body: `{"model":"claude-opus-5-5","messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"r"}]}`,
			want: `{"model":"claude-opus-5-5","messages":[{"role":"user",` +
				`"content":[{"type":"text","text":"q"},{"type":"text","text":"r"}]}]}`,
		},
		{
			name: "a leading assistant message at such a host", path: path, remedy: "enforce-rule",
			words: refusal(`messages: first message must use the "user" role`),
			body: `{"model":"claude-opus-5-5","messages":[{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"q"}]}`,
			want: `{"model":"claude-opus-5-5","messages":[{"role":"user",` +
				`"content":"(conversation resumed)"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"q"}]}`,
		},
		{
			name: "a model that takes less than its name says", path: path, remedy: "enforce-rule",
			words: refusal("This model does not support assistant message prefill. The " +
				"conversation must end with a user message."),
			body: `{"model":"claude-3-opus","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"The answer is"}]}`,
			want: `{"model":"claude-3-opus","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"The answer is"},` +
				`{"role":"user","content":"Continue."}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.status == 0 {
				tt.status = 400
			}
			transport, all, server := resending(tt.status, tt.words, tt.want)
			transport.Endpoints[0].Provider = tt.dialect
			if tt.edit != nil {
				tt.edit(transport)
			}
			status, _ := do(t, transport, post(t, address+tt.path, tt.body))
			got := server.received()
			require.Len(t, got, 2)
			require.Empty(t, cmp.Diff(tt.body, got[0].body))
			require.Empty(t, cmp.Diff(tt.want, got[1].body))
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, tt.remedy, all.all[1].Remedy)
		})
	}
}

// TestRemediesAreData: every rule that a remedy is for is in the catalogue, and has words by which
// a refusal can be recognised or shares them with another. The comment of All has a line for each.
func TestRemediesAreData(t *testing.T) {
	source, err := os.ReadFile("remedy.go")
	require.NoError(t, err)
	for _, r := range remedy.All() {
		require.Regexp(t, `(?m)^//\t`+r.Name+`( |$)`, string(source))
		for _, id := range r.Rules {
			_, ok := rule.ByID(id)
			require.True(t, ok, "%s: %s", r.Name, id)
		}
	}
	byRule := func() *remedy.Remedy {
		all := remedy.All()
		return &all[slices.IndexFunc(all, func(r remedy.Remedy) bool { return len(r.Rules) > 0 })]
	}
	byRule().Rules[0] = "elsewhere"
	require.NotEqual(t, "elsewhere", byRule().Rules[0])
}
