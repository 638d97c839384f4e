package provider

// GeminiInteractions returns the profile of Google's Interactions API for Gemini models, for a
// request whose input is a text, contents or steps. Package wire adjusts it to one with turns, and
// to one that continues an interaction, of which the provider holds an earlier part.
//
// Each step is one message. Hardly any refusal of this API is on record, so that the profile
// restricts what the API documents as required and little else.
func GeminiInteractions(model string) *Profile { return geminiInteractions.forModel(model) }

var geminiInteractions = definition{
	name: "gemini-interactions",
	layout: Profile{
		Roles: []Role{"system", "user", "assistant", "tool"},
		Turns: TurnRules{Neighbours: NeighboursJoined},
		Pairing: PairingRules{
			ResultRole: "tool", OneResultPerMessage: true, Results: ResultsAnywhere,
		},
		Tools: ToolRules{NoServerTools: true},
		Media: MediaRules{InResult: true},
		Items: ItemRules{OnePartPerMessage: true},
		Cache: CacheRules{Limit: NoCache},
	},
	rows: []row{
		{rule: "gemini-interactions/result-missing", is: "dangling"},
		{rule: "gemini-interactions/result-orphan", is: "orphan duplicate-result"},
		{rule: "gemini-interactions/required-members", is: "tool-name-length"},
		{rule: "gemini-interactions/required-members", is: "id-pattern",
			set: "IDs.Call", to: Pattern{Min: 1}},
		{rule: "gemini-interactions/required-members", set: "Tools.ObjectArguments", to: true},
		{rule: "gemini-interactions/roles", is: "role-unknown"},
		{rule: "gemini-interactions/roles", is: "system-late",
			set: "System.Placement", to: SystemLeading},
		// an instruction without text is read as none
		{rule: "gemini-interactions/roles", is: "empty-message system-content",
			set: "Content.NeedsText", to: []Role{"system"}},
		{rule: "gemini-interactions/roles",
			set: "Media.Roles", to: []Role{"user", "assistant", "tool"}},
		{rule: "openai-chat/image-undecodable", set: "Media.Decodable", to: true},
		{rule: "gemini-interactions/result-media", of: "gemini-2*", set: "Media.InResult", to: false},
	},
}
