package provider

import "github.com/go-preflight/preflight/rule/problems"

// Moonshot returns the profile of the Moonshot API, which serves the Kimi models. It wants the
// reasoning of turns with tool calls back from the models that think.
func Moonshot(model string) *Profile { return moonshot.forModel(model) }

var moonshot = definition{
	name:   "moonshot",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.ReasoningAbsent: "moonshot/reasoning-content-missing",
		problems.EmptyMessage:    "moonshot/empty-message",
		problems.SystemContent:   "moonshot/empty-message",
		problems.ResultEmpty:     "moonshot/empty-message",
		problems.Orphan:          "moonshot/tool-call-id-not-found",
		problems.IDPattern:       "moonshot/tool-call-id-not-found",
	},
	change: func(p *Profile) {
		p.Tools.Name = openAINames
		p.Reasoning.Replay = ReplayOnCalls
		p.Content.NeedsText = everyRole()
	},
	models: []row{
		{"moonshot-v1*", traits{needsNoReplay}, srcKimi, "2026-09"},
		{"kimi-k2-0*", traits{needsNoReplay}, srcKimi, "2026-09"},
		{"kimi-k2-turbo*", traits{needsNoReplay}, srcKimi, "2026-09"},
	},
}

const srcKimi = "rule moonshot/reasoning-content-missing and its sources"

// needsNoReplay: reasoning need not be sent back.
func needsNoReplay(p *Profile) { p.Reasoning.Replay = ReplayFree }

var moonshotAnthropic = definition{
	name:    "moonshot-anthropic",
	format:  &anthropic,
	change:  otherVendor,
	models:  otherVendorModels,
	aliases: true,
}
