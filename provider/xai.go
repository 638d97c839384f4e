package provider

import "github.com/go-preflight/preflight/rule/problems"

// XAI returns the profile of the xAI API, where every message has content. Empty text is content.
func XAI(model string) *Profile { return xai.forModel(model) }

var xai = definition{
	name:   "xai",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.Arguments:     "xai/arguments-json",
		problems.EmptyMessage:  "xai/content-element",
		problems.SystemContent: "xai/content-element",
		problems.ResultEmpty:   "xai/content-element",
	},
	change: func(p *Profile) {
		p.Content.BareCalls = []BareContent{BareNull}
	},
	models: []row{
		{
			"grok-2*", traits{acceptsBare, refusesArguments},
			"social-growth-studio/req_llm test/support/fixtures/xai/grok_2", "2026-11",
		},
		{
			"grok-4-0709", traits{acceptsBare},
			"llmrb/llm spec/fixtures/cassettes/xai/chat/llm_function_multiple.yml", "2025-08",
		},
		{
			"grok-4-1-fast*", traits{refusesBareLists},
			"https://github.com/langchain-ai/langchain/issues/34140", "2025-11",
		},
	},
}

// acceptsBare: content may be left out beside tool calls, as the model's own answers do.
func acceptsBare(p *Profile) { p.Content.BareCalls = nil }

// refusesArguments: arguments that are no JSON are refused. Of later models nobody has said so.
func refusesArguments(p *Profile) { p.Tools.ObjectArguments = true }

// refusesBareLists: the content beside tool calls is no empty list either, which earlier models
// were recorded to accept.
func refusesBareLists(p *Profile) {
	p.Content.BareCalls = append(p.Content.BareCalls, BareList)
}

var xaiResponses = definition{
	name:   "xai-responses",
	format: &openAIResponses,
	change: freeItems,
}
