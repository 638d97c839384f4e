package preflighttest

import "fmt"

// The fake of Moonshot's Chat API, which serves the Kimi models.

var moonshotHost = chatHost{
	name: "moonshot",
	ids:  true,
	words: map[string]string{
		"openai-chat/function-name-pattern": "",
		"openai-chat/content-null":          "",
		"openai-chat/tool-result-orphan":    "moonshot/tool-call-id-not-found",
		"openai-chat/tool-call-id-length":   "moonshot/tool-call-id-not-found",
	},
	own: []check{
		{"openai-chat/function-name-pattern", "", "invalid_value", openaiChatFunctionName},
		{"moonshot/empty-message", "", "invalid_request_error",
			needsText("system", "developer", "user", "assistant", "tool", "function")},
		{"openai-chat/content-null", "", "", reasoningAlone},
		{"moonshot/reasoning-content-missing", "", "invalid_request_error",
			moonshotReasoning},
		{"moonshot/tool-duplicate", inOwnWords, "invalid_request_error", moonshotTools},
	},
}

// moonshotReasoning: all models but those before K2.5 want the reasoning of calls.
func moonshotReasoning(r *request, found found) {
	for _, early := range []string{"moonshot-v1", "kimi-k2-0", "kimi-k2-turbo"} {
		if servesModel(r, early) {
			return
		}
	}
	for i, m := range openaiChatMessages(r) {
		if len(m.calls) > 0 && lacksReasoning(m) {
			found(m.path+".reasoning_content", "index N", fmt.Sprintf("index %d", i))
		}
	}
}

func moonshotTools(r *request, found found) {
	seen := map[string]bool{}
	openaiTools(r.root, func(path, name string) {
		if seen[name] {
			found(path, inOwnWords, "function name "+name+" is duplicated")
		}
		seen[name] = true
	})
}
