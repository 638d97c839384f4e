package preflight

// This file finds a profile by the name of its provider.

// profiles are the profiles of this package: the formats, then the hosts that speak OpenAI's Chat format.
var profiles = []func() Profile{
	Anthropic, OpenAIChat, OpenAIResponses, Gemini, Bedrock, Mistral, Cohere, Ollama,
	Azure, OpenRouter, DeepSeek, Moonshot, Qwen, MiniMax, GLM, XAI, Groq, OpenAICompatible, ChatTemplate,
}

// ProfileFor returns the profile of a provider by its name, as in Profile.Provider, and whether there is one.
func ProfileFor(provider string) (Profile, bool) {
	for _, profile := range profiles {
		if p := profile(); p.Provider == provider {
			return p, true
		}
	}
	return Profile{}, false
}

// Profiles returns the profiles of this package, in the order in which wire.Providers lists their names.
func Profiles() []Profile {
	out := make([]Profile, len(profiles))
	for k, profile := range profiles {
		out[k] = profile()
	}
	return out
}
