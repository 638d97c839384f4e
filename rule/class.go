package rule

import (
	"slices"
	"strings"
)

// This file classifies the errors that the message history does not cause.

// Class is the cause of a provider's error.
type Class string

// The classes. Only [ClassHistory] comes with a rule; the others say that the message history is
// not the cause, so that no repair of it can help.
const (
	// the structure of the message history
	ClassHistory Class = "history"
	// the request is longer than the model's context
	ClassContextLength Class = "context-length"
	// a rate limit, a quota, or credit that is used up
	ClassRate Class = "rate-limit"
	// the key, the permission or the account
	ClassAuth Class = "authentication"
	// the name of the model, or access to it
	ClassModel Class = "model"
	// a request setting
	ClassSetting Class = "setting"
	// the declared tools
	ClassToolSchema Class = "tool-schema"
	// a content filter or safety policy
	ClassPolicy Class = "content-policy"
	// the model's own output could not be parsed
	ClassOutput Class = "output"
	// a fault on the provider's side
	ClassServer Class = "server"
	// a file or picture that the provider cannot fetch or read
	ClassMedia Class = "media"
	// the provider does not say what is wrong
	ClassUnspecific Class = "unspecific"
)

// advice says what to do about the errors of a class.
var advice = map[Class]string{
	ClassContextLength: "Shorten or compact the history, or allow fewer output tokens.",
	ClassRate:          "Wait and try again, or check the quota and the credit of the account.",
	ClassAuth:          "Check the key, its permissions, and the region or endpoint it is for.",
	ClassModel:         "Check the model's name, and that this account and endpoint offer it.",
	ClassSetting:       "Remove or change the named setting of the request.",
	ClassToolSchema:    "Correct the declaration of the named tool.",
	ClassPolicy:        "The content was refused; no change of the history's structure helps.",
	ClassOutput:        "The model's answer was malformed; send the request again.",
	ClassServer:        "The fault is the provider's; try again later.",
	ClassMedia:         "Send the file inline, or check its address, size and format.",
	ClassUnspecific: "The text names no cause; look for more detail in the response's body or " +
		"in the server's log.",
}

// classText is an error text that is not about the history, in the form of [Rule.Error]: numbers,
// addresses and ids are free, and so is the text between ‹ and ›.
type classText struct {
	class Class
	text  string
}

