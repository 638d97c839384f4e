package openaichat

import (
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of OpenRouter, which passes on the models of others.

var openRouter = host{
	name:  "openrouter",
	words: map[string]string{"openai-chat/content-null": ""},
	own: []fake.Check{
		{Rule: "openai-chat/content-null", Find: openRouterContent},
	},
}

// openRouterContent: beside the details of reasoning, content may be null.
func openRouterContent(r *fake.Request, found fake.Found) {
	contentNull(r, func(path string, fill ...string) {
		for _, m := range messagesOf(r) {
			if m.path+".content" == path && (read.Has(m.object, "content") ||
				len(read.Array(m.object["reasoning_details"])) == 0) {
				found(path, fill...)
			}
		}
	})
}
