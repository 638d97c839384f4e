package preflighttest

import "strings"

// The fake of Alibaba's DashScope in its Chat format.

var qwenHost = chatHost{
	name: "qwen",
	ids:  true,
	words: map[string]string{
		"openai-chat/function-name-pattern": "",
		"openai-chat/content-null":          "",
		"openai-chat/arguments-not-json":    "",
		"openai-chat/messages-empty":        "",
		"openai-chat/tool-result-missing":   "qwen/tool-result-missing",
		"openai-chat/tool-result-orphan":    "qwen/tool-result-orphan",
	},
	own: []check{
		{"openai-chat/function-name-pattern", "", "invalid_value", openaiChatFunctionName},
		{"qwen/content-missing", "", "invalid_parameter_error", qwenContent},
		{"qwen/arguments-json", "", "invalid_parameter_error", asObjects},
		{"", inOwnWords, "invalid_parameter_error", openaiChatArguments},
		{"qwen/tool-name-search", "", "InvalidParameter", qwenSearch},
		{"qwen/user-missing", "", "invalid_parameter_error", qwenUser},
	},
}

// qwenContent: GLM was seen to ask for content beside calls, too.
func qwenContent(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		list, isList := m.object["content"].([]any)
		empty := m.object["content"] == nil || isList && len(list) == 0
		_, there := m.object["content"]
		if empty && len(m.calls) == 0 || !there && servesModel(r, "glm-") {
			found(m.path + ".content")
		}
	}
}

// qwenUser finds requests that hold nothing but instructions: whether the first words may be the
// assistant's is not on record.
func qwenUser(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if m.role != "system" && m.role != "developer" {
			return
		}
	}
	found("messages")
}

func qwenSearch(r *request, found found) {
	judge := func(path, name string) {
		if strings.EqualFold(name, "search") {
			found(path)
		}
	}
	openaiTools(r.root, judge)
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			judge(c.path+".function.name", text(c.function["name"]))
		}
	}
}
