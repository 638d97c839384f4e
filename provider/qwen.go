package provider

// Qwen returns the profile of Alibaba's DashScope in its Chat format, which wants the arguments of
// calls to be JSON objects, and a message of the user. A user turn comes first: see MiniMax.
func Qwen(model string) *Profile { return qwen.forModel(model) }

var qwen = definition{
	name: "qwen", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "qwen/tool-result-missing", is: "dangling result-not-first"},
		{rule: "qwen/tool-result-orphan", is: "orphan"},
		{rule: "qwen/user-missing", set: "Turns.Required", to: true},
		{rule: "openai-chat/function-name-pattern", set: "Tools.Name", to: openAINames},
		{rule: "qwen/arguments-json", set: "Tools.ObjectArguments", to: true},
		{rule: "qwen/tool-name-search", of: "qwen3-coder-plus*",
			set: "Tools.Reserved", to: []string{"search"}},
		// the messages of go-openai cannot hold an empty content
		{rule: "qwen/content-missing", is: "empty-message system-content result-empty", of: "glm-5-1*",
			set: "Content.BareCalls", to: []BareContent{BareMissing}},
	},
}
