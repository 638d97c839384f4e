package openaichat

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// The fake of Volcengine, which serves the Doubao models.

var volcengine = host{
	name:  "volcengine",
	words: map[string]string{"openai-chat/content-null": ""},
	own: []fake.Check{
		{Rule: "volcengine/content-missing", Code: "MissingParameter", Find: volcengineContent},
	},
}

// volcengineContent: AstrBot#6852. An empty string is content.
func volcengineContent(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.object["content"] == nil || m.bare() && len(m.calls) == 0 {
			found(m.path + ".content")
		}
	}
}
