package preflight

import "slices"

// This file finds a profile by the name of its provider.

// namedProfile is a profile and its Provider.
type namedProfile struct {
	name    string
	profile func() Profile
}

// profiles are the profiles of this package: the formats, then their dialects.
var profiles = append([]namedProfile{
	{"anthropic", Anthropic}, {"openai-chat", OpenAIChat}, {"openai-responses", OpenAIResponses}, {"gemini", Gemini},
	{"bedrock", Bedrock}, {"mistral", Mistral}, {"cohere", Cohere}, {"ollama", Ollama},

	{"azure", Azure}, {"openrouter", OpenRouter}, {"deepseek", DeepSeek}, {"moonshot", Moonshot}, {"qwen", Qwen},
	{"minimax", MiniMax}, {"glm", GLM}, {"xai", XAI}, {"groq", Groq}, {"openai-compatible", OpenAICompatible},
	{"chat-template", ChatTemplate}, {"gemini-chat", geminiChat},
}, otherDialects...)

// ProfileFor returns the profile of a provider by its name, as in Profile.Provider, and whether there is one.
func ProfileFor(provider string) (Profile, bool) {
	k := slices.IndexFunc(profiles, func(p namedProfile) bool { return p.name == provider })
	if k < 0 {
		return Profile{}, false
	}
	return profiles[k].profile(), true
}

// Profiles returns the profiles of this package, in the order in which wire.Providers lists their names.
func Profiles() []Profile {
	out := make([]Profile, len(profiles))
	for k := range profiles {
		out[k] = profiles[k].profile()
	}
	return out
}
