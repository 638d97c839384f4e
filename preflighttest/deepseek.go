package preflighttest

import "slices"

// The fake of DeepSeek's Chat API. Its own words are on record in the sources of its rules.

var deepSeekHost = chatHost{
	name: "deepseek",
	ids:  true,
	words: map[string]string{
		"openai-chat/function-name-pattern":  "",
		"openai-chat/role-unknown":           "",
		"openai-chat/content-null":           "",
		"openai-chat/tool-result-missing":    "deepseek/tool-result-missing",
		"openai-chat/tool-result-orphan":     "deepseek/tool-result-orphan",
		"openai-chat/tool-call-id-duplicate": "deepseek/tool-call-id-duplicate",
	},
	own: []check{
		{"openai-chat/function-name-pattern", "", "invalid_value", openaiChatFunctionName},
		{"deepseek/role-developer", "", "invalid_request_error", deepSeekRoles},
		{"deepseek/image-unsupported", "", "invalid_request_error", deepSeekImages},
		{"deepseek/assistant-empty", "", "invalid_request_error", deepSeekEmpty},
		{"openai-chat/content-null", "", "invalid_request_error", deepSeekContent},
		{"deepseek/reasoning-content-missing", "", "invalid_request_error",
			deepSeekReasoning},
		{"deepseek/empty-tool-calls", "", "invalid_request_error", deepSeekEmptyCalls},
		{"deepseek/successive-roles", "", "invalid_request_error", deepSeekSuccessive},
	},
}

func deepSeekRoles(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if has(m.object, "role") &&
			!slices.Contains([]string{"system", "user", "assistant", "tool"}, m.role) {
			found(m.path+".role", "messages[1]", m.path, "`developer`", "`"+m.role+"`")
		}
	}
}

// deepSeekReasoning: V4 and the reasoner want the reasoning of every turn from the first call on,
// unless the request turns thinking off.
func deepSeekReasoning(r *request, found found) {
	thinks := servesModel(r, "deepseek-v4") || servesModel(r, "deepseek-reasoner")
	if !thinks || text(object(r.root["thinking"])["type"]) == "disabled" {
		return
	}
	called := false
	for _, m := range openaiChatMessages(r) {
		called = called || len(m.calls) > 0
		if called && lacksReasoning(m) {
			found(m.path + ".reasoning_content")
		}
	}
}

// deepSeekImages: V4 Pro reads pictures, and the others text alone.
func deepSeekImages(r *request, found found) {
	if servesModel(r, "deepseek-v4-pro") || !servesModel(r, "deepseek-") {
		return
	}
	for _, m := range openaiChatMessages(r) {
		for _, p := range array(m.object["content"]) {
			if kind := text(object(p)["type"]); kind == "image_url" || kind == "file" ||
				kind == "input_audio" {
				found(m.path+".content", "messages[1]", m.path, "image_url", kind)
			}
		}
	}
}

// deepSeekEmpty: null is no content, and an empty string is.
func deepSeekEmpty(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		list, isList := m.object["content"].([]any)
		if m.role == "assistant" && len(m.calls) == 0 &&
			(m.object["content"] == nil || isList && len(list) == 0) {
			found(m.path + ".content")
		}
	}
}

// deepSeekContent: the messages of others have content.
func deepSeekContent(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		list, isList := m.object["content"].([]any)
		if m.role != "assistant" && (m.object["content"] == nil || isList && len(list) == 0) {
			found(m.path + ".content")
		}
	}
}

// deepSeekSuccessive: the first reasoner took neither two users nor two assistants in a row.
func deepSeekSuccessive(r *request, found found) {
	if !servesModel(r, "deepseek-r1") {
		return
	}
	messages := openaiChatMessages(r)
	for i := 1; i < len(messages); i++ {
		if m := messages[i]; m.role == messages[i-1].role &&
			(m.role == "user" || m.role == "assistant") {
			found(m.path)
		}
	}
}

func deepSeekEmptyCalls(r *request, found found) {
	openaiChatEmptyCalls(r, func(path string, _ ...string) {
		found(path, "messages[N].tool_calls", path)
	})
}
