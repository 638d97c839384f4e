package explain

import "strings"

// concept is a notion that error texts speak of, and the phrases for it: in lower case, without
// quotes, separated by bars. A phrase that ends in * may go on with more letters.
type concept struct{ name, phrases string }

// concepts lists the concepts. A sentence with the concept elsewhere is not about the history, nor
// is one with the concept software, unless it names a place in the history or what only that has.
var concepts = []concept{
	{"elsewhere", "json schema|invalid schema|schema for|schema is|the schema|input_schema|" +
		"inputschema|function_declaration*|functiondeclaration*|tools[|tools.|" +
		"toolconfig.tools|tool_choice|toolchoice|tools.function|function parameters|" +
		"parameters is empty|tool type|response_format|max_tokens|max_completion_tokens|" +
		"temperature|top_p|logprobs|top_logprobs|context length|context window|tokens|token count|api key|api_key|" +
		"apikey|quota|rate limit|credit*|balance|billing|logged in|login|stream ended|" +
		"timeout|timed out|econn*|getaddrinfo|overloaded|authentication|unauthorized|" +
		"permission|model name|model id|model_not_found|deployment|reasoning_effort|" +
		"reasoningeffort|effort|thinking.type|budget_tokens|budget|thinking level|" +
		"previous_response_id|config|configuration|settings|plugin|package|module|command|" +
		"database|table|tool_reference.|select |key value|file not found|" +
		"does not support tools|does not support thinking|support tool use|parser error|" +
		"openai_harmony|harmonyerror|failed_generation|failed to generate|failed to call|" +
		"inserted|synthetic|repaired|recovered|stripped|skipped|dropping|dropped|" +
		"retrying with|input should be function|parse tool call|parsing tool call|" +
		"usage policy|content policy|content management policy|jsondecodeerror|" +
		"request argument"},
	{"software", "telegram|discord*|slack|twilio|whatsapp|webhook|message signature|user id|" +
		"[query"},
	{"answer", "type validation failed|no object generated|chat.completion*|" +
		"did not match schema|failed_generation|synthetic*|transcript repair"},
	{"refusal", "400|404|409|415|422|500|502|bad request|bad_request*|badrequest*|" +
		"invalid request|invalid_request*|invalid_argument|invalid_parameter*|" +
		"invalidparameter*|validationexception|unprocessable*|apierror|api error|" +
		"apicallerror|ai_apicallerror|capierror|request error|llm request|api request|请检查*|" +
		"1214"},
	{"error", "error|errors|exception|failed|rejected|报错|错误"},
	{"messages", "messages|message|conversation|conversations|history|chat history|contents|" +
		"chat content|input item|input items|turn|turns|消息|对话|历史"},
	{"role", "role|roles|author role|角色"},
	{"user", "user|human|userinputmessage|用户"},
	{"assistant", "assistant|assistantresponsemessage|aimessage|助手"},
	{"system", "system|developer|系统"},
	{"tool-call", "tool_call|tool_calls|tool call|tool calls|tool-call|tool-calls|toolcall|" +
		"toolcalls|tool_use|tool use|tool uses|tool-use|tooluse|function_call|function_calls|" +
		"function call|function calls|functioncall|functioncalls|tool invocation|" +
		"tool invocations|custom_tool_call|mcp_tool_use|server_tool_use|工具调用|函数调用"},
	{"tool-result", "tool_result|tool_results|tool result|tool results|tool-result|" +
		"tool-results|toolresult|toolresults|tool output|tool outputs|tool message|" +
		"tool messages|tool response|tool responses|toolmessage|toolmessages|" +
		"function_call_output|function call output|function call outputs|function response|" +
		"function responses|functionresponse|functionresponses|function_response|" +
		"function_responses|function result|function results|response message|" +
		"response messages|role tool|role: tool|role:tool|role=tool|tool role|" +
		"custom_tool_call_output|mcp_tool_result|工具结果|工具返回|工具消息|工具响应"},
	{"call-id", "tool_call_id|tool_call_ids|tool call id|tool call ids|tool_use_id|" +
		"tool_use_ids|tool use id|tooluseid|toolcallid|call_id|call id|tool id|tool_id|" +
		"function call id"},
	{"content", "content|content type|message content type|content field|content blocks|" +
		"content block|content parts|content part"},
	{"text", "text|text field|text block|text blocks|text part|text parts"},
	{"arguments", "arguments|function.arguments|tool input|tool arguments|call arguments|" +
		"function arguments|.input"},
	{"reasoning", "thinking|thinking block|thinking blocks|reasoning_content|" +
		"reasoning content|reasoning_details|reasoning_text|reasoning|redacted_thinking|" +
		"reasoningcontent|thought|思考|推理"},
	{"signature", "signature|signatures|thought_signature|thought signature|thoughtsignature|" +
		"签名"},
	{"sealed", "encrypted_content|encrypted content"},
	{"input", "input[|input.|/input/|body, input|input type|input item type"},
	{"illegal", "参数非法|参数错误"},
	{"image", "image|images|image_url|input_image|picture|图片|图像"},
	{"media-type", "media type|media_type|mime type|mime_type|mimetype|mediatype"},
	{"type", "type|types|item type|part type|block type"},
	{"variant", "unknown variant|does not match any|did not match any variant|" +
		"unexpected item type|unexpected content|unsupported content|input tag|unknown part|" +
		"unsupported part|unknown content|invalid content type|unsupported message part|" +
		"unexpected type|untagged enum|unknown block|unsupported block"},
	{"only", "only supported for|only allowed for|only permitted for|only valid for|" +
		"only be used in|only allowed in|only supported in|仅支持"},
	{"parser", "json.exception.type_error.302|json.exception.out_of_range.403"},
	{"cut-off", "json.exception.parse_error.101"},
	{"jackson", "through reference chain"},
	{"odd", "odd number|奇数"},
	{"id", "id|ids"},
	{"name", "function name|tool name|function.name|.name|tool_name"},
	{"item", "item|items"},
	{"lacks", "without|must have|must have a|has no|have no|do not have|does not have|" +
		"did not have|not have|no corresponding|lacks|missing|is missing|are missing|" +
		"missing field|type:missing|type=missing|key not found|missing required|required|is required|field required|" +
		"required property|must be set|is not set|not set|not present|must be provided|" +
		"not provided|must be passed|must be followed|not followed|needs a|requires a|" +
		"must provide|must include|does not contain|do not contain|must contain|contains no|" +
		"contained no|is undefined|缺少|缺失|没有|必填|未提供|必须有|" +
		"必须包含|must supply|not found for|expected tool result|no matching|" +
		"incomplete|insufficient"},
	{"unanswered", "unanswered|unresolved|not answered|never answered|not been answered|" +
		"must be answered|without a response|without responses|no response"},
	{"cache", "cache_control|cache control|cachepoint|cache point|cache breakpoint"},
	{"no", "no"},
	{"follows", "must be a response to|must follow|must come after|" +
		"must come immediately after|must immediately follow|must be preceded by|" +
		"not preceded by|preceding|must respond to|has to follow|does not follow|" +
		"doesnt follow|should follow|not follow|immediately after|previous message|" +
		"previous turn|must directly follow|紧跟|之后|must answer"},
	{"orphan", "orphan|orphaned|orphans|unmatched|dangling|unpaired"},
	{"mismatch", "mismatched|mismatch|不匹配|does not match|doesnt match|do not match|not match|" +
		"does not correspond|not correspond"},
	{"not-found", "not found|is not found|was not found|does not exist|not exist|cannot find|" +
		"could not find|cant find|couldnt find|no such|未找到|找不到|不存在|not recognized"},
	{"duplicate", "duplicate|duplicates|duplicated|must be unique|not unique|more than once|" +
		"already exists|already used|repeated|multiple|重复"},
	{"alternate", "alternate|alternates|alternating|alternation|take turns|consecutive|" +
		"successive|in a row|interleave|interleaved|same role|交替|连续"},
	{"first", "first message|must start with|starts with|start with|begin with|must begin|" +
		"at the beginning|beginning|must be first|should be first|first position|第一条|开头"},
	{"last", "last message|last role|must end with|end with|ends with|ending with|must end|" +
		"final message|last turn|prefill|prefilling|最后一条"},
	{"number", "number of|count of|amount of|数量"},
	{"empty", "empty|is empty|be empty|blank|is blank|non-empty|nonempty|not be empty|" +
		"non-blank|non-whitespace|at least 1 character|at least one|minimum length 1|" +
		"too short|length must be greater than 0|greater than 0|at least 1 token|为空|不能为空|空"},
	{"null", "got null|got none|null instead|is null|be null|null found|not null|not be null|" +
		"nonetype|<nil>|nil|input_value=none|input: none|received null|received undefined"},
	{"wrong-type", "invalid type|wrong type|incorrect type|expected a string|expected string|" +
		"expected str|expected one of|should be a valid string|should be a valid list|" +
		"should be a valid|input should be a valid|input should be a valid string|" +
		"input should be a valid list|should be a string|must be a string|must be string|" +
		"should be an object|should be a|should be an|must be an array|must be a list|" +
		"must be an object|must be object|expected object|expected array|expected an array|" +
		"expected an object|expected a list|cannot unmarshal|cant unmarshal|got array|" +
		"want string|not a string|not a list|not in string|cannot start list|" +
		"input should be iterable|value is array|should be string|should be array|" +
		"is not of type|类型错误|must be text|cannot be converted|type must be|" +
		"cannot deserialize value|cannot deserialize instance|cannot construct instance"},
	{"refused", "unsupported|not supported|does not support|doesnt support|not allowed|" +
		"not permitted|invalid|unknown|unexpected|illegal|not valid|not a valid|is not valid|" +
		"unrecognized|not one of|is not one of|should be one of|must be one of|" +
		"supported values|input should be|must be either|非法|无效|不支持|不合法|不允许|incorrect|" +
		"does not accept|not accepted|not acceptable|cannot contain|must not contain|" +
		"cannot be used|must have valid|use a valid"},
	{"extra", "extra inputs|extra_forbidden|additional properties|unknown name|unknown field|" +
		"unknown key|unknown parameter|unrecognized key*|unrecognized field|extraneous|" +
		"unexpected field|unexpected keyword|unexpected property|invalid field(s)|" +
		"invalid field|invalid fields|cannot find field"},
	{"too-long", "too long|maximum length|exceeds|at most|longer than|length less than|超过|" +
		"above_max_length|string_above_max_length|max length"},
	{"pattern", "does not match pattern|should match pattern|match pattern|invalid characters|" +
		"must be a-z|only contain|may only contain|must match|regular expression pattern|" +
		"begins with|start with fc|satisfy regular expression|not match the pattern"},
	{"json", "json|valid json|dictionary|dict|mapping|object|json object|parse|parsed|decode|" +
		"unmarshal"},
	{"changed", "modified|be modified|cannot be modified|must match the parameters|" +
		"must remain|must be preserved|altered|changed|must be unchanged"},
	{"foreign", "could not be verified|not be verified|not issued|could not be decrypted|" +
		"cannot be decrypted|could not decrypt|unable to decrypt|corrupted|corrupt|tampered|" +
		"expired|verification failed|failed verification|验证失败"},
	{"surrogate", "surrogate|low surrogate|lone surrogate|lone leading surrogate|hex escape|" +
		"surrogates not allowed|invalid unicode|invalid utf-8"},
	{"undecodable", "base64|decode image|process image|could not process|undecodable|" +
		"does not represent|not be processed|unable to process|read image|corrupted image"},
}

