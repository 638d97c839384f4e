package provider

// MiniMax returns the profile of the MiniMax API, which wants arguments to be JSON. Sources say
// that system messages alone are refused. So a user turn has to come first: one that is inserted
// later would change what was sent before.
func MiniMax(model string) *Profile { return miniMax.forModel(model) }

var miniMax = definition{
	name: "minimax", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "minimax/tool-result-order", is: "dangling result-not-first orphan"},
		{rule: "minimax/content-empty", is: "no-messages"},
		{rule: "minimax/system-role", is: "system-late", set: "System.Placement", to: SystemLeading},
		{rule: "minimax/system-role", is: "alternation", set: "System.Single", to: true},
		{rule: "minimax/content-empty", is: "first-role", set: "Turns.UserFirst", to: true},
		{rule: "minimax/content-empty", is: "empty-message system-content result-empty",
			set: "Content.NeedsText", to: everyRole()},
		{rule: "openai-chat/arguments-not-json", set: "Tools.ObjectArguments", to: true},
	},
}

var miniMaxAnthropic = otherVendor("minimax-anthropic",
	row{rule: "minimax/system-role", is: "system-late", set: "System.Placement", to: SystemLeading})
