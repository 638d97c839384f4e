package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// DeepSeek returns the profile of the DeepSeek API. Models that think want the reasoning of turns
// with tool calls back, and only its presence is checked. Sources differ on whether later turns
// have to carry some as well; reasoning on all of them is accepted. Some models read text only, and
// the first reasoner generation refused reasoning.
func DeepSeek(model string) *Profile { return deepSeek.forModel(model) }

var deepSeek = definition{
	name:   "deepseek",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.RoleUnknown:      "deepseek/role-developer",
		problems.MediaRefused:     "deepseek/image-unsupported",
		problems.ReasoningAbsent:  "deepseek/reasoning-content-missing",
		problems.ReasoningRefused: "deepseek/reasoning-content-forbidden",
		problems.Dangling:         "deepseek/tool-result-missing",
		problems.ResultNotFirst:   "deepseek/tool-result-missing",
		problems.Orphan:           "deepseek/tool-result-orphan",
		problems.DuplicateResult:  "deepseek/tool-call-id-duplicate",
		problems.IDDuplicate:      "deepseek/tool-call-id-duplicate",
		problems.EmptyMessage:     "deepseek/assistant-empty",
		problems.Alternation:      "deepseek/successive-roles",
	},
	change: func(p *Profile) {
		p.Roles = slices.DeleteFunc(p.Roles, func(r Role) bool { return r == "developer" })
		p.Tools.Name = openAINames
	},
	models: []row{
		{
			"deepseek-v4-flash-vision*", traits{replaysCalls},
			"https://github.com/SillyTavern/SillyTavern/issues/5964", "2026-08",
		},
		{
			"deepseek-v4-flash*", traits{replaysCalls, readsText},
			srcDeepSeekReplay + "; " + srcDeepSeekMedia, "2026-09",
		},
		{"deepseek-v4*", traits{replaysCalls}, srcDeepSeekReplay, "2026-09"},
		{"deepseek-chat*", traits{readsText}, srcDeepSeekMedia, "2026-09"},
		{
			"deepseek-r1*", traits{readsText, refusesReasoning, wantsTurns},
			srcDeepSeekR1, "2025-11",
		},
		{
			"deepseek-reasoner*", traits{replaysCalls, readsText},
			srcDeepSeekReplay + "; " + srcDeepSeekMedia, "2026-09",
		},
	},
}

const (
	srcDeepSeekMedia = "rule deepseek/image-unsupported and its sources"
	srcDeepSeekR1    = "rules deepseek/reasoning-content-forbidden and " +
		"deepseek/successive-roles and their sources"
	srcDeepSeekReplay = "rule deepseek/reasoning-content-missing and its sources"
)

// deepSeekAnthropic finds the results of a turn only where its calls come last: text after them
// makes it refuse the request for missing results (Hmbown/Codewhale#4329).
var deepSeekAnthropic = definition{
	name:   "deepseek-anthropic",
	format: &anthropic,
	rules:  map[problems.Problem]string{problems.CallNotLast: "deepseek/tool-result-missing"},
	change: func(p *Profile) {
		otherVendor(p)
		p.Turns.TextBeforeCalls = true
	},
	models:  otherVendorModels,
	aliases: true,
}

// deepSeekResponses gives items UUIDs as ids, and reasoning in full as its content. An item between
// a call and its output hides the call: text and reasoning of the assistant are moved before the
// calls of their turn, and an output before the messages of others.
var deepSeekResponses = definition{
	name:   "deepseek-responses",
	format: &openAIResponses,
	rules: map[problems.Problem]string{
		problems.CallNotLast:    "deepseek/tool-result-missing",
		problems.ResultNotFirst: "deepseek/tool-result-missing",
		problems.Dangling:       "deepseek/tool-result-missing",
	},
	change: func(p *Profile) {
		freeItems(p)
		p.Turns.TextBeforeCalls = true
		p.Pairing.Results = ResultsNext
	},
}
