package explain

// The tables beside the catalogue that [Text] needs: other wordings of a rule's error, the words
// of an error text that belong to one occurrence, and what to prefer when one text fits several
// rules.

// wording is a further error text of a rule, in the form of [rule.Rule.Error].
type wording struct {
	rule, text string
}

// wordings lists texts that older versions, other hosts or other positions give for a rule of the
// catalogue.
var wordings = []wording{
	{"anthropic/redacted-thinking-data",
		"messages.N.content.0.redacted_thinking.data: Field required"},
	{"anthropic/tool-result-missing",
		"messages.54: Did not find 2 `tool_result` block(s) at the beginning of this message. " +
			"Messages following `tool_use` blocks must begin with a matching number of " +
			"`tool_result` blocks."},
	{"openai-chat/function-name-pattern",
		"Invalid 'messages[69].tool_calls[0].function.name': empty string. Expected a string " +
			"with minimum length 1, but got an empty string instead."},
	{"openai-chat/empty-tool-calls", "Empty tool_calls is not supported in message"},
	{"openai-chat/empty-tool-calls", "[] is too short - 'messages.1.tool_calls'"},
	{"anthropic/empty-message-content",
		"The content field in the Message object at messages.2 is empty. Add a ContentBlock object " +
			"to the content field and try again."},
	{"ollama/content-format",
		"json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"},
	{"ollama/content-format",
		"json: cannot unmarshal array into Go struct field ChatRequest.messages of type string"},
	{"ollama/content-format",
		"json: cannot unmarshal array into Go struct field Message.messages.content of type string"},
	{"openai-chat/arguments-not-json", "Responses function_call arguments are invalid JSON:"},
	{"chat-template/vllm-content-array",
		"Failed to deserialize the JSON body into the target type: messages[2]: invalid type: " +
			"sequence, expected a string"},
	{"moonshot/reasoning-content-missing",
		"preserved thinking (thinking.keep=all) requires reasoning_content on every assistant " +
			"message, but assistant message at index 6 is missing reasoning_content"},
	{"deepseek/image-unsupported",
		"Model only supports text input; received unsupported content type 'image_url'."},
	{"groq/unknown-property", "messages[2].reasoning: reasoning is not supported with this model"},
	{"groq/unknown-property", "property 'reasoning' is unsupported"},
	{"groq/tool-fields",
		"'messages.0' : for 'role:system' the following must be satisfied[" +
			"('messages.0.content' : value must be a string)]"},
	{"gemini/extra-field", `Unknown name "thought" at 'contents[0].parts[0]': Cannot find field.`},
	{"gemini/thought-signature-corrupt", "Invalid thought signature."},
	{"gemini/thought-signature-corrupt", "Thought signature is not valid"},
	{"gemini/function-response-object",
		"Invalid value at 'contents[3].parts[0].function_response.response' " +
			"(type.googleapis.com/google.protobuf.Struct)"},
	{"openai-responses/encrypted-content-invalid",
		"reasoning `encrypted_content` was not issued to this caller"},
	{"gemini/thought-signature-missing-vertex",
		"Function call `NAME` in the `1.` content block is missing a `thought_signature`."},
	{"bedrock/reasoning-content",
		"Value at 'messages.3.member.content.1.member.reasoningContent.reasoningText.text' " +
			"failed to satisfy constraint: Member must not be null"},
	{"openai-responses/unknown-item-field", "Unknown parameter: 'input[60].status'"},
	{"openai-responses/required-item-fields", "MissingParameter input.status"},
	{"openai-responses/required-item-fields",
		"ResponseReasoningItemParam -> id Field required (type=missing)"},
	{"openai-responses/item-type-unsupported", "Cannot determine type of 'item'"},
	{"openai-chat/content-null",
		"InternalError.Algo.InvalidParameter: The content field is a required field."},
	{"openai-chat/part-type", "message[3].content[2] has invalid field(s): text"},
	{"anthropic/image-undecodable",
		"messages.2.content.0.pdf.source.base64.data: The PDF specified was not valid."},
	{"openai-chat/image-undecodable",
		"The image data you provided does not represent a valid image. Please check your input " +
			"and try again with one of the supported image formats: ['image/jpeg', 'image/png']."},
	{"anthropic/empty-message-content", "messages.N: user messages must have non-empty content"},
	{"anthropic/extra-inputs", "Extra inputs are not permitted"},
	{"openai-chat/unknown-parameter",
		"{'type': 'extra_forbidden', 'loc': ('body', 'messages', 2, 'typed-dict', 'refusal'), " +
			"'msg': 'Extra inputs are not permitted'"},
	{"anthropic/prefill-unsupported",
		"Prefilling assistant messages is not supported for this model."},
	{"anthropic/system-role-leading",
		"messages: Unexpected role \"system\". The Messages API accepts a top-level `system` " +
			"parameter, not \"system\" as an input message role."},
	{"anthropic/thinking-binding-prefix", `"reason":"prefix_binding_mismatch"`},
	{"openai-responses/reasoning-binding-prefix", `"reason":"prefix_mismatch","type":"reasoning"`},
	{"openai-responses/reasoning-binding-prefix", `"action":"removed","reason":"prefix_mismatch"`},
	{"anthropic/thinking-binding-prefix",
		"The `tools` list differs from the one this block was created with."},
	{"anthropic/thinking-binding-prefix",
		"Content before this block differs from when it was created, first at " +
			"`messages.0.content.0`."},
	{"anthropic/tool-result-orphan",
		"messages.5: `tool_result` block(s) provided when previous message does not contain any " +
			"`tool_use` blocks"},
	{"anthropic/tool-use-input-object", "messages.N.content.M.tool_use.input: Field required"},
	{"anthropic/tool-use-input-object",
		"messages.N.content.M.tool_use.input: Input should be an object"},
	{"anthropic/tool-use-name-length",
		"messages.N.content.M.tool_use.name: String should have at least 1 character"},
	{"gemini/empty-parts", "contents.parts must not be empty"},
	{"bedrock/tool-config-required",
		"Bedrock doesn't support tool calling without `tools=` param specified."},
	{"openai-chat/role-unknown",
		"Invalid value: 'tool'. Supported values are: 'system', 'assistant', 'user'"},
	{"bedrock/media-unsupported",
		"This model doesn't support the image field. Remove image and try again."},
	{"openai-responses/file-type",
		"Expected a file with an application/pdf MIME type, but got unsupported MIME type 'text/plain'."},
	{"deepseek/image-unsupported", "image_url is not supported"},
	{"groq/image-unsupported", "image_url is not supported"},
	{"openrouter/image-unsupported", "does not support multimodal input"},
	{"deepseek/image-unsupported", "does not support multimodal input"},
	{"anthropic/output-only-blocks", "messages.2.content.0.tool_result.content.0.type: Field required"},
	{"openai-chat/tool-result-orphan", "messages[2]: missing field `tool_call_id`"},
	{"groq/tool-fields", "messages[2]: missing field `tool_call_id`"},
	{"openai-chat/arguments-not-json",
		"Value looks like object, but can't find closing '}' symbol"},
	{"ollama/arguments-invalid-json",
		"Value looks like object, but can't find closing '}' symbol"},
	{"openai-chat/content-null", "Missing required parameter: 'messages[1].content'."},
	{"openai-chat/content-null",
		"Invalid type for 'messages[1].content': expected one of a string or array of objects, " +
			"but got null instead."},
	{"openai-chat/function-name-pattern",
		"Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. " +
			"Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."},
	{"openai-chat/messages-empty", "[] is too short - 'messages'"},
	{"openai-chat/part-type",
		"Invalid value: 'search_result'. Supported values are: 'text', 'image_url', " +
			"'input_audio', 'refusal', 'audio', and 'file'."},
	{"openai-chat/part-type",
		"Invalid value: file. Supported values are: 'text','image_url','video_url' and 'video'."},
	{"bedrock/media-unsupported",
		"The model returned the following errors: messages.2.content.2.document.source.type: " +
			"Field required"},
	{"bedrock/media-unsupported",
		"The model doesn't support the video content block that you provided."},
	{"openai-chat/part-type", "Missing required parameter: 'messages[1].content[0].type'."},
	{"openai-chat/part-type", "This model does not support image_url content."},
	{"openai-chat/part-type",
		"This model does not support multimodal (image/video/audio) inputs."},
	{"openai-chat/part-type", "image_url is not supported"},
	{"openai-chat/part-type", "model features vision not support"},
	{"openai-chat/part-type", "Qwen3-4B-FP8 is not a multimodal model"},
	{"openai-chat/part-type", "Model does not support image modality"},
	{"openai-chat/image-undecodable", "Multimodal data is corrupted or cannot be processed."},
	{"openai-chat/image-undecodable", "Invalid base64 image_url."},
	{"bedrock/media-unsupported",
		"This model doesn't support the s3Uri field. Remove s3Uri and try again."},
	{"mistral/media-disabled", "Image input is not enabled for this model"},
	{"anthropic/image-undecodable", "Image format image/png not supported"},
	{"bedrock/cache-point-after-document", "messages.0.content.3.type: Field required"},
	{"bedrock/media-unsupported", "messages.2.content.2.document.source.type: Field required"},
	{"bedrock/media-unsupported",
		"messages.0.content.0.image.source: URL sources are not supported"},
	{"bedrock/tool-result-video",
		"Malformed input request: #/messages/2/content/0: extraneous key [toolResult] is not " +
			"permitted, please reformat your input and try again."},
	{"deepseek/role-developer",
		"unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`"},
	{"minimax/system-role", "chat content has invalid message role: system (2013)"},
	{"openai-chat/part-type", "Content blocks are expected to be either text or image_url type."},
	{"openai-responses/file-type",
		"but got unsupported MIME type 'audio/mpeg'. Please see https://platform.openai.com/docs " +
			"for supported file types."},
	{"openai-responses/item-type-unsupported",
		`"message":"Invalid input","type":"invalid_request_error","param":"input"`},
	{"gemini/mime-type", "inline_data.mime_type: MIME type must be image/png, image/jpeg"},
	{"gemini/mime-type",
		"mime_type: video/text/timestamp is not supported in function_response.parts"},
	{"openai-responses/assistant-input-text",
		"Invalid value: 'input_text'. Supported values are: 'input_text', 'input_image', " +
			"'input_file', and 'scoped_content'."},
	{"openai-responses/string-max",
		"Invalid 'input[2].content[0].text': string too long. Expected a string with maximum " +
			"length 10485760, but got a string with length 14274669 instead."},
	{"anthropic/tool-result-missing", "API Error: 400 due to tool use concurrency issues."},
	{"openai-chat/arguments-not-json",
		"invalid params, invalid function arguments json string, tool_call_id: XXXX (2013)"},
	{"openai-chat/arguments-not-json", "Failed to parse tool call arguments as JSON: Extra data:"},
	{"chat-template/arguments-json", "Failed to parse tool call arguments as JSON"},
	{"chat-template/arguments-json",
		`{"error":{"message":"Expecting ',' delimiter: line 1 column 54 (char 53)",` +
			`"type":"BadRequestError","param":null,"code":400}}`},
	{"chat-template/arguments-json",
		`{"error":{"message":"Expecting value: line 1 column 11 (char 10)",` +
			`"type":"BadRequestError","param":null,"code":400}}`},
	{"chat-template/arguments-json",
		"{'message': 'Unterminated string starting at: line 1 column 14 (char 13)', " +
			"'type': 'BadRequestError', 'param': None, 'code': 400}"},
	{"chat-template/arguments-json",
		`{"error":{"message":"Unterminated string starting at: line 1 column 14 (char 13)",` +
			`"type":"BadRequestError","param":null,"code":400}}`},
	{"openai-chat/content-null",
		"messages.1.ChatCompletionMessageGenericParam.content.str Input should be a valid string"},
	{"openai-responses/encrypted-content-invalid",
		"The encrypted content gAAA...c90= could not be verified."},
	{"openai-responses/encrypted-content-invalid",
		"Encrypted content could not be decrypted or parsed."},
	{"openai-responses/encrypted-content-invalid",
		"The encrypted content for item cmp_XXXX could not be verified."},
	{"openai-responses/required-item-fields", "MissingParameter: input.call_id"},
	{"openai-responses/tool-output-missing",
		"Custom tool call output is missing for call id: call_live_123."},
	{"openai-responses/tool-output-missing",
		"No tool output found for custom tool call call_XXXX."},
	{"openai-responses/tool-output-orphan",
		"No tool call found for custom tool call output with call_id call_XXXX."},
	{"gemini/empty-part-data",
		"* GenerateContentRequest.system_instruction.parts[0].data: required oneof field 'data' " +
			"must have one initialized field"},
	{"gemini/ends-with-model-turn",
		"Please ensure that multiturn requests ends with a user role or a function response."},
	{"gemini/function-name-pattern",
		"[FIELD_INVALID] Invalid function name. Must start with a letter or an underscore."},
	{"gemini/function-response-count",
		"And the number of function response parts should be equal to number of function call " +
			"parts of the function call turn."},
	{"gemini/thought-signature-corrupt",
		"Unable to submit request because Thought signature is not valid."},
	{"gemini/system-in-contents",
		"Content with system role is not supported. Please use a valid role: user, model."},
	{"bedrock/reasoning-content",
		"User messages cannot contain reasoning content. Please remove the reasoning content and " +
			"try again."},
	{"moonshot/tool-call-id-not-found", "Invalid request: tool_call_id XXXX is not found"},
	{"openai-compatible/reasoning-fields",
		"messages.0.reasoning_content: Extra inputs are not permitted"},
	{"openai-compatible/reasoning-fields",
		"Extra inputs are not permitted, field: 'reasoning_content', value: []"},
	{"deepseek/reasoning-content-missing",
		"The `content[].thinking` in the thinking mode must be passed back to the API."},
	{"minimax/tool-result-order",
		"invalid params, tool result's tool id(call_function_1) not found (2013)"},
	{"vercel-ai-sdk/missing-tool-results", "Tool results are missing for tool calls XXXX."},
	{"vercel-ai-sdk/missing-tool-results", "Unsupported tool part state: input-available"},
	{"glm/messages-invalid",
		"The messages parameter is illegal. Please check the documentation."},
	{"openai-chat/tool-result-orphan",
		"Invalid parameter: messages with role 'tool' must be a response to a preceding message " +
			"with 'tool_calls'."},
	{"openai-chat/content-null", "Param Incorrect … `text` is not set"},
	{"openai-chat/tool-message-image",
		".messages[565].image[0]: You have uploaded an unsupported image. Please make sure your " +
			"image is valid and has one of the following formats: webp, png, jpeg, and gif."},
	{"openai-responses/unknown-item-field",
		"[ObjectParam] [input[9].namespace] [unknown_parameter] Unknown parameter: " +
			"'input[9].namespace'."},
	{"chat-template/alternation",
		"After the (optional) system message(s), user and assistant roles should be alternating."},
	{"chat-template/alternation",
		"After the (optional) system message(s), user or tool message(s) should alternate with " +
			"assistant message(s)."},
	{"openai-chat/content-null", "invalid message content type: <nil>"},
	{"openai-chat/content-null", "Messages token length must be in (0, 1048576], but got 0"},
	{"moonshot/empty-message", "text content is empty"},
	{"ollama/cloud-pairing", "mismatch between tool calls and tool results"},
	{"anthropic/system-role-unsupported-model",
		"messages[7].role: unknown variant `system`, expected `user` or `assistant`"},
	{"qwen/content-missing", "The content field is a required field."},
	{"openai-responses/item-type-missing",
		"Invalid value: ''. Supported values are: … 'function_call_output'"},
	{"openai-responses/assistant-input-text",
		"Invalid value: ''. Supported values are: 'input_text', 'input_image',"},
	{"openai-chat/part-type", "Invalid value: ''. Supported values are: 'text', 'image_url'"},
	{"openai-responses/item-type-unsupported",
		"data did not match any variant of untagged enum ModelInput"},
	{"openai-responses/item-type-unsupported",
		"Invalid 'input': value did not match any expected variant"},
	{"anthropic/extra-inputs",
		"messages.1.content.0.tool_use.caller: Input should be a valid dictionary or object to " +
			"extract fields from"},
	{"mistral/assistant-empty",
		"Invalid assistant message: role='assistant' content=None tool_calls=None prefix=False"},
	{"chat-template/vllm-content-array",
		"1 validation error for Message content.0 Input should be a valid dictionary or instance " +
			"of Content"},
	{"anthropic/thinking-signature-invalid",
		"messages.1.content.0.signature: malformed encrypted reasoning content: invalid base64url " +
			"encoding"},
	{"openai-chat/content-null", "Param Incorrect … `text` is not present"},
	{"openai-chat/tool-message-image", "Param Incorrect … `text` is not set"},
	{"openai-chat/messages-empty", "Param Incorrect … messages must not be empty"},
	{"openai-chat/part-type", "messages.content.type 参数非法，取值范围 ['text']"},
	{"anthropic/mcp-tool-pairing",
		"messages.43: mcp_tool_use with id mcptoolu_XXXX was found without a corresponding " +
			"`mcp_tool_result`"},
	{"vercel-ai-sdk/invalid-prompt", "Invalid prompt: The messages must be a ModelMessage[]."},
	{"vercel-ai-sdk/invalid-prompt",
		"Invalid prompt: messages must be an array of CoreMessage or UIMessage"},
	{"mistral/order-tool-after-user", "Unexpected role RoleEnum.tool"},
	{"xai/content-element", "Each message must have at least one content element."},
	{"qwen/content-missing",
		"Role must be user or assistant and Content length must be greater than 0"},
}

