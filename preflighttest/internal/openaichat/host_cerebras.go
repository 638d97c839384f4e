package openaichat

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// The fake of Cerebras, which takes back no reasoning.

var cerebras = host{
	name: "cerebras",
	own: []fake.Check{
		{
			Rule: "openai-compatible/reasoning-fields",
			Code: "wrong_api_format",
			Find: cerebrasReasoning,
		},
	},
}

// cerebrasReasoning: qwen-code#11045.
func cerebrasReasoning(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if _, there := m.object["reasoning_content"]; there && m.role == "assistant" {
			path := m.path + ".reasoning_content"
			found.Says(path, "property '"+path+"' is unsupported")
		}
	}
}
