package provider

import "github.com/go-preflight/preflight/rule"

// Ollama is the profile of Ollama's own /api/chat. It does not look at pairs and order, and drops
// silently what a template has no place for: sound histories answer better.
func Ollama(model string) *Profile { return narrowed(ollama(), model) }

func ollama() Profile {
	const pairing = "ollama/pairing-not-validated"
	return nearChatHost("ollama", map[rule.Problem]string{
		rule.Arguments:       "ollama/arguments-invalid-json",
		rule.Dangling:        pairing,
		rule.Orphan:          pairing,
		rule.DuplicateResult: pairing,
		rule.ResultNotFirst:  pairing,
	}, func(p *Profile) {
		p.Tools.ObjectArguments = true
		p.Media.InResult = true
		p.Media.Kinds = []string{"image"}
		p.Media.NoURLs = true
	})
}
