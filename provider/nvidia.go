package provider

import "github.com/go-preflight/preflight/rule/problems"

// NVIDIA returns the profile of NVIDIA's hosted NIM, which passes messages to the chat template of
// each model.
func NVIDIA(model string) *Profile { return nvidia.forModel(model) }

var nvidia = definition{
	name:   "nvidia",
	format: &openAIChat,
	base:   compatibleHost,
	rules:  map[problems.Problem]string{problems.Bridge: "chat-template/alternation-mistral3"},
	models: []row{
		{"mistral-*", traits{bridgesResults}, srcNVIDIA, "2026-05"},
	},
}

const srcNVIDIA = "https://github.com/NousResearch/hermes-agent/issues/20154"

// bridgesResults: an assistant message is between tool results and the next user message.
func bridgesResults(p *Profile) { p.Turns.BridgeResults = true }
