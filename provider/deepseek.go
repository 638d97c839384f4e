package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule"
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
	rules: map[rule.Problem]string{
		rule.RoleUnknown:      "deepseek/role-developer",
		rule.MediaRefused:     "deepseek/image-unsupported",
		rule.ReasoningAbsent:  "deepseek/reasoning-content-missing",
		rule.ReasoningRefused: "deepseek/reasoning-content-forbidden",
		rule.Dangling:         "deepseek/tool-result-missing",
		rule.ResultNotFirst:   "deepseek/tool-result-missing",
		rule.Orphan:           "deepseek/tool-result-orphan",
		rule.DuplicateResult:  "deepseek/tool-call-id-duplicate",
		rule.IDDuplicate:      "deepseek/tool-call-id-duplicate",
		rule.EmptyMessage:     "deepseek/assistant-empty",
		rule.Alternation:      "deepseek/successive-roles",
	},
	change: func(p *Profile) {
		p.Roles = slices.DeleteFunc(p.Roles, func(r Role) bool { return r == "developer" })
		p.Tools.Name = openAINames
	},
	models: []row{
		{"deepseek-v4-pro*", traits{replaysCalls}, srcDeepSeekReplay, "2026-09"},
		{
			"deepseek-v4*", traits{replaysCalls, readsText},
			srcDeepSeekReplay + "; " + srcDeepSeekMedia, "2026-09",
		},
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
	rules:  map[rule.Problem]string{rule.CallNotLast: "deepseek/tool-result-missing"},
	change: func(p *Profile) {
		otherVendor(p)
		p.Turns.TextBeforeCalls = true
	},
	models: otherVendorModels,
}

// deepSeekResponses gives items UUIDs as ids, and reasoning in full as its content. An item between
// a call and its output hides the call: text and reasoning of the assistant are moved before the
// calls of their turn, and an output before the messages of others.
var deepSeekResponses = definition{
	name:   "deepseek-responses",
	format: &openAIResponses,
	rules: map[rule.Problem]string{
		rule.CallNotLast:    "deepseek/tool-result-missing",
		rule.ResultNotFirst: "deepseek/tool-result-missing",
		rule.Dangling:       "deepseek/tool-result-missing",
	},
	change: func(p *Profile) {
		freeItems(p)
		p.Turns.TextBeforeCalls = true
		p.Pairing.Results = ResultsNext
	},
}
