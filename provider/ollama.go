package provider

import "github.com/go-preflight/preflight/rule/problems"

// Ollama returns the profile of Ollama's own /api/chat. It does not check pairing and order, and
// drops in silence what a template has no place for: repaired histories get better answers.
func Ollama(model string) *Profile { return ollama.forModel(model) }

var ollama = definition{
	name: "ollama",
	base: nearChat,
	rules: map[problems.Problem]string{
		problems.Arguments:       "ollama/arguments-invalid-json",
		problems.Dangling:        "ollama/pairing-not-validated",
		problems.Orphan:          "ollama/pairing-not-validated",
		problems.DuplicateResult: "ollama/pairing-not-validated",
		problems.ResultNotFirst:  "ollama/pairing-not-validated",
		problems.ToolsRefused:    "chat-template/roles-supported",
	},
	change: func(p *Profile) {
		p.AnyRole = true                // control for Granite: https://github.com/langchain-ai/langchain/issues/30122
		p.Pairing.FurtherResults = true // as on its OpenAI endpoint
		p.Tools.ObjectArguments = true
		p.Media.InResult = true
		p.Media.Kinds = []string{"image"}
		p.Media.NoURLs = true
	},
	models: ollamaModels,
}
