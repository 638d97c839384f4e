package bedrock

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// The order of roles.

func start(r *fake.Request, found fake.Found) {
	messages := opened(r).messages
	if len(messages) == 0 {
		found("messages")
	} else if messages[0].role == "assistant" && wantsUser(r.Model) {
		found(messagePath(0))
	}
}

// wantsUser knows the makers whose models were measured to refuse an
// assistant's message as the first (https://github.com/pydantic/pydantic-ai/pull/6255).
// Of Claude's, only the third generation is on record.
func wantsUser(model string) bool {
	for _, maker := range strings.Fields("amazon.nova meta.llama mistral. cohere. ai21. writer.") {
		if strings.Contains(model, maker) {
			return true
		}
	}
	return strings.Contains(model, "claude-3")
}

func alternation(r *fake.Request, found fake.Found) {
	messages := opened(r).messages
	for i := 1; i < len(messages) && (old(r.Model) || strictest(r)); i++ {
		if messages[i].role == messages[i-1].role {
			found(messagePath(i))
		}
	}
}
