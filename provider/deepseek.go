package provider

// DeepSeek returns the profile of the DeepSeek API. Models that think want the reasoning of turns
// with tool calls back, and only its presence is checked. Sources differ on whether later turns
// have to carry some as well; reasoning on all of them is accepted. Some models read text only, and
// the first reasoner generation refused reasoning.
func DeepSeek(model string) *Profile { return deepSeek.forModel(model) }

var deepSeek = definition{
	name: "deepseek", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "deepseek/tool-result-missing", is: "dangling result-not-first"},
		{rule: "deepseek/tool-result-orphan", is: "orphan"},
		{rule: "deepseek/tool-call-id-duplicate", is: "duplicate-result id-duplicate"},
		{rule: "deepseek/assistant-empty", is: "empty-message"},
		{rule: "deepseek/role-developer", is: "role-unknown",
			set: "Roles", to: []Role{"system", "user", "assistant", "tool", "function"}},
		{rule: "openai-chat/function-name-pattern", set: "Tools.Name", to: openAINames},
		{rule: "deepseek/reasoning-content-missing", of: "deepseek-v4* deepseek-reasoner*",
			set: "Reasoning.Replay", to: ReplayFromCalls},
		{rule: "deepseek/reasoning-content-forbidden", of: "deepseek-r1*",
			set: "Reasoning.Refused", to: true},
		{rule: "deepseek/image-unsupported", not: "deepseek-v4-flash-vision*",
			of:  "deepseek-v4-flash* deepseek-chat* deepseek-r1* deepseek-reasoner*",
			set: "Media.TextOnly", to: true},
		{rule: "deepseek/successive-roles", is: "alternation", of: "deepseek-r1*",
			set: "Turns.Neighbours", to: NeighboursMerged},
	},
}

// deepSeekAnthropic finds the results of a turn only where its calls come last: text after them
// makes it refuse the request for missing results (Hmbown/Codewhale#4329).
var deepSeekAnthropic = otherVendor("deepseek-anthropic",
	row{rule: "deepseek/tool-result-missing", set: "Turns.TextBeforeCalls", to: true})

// deepSeekResponses gives items UUIDs as ids, and reasoning in full as its content. An item between
// a call and its output hides the call: text and reasoning of the assistant are moved before the
// calls of their turn, and an output before the messages of others.
var deepSeekResponses = definition{
	name: "deepseek-responses", format: &openAIResponses,
	rows: []row{
		{rule: "deepseek/tool-result-missing", is: "dangling result-not-first",
			set: "Pairing.Results", to: ResultsNext},
		{rule: "deepseek/tool-result-missing", set: "Turns.TextBeforeCalls", to: true},
	},
}
