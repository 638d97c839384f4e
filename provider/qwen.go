package provider

import "github.com/go-preflight/preflight/rule/problems"

// Qwen returns the profile of Alibaba's DashScope in its Chat format, which wants the arguments of
// calls to be JSON objects, and the user to speak: first, so that the repair is stable.
func Qwen(model string) *Profile { return qwen.forModel(model) }

var qwen = definition{
	name:   "qwen",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.Arguments:      "qwen/arguments-json",
		problems.NoMessages:     "qwen/user-missing",
		problems.Dangling:       "qwen/tool-result-missing",
		problems.ResultNotFirst: "qwen/tool-result-missing",
		problems.Orphan:         "qwen/tool-result-orphan",
		problems.ToolReserved:   "qwen/tool-name-search",
		problems.EmptyMessage:   "qwen/content-missing",
		problems.SystemContent:  "qwen/content-missing",
		problems.ResultEmpty:    "qwen/content-missing",
	},
	change: func(p *Profile) {
		p.Turns.Required = true
		p.Tools.Name = openAINames
		p.Tools.ObjectArguments = true
	},
	models: []row{
		{"qwen3-coder-plus*", traits{reservesSearch}, "rule qwen/tool-name-search", "2026-02"},
		{"glm-5-1*", traits{refusesNoContent}, "https://github.com/QwenLM/qwen-code/issues/5265", "2026-06"},
	},
}

// reservesSearch: the name search is kept for a tool of the host. Other models of it take the name.
func reservesSearch(p *Profile) { p.Tools.Reserved = []string{"search"} }

// refusesNoContent: messages with tool calls have a content. Only glm-5.1 was seen to ask for it:
// the messages of go-openai cannot hold an empty one.
func refusesNoContent(p *Profile) { p.Content.BareCalls = []BareContent{BareMissing} }
