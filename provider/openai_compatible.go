package provider

// OpenAICompatible is the profile for a host that copied OpenAI's API and is not known further: the
// little that is refused wherever tools are known at all. Its ids, names and fields are its own.
func OpenAICompatible(model string) *Profile { return narrowed(openAICompatible(), model) }

func openAICompatible() Profile {
	return chatHost("openai-compatible", nil, func(p *Profile) {
		p.IDs.Call = Pattern{Optional: true} // the endpoint of Gemini makes empty ones
		p.IDs.Unique = ScopeNone
	})
}
