package remedy_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestRemediesForShapes: histories of shapes that one host or model does not take are left as they
// are at first, and after its refusal they are sent as it takes them.
func TestRemediesForShapes(t *testing.T) {
	const responses, chat = "/v1/responses", "/v1/chat/completions"
	const grok = `{"error":"Failed to deserialize the JSON body into the target type: data did not ` +
		`match any variant of untagged enum ModelInput"}`
	const bedrock = `{"error":{"message":"invalid request body: Invalid 'input': value did not ` +
		`match any expected variant","type":"invalid_request_error"}}`
	const absent = "The `reasoning_content` in the thinking mode must be passed back to the API."
	input := func(items string) string { return `{"model":"m","input":[` + items + `]}` }
	said := `{"role":"user","content":"q"}`
	custom := `{"type":"custom_tool_call","id":"ctc_1","status":"completed","call_id":"c1",` +
		`"name":"apply_patch","input":"a \"b\""},` +
		`{"type":"custom_tool_call_output","call_id":"c1","output":"ok"}`
	function := `{"arguments":"{\"input\":\"a \\\"b\\\"\"}","call_id":"c1","name":"apply_patch",` +
		`"type":"function_call"},{"call_id":"c1","output":"ok","type":"function_call_output"}`
	taken := `{"type":"web_search_call","id":"ws_2","status":"completed","action":{"type":"search",` +
		`"query":"y"}},` + said
	kept := `{"type":"compaction","encrypted_content":"QUJD"},` + said + `,{"type":"mcp_call",` +
		`"id":"mcp_1","server_label":"s","name":"f","arguments":"{}","output":"ok"},` +
		`{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"g",` +
		`"arguments":"{}"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1",` +
		`"approve":true},{"type":"item_reference","id":"msg_1"},{"type":"reasoning","id":"rs_1",` +
		`"summary":[],"content":[{"type":"reasoning_text","text":"t"}]},{"type":"reasoning",` +
		`"id":"rs_2","summary":[{"type":"summary_text","text":"s"}]},{"type":"agent_message",` +
		`"author":"a","content":[]},{"type":"message","role":"assistant","content":` +
		`[{"type":"output_text","text":"a"}]},` + said
	image := `{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEU` +
		`gAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="}}`
	shown := `{"model":"deepseek-flash","messages":[` + said + `,{"role":"assistant","content":"",` +
		`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":`
	cloud := `{"model":"gpt-oss:120b-cloud","messages":[` + said + `,{"role":"assistant",` +
		`"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},`
	result := `{"role":"tool","tool_name":"f","content":"r"}`
	const converseTools = `"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":` +
		`{"type":"object"}}}}]}}`
	for _, tt := range []struct {
		source, path, dialect string
		status                int
		words, body, want     string
		remedy                string
	}{
		{
			source: "router-for-me/CLIProxyAPI#4434: tools that an item declares, at xAI",
			path:   responses, dialect: "xai-responses", status: 422, words: grok,
			remedy: "plain-items",
			body: `{"model":"m","tools":[{"type":"function","name":"a"}],"input":[{"type":` +
				`"additional_tools","role":"developer","tools":[{"type":"function","name":"a"},` +
				`{"type":"function","name":"b"}]},` +
				said + `]}`,
			want: `{"model":"m","tools":[{"type":"function","name":"a"},` +
				`{"type":"function","name":"b"}],"input":[` + said + `]}`,
		},
		{
			source: "router-for-me/CLIProxyAPI#3734: a custom tool and a web search, at xAI",
			path:   responses, dialect: "xai-responses", status: 422, words: grok,
			remedy: "plain-items",
			body: input(said + `,{"type":"web_search_call","id":"ws_1","status":"completed","action":` +
				`{"type":"search","query":"x"}},` + custom + `,` + said),
			want: input(said + `,{"type":"web_search_call","id":"ws_1","status":"completed","action":` +
				`{"type":"search","query":"x"}},` + function + `,` + said),
		},
		{
			source: "chenyme/grok2api#673: all but the members of a client stays, at xAI",
			path:   responses, dialect: "xai-responses", status: 422, words: grok,
			remedy: "plain-items",
			body:   input(strings.Replace(kept, `"type":"message",`, `"type":"message","phase":"a",`, 1)),
			want:   input(kept),
		},
		{
			source: "chenyme/grok2api#673: null members and those of a client, at xAI",
			path:   responses, dialect: "xai-responses", status: 422, words: grok,
			remedy: "plain-items",
			body: input(said + `,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null},` +
				`{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"QUJD","status":null},` +
				`{"type":"message","role":"assistant","phase":"final_answer","content":` +
				`[{"type":"output_text","text":"a"}]},` + said),
			want: input(said + `,{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"QUJD"},` +
				`{"type":"message","role":"assistant","content":` +
				`[{"type":"output_text","text":"a"}]},` + said),
		},
		{
			source: "BerriAI/litellm#36546: a search of tools, at Bedrock",
			path:   responses, status: 400, words: bedrock, remedy: "plain-items",
			body: input(said + `,{"type":"tool_search_call","call_id":"s","execution":"client",` +
				`"status":"completed","arguments":{"query":"x"}},{"type":"tool_search_output",` +
				`"call_id":"s","execution":"client","status":"completed","tools":[]}`),
			want: input(said + `,{"arguments":"{\"query\":\"x\"}","call_id":"s","name":"tool_search",` +
				`"type":"function_call"},{"call_id":"s","output":"[]","type":"function_call_output"}`),
		},
		{
			source: "the same: an agent's message, where nothing can be written in another form",
			path:   responses, status: 400, words: bedrock, remedy: "plain-items",
			body: input(kept),
			want: input(strings.NewReplacer(`{"type":"agent_message","author":"a","content":[]},`, "",
				`{"type":"reasoning","id":"rs_2","summary":[{"type":"summary_text","text":"s"}]},`, "",
			).Replace(kept)),
		},
		{
			source: "james-6-23/codex2api#224: the type is named, and others stay",
			path:   responses, status: 400, remedy: "plain-items",
			words: `{"error":{"message":"Invalid input type 'compaction' at index 0"}}`,
			body:  input(`{"type":"compaction","encrypted_content":"QUJD"},` + said + `,` + custom),
			want:  input(said + `,` + custom),
		},
		{
			source: "the same, of an output: its call is written alike, and its parts stay",
			path:   responses, status: 400, remedy: "plain-items",
			words: `{"error":{"message":"Invalid input type 'custom_tool_call_output' at index 1"}}`,
			body: input(said + `,` + strings.Replace(custom, `"output":"ok"`,
				`"output":[{"type":"input_text","text":"<ok>"}]`, 1)),
			want: input(said + `,` + strings.Replace(function, `"output":"ok"`,
				`"output":[{"type":"input_text","text":"<ok>"}]`, 1)),
		},
		{
			source: "the same, of a computer: its screenshot is an image",
			path:   responses, status: 400, remedy: "plain-items",
			words: `{"error":{"message":"Invalid input type 'computer_call' at index 1"}}`,
			body: input(said + `,{"type":"computer_call","call_id":"c1","action":{"type":"screenshot"}},` +
				`{"type":"computer_call_output","call_id":"c1","output":{"type":"computer_screenshot",` +
				`"image_url":"data:image/png;base64,QUJD"}}`),
			want: input(said + `,{"arguments":"{\"type\":\"screenshot\"}","call_id":"c1",` +
				`"name":"computer","type":"function_call"},{"call_id":"c1","output":[{"image_url":` +
				`"data:image/png;base64,QUJD","type":"input_image"}],"type":"function_call_output"}`),
		},
		{
			source: "the same, of a shell: what its commands have put out is text",
			path:   responses, status: 400, remedy: "plain-items",
			words: `{"error":{"message":"Invalid input type 'shell_call' at index 1"}}`,
			body: input(said + `,{"type":"shell_call","call_id":"c1","action":{"commands":["ls"]}},` +
				`{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"a","stderr":"",` +
				`"outcome":{"type":"exit","exit_code":0}}]}`),
			want: input(said + `,{"arguments":"{\"commands\":[\"ls\"]}","call_id":"c1","name":"shell",` +
				`"type":"function_call"},{"call_id":"c1","output":"[{\"stdout\":\"a\",\"stderr\":\"\",` +
				`\"outcome\":{\"type\":\"exit\",\"exit_code\":0}}]","type":"function_call_output"}`),
		},
		{
			source: "NousResearch/hermes-agent#109707: an image in a result, at DeepSeek",
			path:   chat, dialect: "deepseek", status: 400, remedy: "enforce-rule",
			words: `{"error":{"message":".messages[2].image[0]: You have uploaded an unsupported ` +
				`image. Please make sure your image is valid and has one of the following formats: ` +
				`webp, png, jpeg, and gif."}}`,
			body: shown + `[` + image + `]}]}`,
			want: shown + `[{"type":"text","text":"(see the media in the next user message)"}]},` +
				`{"role":"user","content":[{"type":"text","text":"(the next image is from the result ` +
				`of tool f)"},` + image + `]}]}`,
		},
		{
			source: "ollama/ollama#12395: a result after the user's words, in Ollama's cloud",
			path:   "/api/chat", status: 400, remedy: "pair-calls",
			words: `{"error":"Invalid tool usage: mismatch between tool calls and tool results"}`,
			body:  cloud + said + `,` + result + `,` + strings.Replace(result, "f", "g", 1) + `]}`,
			want:  cloud + result + `,` + said + `]}`,
		},
		{
			source: "vercel/ai#20180: messages without a type, at Azure AI Foundry",
			path:   responses, dialect: "azure-responses", status: 400, remedy: "type-items",
			words: `{"error":{"message":"Invalid value: ''. Supported values are: 'additional_tools', ` +
				`'agent_message', 'message', and 'reasoning'.","param":"input[0]"}}`,
			body: input(said + `,{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"ok"}`),
			want: input(`{"role":"user","content":"q","type":"message"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"ok"}`),
		},
		{
			source: "NousResearch/hermes-agent#62242: an id of another connection, at Copilot",
			path:   responses, dialect: "copilot-responses", status: 401, remedy: "forget-items",
			words: `{"error":{"message":"input item ID does not belong to this connection"}}`,
			body: input(said + `,{"type":"message","id":"msg_1","role":"assistant","content":` +
				`[{"type":"output_text","text":"a"}]},` + said),
			want: input(said + `,{"type":"message","role":"assistant","content":` +
				`[{"type":"output_text","text":"a"}]},` + said),
		},
		{
			source: "NousResearch/hermes-agent#30310: an empty message beside a call, at xAI",
			path:   responses, dialect: "xai-responses", status: 400, remedy: "fill-content",
			words: `{"code":"Client specified an invalid argument","error":"Invalid request content: ` +
				`Each message must have at least one content element."}`,
			body: input(said + `,{"role":"assistant","content":""},{"type":"function_call",` +
				`"call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output",` +
				`"call_id":"c1","output":"ok"}`),
			want: input(said + `,{"type":"function_call",` +
				`"call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output",` +
				`"call_id":"c1","output":"ok"}`),
		},
		{
			source: "openclaw/openclaw#73417: no reasoning on an answer before any call",
			path:   chat, dialect: "deepseek", status: 400, remedy: "fill-reasoning",
			words: `{"error":{"message":"` + absent + `","type":"invalid_request_error"}}`,
			body: `{"model":"deepseek-v4-pro","messages":[` + said +
				`,{"role":"assistant","content":"a"},` + said + `]}`,
			want: `{"model":"deepseek-v4-pro","messages":[` + said +
				`,{"role":"assistant","content":"a","reasoning_content":""},` + said + `]}`,
		},
		{
			source: "NousResearch/hermes-agent#105780: a turn of reasoning alone, through Converse",
			path:   "/model/global.anthropic.claude-sonnet-5/converse", status: 400,
			remedy: "drop-lone",
			words: `{"message":"This model does not support assistant message prefill. The ` +
				`conversation must end with a user message."}`,
			body: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[{"reasoningContent":{"redactedContent":"QUJD"}}]},{"role":"user",` +
				`"content":[{"text":"r"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user",` +
				`"content":[{"text":"r"}]}]}`,
		},
		{
			source: "openai/codex#6934: a web search without an id, and one with the id it would get",
			path:   responses, status: 400, remedy: "name-items",
			words: `{"error":{"message":"Missing required parameter: 'input[1].id'.",` +
				`"param":"input[1].id"}}`,
			body: `{"model":"gpt-5.1-codex-max","input":[` + said + `,{"type":"web_search_call",` +
				`"status":"completed","action":{"type":"search","query":"x"}},` + taken + `]}`,
			want: `{"model":"gpt-5.1-codex-max","input":[` + said + `,{"type":"web_search_call",` +
				`"status":"completed","action":{"type":"search","query":"x"},"id":"ws_20"},` + taken + `]}`,
		},
		{
			source: "vllm-project/vllm#43995: arguments that were cut off, as items",
			path:   responses, status: 400, remedy: "enforce-rule",
			words: `{"error":{"message":"Expecting value: line 1 column 11 (char 10)","type":` +
				`"BadRequestError","param":null,"code":400}}`,
			body: input(said + `,{"type":"function_call","call_id":"c1","name":"f","arguments":"{"},` +
				`{"type":"function_call_output","call_id":"c1","output":"x"}`),
			want: input(said + `,{"type":"function_call","call_id":"c1","name":"f","arguments":` +
				`"{\"_raw\":\"{\"}"},{"type":"function_call_output","call_id":"c1","output":"x"}`),
		},
		{
			source: "NousResearch/hermes-agent#111559: an empty signature, Gemini at OpenRouter",
			path:   chat, dialect: "openrouter", status: 400, remedy: "drop-reasoning",
			words: `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":` +
				`"{\"error\":{\"code\":400,\"message\":\"Corrupted thought signature.\"}}"}}}`,
			body: `{"model":"google/gemini-3.5-flash","messages":[` + said + `,{"role":"assistant",` +
				`"content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
				`"arguments":"{}"},"extra_content":{"google":{"thought_signature":""}}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
			want: `{"model":"google/gemini-3.5-flash","messages":[` + said + `,{"role":"assistant",` +
				`"content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}`,
		},
		{
			source: "BerriAI/litellm#39741: a result without content, GPT through Converse",
			path:   "/model/openai.gpt-5.6-sol/converse", status: 400, remedy: "fill-results",
			words: `{"message":"invalid request body: Invalid 'input': value did not match any ` +
				`expected variant"}`,
			body: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},{"role":"user",` +
				`"content":[{"toolResult":{"toolUseId":"t1","content":[]}}]}],` + converseTools,
			want: `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},{"role":"user",` +
				`"content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"(no output)"}]}}]}],` +
				converseTools,
		},
		{
			source: "anomalyco/opencode#9416: neighbours of one role, at Perplexity",
			path:   chat, dialect: "openai-compatible", status: 400, remedy: "enforce-rule",
			words: `{"error":{"message":"After the (optional) system message(s), user and assistant ` +
				`roles should be alternating.","type":"invalid_message","code":400}}`,
			body: `{"model":"sonar","messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"r"}]}`,
			want: `{"model":"sonar","messages":[{"role":"user","content":[` +
				`{"type":"text","text":"q"},{"type":"text","text":"r"}]}]}`,
		},
		{
			source: "SAIL-Research-Lab/cheetahclaws#72: calls beside null, at Ollama",
			path:   chat, dialect: "ollama-chat", status: 400, remedy: "fill-content",
			words: `{"error":{"message":"invalid message content type: <nil>","type":` +
				`"invalid_request_error"}}`,
			body: `{"model":"m","messages":[` + said + `,{"role":"assistant","content":null,` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
			want: `{"model":"m","messages":[` + said + `,{"role":"assistant","content":"",` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`,
		},
		{
			source: "NousResearch/hermes-agent#90886: a signature that Kimi does not read",
			path:   path, dialect: "moonshot-anthropic", status: 400, remedy: "drop-reasoning",
			words: refusal("messages.1.content.0.signature: malformed encrypted reasoning content: " +
				"invalid base64url encoding"),
			body: `{"model":"k3-256k","max_tokens":9,"messages":[` + said + `,{"role":"assistant",` +
				`"content":[{"type":"thinking","thinking":"t","signature":"A+B/"},` +
				`{"type":"text","text":"a"}]},` + said + `]}`,
			want: `{"model":"k3-256k","max_tokens":9,"messages":[` + said + `,{"role":"assistant",` +
				`"content":[{"type":"text","text":"a"}]},` + said + `]}`,
		},
	} {
		t.Run(tt.source, func(t *testing.T) {
			transport, all, server := resending(tt.status, tt.words, tt.want)
			transport.Endpoints[0].Provider = tt.dialect
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
