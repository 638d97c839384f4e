package openaichat

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
)

// The fake of Moonshot's Chat API, which serves the Kimi models.

var moonshot = host{
	name: "moonshot",
	ids:  true,
	words: map[string]string{
		"openai-chat/function-name-pattern": "",
		"openai-chat/content-null":          "",
		"openai-chat/tool-result-orphan":    "moonshot/tool-call-id-not-found",
		"openai-chat/tool-call-id-length":   "moonshot/tool-call-id-not-found",
	},
	own: []fake.Check{
		{Rule: "openai-chat/function-name-pattern", Code: "invalid_value", Find: functionName},
		{Rule: "moonshot/empty-message", Code: "invalid_request_error", Find: needsText},
		{Rule: "openai-chat/content-null", Find: reasoningAlone},
		{
			Rule: "moonshot/reasoning-content-missing",
			Code: "invalid_request_error",
			Find: moonshotReasoning,
		},
		{Rule: "moonshot/tool-duplicate", Code: "invalid_request_error", Find: moonshotTools},
	},
}

// moonshotReasoning: all models but those before K2.5 want the reasoning of calls.
func moonshotReasoning(r *fake.Request, found fake.Found) {
	for _, early := range []string{"moonshot-v1", "kimi-k2-0", "kimi-k2-turbo"} {
		if servesModel(r, early) {
			return
		}
	}
	for i, m := range messagesOf(r) {
		if len(m.calls) > 0 && lacksReasoning(r, m) {
			found(m.path+".reasoning_content", "index N", fmt.Sprintf("index %d", i))
		}
	}
}

func moonshotTools(r *fake.Request, found fake.Found) {
	seen := map[string]bool{}
	openai.Tools(r.Root, func(path, name string) {
		if seen[name] {
			found.Says(path, "function name "+name+" is duplicated")
		}
		seen[name] = true
	})
}
