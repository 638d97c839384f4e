package provider

import "github.com/go-preflight/preflight/rule"

// Qwen returns the profile of Alibaba's DashScope in its Chat format, which wants the arguments of
// calls to be JSON objects, and the user to speak: first, so that the repair is stable.
func Qwen(model string) *Profile { return qwen.forModel(model) }

var qwen = definition{
	name:   "qwen",
	format: &openAIChat,
	base:   chatHost,
	rules: map[rule.Problem]string{
		rule.Arguments:      "qwen/arguments-json",
		rule.NoMessages:     "qwen/user-missing",
		rule.Dangling:       "qwen/tool-result-missing",
		rule.ResultNotFirst: "qwen/tool-result-missing",
		rule.Orphan:         "qwen/tool-result-orphan",
		rule.ToolReserved:   "qwen/tool-name-search",
		rule.EmptyMessage:   "qwen/content-missing",
		rule.SystemContent:  "qwen/content-missing",
		rule.ResultEmpty:    "qwen/content-missing",
	},
	change: func(p *Profile) {
		p.Turns.Required = true
		p.Tools.Name = openAINames
		p.Tools.Reserved = []string{"search"}
		p.Tools.ObjectArguments = true
	},
	models: []row{
		{"glm-*", traits{refusesNoContent}, "https://github.com/QwenLM/qwen-code/issues/5265", "2026-06"},
	},
}

// refusesNoContent: messages with tool calls have a content. Only GLM was seen to ask for it: the
// messages of go-openai cannot hold an empty one.
func refusesNoContent(p *Profile) { p.Content.BareCalls = []BareContent{BareMissing} }
