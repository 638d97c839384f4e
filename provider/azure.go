package provider

// Azure returns the profile of Azure OpenAI's Chat Completions, which answers with OpenAI's texts.
func Azure(model string) *Profile { return azure.forModel(model) }

var azure = definition{
	name:   "azure",
	format: &openAIChat,
	change: func(p *Profile) {
		p.Content.SingleKinds = []string{"audio", "function_call"}
	},
	models: o1Models,
}