// specimens lists, by rule, the words of its texts that another occurrence has otherwise: what
// is between ‹ and › in an entry, or between « and » where that is an id. Numbers, addresses,
// the placeholders N, M and XXXX, ellipses, and ids in the providers' own form need no entry.
var specimens = map[string][]string{
	"anthropic/alternation":                      {`multiple "‹user›" roles`},
	"anthropic/image-media-type-mismatch":        {"‹image/png›", "‹image/jpeg›"},
	"anthropic/output-only-blocks":               {"'‹fallback›'"},
	"anthropic/server-tool-mixed-turn":           {"‹web_search›"},
	"anthropic/server-tool-result-missing":       {"‹web_search›"},
	"anthropic/server-tool-result-orphan":        {"‹advisor›"},
	"anthropic/thinking-disabled-final":          {"cannot contain `‹thinking›`"},
	"anthropic/thinking-final-block":             {"cannot be `‹thinking›`"},
	"anthropic/thinking-must-lead":               {"found `‹tool_use›`"},
	"anthropic/thinking-order-in-message":        {"Found `‹text›`"},
	"anthropic/tool-reference-undeclared":        {"'‹LSP›'"},
	"openai-chat/content-type":                   {"got ‹an integer› instead"},
	"openai-chat/role-unknown":                   {"'‹bogus›'"},
	"openai-chat/string-max":                     {"].‹content›'"},
	"openai-chat/system-role-unsupported":        {"support '‹system›' with"},
	"openai-chat/unknown-parameter":              {"'‹zzz_unknown›'", "'‹refusal›')"},
	"openai-chat/part-type":                      {"'‹search_result›'"},
	"openai-responses/assistant-input-text":      {"'‹input_text›'"},
	"openai-responses/item-id-charset":           {"'«msg-2026…»'"},
	"openai-responses/item-id-prefix":            {"with '‹fc›'"},
	"openai-responses/encrypted-content-invalid": {"content ‹gAAA...c90=› could"},
	"openai-responses/web-search-action":         {"'‹other›'"},
	"openai-responses/tool-output-missing":       {"for ‹custom tool› call call"},
	"openai-responses/tool-output-orphan":        {"for ‹custom tool call› output"},
	"openai-responses/item-needs-reasoning":      {"'‹function_call›'"},
	"openai-responses/required-item-fields":      {"].‹call_id›'"},
	"openai-responses/string-max":                {"‹content[0].text›"},
	"openai-responses/unknown-item-field":        {"].‹status›'."},
	"gemini/extra-field":                         {`"‹exclusiveMinimum›"`},
	"gemini/thought-signature-missing":           {"‹default_api:NAME›"},
	"gemini/thought-signature-missing-vertex":    {"‹NAME›"},
	"bedrock/reasoning-content":                  {"found `‹tool_use›`"},
	"bedrock/tool-use-id": {
		"‹toolUse›.toolUseId", "must ‹have length less than or equal to 64›",
	},
	"bedrock/tool-name":                      {"must ‹have length less than or equal to 64›"},
	"mistral/assistant-empty":                {"not ‹none›"},
	"mistral/content-chunk-types":            {"'‹ImageURLChunk›'"},
	"openai-responses/item-type-unsupported": {"type '‹compaction_trigger›'"},
	"mistral/conversations-pending":          {"['«rXo8OuL9G»']"},
	"mistral/function-name":                  {"was ‹a.b› but"},
	"mistral/last-role":                      {"prefix ‹True›)", "got ‹assistant›"},
	"mistral/order-after-tool":               {"'‹user›'"},
	"mistral/order-system":                   {"'‹assistant›'"},
	"mistral/order-tool-after-user":          {"'‹user›'"},
	"mistral/unknown-fields": {
		`‹{"detail":[{"type":"›`, `"‹assistant","reasoning_content›"`,
	},
	"moonshot/empty-message":    {"'‹assistant›'"},
	"minimax/tool-result-order": {"id(«call_function_1»)"},
	"deepseek/role-developer": {
		"‹, expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder` at line 1 " +
			"column 51036›",
	},
	"bedrock/media-unsupported":  {"the ‹video› content"},
	"openai-responses/file-type": {"with a ‹pdf›", "'‹audio/mpeg›'"},
	"gemini/mime-type": {"type: ‹png›", "type: ‹video/text/timestamp› is",
		"be ‹image/png, image/jpeg›"},
	"openai-responses/item-null-field":   {"but should be '‹string›'"},
	"bedrock/tool-result-video":          {"#/‹messages/2/content/0›:"},
	"deepseek/image-unsupported":         {"variant `‹image_url›`"},
	"vercel-ai-sdk/missing-tool-results": {"state: ‹input-available›"},
	"qwen/tool-result-missing":           {"«message[532].role»"},
	"groq/tool-fields":                   {".‹tool_call_id›'", "property '‹tool_call_id›'"},
	"groq/unknown-property": {"role:‹assistant›", "property '‹reasoning›'",
		"‹, did you mean 'role'?›"},
	"openai-compatible/extra-content": {"'‹extra_content›'"},
	"openai-compatible/reasoning-fields": {".‹assistant›.reasoning_content: p",
		".‹assistant›.reasoning_content'"},
}

