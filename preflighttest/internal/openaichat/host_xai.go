package openaichat

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// The fake of xAI's Chat API, which serves the Grok models.

var xai = host{
	name:  "xai",
	ids:   true,
	words: map[string]string{"openai-chat/content-null": ""},
	own: []fake.Check{
		{Rule: "xai/content-element", Code: "invalid-argument", Find: xaiContent},
		{Rule: "xai/arguments-json", Code: "invalid-argument", Find: xaiArguments},
	},
}

// xaiArguments: only grok-2 was seen to read the arguments of calls (spiceai#4734).
func xaiArguments(r *fake.Request, found fake.Found) {
	if servesModel(r, "grok-2") {
		asObjects(r, found)
	}
}

// xaiContent: langchain#34140, and AstrBot#6551 for messages that have no calls.
// Calls without the member were recorded, with null for grok-4-0709, and with an
// empty list for grok-2, which nobody saw refuse null.
func xaiContent(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		content, there := m.object["content"]
		switch calls := len(m.calls) > 0; {
		case !calls && m.bare(),
			calls && there && content == nil && !servesModel(r, "grok-2") &&
				!servesModel(r, "grok-4-0709"),
			calls && content != nil && m.bare() && servesModel(r, "grok-4-1-fast"):
			found(m.path + ".content")
		}
	}
}