// modelConcepts are the concepts that only requests for models know.
var modelConcepts = []string{
	"tool-call", "tool-result", "call-id", "reasoning", "sealed", "assistant",
}

// meaning is what a sentence complains of: concepts in their order, each with alternatives, and the
// rules that say so. The rule of the provider that the surroundings name is taken, or else the
// first.
type meaning struct {
	concepts [][]string
	rules    []string
}

func means(concepts, rules string) meaning {
	m := meaning{rules: strings.Fields(rules)}
	for _, alternatives := range strings.Fields(concepts) {
		m.concepts = append(m.concepts, strings.Split(alternatives, "|"))
	}
	return m
}

// The rules of one complaint at each provider.
const (
	unanswered = "openai-chat/tool-result-missing anthropic/tool-result-missing " +
		"openai-responses/tool-output-missing gemini/function-response-count " +
		"bedrock/tool-result-missing mistral/call-result-count deepseek/tool-result-missing " +
		"cohere/tool-result-missing qwen/tool-result-missing minimax/tool-result-order " +
		"langgraph/missing-tool-messages vercel-ai-sdk/missing-tool-results"
	orphaned = "openai-chat/tool-result-orphan anthropic/tool-result-orphan " +
		"openai-responses/tool-output-orphan gemini/function-response-placement " +
		"bedrock/tool-result-exceeds mistral/unexpected-result-id deepseek/tool-result-orphan " +
		"qwen/tool-result-orphan minimax/tool-result-order moonshot/tool-call-id-not-found"
	alternation = "chat-template/alternation anthropic/alternation bedrock/alternation " +
		"gemini/alternation-old deepseek/successive-roles"
	noContent = "openai-chat/content-null anthropic/empty-message-content gemini/empty-parts " +
		"bedrock/blank-text mistral/assistant-empty deepseek/assistant-empty " +
		"moonshot/empty-message minimax/content-empty cohere/message-empty xai/content-element " +
		"qwen/content-missing"
	absent = "openai-chat/content-null volcengine/content-missing qwen/content-missing " +
		"xai/content-element mistral/assistant-empty deepseek/assistant-empty"
	shaped = "openai-chat/content-type ollama/content-format groq/tool-fields " +
		"chat-template/vllm-content-array gemini/extra-field openai-responses/item-null-field"
	extra = "openai-chat/unknown-parameter anthropic/extra-inputs gemini/extra-field " +
		"mistral/unknown-fields groq/unknown-property openai-responses/unknown-item-field " +
		"openai-compatible/reasoning-fields"
	argued = "openai-chat/arguments-not-json anthropic/tool-use-input-object " +
		"bedrock/tool-input-object qwen/arguments-json ollama/arguments-invalid-json " +
		"chat-template/arguments-mapping"
	partType = "openai-chat/part-type anthropic/output-only-blocks deepseek/image-unsupported " +
		"openai-responses/item-type-unsupported mistral/content-chunk-types"
	roleName = "openai-chat/role-unknown gemini/role-invalid deepseek/role-developer " +
		"minimax/system-role"
	callID = "openai-chat/tool-call-id-length openai-responses/call-id-length " +
		"bedrock/tool-use-id mistral/tool-call-id anthropic/tool-use-id-pattern"
	sealed = "openai-responses/encrypted-content-invalid xai/encrypted-content-invalid " +
		"anthropic/web-search-encrypted-content"
	unsigned = "anthropic/thinking-signature-invalid gemini/thought-signature-corrupt " +
		"openai-responses/encrypted-content-invalid xai/encrypted-content-invalid"
	emptyCalls = "openai-chat/empty-tool-calls deepseek/empty-tool-calls"
	noID       = "openai-responses/required-item-fields openai-chat/tool-result-orphan"
	toolNames  = "openai-chat/function-name-pattern bedrock/tool-name mistral/function-name " +
		"gemini/function-name-pattern anthropic/tool-use-name-length"
	handedBack = "deepseek/reasoning-content-missing moonshot/reasoning-content-missing"
	picture    = "openai-chat/image-undecodable anthropic/image-undecodable"
)

