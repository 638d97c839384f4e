package preflight

// This file is the dialects of the formats other than OpenAI's Chat: hosts that speak a provider's format with rules of
// their own. Those of OpenAI's Chat are in providers_chat.go.

// otherDialects are their profiles. A row that changes nothing says that nothing is known to differ: the format's rules hold,
// and so do those for its models.
var otherDialects = []namedProfile{
	dialect("bedrock-anthropic", Anthropic, bedrockAnthropic),
	dialect("vertex-anthropic", Anthropic, nil),
	dialect("openrouter-anthropic", Anthropic, nil),
	dialect("deepseek-anthropic", Anthropic, deepSeekAnthropic),
	dialect("moonshot-anthropic", Anthropic, otherVendor),
	dialect("minimax-anthropic", Anthropic, otherVendor),
	dialect("glm-anthropic", Anthropic, otherVendor),
	dialect("vllm-anthropic", Anthropic, otherVendor),

	dialect("azure-responses", OpenAIResponses, azureResponses),
	dialect("xai-responses", OpenAIResponses, (*Profile).freeItems),
	dialect("deepseek-responses", OpenAIResponses, deepSeekResponses),
	dialect("copilot-responses", OpenAIResponses, (*Profile).freeItems),
	dialect("openrouter-responses", OpenAIResponses, (*Profile).freeItems),

	dialect("vertex-gemini", Gemini, vertexGemini),
}

// dialect is the profile of a host that accepts what the format's own provider accepts, except for what change says.
func dialect(name string, format func() Profile, change func(p *Profile)) namedProfile {
	return namedProfile{name, func() Profile {
		p := format()
		p.Format, p.Provider = p.Provider, name
		if change != nil {
			change(&p)
		}
		return p
	}}
}
