package provider

import "github.com/go-preflight/preflight/rule/problems"

// Ollama returns the profile of Ollama's own /api/chat. It checks neither pairs nor order, and the
// model reads a call without a result and a result without a call: they stay.
func Ollama(model string) *Profile { return ollama.forModel(model) }

var ollama = definition{
	name: "ollama",
	base: nearChat,
	rules: map[problems.Problem]string{
		problems.Arguments:       "ollama/arguments-invalid-json",
		problems.Orphan:          "ollama/pairing-not-validated",
		problems.DuplicateResult: "ollama/pairing-not-validated",
		problems.ToolsRefused:    "chat-template/roles-supported",
	},
	change: func(p *Profile) {
		p.AnyRole = true // control for Granite: https://github.com/langchain-ai/langchain/issues/30122
		p.Pairing.Unpaired, p.Pairing.Results = true, ResultsAnywhere
		p.Pairing.FurtherResults = true // as on its OpenAI endpoint
		p.Tools.ObjectArguments = true
		p.Media.InResult = true
		p.Media.Kinds = []string{"image"}
		p.Media.NoURLs = true
	},
	models: ollamaModels,
}
