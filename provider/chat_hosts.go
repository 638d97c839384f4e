package provider

// This file has the hosts of OpenAI's Chat format that no rule of their own is known of, or one.

// Azure returns the profile of Azure OpenAI's Chat Completions, which answers with OpenAI's texts.
func Azure(model string) *Profile { return azure.forModel(model) }

// azure's models of other vendors take media in tool results: https://github.com/crmne/ruby_llm/blob/
// 4bab6e26/spec/fixtures/vcr_cassettes/chat_content_object_support_azure_grok-4-1-fast-non-reasoning_
// preserves_content_objects_returned_from_tools.yml
var azure = definition{
	name: "azure", format: &openAIChat, group: "openai",
	rows: []row{
		{of: "grok-*", set: "Media.Roles", to: []Role{"user", "tool"}},
		{of: "grok-*", set: "Media.InResult", to: true},
	},
}

// OpenAICompatible returns the profile for a host of OpenAI's Chat format that is not known
// further: the little that is refused wherever tools are known at all.
func OpenAICompatible(model string) *Profile { return openAICompatible.forModel(model) }

var openAICompatible = definition{
	name: "openai-compatible", format: &openAIChat, group: "compatible", rows: anyServer,
}

// anyServer is what servers of open models accept, as recorded from Ollama: roles of their own, and
// a further result of a call (rule openai-chat/tool-result-orphan).
var anyServer = []row{{set: "AnyRole Pairing.FurtherResults", to: true}}

// OpenRouter returns the profile of OpenRouter. The rules are those of the host it chooses, which
// is not known beforehand. What one host refuses, others were recorded to accept: long ids, files
// without a name, media of every kind and in tool results, and messages of empty text. The
// reasoning_details it wants back are opaque.
func OpenRouter(model string) *Profile { return openRouter.forModel(model) }

var openRouter = definition{name: "openrouter", format: &openAIChat, group: "compatible"}

// Cerebras returns the profile of the Cerebras API. It reads reasoning from the member reasoning,
// and refuses the member that other hosts read it from; package wire renames it.
func Cerebras(model string) *Profile { return cerebras.forModel(model) }

var cerebras = definition{name: "cerebras", format: &openAIChat, group: "compatible"}

// NVIDIA returns the profile of NVIDIA's hosted NIM, which passes messages to the chat template of
// each model.
func NVIDIA(model string) *Profile { return nvidia.forModel(model) }

var nvidia = definition{
	name: "nvidia", format: &openAIChat, group: "compatible",
	rows: []row{{rule: "chat-template/alternation-mistral3", of: "mistral-*",
		set: "Turns.BridgeResults", to: true}},
}

// Volcengine returns the profile of Volcengine Ark in its Chat format, where every message has
// content. Empty text is content.
func Volcengine(model string) *Profile { return volcengine.forModel(model) }

var volcengine = definition{
	name: "volcengine", format: &openAIChat, group: "compatible",
	rows: []row{{rule: "volcengine/content-missing", is: "empty-message system-content result-empty",
		set: "Content.BareCalls", to: []BareContent{BareMissing, BareNull}}},
}
