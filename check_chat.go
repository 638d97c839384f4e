package preflight

import (
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file is the part of Check about what the hosts of the Chat format ask for beyond the format.

// chat checks messages that say nothing, user turns behind results, parallel calls, tools and
// control characters where there may be none, and reasoning that has to come back.
func (c *checker) chat() {
	p := c.profile
	if len(p.Content.NeedsText) == 0 && !p.Turns.BridgeResults && !p.Pairing.OneCallPerMessage && p.Reasoning.Replay == provider.ReplayFree && !p.Tools.NoTools && !p.Content.RefuseControls {
		return
	}
	called := false
	for i := range c.history {
		m := &c.history[i]
		role := c.role(i)
		if lacksText(p, m) {
			problem := rule.EmptyMessage
			if role == RoleSystem {
				problem = rule.SystemContent
			}
			c.report(problem, i, none, "", "the message holds nothing but empty text")
		}
		if p.Turns.BridgeResults && i > 0 && role == RoleUser && c.role(i-1) == RoleTool {
			c.report(rule.Bridge, i, none, "", "a user turn follows tool results directly")
		}
		if p.Pairing.OneCallPerMessage && role == RoleAssistant && parallel(c.policy, m.Parts) {
			c.report(rule.ParallelCalls, i, none, "", "the message holds several tool calls")
		}
		if wantsReasoning(p, m, &called) {
			c.report(rule.ReasoningAbsent, i, none, "", "the provider wants reasoning back, if only empty, and the message has none")
		}
		if j := besideText(p, m); j != none {
			c.report(rule.ProblemReasoningBeside, i, j, "", "reasoning and text stand in one message with tool calls")
		}
		if p.Tools.NoTools || p.Content.RefuseControls {
			c.plain(i, m.Parts)
		}
	}
}

// plain checks for parts and characters that a plain model does not take.
func (c *checker) plain(i int, parts []Part) {
	for j, part := range parts {
		r := clientResult(part)
		if c.profile.Tools.NoTools && (r != nil || clientCall(part) != nil) {
			c.report(rule.ToolsRefused, i, j, partID(part), "the model knows no tools")
		}
		if c.profile.Content.RefuseControls && holdsControl(part) {
			c.report(rule.Control, i, j, partID(part), "the text holds control characters")
		}
	}
}
