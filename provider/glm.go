package provider

// GLM returns the profile of Zhipu's API, which answers every defect of structure with the same
// error: all of them are repaired.
func GLM(model string) *Profile { return glm.forModel(model) }

var glm = definition{
	name: "glm", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "glm/messages-invalid", is: "no-messages dangling result-not-first orphan"},
		{rule: "openai-chat/function-name-pattern", set: "Tools.Name", to: openAINames},
		// social-growth-studio/req_llm zai_coder tool_round_trip_2
		{set: "IDs.Call", to: Pattern{Optional: true}},
		{set: "Pairing.ResultIDOptional", to: true},
		{rule: "glm/messages-invalid", is: "first-role", set: "Turns.UserFirst", to: true},
		{rule: "glm/messages-invalid", is: "empty-message system-content result-empty",
			set: "Content.NeedsText", to: everyRole()},
		{rule: "glm/alternation", is: "alternation", of: "glm-5*",
			set: "Turns.Neighbours", to: NeighboursMerged},
	},
}

var glmAnthropic = otherVendor("glm-anthropic")
