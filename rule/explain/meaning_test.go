package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// TestMeanings explains texts of public issues whose words are none on record, by what they say.
func TestMeanings(t *testing.T) {
	for _, c := range []struct{ source, rule, text string }{
		{"BerriAI/litellm#26152", "anthropic/thinking-signature-invalid",
			`litellm.BadRequestError: Vertex_aiException - {"type":"error","error":{"message":` +
				`"messages.3.content.0.thinking.signature.str: Input should be a valid string"}}`},
		{"caozhiyuan/copilot-api#176", "openai-chat/content-type",
			"invalid request body, failed to validate schema: (1) Reason: got array, want string, " +
				"Location: /properties/messages/items/properties/content/oneOf/0/type."},
		{"BigPizzaV3/CodexPlusPlus#315", "openai-responses/required-item-fields",
			`{"error":{"code":"400","message":"{\n \"error\": {\n \"message\": \"Invalid ` +
				`'input[4].call_id': empty string. Expected a string with minimum length 1, but ` +
				`got an empty string instead.\"}}"}}`},
		{"looplj/axonhub#1657", "openai-responses/item-type-unsupported",
			`input[N].type "reasoning" is not a valid input item type`},
		{"microsoft/vscode#279018", "openai-chat/arguments-not-json",
			`Request Failed: 400 {"error":{"message":"Invalid JSON format in tool call arguments",` +
				`"code":"invalid_tool_call_format"}}`},
		{"vllm-project/vllm#10015", "openai-chat/content-type",
			"openai.BadRequestError: Error code: 400 - {'object': 'error', 'message': " +
				`'[{\'type\': \'string_type\', \'loc\': (\'body\', \'messages\', 2, ` +
				`\'typed-dict\', \'content\', \'str\'), \'msg\': \'Input should be a valid ` +
				`string\', \'input\': None}]'}`},
		{"tatsu-lab/alpaca_eval#436", "openai-chat/role-unknown",
			"Error code: 400 - {'error': {'message': \"'' is not one of ['system', 'assistant', " +
				"'user', 'function'] - 'messages.2.role'\", 'type': 'invalid_request_error'}}"},
		{"esengine/DeepSeek-Reasonix#1906", "anthropic/lone-surrogate",
			"请求错误（DeepSeek 400）：Failed to parse the request body as JSON: " +
				"messages[158].content: unexpected end of hex escape at line 1 column 350781"},
		{"browser-use/web-ui#254", "deepseek/image-unsupported",
			"Failed to deserialize the JSON body into the target type: messages[1]: data did not " +
				"match any variant of untagged enum ChatCompletionRequestContent"},
		{"coze-dev/coze-studio#1837", "openai-chat/content-type",
			"错误：status code: 400, message: Invalid type for 'messages.[0].content': expected one " +
				"of a string or array of objects, but got an object instead."},
		{"agentscope-ai/agentscope-java#613", "qwen/user-missing",
			"<400> InternalError.Algo.InvalidParameter: The input messages do not contain elements " +
				"with the role of user"},
		{"github/app#2140", "openai-chat/content-null",
			"CAPIError 400 invalid message content type <nil>"},
		{"BerriAI/litellm#11273", "ollama/content-format",
			`Ollama_chatException - {"error":"json: cannot unmarshal array into Go struct field ` +
				`ChatRequest.messages.content of type string"}`},
		{"ollama/ollama#14202", "openai-chat/role-unknown",
			`{"StatusCode":400,"Status":"400 Bad Request","error":"Invalid role: thinking"}`},
		{"anthropics/claude-code#2746", "anthropic/thinking-modified",
			"API Error: 400 messages.31.content.1: When providing `thinking` or " +
				"`redacted_thinking` blocks, the blocks must match the parameters during the " +
				"original request."},
		{"Aider-AI/aider#1920", "chat-template/alternation",
			`{"error_code":"BAD_REQUEST","message":"Bad request: Chat message input roles must ` +
				`alternate (user -> assistant -> u -> a -> ...) with an optional system"}`},
		{"FoundationAgents/OpenManus#580", "chat-template/alternation",
			"Error code: 400 - {'error': {'message': 'After the (optional) system message(s), " +
				"user and assistant roles should be alternating.'}}"},
		{"huggingface/text-generation-inference#3198", "openai-chat/system-role-unsupported",
			"400 Bad Request: the system role is not supported by this model's server"},
		{"langgenius/dify#1882", "glm/messages-invalid", "[1214], [history参数非法，请检查文档]"},
		{"netease-youdao/LobsterAI#76", "openai-responses/required-item-fields",
			"API Error: 400 The request failed because it is missing `input.status` parameter."},
		{"anthropics/claude-code#15646", "anthropic/image-media-type-mismatch",
			`API Error: 400 {"type":"error","error":{"message":"messages.17.content.12.image.` +
				`source.base64.data: Image does not match the provided media type image/png"}}`},
		{"openinterpreter/openinterpreter#115", "openai-chat/content-null",
			"InvalidRequestError: 'content' is a required property - 'messages.2'"},
		{"microsoft/agent-framework#3003", "openai-responses/required-item-fields",
			`Error code: 400 - {'message': 'required: Required properties ["type"] are not ` +
				`present', 'param': '/input/1'}`},
		{"Gentleman-Programming/gentle-ai#4595", "openai-responses/encrypted-content-invalid",
			`upstream rejects with 400 "encrypted_content was not issued to this caller"`},
		{"CherryHQ/cherry-studio#16155", "openai-chat/content-null",
			"request: Value error, Empty content is not allowed for assistant messages"},
		{"egoist/chatwise-releases#1350", "openai-responses/item-not-found",
			`{"error":{"message":"Item with id 'rs_0a' not found. Items are not persisted for Zero ` +
				`Data Retention organizations."}} 400`},
		{"baidubce/bce-qianfan-sdk#866", "chat-template/alternation",
			"APIError: code: 336006, msg: the length of messages must be an odd number"},
		{"Amazon-Q-Developer/language-servers#1340", "chat-template/alternation",
			"UserInputMessage must be followed by AssistantResponseMessage"},
	} {
		e, ok := explain.Text(c.text)
		require.True(t, ok, "%s is unknown: %s", c.source, c.text)
		require.Equal(t, c.rule, e.Rule.ID, "%s: %s", c.source, c.text)
	}
	e, _ := explain.Text("400 未找到 tool_call_id 对应的工具调用")
	require.Equal(t, "openai-chat/tool-result-orphan", e.Rule.ID)
	require.True(t, e.Guess)
	e, _ = explain.Text("messages: text content blocks must be non-empty")
	require.False(t, e.Guess, "the words are on record")
}

