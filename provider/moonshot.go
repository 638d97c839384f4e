package provider

// Moonshot returns the profile of the Moonshot API, which serves the Kimi models. It wants the
// reasoning of turns with tool calls back from the models that think.
func Moonshot(model string) *Profile { return moonshot.forModel(model) }

var moonshot = definition{
	name: "moonshot", format: &openAIChat, group: "vendor",
	rows: []row{
		{set: "Roles", to: append([]Role{"cache"}, openAIChat.layout.Roles...)}, // of its context cache
		{rule: "moonshot/tool-call-id-not-found", is: "orphan id-pattern"},
		{rule: "openai-chat/function-name-pattern", set: "Tools.Name", to: openAINames},
		{rule: "moonshot/reasoning-content-missing", not: "moonshot-v1* kimi-k2-0* kimi-k2-turbo*",
			set: "Reasoning.Replay", to: ReplayOnCalls},
		{rule: "moonshot/empty-message", is: "empty-message system-content result-empty",
			set: "Content.NeedsText", to: everyRole()},
	},
}

var moonshotAnthropic = otherVendor("moonshot-anthropic")
