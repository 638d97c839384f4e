package provider

// Ollama returns the profile of Ollama's own /api/chat. It checks neither pairs nor order, and the
// model reads a call without a result and a result without a call: they stay.
func Ollama(model string) *Profile { return ollama.forModel(model) }

var ollama = definition{
	name: "ollama",
	like: &nearChat,
	rows: []row{
		{rule: "ollama/pairing-not-validated", is: "orphan duplicate-result"},
		// control for Granite: https://github.com/langchain-ai/langchain/issues/30122; a further
		// result is accepted as on the OpenAI endpoint
		{set: "AnyRole Pairing.Unpaired Pairing.FurtherResults", to: true},
		{set: "Pairing.Results", to: ResultsAnywhere},
		{rule: "ollama/arguments-invalid-json", set: "Tools.ObjectArguments", to: true},
		{rule: "chat-template/roles-supported", of: ollamaToolless, set: "Tools.NoTools", to: true},
		{set: "Media.InResult Media.NoURLs", to: true},
		{set: "Media.Kinds", to: []string{"image"}},
	},
}

// ollamaChat is Ollama's endpoint for OpenAI's Chat format.
var ollamaChat = definition{
	name: "ollama-chat", format: &openAIChat, group: "compatible",
	rows: []row{
		{set: "AnyRole Pairing.FurtherResults", to: true},
		{rule: "chat-template/roles-supported", of: ollamaToolless, set: "Tools.NoTools", to: true},
	},
}

// ollamaToolless are models by their names in Ollama's library, and by those of the models that
// others import, whose templates in Ollama have no place for calls, and show a result of a tool
// without saying what it is, or not at all. Ollama refuses nothing of that.
const ollamaToolless = "gemma gemma:* gemma2 gemma2:* gemma3 gemma3:* gemma-1* gemma-2* gemma-3-* " +
	"gemma-7b* llama2* llama-2-* codellama* llama3 llama3:* llama-3-8b* llama-3-70b* " +
	"meta-llama-3-8b* meta-llama-3-70b* llama3-chatqa* phi3 phi3:* phi-3-* vicuna* solar solar:* " +
	"solar-10* openchat* falcon falcon:* falcon-7b* falcon-40b* falcon-180b* zephyr* alpaca* " +
	"magicoder* starcoder2:instruct* alfred*"