// TestMeaningsBesideOthers has texts in which words of other software, of another complaint or of
// another class are beside a place in the history, or what only a history has.
func TestMeaningsBesideOthers(t *testing.T) {
	for text, id := range map[string]string{
		"empty message content with tool_calls is not allowed": "openai-chat/content-null",
		"Empty content in messages with tool_calls":            "openai-chat/content-null",
		"messages[1]: tool_calls with empty content":           "openai-chat/content-null",
		"messages[3].tool_calls[0].id is empty": "" +
			"openai-chat/tool-call-id-length",
		"messages[3].tool_calls[0].function.name is empty": "" +
			"openai-chat/function-name-pattern",
		"messages[2].tool_calls[0].function.arguments must not be empty": "" +
			"openai-chat/arguments-not-json",
		"messages[2].tool_calls must not be empty":        "openai-chat/empty-tool-calls",
		"400 invalid image url in messages[0].content[1]": "openai-chat/image-undecodable",
		"failed to parse tool_calls: arguments of messages[2] are not valid JSON": "" +
			"openai-chat/arguments-not-json",
		"messages[2].tool_calls[0].function.arguments: parsing tool_calls failed, " +
			"arguments must be valid JSON": "openai-chat/arguments-not-json",
		"Unable to parse tool_calls arguments of message 3: invalid JSON": "" +
			"openai-chat/arguments-not-json",
		"Error from webhook proxy: tool_use ids without tool_result blocks": "" +
			"openai-chat/tool-result-missing",
		"400 slack proxy: messages[3].content is null": "openai-chat/content-null",
		"messages.4.content.1: tool_use toolu_1 was not answered": "" +
			"openai-chat/tool-result-missing",
		"messages[6]: unanswered tool_calls: call_1": "openai-chat/tool-result-missing",
		"messages.2.content.0.cache_control: thinking blocks can not have cache_control": "" +
			"anthropic/cache-control-on-thinking",
		"Invalid 'messages[3].content': '502 Bad Gateway' is wrong": "",
	} {
		e, ok := explain.Text(text)
		require.Equal(t, id, e.Rule.ID, text)
		require.Equal(t, id != "", ok, "%s: %s", text, e.Class)
	}
	e, _ := explain.Text(`{"error":{"message":"see messages[0]","code":"invalid_image_url"}}`)
	require.Equal(t, explain.ClassMedia, e.Class)
}

