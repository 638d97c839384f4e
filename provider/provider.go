package provider

import (
	"iter"
	"slices"
	"strings"
)

// This file lists the providers. What each accepts is in a file of its own.

// definitions are the providers, in the order of All: wire formats, then dialects of them.
var definitions = []*definition{
	&anthropic, &openAIChat, &openAIResponses, &gemini, &bedrock, &mistral, &cohere, &ollama,
	&geminiInteractions,

	&azure, &openRouter, &deepSeek, &moonshot, &qwen, &miniMax, &glm, &xai, &groq,
	&cerebras, &volcengine, &nvidia, &openAICompatible, &chatTemplate, &ollamaChat,
	&geminiChat,

	&bedrockAnthropic, &vertexAnthropic, &openRouterAnthropic, &deepSeekAnthropic,
	&moonshotAnthropic, &miniMaxAnthropic, &glmAnthropic, &vllmAnthropic,

	&azureResponses, &xaiResponses, &deepSeekResponses, &copilotResponses, &openRouterResponses,

	&vertexGemini,
}

// ByName returns the profile of the provider with the given name, as in Profile.Provider, narrowed
// to a model, and whether there is such a provider. An empty, unknown or misspelt model is no error:
// see the package comment. The profile is the caller's to change.
func ByName(name, model string) (*Profile, bool) {
	k := slices.IndexFunc(definitions, func(d *definition) bool { return d.name == name })
	if k < 0 {
		return nil, false
	}
	return definitions[k].forModel(model), true
}

// All returns a profile of each provider: those with a wire format of their own, then the dialects.
// The profiles are the caller's to change.
func All() []*Profile {
	out := make([]*Profile, len(definitions))
	for k, d := range definitions {
		out[k] = d.forModel("")
	}
	return out
}

// Names returns the names of the providers, in the order of All, each with that of its format: "" for
// a wire format itself. It computes no profiles.
func Names() iter.Seq2[string, string] {
	return func(yield func(name, format string) bool) {
		for _, d := range definitions {
			format := ""
			if d.format != nil {
				format = d.format.name
			}
			if !yield(d.name, format) {
				return
			}
		}
	}
}

// Model is a group of models that accept less or more than others of the provider.
type Model struct {
	Provider string   // as in Profile.Provider
	Pattern  string   // of names, in lower case with "-" for "."; * is any characters
	Rules    []string // the rules with the evidence
}

// Models returns the models that a provider's rows name, in a fresh slice. Patterns may overlap.
func Models() []Model {
	var out []Model
	for _, d := range definitions {
		first := len(out)
		for _, r := range d.rows {
			for _, pattern := range strings.Fields(r.of + " " + r.not) {
				k := slices.IndexFunc(out[first:], func(m Model) bool { return m.Pattern == pattern })
				if k < 0 {
					k = len(out) - first
					out = append(out, Model{Provider: d.name, Pattern: pattern})
				}
				if m := &out[first+k]; r.rule != "" && !slices.Contains(m.Rules, r.rule) {
					m.Rules = append(m.Rules, r.rule)
				}
			}
		}
	}
	return out
}
