package openaichat

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// The fake of Alibaba's DashScope in its Chat format.

var qwen = host{
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
	own: []fake.Check{
		{Rule: "openai-chat/function-name-pattern", Code: "invalid_value", Find: functionName},
		{Rule: "openai-chat/empty-tool-calls", Code: "empty_array", Find: emptyCalls},
		{Rule: "qwen/content-missing", Code: "invalid_parameter_error", Find: qwenContent},
		{Rule: "qwen/arguments-json", Code: "invalid_parameter_error", Find: asObjects},
		{Code: "invalid_parameter_error", Find: arguments},
		{Rule: "qwen/tool-name-search", Code: "InvalidParameter", Find: qwenSearch},
		{Rule: "qwen/user-missing", Code: "invalid_parameter_error", Find: qwenUser},
	},
}

// qwenContent: GLM was seen to ask for content beside calls, too.
func qwenContent(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		_, there := m.object["content"]
		if m.bare() && len(m.calls) == 0 || !there && servesModel(r, "glm-") {
			found(m.path + ".content")
		}
	}
}

// qwenUser finds requests that hold nothing but instructions: whether the first words may be the
// assistant's is not on record.
func qwenUser(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role != "system" && m.role != "developer" {
			return
		}
	}
	found("messages")
}

func qwenSearch(r *fake.Request, found fake.Found) {
	if !strings.Contains(r.Model, "qwen3-coder-plus") {
		return // qwen-plus was recorded to accept it
	}
	names(r, func(path, name string) {
		if strings.EqualFold(name, "search") {
			found(path)
		}
	})
}
