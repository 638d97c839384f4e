package openaichat

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of MiniMax's Chat API.

var miniMax = host{
	name: "minimax",
	ids:  true,
	words: map[string]string{
		"openai-chat/messages-empty":      "minimax/content-empty",
		"openai-chat/content-null":        "",
		"openai-chat/tool-result-missing": "minimax/tool-result-order",
		"openai-chat/tool-result-orphan":  "minimax/tool-result-order",
	},
	own: []fake.Check{
		{Rule: "minimax/content-empty", Code: "bad_request_error", Find: needsText},
		{Rule: "openai-chat/content-null", Find: reasoningAlone},
		{Rule: "minimax/content-empty", Code: "bad_request_error", Find: miniMaxFirst},
		{Rule: "minimax/system-role", Code: "bad_request_error", Find: miniMaxSystem},
		{Rule: "minimax/tool-parameters", Code: "bad_request_error", Find: miniMaxParameters},
		{Rule: "openai-chat/arguments-not-json", Code: "bad_request_error", Find: miniMaxArguments},
	},
}

// miniMaxFirst finds a request without a message of the user at its start.
func miniMaxFirst(r *fake.Request, found fake.Found) {
	messages := messagesOf(r)
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
func miniMaxSystem(r *fake.Request, found fake.Found) {
	for i, m := range messagesOf(r) {
		if i > 0 && (m.role == "system" || m.role == "developer") {
			found(m.path)
		}
	}
}

func miniMaxArguments(r *fake.Request, found fake.Found) {
	asObjects(r, func(path string, _ ...string) {
		found.Says(path, "invalid params, invalid function arguments json string (2013)")
	})
}

// miniMaxParameters: QwenLM/qwen-code#11834.
func miniMaxParameters(r *fake.Request, found fake.Found) {
	for i, t := range read.Array(r.Root["tools"]) {
		function := read.Object(read.Object(t)["function"])
		if _, named := function["name"].(string); named && function["parameters"] == nil {
			found.Says(fmt.Sprintf("tools[%d].function.parameters", i),
				"invalid params, function parameters is empty (2013)")
		}
	}
}
