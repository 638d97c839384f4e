package provider

import "github.com/go-preflight/preflight/rule"

// Moonshot returns the profile of the Moonshot API, which serves the Kimi models. It wants the
// reasoning of turns with tool calls back from the models that think.
func Moonshot(model string) *Profile { return moonshot.forModel(model) }

var moonshot = definition{
	name:   "moonshot",
	format: &openAIChat,
	base:   chatHost,
	rules: map[rule.Problem]string{
		rule.ReasoningAbsent: "moonshot/reasoning-content-missing",
		rule.EmptyMessage:    "moonshot/empty-message",
		rule.SystemContent:   "moonshot/empty-message",
		rule.ResultEmpty:     "moonshot/empty-message",
		rule.Orphan:          "moonshot/tool-call-id-not-found",
		rule.IDPattern:       "moonshot/tool-call-id-not-found",
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
	name:   "moonshot-anthropic",
	format: &anthropic,
	change: otherVendor,
	models: otherVendorModels,
}