// TestMeaningsElsewhere has texts with words of a meaning that are not about the history of a
// refused request: no rule is named for them.
func TestMeaningsElsewhere(t *testing.T) {
	for _, c := range []struct{ source, text string }{
		{"decolua/9router#2509", "400 invalid params, invalid tool type: (2013)"},
		{"MoonshotAI/kimi-cli#1903", "Error code: 400 - Invalid request: tools.function.parameters " +
			"is not a valid moonshot flavored json schema"},
		{"zed-industries/zed#44875", `status code: 400, body: {"error":{"message":"Unknown name ` +
			`\"const\" at 'tools[0].function_declarations[5].parameters': Cannot find field."}}`},
		{"egoist/chatwise-releases#307", "OpenRouter (openrouter) provider error: No object " +
			"generated: response did not match schema. Type validation failed: expected object, " +
			"received null"},
		{"deanxv/done-hub#29", `400 Bad Request: {“code”:“bad_response_status_code”,“message”:` +
			`“Provider API error: bad response status code 400”,“type”:“upstream_error”}`},
		{"campfirein/byterover-cli#43", "400 Provider returned error"},
		{"openclaw/openclaw#8536", "missing tool result in session history; inserted synthetic " +
			"error result for transcript repair."},
		{"mistralai/mistral-vibe#474", "Error: API error: 1 validation error for LLMMessage " +
			"tool_calls.0.type Input should be 'function' [type=literal_error, input_value=None]"},
		{"xunbu/docutranslate#32", "400 - Failed to deserialize the JSON body into the target " +
			"type: reasoning_effort: unknown variant `none`, expected one of `high`, `low`"},
		{"MarkusPfundstein/mcp-gsuite#19", "400 tools.23.custom.input_schema: JSON schema is " +
			"invalid. It must match JSON Schema draft 2020-12"},
		{"jwadow/kiro-gateway#5", `{"message":"Improperly formed request.","reason":null}`},
		{"by analogy", "400 Unrecognized request argument supplied: thinking"},
		{"other software", "Error: invalid role: admin"},
		{"other software", "error: cannot parse all the arguments"},
		{"other software", "Error: unsupported image format"},
		{"other software", "error: message must not be empty"},
		{"other software", "Error: missing Content-Length header"},
		{"other software", "error: duplicate item in list"},
		{"other software", "ERROR: function has unexpected signature"},
		{"other software", "Error: tool name cannot be empty"},
		{"prose", "A tool call without a tool result is refused; each call has its result."},
	} {
		e, _ := explain.Text(c.text)
		require.NotEqual(t, explain.ClassHistory, e.Class, "%s: %s: %s", c.source, e.Rule.ID, c.text)
	}
}
