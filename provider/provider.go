package provider

import "slices"

// namedProfile is a profile and its Provider.
type namedProfile struct {
	name    string
	profile func() Profile
}

// profiles are the profiles of this package: the formats, then their dialects.
var profiles = append([]namedProfile{
	{"anthropic", anthropic}, {"openai-chat", openAIChat}, {"openai-responses", openAIResponses}, {"gemini", gemini},
	{"bedrock", bedrock}, {"mistral", mistral}, {"cohere", cohere}, {"ollama", ollama},

	{"azure", azure}, {"openrouter", openRouter}, {"deepseek", deepSeek}, {"moonshot", moonshot}, {"qwen", qwen},
	{"minimax", miniMax}, {"glm", glm}, {"xai", xai}, {"groq", groq}, {"openai-compatible", openAICompatible},
	{"chat-template", chatTemplate}, {"gemini-chat", geminiChat},
}, otherDialects...)

// ByName returns the profile of a provider by its name, as in Profile.Provider, narrowed to a model
// ("" for none), and whether there is one.
func ByName(name, model string) (*Profile, bool) {
	k := slices.IndexFunc(profiles, func(p namedProfile) bool { return p.name == name })
	if k < 0 {
		return nil, false
	}
	return narrowed(profiles[k].profile(), model), true
}

// All returns a profile of each provider: the formats, then the dialects.
func All() []*Profile {
	out := make([]*Profile, len(profiles))
	for k := range profiles {
		out[k] = narrowed(profiles[k].profile(), "")
	}
	return out
}

// narrowed returns the profile p narrowed to a model.
func narrowed(p Profile, model string) *Profile {
	if model != "" {
		p = p.ForModel(model)
	}
	return &p
}
