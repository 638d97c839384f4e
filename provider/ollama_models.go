package provider

import "github.com/go-preflight/preflight/rule/problems"

// This file is what the names of models tell about Ollama, on its own API and on that for OpenAI's
// Chat format: the templates of these models have no place for calls, and show a result of a tool
// without saying what it is, or not at all. Ollama refuses nothing of that.

const srcOllama = "https://github.com/ollama/ollama/tree/main/template"

// ollamaChat is Ollama's endpoint for OpenAI's Chat format.
var ollamaChat = definition{
	name:   "ollama-chat",
	format: &openAIChat,
	base:   compatibleHost,
	rules:  ollamaRules,
	change: openAICompatible.change,
	models: ollamaModels,
}

// ollamaRules are the rules of the rows.
var ollamaRules = map[problems.Problem]string{
	problems.ToolsRefused: "chat-template/roles-supported",
}

// ollamaModels are the rows: models by their names in Ollama's library, and by those of the models
// that others import.
var ollamaModels = func() []row {
	var out []row
	for _, pattern := range []string{
		"gemma", "gemma:*", "gemma2", "gemma2:*", "gemma3", "gemma3:*",
		"gemma-1*", "gemma-2*", "gemma-3-*", "gemma-7b*",
		"llama2*", "llama-2-*", "codellama*",
		"llama3", "llama3:*", "llama-3-8b*", "llama-3-70b*", "meta-llama-3-8b*",
		"meta-llama-3-70b*", "llama3-chatqa*",
		"phi3", "phi3:*", "phi-3-*", "vicuna*", "solar", "solar:*", "solar-10*",
		"openchat*", "falcon", "falcon:*", "falcon-7b*", "falcon-40b*", "falcon-180b*",
		"zephyr*", "alpaca*", "magicoder*", "starcoder2:instruct*", "alfred*",
	} {
		out = append(out, row{pattern, traits{refusesTools}, srcOllama, "2026-08"})
	}
	return out
}()
