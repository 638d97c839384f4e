package provider

import "github.com/go-preflight/preflight/rule/problems"

// Groq returns the profile of the Groq API, which refuses members that it does not know. Some
// models refuse reasoning.
func Groq(model string) *Profile { return groq.forModel(model) }

var groq = definition{
	name:   "groq",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.ReasoningRefused: "groq/unknown-property",
		problems.IDPattern:        "groq/tool-fields",
		problems.ResultEmpty:      "groq/tool-fields",
		problems.MediaInResult:    "groq/tool-fields",
		problems.MediaRefused:     "groq/image-unsupported",
	},
	change: func(p *Profile) {
		p.Media.InResult = false
	},
	models: []row{
		{"gpt-oss*", traits{readsText}, "rule groq/image-unsupported", "2026-08"},
		{"compound*", traits{readsText}, "rule groq/image-unsupported", "2026-08"},
		{
			"kimi-k2-instruct*", traits{refusesReasoning},
			"https://github.com/vercel/ai/pull/8057", "2026-02",
		},
	},
}
