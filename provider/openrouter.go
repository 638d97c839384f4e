package provider

// OpenRouter is the profile of OpenRouter. The rules are those of the host it chooses, which nobody
// knows beforehand: of what one of them refuses, others were recorded to accept long ids, files
// without a name, media of every kind and in tool results, and messages of empty text. The
// reasoning_details it wants back are opaque.
func OpenRouter(model string) *Profile { return narrowed(openRouter(), model) }

func openRouter() Profile {
	return chatHost("openrouter", nil, func(p *Profile) {
		p.IDs.Call = Pattern{Optional: true}
		p.IDs.Unique = ScopeNone
	})
}
