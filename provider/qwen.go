package provider

import "github.com/go-preflight/preflight/rule"

// Qwen is the profile of Alibaba's DashScope in its Chat format, which wants the arguments of calls
// to be JSON objects.
func Qwen(model string) *Profile { return narrowed(qwen(), model) }

func qwen() Profile {
	return chatHost("qwen", map[rule.Problem]string{
		rule.Arguments:      "qwen/arguments-json",
		rule.Dangling:       "qwen/tool-result-missing",
		rule.ResultNotFirst: "qwen/tool-result-missing",
		rule.Orphan:         "qwen/tool-result-orphan",
		rule.ToolReserved:   "qwen/tool-name-search",
	}, func(p *Profile) {
		p.Tools.Name = openAINames
		p.Tools.Reserved = []string{"search"}
		p.Tools.ObjectArguments = true
	})
}
