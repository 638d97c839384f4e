package provider

import "github.com/go-preflight/preflight/rule"

// XAI returns the profile of the xAI API, where every message has content. Empty text is content.
func XAI(model string) *Profile { return xai.forModel(model) }

var xai = definition{
	name:   "xai",
	format: &openAIChat,
	base:   chatHost,
	rules: map[rule.Problem]string{
		rule.EmptyMessage:  "xai/content-element",
		rule.SystemContent: "xai/content-element",
		rule.ResultEmpty:   "xai/content-element",
	},
}

var xaiResponses = definition{
	name:   "xai-responses",
	format: &openAIResponses,
	change: freeItems,
}
