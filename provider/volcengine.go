package provider

import "github.com/go-preflight/preflight/rule/problems"

// Volcengine returns the profile of Volcengine Ark in its Chat format, where every message has
// content. Empty text is content.
func Volcengine(model string) *Profile { return volcengine.forModel(model) }

var volcengine = definition{
	name:   "volcengine",
	format: &openAIChat,
	base:   compatibleHost,
	rules: map[problems.Problem]string{
		problems.EmptyMessage:  "volcengine/content-missing",
		problems.SystemContent: "volcengine/content-missing",
		problems.ResultEmpty:   "volcengine/content-missing",
	},
	change: func(p *Profile) {
		p.Content.BareCalls = []BareContent{BareMissing, BareNull}
	},
}
