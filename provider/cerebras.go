package provider

// Cerebras returns the profile of the Cerebras API. It reads reasoning from the member reasoning,
// and refuses the member that other hosts read it from; package wire renames it.
func Cerebras(model string) *Profile { return cerebras.forModel(model) }

var cerebras = definition{
	name:   "cerebras",
	format: &openAIChat,
	base:   compatibleHost,
}
