package provider

import "github.com/go-preflight/preflight/rule"

// Volcengine returns the profile of Volcengine Ark in its Chat format, where every message has
// content. Empty text is content.
func Volcengine(model string) *Profile { return volcengine.forModel(model) }

var volcengine = definition{
	name:   "volcengine",
	format: &openAIChat,
	base:   compatibleHost,
	rules: map[rule.Problem]string{
		rule.EmptyMessage:  "volcengine/content-missing",
		rule.SystemContent: "volcengine/content-missing",
		rule.ResultEmpty:   "volcengine/content-missing",
	},
	change: func(p *Profile) {
		p.Content.BareCalls = []BareContent{BareMissing, BareNull}
	},
}
