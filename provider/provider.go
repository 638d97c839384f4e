package provider

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file lists the providers, and builds their profiles from the files that describe them.

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

// definition describes one provider. Its profile is the base, with the rules added to the base's
// and then changed.
type definition struct {
	name   string                      // Profile.Provider
	format *definition                 // the provider whose wire format it uses; nil for its own format
	base   func() Profile              // a fresh profile to start from; nil for the format's profile
	rules  map[problems.Problem]string // rule ids, added to those of the base
	change func(p *Profile)            // how it differs from the base; nil for no difference
	models []row                       // its rows of the model table; the first that matches counts

	// aliases: the names of other vendors' models are aliases of the provider's own.
	aliases bool
}

// profile returns a fresh profile of the provider, for no particular model.
func (d *definition) profile() Profile {
	base := d.base
	if base == nil {
		base = d.format.profile
	}
	p := base()
	p.Provider, p.Format = d.name, ""
	if d.format != nil {
		p.Format = d.format.name
	}
	maps.Copy(p.Rules, d.rules)
	if d.change != nil {
		d.change(&p)
	}
	return p
}

// forModel returns a fresh profile of the provider, narrowed to a model; "" narrows nothing. What
// the model refuses on every host comes before the provider's own rows, so that the more specific
// row counts. Where no row of a dialect matches the model, the rows of its format do.
func (d *definition) forModel(model string) *Profile {
	p := d.profile()
	p.Model = model
	d.applyServed(&p, model)
	found := matchingRow(d.models, model)
	if found == nil && d.format != nil {
		found = matchingRow(d.format.models, model)
	}
	if found != nil {
		found.apply(&p)
	}
	return &p
}

// ByName returns the profile of the provider with the given name, as in Profile.Provider, narrowed
// to a model, and whether there is such a provider. An empty or unknown model gives the profile
// that holds for models in general. The profile is the caller's to change.
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
