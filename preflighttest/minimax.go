package preflighttest

import "fmt"

// The fake of MiniMax's Chat API.

var miniMaxHost = chatHost{
	name: "minimax",
	ids:  true,
	words: map[string]string{
		"openai-chat/messages-empty":      "minimax/content-empty",
		"openai-chat/content-null":        "",
		"openai-chat/tool-result-missing": "minimax/tool-result-order",
		"openai-chat/tool-result-orphan":  "minimax/tool-result-order",
	},
	own: []check{
		{"minimax/content-empty", "", "bad_request_error",
			needsText("system", "developer", "user", "assistant", "tool", "function")},
		{"openai-chat/content-null", "", "", reasoningAlone},
		{"minimax/content-empty", "", "bad_request_error", miniMaxFirst},
		{"minimax/system-role", "", "bad_request_error", miniMaxSystem},
		{"minimax/tool-parameters", inOwnWords, "bad_request_error", miniMaxParameters},
		{"openai-chat/arguments-not-json", inOwnWords, "bad_request_error", miniMaxArguments},
	},
}

// miniMaxFirst finds a request without a message of the user at its start.
func miniMaxFirst(r *request, found found) {
	messages := openaiChatMessages(r)
	for _, m := range messages {
		if m.role != "system" && m.role != "developer" {
			if m.role != "user" {
				found(m.path)
			}
			return
		}
	}
	if len(messages) > 0 {
		found("messages")
	}
}

// miniMaxSystem finds instructions after the first message.
func miniMaxSystem(r *request, found found) {
	for i, m := range openaiChatMessages(r) {
		if i > 0 && (m.role == "system" || m.role == "developer") {
			found(m.path)
		}
	}
}

func miniMaxArguments(r *request, found found) {
	asObjects(r, func(path string, _ ...string) {
		found(path, inOwnWords, "invalid params, invalid function arguments json string (2013)")
	})
}

// miniMaxParameters: QwenLM/qwen-code#11834.
func miniMaxParameters(r *request, found found) {
	for i, t := range array(r.root["tools"]) {
		function := object(object(t)["function"])
		if _, named := function["name"].(string); named && function["parameters"] == nil {
			found(fmt.Sprintf("tools[%d].function.parameters", i), inOwnWords,
				"invalid params, function parameters is empty (2013)")
		}
	}
}
