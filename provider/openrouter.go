package provider

// OpenRouter returns the profile of OpenRouter. The rules are those of the host it chooses, which
// is not known beforehand. What one host refuses, others were recorded to accept: long ids, files
// without a name, media of every kind and in tool results, and messages of empty text. The
// reasoning_details it wants back are opaque.
func OpenRouter(model string) *Profile { return openRouter.forModel(model) }

var openRouter = definition{
	name:   "openrouter",
	format: &openAIChat,
	base:   chatHost,
	change: func(p *Profile) {
		p.IDs.Call = Pattern{Optional: true}
		p.IDs.Unique = ScopeNone
	},
	models: o1Models,
}

// openRouterAnthropic is OpenRouter's endpoint for Anthropic's format. Nothing is known to differ.
var openRouterAnthropic = definition{name: "openrouter-anthropic", format: &anthropic}

var openRouterResponses = definition{
	name:   "openrouter-responses",
	format: &openAIResponses,
	change: freeItems,
}
