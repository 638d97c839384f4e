package provider

// XAI returns the profile of the xAI API, where every message has content. Empty text is content.
func XAI(model string) *Profile { return xai.forModel(model) }

var xai = definition{
	name: "xai", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "xai/arguments-json", of: "grok-2*", set: "Tools.ObjectArguments", to: true},
		// models that accept it answer so themselves
		{rule: "xai/content-element", is: contentElement, not: "grok-2* grok-4-0709",
			set: "Content.BareCalls", to: []BareContent{BareNull}},
		// earlier models were recorded to accept an empty list
		{rule: "xai/content-element", is: contentElement, of: "grok-4-1-fast*",
			set: "Content.BareCalls", to: []BareContent{BareNull, BareList}},
	},
}

const contentElement = "empty-message system-content result-empty"