// commonplace lists rules whose text other software also writes about other things: like very short
// texts, they count only where the surroundings mention a model request.
var commonplace = []string{
	"chat-template/nim-control-chars",
	"openai-compatible/extra-content",
	"vercel-ai-sdk/invalid-prompt",
}

// rarer lists the rules that give way to the other rules of the same text, because those are what
// the text mostly means.
var rarer = []string{
	"anthropic/assistant-must-end-on-tool-use",
	"anthropic/server-tool-mixed-turn",
	"anthropic/tool-result-first",
	"azure/same-as-openai",
	"gemini/system-in-contents",
	"openai-chat/tool-call-id-duplicate",
	"openai-responses/reasoning-ids-azure",
}

// generic lists the rules whose text says the same of any member of a request: when the member that
// is named is a setting or a tool's declaration, the text is not about the history.
var generic = []string{
	"anthropic/extra-inputs",
	"anthropic/output-only-blocks",
	"bedrock/cache-point-after-document",
	"gemini/extra-field",
	"mistral/unknown-fields",
	"openai-chat/unknown-parameter",
	"openai-compatible/extra-content",
	"openai-compatible/reasoning-fields",
}

// wrapperRule matches the envelope of another provider's error. It is the answer only when nothing
// inside is known.
const wrapperRule = "openrouter/wrapped-errors"

