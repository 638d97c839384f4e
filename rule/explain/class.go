package explain

import "strings"

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
	// the connection to the provider
	ClassNetwork Class = "network"
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
	ClassNetwork:       "Check the address, the proxy and the certificates, then try again.",
	ClassMedia:         "Send the file inline, or check its address, size and format.",
	ClassUnspecific: "The text names no cause; look for more detail in the response's body or " +
		"in the server's log.",
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
	{ClassSetting, "previous_response_not_found"},
	{ClassNetwork, "econnrefused"},
	{ClassNetwork, "econnreset"},
	{ClassNetwork, "etimedout"},
	{ClassNetwork, "enotfound"},
	{ClassNetwork, "connectionresetbypeer"},
	{ClassNetwork, "nosuchhost"},
	{ClassNetwork, "tlshandshaketimeout"},
	{ClassNetwork, "serversentgoaway"},
	{ClassServer, "502badgateway"},
	{ClassServer, "504gatewaytime"},
	{ClassPolicy, "prohibited_content"},
	{ClassAuth, "isnotauthorizedtoperform"},
	{ClassAuth, "couldnotfinddefaultcredentials"},
	{ClassAuth, "failedtorefreshcachedcredentials"},
	{ClassAuth, "x-api-keyheader"},
	{ClassAuth, "signaturedoesnotmatch"},
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
	quotes := inHistory(v.plain) // content, which may hold the words of any error
	for _, m := range marks {
		if strings.Contains(v.folded, m.word) && (!quotes || isMember(v.folded, m.word)) {
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
	field, setting := namedField(text)
	root := field[:nameSize(field)]
	switch {
	case root == "":
		return "", false
	case root == "tools" || root == "functions":
		return ClassToolSchema, true
	case root == "model":
		return ClassModel, true
	case setting:
		return ClassSetting, true
	}
	return "", false
}

// isMember reports whether a word is the value of a member of an error body.
func isMember(folded, word string) bool {
	return strings.Contains(word, ":") || strings.Contains(folded, "code:"+word) ||
		strings.Contains(folded, "type:"+word) || strings.Contains(folded, "status:"+word)
}

// inHistory reports whether a text names a place in the history.
func inHistory(text string) bool {
	for i := 0; i < len(text); i++ {
		if nameByte(text[i]) {
			if inRequest(text[i:]) {
				return true
			}
			i += nameSize(text[i:])
		}
	}
	return false
}