// classTexts lists such texts, for each class those that are found in reports of users.
var classTexts = []classText{
	{ClassOutput, "Failed to generate tool_calls. Please adjust your prompt."},
	{ClassOutput, "AI_InvalidResponseDataError: Expected 'id' to be a string"},
	{ClassOutput, "interaction.outputs is undefined"},
	{ClassModel, "registry.ollama.ai/library/‹llama2:latest› does not support tools"},
	{ClassSetting, `"‹model:70b›" does not support thinking`},
	{ClassSetting, "chat_template is not supported for Mistral tokenizers."},
	{ClassSetting, "Error rendering prompt with jinja template:"},
	{ClassSetting, "invalid request: unknown think_v2 option: ‹keep_reasoning_content›"},
	{ClassSetting, "workspaceFolders' failed to satisfy constraint"},
	{ClassToolSchema, "JSON Schema not supported: could not understand the instance"},
	{ClassToolSchema, "unsupported Responses tool type '‹namespace›' skipped"},
	{ClassAuth, "Your current subscription plan does not yet include access to"},
	{ClassAuth, "The API Key appears to be invalid or may have expired."},
	{ClassMedia, "Image dimensions exceed max allowed size: 8000 pixels"},
	{ClassUnspecific, "A parameter specified in the request is not valid"},
	{ClassUnspecific, "400 status code (no body)"},
	{ClassUnspecific, "Param Incorrect"},
	{ClassContextLength, "prompt is too long: 208310 tokens > 200000 maximum"},
	{ClassContextLength, "prompt too long; exceeded max context length by 1119046 tokens"},
	{ClassContextLength,
		"input length and `max_tokens` exceed context limit: 198397 + 20000 > 200000"},
	{ClassContextLength, "This model's maximum context length is 4096 tokens."},
	{ClassContextLength, "This endpoint's maximum context length is 4096 tokens."},
	{ClassContextLength, "maximum context length is 4096 tokens"},
	{ClassContextLength, "Your input exceeds the context window of this model."},
	{ClassContextLength, "Input is too long for requested model."},
	{ClassContextLength, "Input Tokens Exceeded: Number of input tokens exceeds maximum length."},
	{ClassContextLength,
		"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."},
	{ClassContextLength, "The input token count exceeds the maximum number of tokens allowed"},
	{ClassContextLength, "too many tokens: size limit exceeded by 25836 tokens."},
	{ClassContextLength,
		"request (2009 tokens) exceeds the available context size (512 tokens), try increasing it"},
	{ClassContextLength, "the request exceeds the available context size"},
	{ClassContextLength, "The total length of all messages is too long."},
	{ClassContextLength, "exceeds the model's maximum context length"},
	{ClassContextLength, "exceeds the maximum allowed input length"},
	{ClassContextLength, "Please reduce the length of the messages or completion."},
	{ClassContextLength,
		"Please reduce the length of either one, or use the \"middle-out\" transform"},
	{ClassContextLength, "exceeded model token limit: 131072 (requested: 140000)"},
	{ClassContextLength, "invalid params, context window exceeds limit (2013)"},
	{ClassContextLength, "Range of input length should be [1, 129024]"},
	{ClassContextLength,
		"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum " +
			"context length"},
	{ClassContextLength,
		"The number of tokens to keep from the initial prompt is greater than the context length"},
	{ClassContextLength, "trying to keep the first 4096 tokens when context the overflows"},
	{ClassRate, "This request would exceed your account's rate limit."},
	{ClassRate, "This request would exceed the rate limit for your organization"},
	{ClassRate, "Number of request tokens has exceeded your per-minute rate limit"},
	{ClassRate, "Rate limit reached for ‹gpt-4o› in organization"},
	{ClassRate, "You exceeded your current quota, please check your plan and billing details."},
	{ClassRate, "Your credit balance is too low to access the Anthropic API."},
	{ClassRate, "Usage credits required for 1M context"},
	{ClassRate, "Extra usage is required for long context requests"},
	{ClassRate, "You have reached your specified API usage limits."},
	{ClassRate, "Resource has been exhausted (e.g. check quota)."},
	{ClassRate, "Quota exceeded for quota metric"},
	{ClassRate, "Too many tokens, please wait before trying again."},
	{ClassRate, "Too many requests, please wait before trying again."},
	{ClassRate, "Requests rate limit exceeded"},
	{ClassRate, "Service tier capacity exceeded for this model."},
	{ClassRate, "Rate limit exceeded"},
	{ClassRate, "temporarily rate-limited upstream"},
	{ClassRate, "Insufficient Balance"},
	{ClassRate, "Insufficient credits"},
	{ClassRate, "This request requires more credits, or fewer max_tokens."},
	{ClassRate, "You've hit your usage limit"},
	{ClassRate, "usage limit has been reached"},
	{ClassRate, "insufficient balance (1008)"},
	{ClassRate, "Your account is suspended, please check your plan and billing details"},
	{ClassRate, "Account balance not enough"},
	{ClassAuth, "Incorrect API key provided"},
	{ClassAuth, "API key not valid. Please pass a valid API key."},
	{ClassAuth, "invalid x-api-key"},
	{ClassAuth, "OAuth token has expired."},
	{ClassAuth, "OAuth authentication is currently not supported."},
	{ClassAuth, "Invalid bearer token"},
	{ClassAuth, "No auth credentials found"},
	{ClassAuth, "You didn't provide an API key."},
	{ClassAuth, "We couldn't find a secret with the name \"‹XAI_API_KEY›\"."},
	{ClassAuth, "The security token included in the request is invalid"},
	{ClassAuth, "The security token included in the request is expired"},
	{ClassAuth, "Access denied due to invalid subscription key or wrong API endpoint."},
	{ClassAuth, "Request had invalid authentication credentials."},
	{ClassAuth, "Could not resolve authentication method."},
	{ClassAuth, "Authentication Fails"},
	{ClassAuth, "invalid api key (2049)"},
	{ClassAuth, "You have insufficient permissions for this operation."},
	{ClassAuth, "You do not have access to the organization tied to the API key."},
	{ClassAuth, "Your organization must be verified to"},
	{ClassAuth, "This credential is only authorized for use with Claude Code"},
	{ClassAuth, "Country, region, or territory not supported"},
	{ClassAuth, "User location is not supported for the API use."},
	{ClassAuth, "Missing Authentication header"},
	{ClassAuth, "Wrong API Key"},
	{ClassAuth, "User not found."},
	{ClassAuth, "Permission denied on resource"},
	{ClassAuth, "API key expired. Please renew the API key."},
	{ClassModel, "The requested model '‹gpt-x›' does not exist."},
	{ClassModel, "The model `‹gpt-x›` does not exist or you do not have access to it."},
	{ClassModel, "Model not found: ‹grok-x›"},
	{ClassModel, "Invalid model: ‹model-x›"},
	{ClassModel, "Invalid model name passed in model="},
	{ClassModel, "‹vendor/model-x› is not a valid model ID"},
	{ClassModel, "The provided model identifier is invalid."},
	{ClassModel, "The supported API model names are ‹model-x› or ‹model-y›, but you passed"},
	{ClassModel,
		"is not found for API version ‹v1beta›, or is not supported for ‹generateContent›"},
	{ClassModel,
		"Publisher Model `‹projects/p›` was not found or your project does not have access to it."},
	{ClassModel, "The API deployment for this resource does not exist."},
	{ClassModel, "on-demand throughput isn't supported."},
	{ClassModel, "You don't have access to the model with the specified model ID."},
	{ClassModel, "Access to this model is not available for this account."},
	{ClassModel, "has been deprecated and is no longer supported"},
	{ClassModel, "This model version has reached the end of its life."},
	{ClassModel, "No endpoints found for ‹vendor/model-x›."},
	{ClassModel, "model '‹model-x›' not found, try pulling it first"},
	{ClassModel, "The requested model is not supported."},
	{ClassModel, "The model ‹model-x› does not exist, or you do not have access to it"},
	{ClassModel, "Not found the model ‹model-x› or Permission denied"},
	{ClassModel, "Model Not Exist"},
	{ClassModel, "unknown model '‹model-x›'"},
	{ClassModel, "model '‹llama9›' not found"},
	{ClassModel, "is not supported when using Codex with a ChatGPT account."},
	{ClassSetting, "Argument not supported on this model: ‹reasoningEffort›"},
	{ClassSetting, "Model ‹grok-x› does not support parameter ‹presencePenalty›."},
	{ClassSetting, "does not support this tool_choice"},
	{ClassSetting, "Logprobs are not enabled for this model"},
	{ClassSetting, "Previous response with id '«resp_1»' not found."},
	{ClassSetting,
		"it has a ‹temperature› value of 1000 but the supported range is from 0 (inclusive) to " +
			"2.0001 (exclusive)."},
	{ClassSetting, "Validation: ‹Temperature› must be between 0 and 2, got 100"},
	{ClassSetting, "`temperature` may only be set to 1 when thinking is enabled"},
	{ClassSetting, "`temperature` and `top_p` cannot both be specified for this model."},
	{ClassSetting, "`temperature` is deprecated for this model."},
	{ClassSetting, "`max_tokens` must be greater than `thinking.budget_tokens`"},
	{ClassSetting, "Thinking may not be enabled when tool_choice forces tool use."},
	{ClassSetting,
		"max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for"},
	{ClassSetting, "max_tokens is too large: 100000."},
	{ClassSetting, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"},
	{ClassSetting, "Streaming is required for operations that may take longer than 10 minutes."},
	{ClassSetting, "Stream options can only be defined when `stream=True`."},
	{ClassSetting, "Thinking level is not supported for this model."},
	{ClassSetting, "Thinking budget is not supported for this model."},
	{ClassSetting, "Budget 0 is invalid. This model only works in thinking mode."},
	{ClassSetting,
		"The thinking budget 0 is invalid. Please choose a value between 512 and 24576."},
	{ClassSetting, "parameter.enable_thinking must be set to false for non-streaming calls"},
	{ClassSetting, "This model only support stream mode"},
	{ClassSetting, "does not support thinking"},
	{ClassSetting, "does not support tools"},
	{ClassSetting, "No endpoints found that support tool use."},
	{ClassSetting, "does not support the effort parameter"},
	{ClassSetting, "Unexpected value(s) `‹beta-x›` for the `anthropic-beta` header."},
	{ClassSetting,
		"'messages' must contain the word 'json' in some form, to use 'response_format' of type " +
			"'json_object'."},
	{ClassSetting,
		"Prompt must contain the word 'json' in some form to use 'response_format' of type " +
			"'json_object'."},
	{ClassSetting, "Function calling with a response mime type: 'application/json' is unsupported"},
	{ClassSetting,
		"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"},
	{ClassSetting, "Encrypted content is not supported with this model."},
	{ClassSetting, "No endpoints found matching your data policy."},
	{ClassSetting, "anthropic-version: header is required"},
	{ClassSetting, "Instructions are required"},
	{ClassSetting, "Store must be set to false"},
	{ClassSetting, "Stream must be set to true"},
	{ClassSetting, "is not supported with the Responses API."},
	{ClassSetting, "This model is only supported in v1/responses and not in v1/chat/completions."},
	{ClassSetting,
		"This is not a chat model and thus not supported in the v1/chat/completions endpoint."},
	{ClassSetting, "response_format type is unavailable now"},
	{ClassToolSchema, "Unsupported tool type: ‹mcp›"},
	{ClassToolSchema, "invalid params, function parameters is empty (2013)"},
	{ClassToolSchema, "Too many strict tools (21)."},
	{ClassToolSchema, "Schemas contains too many parameters with union types"},
	{ClassToolSchema, "Schemas contains too many optional parameters (25)"},
	{ClassToolSchema, "input_schema does not support oneOf, allOf, or anyOf at the top level"},
	{ClassToolSchema, "Invalid schema for function '‹f›'"},
	{ClassToolSchema, "Invalid schema for response_format '‹f›'"},
	{ClassToolSchema, "Invalid value: '‹x›'. Supported values are: 'function'"},
	{ClassToolSchema, "parameters.properties: should be non-empty for OBJECT type"},
	{ClassToolSchema, "functionDeclaration `‹f›` schema"},
	{ClassToolSchema,
		"The specified schema produces a constraint that has too many states for serving."},
	{ClassToolSchema, "Tool use with function calling is unsupported"},
	{ClassToolSchema,
		"The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the " +
			"following: object."},
	{ClassToolSchema, "Duplicate function declaration found: ‹f›"},
	{ClassPolicy,
		"The response was filtered due to the prompt triggering Azure OpenAI's content " +
			"management policy."},
	{ClassPolicy, "Output blocked by content filtering policy"},
	{ClassPolicy, "Your request was rejected as a result of our safety system."},
	{ClassPolicy,
		"Invalid prompt: your prompt was flagged as potentially violating our usage policy."},
	{ClassPolicy, "The prompt could not be submitted."},
	{ClassPolicy,
		"is unable to respond to this request, which appears to violate our Usage Policy"},
	{ClassPolicy, "Input data may contain inappropriate content."},
	{ClassPolicy, "Output data may contain inappropriate content."},
	{ClassPolicy, "Content Exists Risk"},
	{ClassPolicy, "The request was rejected because it was considered high risk"},
	{ClassPolicy, "input new_sensitive (1026)"},
	{ClassPolicy, "Content violates usage guidelines."},
	{ClassOutput,
		"openai_harmony.HarmonyError: Unexpected token 12606 while expecting start token 200006"},
	{ClassOutput, "Tool call validation failed: tool call validation failed:"},
	{ClassOutput, "Tool choice is required, but model did not call a tool"},
	{ClassOutput, "Failed to call a function. Please adjust your prompt."},
	{ClassOutput, "Parsing failed. The model generated output that could not be parsed."},
	{ClassOutput, "Failed to parse tool call arguments as JSON"},
	{ClassOutput, "error parsing tool call: raw="},
	{ClassOutput, "Failed to generate JSON. Please adjust your prompt."},
	{ClassOutput, "Failed to parse input at pos 0"},
	{ClassOutput, "Malformed function call"},
	{ClassOutput, "Model tried to call unavailable tool '‹f›'."},
	{ClassOutput, "The model produced invalid content."},
	{ClassServer, "Internal server error"},
	{ClassServer, "The server had an error while processing your request."},
	{ClassServer, "An error occurred while processing your request. You can retry your request"},
	{ClassServer, "The service is currently unavailable."},
	{ClassServer, "The model is overloaded. Please try again later."},
	{ClassServer, "This model is currently experiencing high demand."},
	{ClassServer, "Service unavailable"},
	{ClassServer, "Upstream request failed"},
	{ClassServer, "upstream connect error or disconnect/reset before headers"},
	{ClassServer, "The system encountered an unexpected error during processing."},
	{ClassServer, "Bedrock is unable to process your request."},
	{ClassServer, "An internal error has occurred."},
	{ClassServer, "Deadline expired before operation could complete."},
	{ClassServer, "The engine is currently overloaded, please try again later"},
	{ClassServer, "Our servers are currently overloaded."},
	{ClassServer, "read llm model failed: request failed"},
	{ClassServer, "no healthy upstream"},
	{ClassServer, "llama runner process has terminated"},
	{ClassMedia, "Error while downloading https://example.com/picture.jpg"},
	{ClassMedia, "Cannot fetch content from the provided URL."},
	{ClassMedia, "Unable to download the file. Please verify the URL and try again."},
	{ClassMedia, "The request timed out while trying to download the file."},
	{ClassMedia, "Failed to download image from https://example.com/picture.jpg"},
	{ClassMedia, "This URL is disallowed by the website's robots.txt file."},
	{ClassMedia, "Only HTTPS URLs are supported."},
	{ClassMedia, "Failed to load image or audio file"},
	{ClassMedia, "A maximum of 100 PDF pages may be provided."},
	{ClassMedia, "The PDF specified is password protected."},
	{ClassUnspecific, "Request contains an invalid argument."},
	{ClassUnspecific, "Invalid API parameter, please check the documentation."},
	{ClassUnspecific, "unexpected status 400 Bad Request"},
	{ClassUnspecific, "Invalid request. Please check the documentation."},
	{ClassUnspecific, "An unknown error occurred"},
}

// mark is a machine-readable word of an error body, in folded form: the key, then the value.
type mark struct {
	class Class
	word  string
}

// marks are looked for when no text is known. The first that occurs counts.
var marks = []mark{
	{ClassContextLength, "context_length_exceeded"},
	{ClassContextLength, "exceed_context_size_error"},
	{ClassContextLength, "too_many_prompt_tokens"},
	{ClassContextLength, "model_max_prompt_tokens_exceeded"},
	{ClassContextLength, "contextwindowexceedederror"},
	{ClassPolicy, "content_policy_violation"},
	{ClassPolicy, "contentpolicyviolationerror"},
	{ClassPolicy, "code:content_filter"},
	{ClassPolicy, "responsibleaipolicyviolation"},
	{ClassPolicy, "data_inspection_failed"},
	{ClassPolicy, "datainspectionfailed"},
	{ClassRate, "insufficient_quota"},
	{ClassRate, "insufficient_user_quota"},
	{ClassRate, "rate_limit_error"},
	{ClassRate, "rate_limit_exceeded"},
	{ClassRate, "rate_limited"},
	{ClassRate, "ratelimiterror"},
	{ClassRate, "resource_exhausted"},
	{ClassRate, "throttlingexception"},
	{ClassRate, "usage_limit_reached"},
	{ClassRate, "billing_error"},
	{ClassRate, "exceeded_current_quota_error"},
	{ClassAuth, "invalid_api_key"},
	{ClassAuth, "api_key_invalid"},
	{ClassAuth, "authentication_error"},
	{ClassAuth, "authenticationerror"},
	{ClassAuth, "permission_error"},
	{ClassAuth, "permission_denied"},
	{ClassAuth, "permissiondeniederror"},
	{ClassAuth, "accessdeniedexception"},
	{ClassAuth, "unrecognizedclientexception"},
	{ClassAuth, "expiredtokenexception"},
	{ClassAuth, "status:unauthenticated"},
	{ClassModel, "model_not_found"},
	{ClassModel, "deploymentnotfound"},
	{ClassModel, "invalid_model"},
	{ClassOutput, "tool_use_failed"},
	{ClassOutput, "json_validate_failed"},
	{ClassOutput, "output_parse_failed"},
	{ClassOutput, "malformed_function_call"},
	{ClassToolSchema, "invalid_function_parameters"},
	{ClassMedia, "invalid_image_url"},
	{ClassServer, "overloaded_error"},
	{ClassServer, "internalserverexception"},
	{ClassServer, "internalservererror"},
	{ClassServer, "modelstreamerrorexception"},
	{ClassServer, "serviceunavailableexception"},
	{ClassServer, "service_unavailable"},
	{ClassServer, "type:server_error"},
	{ClassServer, "type:api_error"},
	{ClassServer, "status:unavailable"},
	{ClassServer, "status:deadline_exceeded"},
	{ClassSetting, "unsupported_parameter"},
}

// statuses are the HTTP statuses that determine the class of an error, whatever its text.
var statuses = []struct {
	class  Class
	status string
}{
	{ClassAuth, "401"}, {ClassRate, "402"}, {ClassAuth, "403"}, {ClassRate, "429"},
	{ClassServer, "500"}, {ClassServer, "502"}, {ClassServer, "503"}, {ClassServer, "504"},
	{ClassServer, "529"},
}

// classify finds the class of a text in which no error text was found: by the words that are for
// machines, by the setting that it names, and last by its HTTP status.
func classify(v *view) (Class, bool) {
	for _, m := range marks {
		if strings.Contains(v.folded, m.word) {
			return m.class, true
		}
	}
	if class, ok := aboutField(v.plain); ok {
		return class, true
	}
	for _, s := range statuses {
		if leadingStatus(v.plain) == s.status || strings.Contains(v.folded, "code:"+s.status) ||
			strings.Contains(v.folded, "status:"+s.status) {
			return s.class, true
		}
	}
	return "", false
}

// leadingStatus returns the HTTP status that a text begins with, after words such as "error
// code:".
func leadingStatus(text string) string {
	text = strings.TrimLeft(text[:min(len(text), 64)], " :-[(")
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return strings.ContainsRune(" :-[]()", r) }) {
		if len(word) == 3 && digits(word) == 3 {
			return word
		}
		switch strings.ToLower(word) {
		case "http", "error", "code", "status", "api", "request", "failed", "unexpected":
		default:
			return ""
		}
	}
	return ""
}

