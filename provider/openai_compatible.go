package provider

// OpenAICompatible returns the profile for a host of OpenAI's Chat format that is not known
// further: the little that is refused wherever tools are known at all.
func OpenAICompatible(model string) *Profile { return openAICompatible.forModel(model) }

var openAICompatible = definition{
	name:   "openai-compatible",
	format: &openAIChat,
	base:   chatHost,
	change: func(p *Profile) {
		p.IDs.Call = Pattern{Optional: true} // Gemini's endpoint for the format makes empty ids
		p.IDs.Unique = ScopeNone
	},
}
