package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// TestMeasuredTexts explains the error texts that came after the catalogue, each in its own words:
// by a rule, or where it is not about the history by a class. It needs no file beside the project.
func TestMeasuredTexts(t *testing.T) {
	for _, c := range []struct{ source, text, rule string }{
		// Known rules in other words.
		{"diegosouzapw/OmniRoute#8946", "No tool output found for custom tool call call_1.",
			"openai-responses/tool-output-missing"},
		{"openai/codex#31053", "No tool output found for tool search call call_1.",
			"openai-responses/tool-output-missing"},
		{"Azure-Samples/computer-use#22", "No tool output found for computer call call_1.",
			"openai-responses/tool-output-missing"},
		{"by analogy", "No tool output found for local shell call call_1.",
			"openai-responses/tool-output-missing"},
		{"openai/codex#8119", "The encrypted content gAAA...c90= could not be verified.",
			"openai-responses/encrypted-content-invalid"},
		{"openclaw/openclaw#110075", "Encrypted content could not be decrypted or parsed.",
			"openai-responses/encrypted-content-invalid"},
		{"esengine/DeepSeek-Reasonix#8359", "MissingParameter: input.call_id",
			"openai-responses/required-item-fields"},
		{"MiniMax-AI/MiniMax-M2#76",
			"invalid params, tool result's tool id(call_function_1) not found (2013)",
			"minimax/tool-result-order"},
		{"zhayujie/CowAgent#2690",
			"Minimax midstream error: invalid params, tool result's tool id(call_function_1) not " +
				"found (2013)", "minimax/tool-result-order"},
		{"NousResearch/hermes-agent#12167",
			"invalid params, invalid function arguments json string, tool_call_id: " +
				"call_function_1 (2013)", "openai-chat/arguments-not-json"},
		{"OEvortex/aether#31",
			"The `content[].thinking` in the thinking mode must be passed back to the API.",
			"deepseek/reasoning-content-missing"},
		{"RooCodeInc/Roo-Code#10640",
			"Unable to submit request because Thought signature is not valid",
			"gemini/thought-signature-corrupt"},
		{"sgl-project/sglang#4236",
			"messages.1.ChatCompletionMessageGenericParam.content.str\n  Input should be a valid " +
				"string [type=string_type, input_value=None, input_type=NoneType]",
			"openai-chat/content-null"},
		{"anthropics/claude-code#39602", "API Error: 400 due to tool use concurrency issues.",
			"anthropic/tool-result-missing"},
		{"vercel/ai#7258", "Unsupported tool part state: input-available",
			"vercel-ai-sdk/missing-tool-results"},
		{"edison7009/EchoBird#187",
			`litellm.BadRequestError: Failed to parse tool call arguments as JSON: Extra data: ` +
				`line 1 column 3 (char 2)`, "openai-chat/arguments-not-json"},

		{"am17an/llama.cpp#43", "Failed to parse tool call arguments as JSON: " +
			"[json.exception.parse_error.101] parse error at line 1, column 2",
			"chat-template/arguments-json"},
		{"vllm-project/vllm#43995", `{"error":{"message":"Expecting ',' delimiter: line 1 ` +
			`column 54 (char 53)","type":"BadRequestError","param":null,"code":400}}`,
			"chat-template/arguments-json"},
		{"vllm-project/vllm#10015", `'message': '[{'type': 'extra_forbidden', 'loc': ('body', ` +
			`'messages', 2, 'typed-dict', 'function_call'), 'msg': 'Extra inputs are not permitted'`,
			"openai-chat/unknown-parameter"},

		// Rules that the catalogue did not have.
		{"anomalyco/opencode#36517", "Cache point cannot be inserted after reasoning block.",
			"bedrock/cache-point-after-reasoning"},
		{"vercel/ai#19851", "There is nothing available to cache.", "bedrock/cache-point-alone"},
		{"strands-agents/harness-sdk#1966", "messages.0.content.3.type: Field required",
			"bedrock/cache-point-after-document"},
		{"openai/codex#7129",
			"Invalid value: 'other'. Supported values are: 'search', 'open_page', and " +
				"'find_in_page'.", "openai-responses/web-search-action"},
		{"microsoft/agent-framework#4576",
			`{"message":"Value is 'null' but should be 'string'","param":"/input/2/status"}`,
			"openai-responses/item-null-field"},
		{"router-for-me/CLIProxyAPI#4148",
			"The 'compaction_trigger' item must be the final input item.",
			"openai-responses/compaction-trigger-last"},
		{"openai/codex#36704", "The encrypted content for item cmp_1 could not be verified.",
			"openai-responses/encrypted-content-invalid"},
		{"anomalyco/opencode#48942", "Conflicting authenticated continuation identities.",
			"openai-responses/conflicting-identities"},
		{"james-6-23/codex2api#224", "Invalid input type 'compaction_trigger' at index 464",
			"openai-responses/item-type-unsupported"},
		{"Wei-Shaw/sub2api#4535", "Could not decrypt the provided encrypted_content.",
			"xai/encrypted-content-invalid"},
		{"chenyme/grok2api#688", "Could not decode the compaction blob.",
			"xai/compaction-blob-invalid"},
		{"anthropics/claude-code#53228", "Could not process image", "anthropic/image-undecodable"},
		{"anthropics/claude-code#56016", "Image format image/png not supported",
			"anthropic/image-undecodable"},
		{"PostHog/posthog#73838",
			"`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",
			"anthropic/context-edit-needs-thinking"},
		{"googleapis/js-genai#1425",
			"Please enable tool_config.include_server_side_tool_invocations to use Built-in " +
				"tools with Function calling.", "gemini/server-side-tool-flag"},
		{"charmbracelet/crush#995", "Unsupported MIME type: png", "gemini/mime-type"},
		{"google-gemini/gemini-cli#16995",
			"mime_type: video/text/timestamp is not supported in function_response.parts",
			"gemini/mime-type"},
		{"lbjlaq/Antigravity-Manager#938",
			"Function call is missing a thought_signature in functionCall parts.",
			"gemini/thought-signature-missing"},
		{"BigPizzaV3/CodexPlusPlus#267", "chat content has invalid message role: system (2013)",
			"minimax/system-role"},
		{"decolua/9router#773",
			"unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
			"deepseek/role-developer"},
		{"ggml-org/llama.cpp#17040",
			"Cannot pass both content and thinking in an assistant message with tool calls!",
			"chat-template/gpt-oss-both"},
		{"ggml-org/llama.cpp#15242",
			"You have passed a message containing <|channel|> tags in the content field.",
			"chat-template/gpt-oss-channel-tags"},
		{"QwenLM/Qwen3-Coder#444", "Can only get item pairs from a mapping.",
			"chat-template/arguments-mapping"},
		{"intel/llm-scaler#341", "Input should be 'text', 'image', 'tool_use' or 'tool_result'",
			"chat-template/vllm-anthropic-blocks"},
		{"SnarfNL/HA_MistralAI#21",
			"Cannot append other inputs while function results are still missing.",
			"mistral/conversations-pending"},
		{"nocmt/LLMSearchPlus#2", "The model expects a single `text` element per message.",
			"xai/single-text"},
		{"langchain-ai/langgraph#4289",
			"Found AIMessages with tool_calls that do not have a corresponding ToolMessage",
			"langgraph/missing-tool-messages"},
		{"pydantic/pydantic-ai#6319",
			"Cannot provide a new user prompt when the message history contains unprocessed tool " +
				"calls.", "pydantic-ai/unprocessed-tool-calls"},

		// Recorded refusals that were missed, or explained by the wrong rule.
		{"pydantic-ai test_multimodal_tool_returns",
			"Invalid 'messages[3]'. Content blocks are expected to be either text or image_url " +
				"type.", "openai-chat/part-type"},
		{"recorded, Bedrock",
			"This model doesn't support the video content block that you provided. Update the " +
				"content block and try again.", "bedrock/media-unsupported"},
		{"recorded, Bedrock Nova",
			"Malformed input request: #/messages/2/content/0: extraneous key [toolResult] is not " +
				"permitted, please reformat your input and try again.",
			"bedrock/tool-result-video"},
		{"recorded, Anthropic behind Bedrock",
			"messages.0.content.0.image.source: URL sources are not supported",
			"bedrock/media-unsupported"},
		{"recorded", "Missing required parameter: 'messages[1].content[0].type'.",
			"openai-chat/part-type"},

		// Not about the history: a class and no rule.
		{"eca#231, openclaude#739",
			`{"type":"extra_forbidden","loc":["body","max_completion_tokens"],` +
				`"msg":"Extra inputs are not permitted"}`, ""},
		{"a parameter that the list of settings lacks, in the words of FastAPI",
			"[{'type': 'extra_forbidden', 'loc': ('body', 'guided_json'), " +
				"'msg': 'Extra inputs are not permitted', 'input': 'x'}]", ""},
		{"recorded, a 429 that OpenRouter wraps",
			`{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"x is ` +
				`temporarily rate-limited upstream. Please retry shortly."}}}`, ""},
	} {
		t.Run(c.source, func(t *testing.T) {
			e, ok := explain.Text(c.text)
			require.True(t, ok, c.text)
			if c.rule == "" {
				require.NotEqual(t, explain.ClassHistory, e.Class, e.Rule.ID)
				require.Empty(t, e.Rule.ID)
				return
			}
			named := []string{e.Rule.ID}
			for _, r := range e.Also {
				named = append(named, r.ID)
			}
			require.Contains(t, named, c.rule, c.text)
		})
	}
}