// settings are the members of a request that are no part of the history, in the spellings of all
// providers.
var settings = []string{
	"anthropic_version", "betas", "enable_thinking", "extra_body", "frequency_penalty", "functions",
	"generationConfig", "generation_config", "include", "include_reasoning", "inferenceConfig",
	"logit_bias",
	"logprobs", "max_completion_tokens", "max_output_tokens", "max_tokens", "maxTokens", "metadata",
	"modalities", "model", "n", "output_config", "output_format", "parallel_tool_calls",
	"presence_penalty",
	"previous_response_id", "prompt_cache_key", "prompt_cache_retention", "provider", "reasoning",
	"reasoning_effort", "response_format", "responseFormat", "safety_identifier", "safety_settings",
	"seed", "service_tier", "stop", "stop_sequences", "store", "stream", "stream_options",
	"temperature", "text",
	"thinking", "thinking_config", "thinkingConfig", "tool_choice", "toolChoice", "top_k",
	"top_logprobs", "top_p",
	"truncation", "user", "verbosity", "web_search_options", "context_management",
}

// aboutField finds the class of an error that names a member of the request, where that
// member is a setting or a declared tool.
func aboutField(text string) (Class, bool) {
	field := namedField(text)
	root := field[:nameSize(field)]
	switch {
	case root == "":
		return "", false
	case root == "tools" || root == "functions":
		return ClassToolSchema, true
	case root == "model":
		return ClassModel, true
	case slices.Contains(settings, root):
		return ClassSetting, true
	}
	return "", false
}
