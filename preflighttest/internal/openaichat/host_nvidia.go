package openaichat

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// The fake of NVIDIA's hosted models, which render the chat templates of their makers.

var nvidia = host{
	name: "nvidia",
	own: []fake.Check{
		{Rule: "chat-template/alternation-mistral3", Code: "BadRequestError", Find: nvidiaBridge},
	},
}

// nvidiaBridge: hermes-agent#20154.
func nvidiaBridge(r *fake.Request, found fake.Found) {
	if !servesModel(r, "mistral-") {
		return
	}
	messages := messagesOf(r)
	for i := 1; i < len(messages); i++ {
		if messages[i].role == "user" && messages[i-1].role == "tool" {
			found.Says(messages[i].path, "Unexpected role 'user' after role 'tool'")
		}
	}
}
