package provider

// OpenAICompatible returns the profile for a host of OpenAI's Chat format that is not known
// further: the little that is refused wherever tools are known at all.
func OpenAICompatible(model string) *Profile { return openAICompatible.forModel(model) }

var openAICompatible = definition{
	name:   "openai-compatible",
	format: &openAIChat,
	base:   compatibleHost,
	change: func(p *Profile) {
		p.AnyRole = true
		// recorded from Ollama: rule openai-chat/tool-result-orphan
		p.Pairing.FurtherResults = true
	},
}

// compatibleHost is the profile of hosts that only speak OpenAI's Chat format.
func compatibleHost() Profile {
	p := chatHost()
	p.IDs.Call = Pattern{Optional: true} // Gemini's endpoint for the format makes empty ids
	p.IDs.Unique = ScopeNone
	return p
}