// host is a service, gateway or SDK that the surroundings of an error text give away.
type host struct {
	name      string   // as in Explanation.Via, empty for a provider that is not also a relay
	markers   []string // folded (see fold); one is enough
	providers []string // those whose rules are preferred
}

// hosts lists what betrays the origin of an error text, relays first, in the order of
// Explanation.Via.
var hosts = []host{
	{"litellm", []string{"litellm"}, nil},
	{"openrouter", []string{"openrouter", "providerreturnederror"}, nil},
	{"vertex", []string{"vertexai", "vertex_ai", "aiplatform.googleapis.com", "req_vrtx"}, nil},
	{"bedrock", []string{"bedrock", "validationexception", "themodelreturnedthefollowingerrors"},
		[]string{"bedrock"}},
	{"azure",
		[]string{
			"openai.azure.com", "azureopenai", "azureexception", "azure_openai",
			"services.ai.azure",
		}, []string{"openai-chat", "openai-responses", "azure"}},
	{"copilot", []string{"githubcopilot"}, nil},
	{"vercel-ai-sdk",
		[]string{
			"ai_apicallerror", "ai_invalidprompterror", "ai_missingtoolresultserror", "@ai-sdk/",
		}, []string{"vercel-ai-sdk"}},
	{"",
		[]string{
			"anthropicexception", "anthropicerror", "anthropic-version", "anthropic-beta",
			"api.anthropic.com", "anthropicmessagesapi", "publishers/anthropic",
			"provider_name:anthropic", "/v1/messages",
			"{type:error,error:{type:", "claude",
		}, []string{"anthropic"}},
	{"",
		[]string{
			"openaiexception", "openaierror", "api.openai.com", "openai.badrequesterror",
			"provider_name:openai", "/v1/responses", "gpt-",
		}, []string{"openai-chat", "openai-responses"}},
	{"",
		[]string{
			"generativelanguage.googleapis.com",
			"x-goog",
			"geminiexception",
			"generatecontent",
			"invalid_argument",
			"provider_name:google",
			"gemini",
		}, []string{"gemini"}},
	{"",
		[]string{
			"mistralexception",
			"mistralapierror",
			"mistralai.",
			"api.mistral.ai",
			"provider_name:mistral",
			"invalid_request_message_order",
		}, []string{"mistral"}},
	{"", []string{"deepseek", "failedtodeserializethejsonbody"}, []string{"deepseek"}},
	{"", []string{"cohereexception", "api.cohere", "provider_name:cohere"}, []string{"cohere"}},
	{"", []string{"ollama", "localhost:11434", "127.0.0.1:11434", "/api/chat"}, []string{"ollama"}},
	{"", []string{"moonshot", "kimi"}, []string{"moonshot"}},
	{"", []string{"dashscope", "internalerror.algo", "qwen"}, []string{"qwen"}},
	{"", []string{"minimax"}, []string{"minimax"}},
	{"", []string{"bigmodel.cn", "api.z.ai", "zhipu", "glm-"}, []string{"glm"}},
	{"", []string{"api.x.ai", "xaiexception", "grok-"}, []string{"xai"}},
	{"", []string{"groqexception", "api.groq.com", "provider_name:groq"}, []string{"groq"}},
	{"",
		[]string{
			"vllm", "llama.cpp", "llama-server", "lmstudio", "jinja", "chat_template",
			"templateerror",
		}, []string{"chat-template"}},
	{"", []string{"databricks", "fireworks", "nebius", "cerebras", "together.ai"},
		[]string{"openai-compatible"}},
	{"", []string{"invalid_request_error", "chat/completions", "badrequesterror"}, nil},
}
