package provider

import "github.com/go-preflight/preflight/rule/problems"

// Cohere returns the profile of Cohere's v2 chat API. Nothing is on record of what it checks beyond
// the pairing of tool calls and the types of content.
func Cohere(model string) *Profile { return cohere.forModel(model) }

var cohere = definition{
	name: "cohere",
	base: nearChat,
	rules: map[problems.Problem]string{
		problems.Dangling:       "cohere/tool-result-missing",
		problems.EmptyMessage:   "cohere/tool-result-missing", // between a call and its result
		problems.SystemContent:  "cohere/tool-result-missing",
		problems.ResultNotFirst: "cohere/tool-result-missing",
		problems.MediaRole:      "cohere/image-user-only",
		problems.MediaInResult:  "cohere/image-user-only",
		problems.MediaRefused:   "cohere/image-unsupported",
	},
	change: func(p *Profile) {
		p.Media.Roles = []Role{"user"}
		p.Media.Kinds = []string{"image"}
	},
	models: []row{
		{"command-r7b*", traits{readsText}, "rule cohere/image-unsupported", "2026-08"},
		{"command-a-reasoning*", traits{readsText}, "rule cohere/image-unsupported", "2026-08"},
	},
}
