package provider

// otherDialects are their profiles. A row that changes nothing says that nothing is known to
// differ: the format's rules hold, and so do those for its models.
var otherDialects = []namedProfile{
	dialect("bedrock-anthropic", anthropic, bedrockAnthropic),
	dialect("vertex-anthropic", anthropic, nil),
	dialect("openrouter-anthropic", anthropic, nil),
	dialect("deepseek-anthropic", anthropic, deepSeekAnthropic),
	dialect("moonshot-anthropic", anthropic, otherVendor),
	dialect("minimax-anthropic", anthropic, otherVendor),
	dialect("glm-anthropic", anthropic, otherVendor),
	dialect("vllm-anthropic", anthropic, otherVendor),

	dialect("azure-responses", openAIResponses, azureResponses),
	dialect("xai-responses", openAIResponses, (*Profile).freeItems),
	dialect("deepseek-responses", openAIResponses, deepSeekResponses),
	dialect("copilot-responses", openAIResponses, (*Profile).freeItems),
	dialect("openrouter-responses", openAIResponses, (*Profile).freeItems),

	dialect("vertex-gemini", gemini, VertexGemini),
}

// dialect is the profile of a host that accepts what the format's own provider accepts, except for
// what change says.
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