// meanings lists the meanings, the more specific ones first.
var meanings = []meaning{
	means("surrogate", "anthropic/lone-surrogate"),

	means("reasoning|signature signature|lacks lacks", "anthropic/thinking-signature-required "+
		"gemini/thought-signature-missing"),
	means("lacks signature", "anthropic/thinking-signature-required "+
		"gemini/thought-signature-missing"),
	means("signature foreign", unsigned),
	means("refused signature", unsigned),
	means("signature refused|wrong-type", unsigned),
	means("reasoning changed", "anthropic/thinking-modified"),
	means("sealed foreign|refused|lacks", sealed),
	means("foreign|refused sealed", sealed),
	means("messages illegal", "glm/messages-invalid"),

	means("duplicate tool-result", "anthropic/tool-result-duplicate mistral/duplicate-result-id"),
	means("tool-result duplicate", "anthropic/tool-result-duplicate mistral/duplicate-result-id"),
	means("duplicate call-id|tool-call", "openai-chat/tool-call-id-duplicate "+
		"anthropic/tool-use-id-duplicate deepseek/tool-call-id-duplicate "+
		"mistral/duplicate-result-id"),
	means("call-id|tool-call duplicate", "openai-chat/tool-call-id-duplicate "+
		"anthropic/tool-use-id-duplicate deepseek/tool-call-id-duplicate"),
	means("number tool-result|tool-call tool-call|tool-result", "gemini/function-response-count "+
		"mistral/call-result-count openai-chat/tool-result-missing bedrock/tool-result-exceeds"),

	means("no tool-call tool-result|call-id", orphaned),
	means("no tool-result tool-call|call-id", unanswered),
	means("tool-call lacks tool-result", unanswered),
	means("tool-result lacks tool-call", orphaned),
	means("tool-result follows tool-call|assistant", orphaned),
	means("assistant tool-call lacks", unanswered),
	means("tool-call|call-id unanswered", unanswered),
	means("unanswered tool-call|call-id", unanswered),
	means("lacks tool-result", unanswered),
	means("lacks call-id|arguments", "groq/tool-fields openai-chat/tool-result-orphan "+
		"moonshot/tool-call-id-not-found"),
	means("messages call-id lacks", "groq/tool-fields openai-chat/tool-result-orphan "+
		"moonshot/tool-call-id-not-found"),
	means("tool-result lacks call-id", "groq/tool-fields openai-chat/tool-result-orphan "+
		"moonshot/tool-call-id-not-found"),
	means("tool-result not-found", orphaned),
	means("tool-call tool-result not-found", unanswered),
	means("orphan|not-found tool-result", orphaned),
	means("tool-result mismatch tool-call|call-id", orphaned),
	means("tool-result orphan", orphaned),
	means("call-id not-found|orphan|mismatch", orphaned),
	means("not-found|orphan|mismatch call-id", orphaned),

	means("arguments json|wrong-type|refused", argued),
	means("refused|wrong-type|json arguments", argued),
	means("json tool-call arguments", argued),

	means("cut-off", argued),
	means("parser null", absent),
	means("parser content not-found", absent),
	means("parser wrong-type|not-found", shaped),

	means("call-id too-long|pattern", callID),
	means("tool-call id too-long|pattern", callID),
	means("call-id empty|null", noID),

	means("role alternate", alternation),
	means("alternate role", alternation),
	means("user assistant alternate", alternation),
	means("user lacks assistant", alternation),
	means("assistant lacks user", alternation),
	means("messages alternate user|assistant", alternation),
	means("alternate user|assistant messages", alternation),
	means("system messages first", "chat-template/system-first"),
	means("system first", "chat-template/system-first"),
	means("first system", "chat-template/system-first"),
	means("first user", "bedrock/starts-with-user anthropic/first-role-user"),
	means("messages first user", "bedrock/starts-with-user anthropic/first-role-user"),
	means("last assistant|user", "anthropic/prefill-unsupported mistral/last-role "+
		"gemini/ends-with-model-turn"),
	means("assistant last", "anthropic/prefill-unsupported mistral/last-role "+
		"gemini/ends-with-model-turn"),
	means("messages lacks role user", "chat-template/no-user-query"),
	means("messages lacks user", "chat-template/no-user-query"),
	means("lacks user messages", "chat-template/no-user-query"),
	means("lacks role", "openai-chat/role-missing"),
	means("role lacks", "openai-chat/role-missing"),
	means("system refused", "openai-chat/system-role-unsupported "+
		"chat-template/system-unsupported anthropic/system-role-unsupported-model "+
		"minimax/system-role"),
	means("refused role", roleName),
	means("role refused", roleName),
	means("refused user assistant", roleName),

	means("cache reasoning", "anthropic/cache-control-on-thinking "+
		"bedrock/cache-point-after-reasoning"),
	means("reasoning cache", "anthropic/cache-control-on-thinking "+
		"bedrock/cache-point-after-reasoning"),
	means("reasoning lacks", handedBack),
	means("lacks reasoning", handedBack),
	means("reasoning extra|refused", "openai-compatible/reasoning-fields groq/unknown-property "+
		"openai-responses/item-type-unsupported mistral/unknown-fields"),
	means("extra|refused reasoning", "openai-compatible/reasoning-fields groq/unknown-property "+
		"openai-responses/item-type-unsupported mistral/unknown-fields"),
	means("extra messages", extra),
	means("messages extra", extra),
	means("tool-result extra", extra),
	means("tool-call extra", extra),

	means("jackson messages arguments", argued),
	means("jackson messages content", shaped),

	means("image mismatch media-type", "anthropic/image-media-type-mismatch"),
	means("image media-type refused", "anthropic/image-undecodable openai-chat/image-undecodable "+
		"gemini/mime-type"),
	means("image undecodable|refused", picture),
	means("refused|undecodable image", picture),

	means("refused input", "openai-responses/item-type-unsupported"),
	means("input reasoning refused", "openai-responses/item-type-unsupported"),
	means("lacks input", "openai-responses/required-item-fields"),
	means("lacks type input|messages", "openai-chat/part-type "+
		"openai-responses/required-item-fields"),
	means("content null", absent),
	means("refused|wrong-type content null", absent),
	means("messages content refused null", absent),
	means("empty content|text assistant|tool-call", noContent),
	means("content|text empty tool-call", noContent),
	means("tool-call empty content|text", noContent),
	means("tool-call content|text empty", noContent),
	means("content|text empty", noContent),
	means("empty content|text", noContent),
	means("arguments empty", argued),
	means("name empty", toolNames),
	means("tool-call id empty", callID),
	means("messages tool-call empty", emptyCalls),
	means("empty messages tool-call", emptyCalls),
	means("messages empty", noContent),
	means("empty messages", noContent),
	means("lacks content", absent),
	means("content lacks", absent),
	means("messages|content|input variant", partType),
	means("variant messages|content|input", partType),
	means("content|image only user|assistant", shaped),
	means("messages content wrong-type", shaped),
	means("wrong-type messages content", shaped),
	means("content wrong-type", shaped),
	means("wrong-type content", shaped),
	means("input wrong-type", "openai-responses/item-type-unsupported"),
	means("refused content|item|input type", partType),
	means("refused type content|item|input", partType),
	means("messages wrong-type", partType),
	means("wrong-type messages", partType),
	means("messages odd", alternation),

	means("name pattern|too-long|refused", toolNames),
	means("duplicate item", "openai-responses/duplicate-item"),
	means("item not-found", "openai-responses/item-not-found"),
}
