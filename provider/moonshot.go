package provider

import "github.com/go-preflight/preflight/rule"

// Moonshot is the profile of the Moonshot API, where the Kimi models live. It wants the reasoning
// of tool turns back from those of them that think.
func Moonshot(model string) *Profile { return narrowed(moonshot(), model) }

func moonshot() Profile {
	return chatHost("moonshot", map[rule.Problem]string{
		rule.ReasoningAbsent: "moonshot/reasoning-content-missing",
		rule.EmptyMessage:    "moonshot/empty-message",
		rule.SystemContent:   "moonshot/empty-message",
		rule.ResultEmpty:     "moonshot/empty-message",
		rule.Orphan:          "moonshot/tool-call-id-not-found",
		rule.IDPattern:       "moonshot/tool-call-id-not-found",
	}, func(p *Profile) {
		p.Tools.Name = openAINames
		p.Reasoning.Replay = ReplayOnCalls
		p.Content.NeedsText = everyRole()
	})
}
