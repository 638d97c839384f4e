package preflight

// This file is the part of Check about what the hosts of the Chat format ask for beyond the format.

// chat checks messages that say nothing, user turns behind results, parallel calls, tools and control characters where there
// may be none, and reasoning that has to come back.
func (c *checker) chat() {
	p := c.profile
	if len(p.RefuseHollow) == 0 && !p.BridgeResults && !p.OneCallPerMessage && p.Replay == ReplayFree && !p.NoTools && !p.RefuseControls {
		return
	}
	called := false
	for i := range c.history {
		m := &c.history[i]
		role := c.role(i)
		if p.hollow(m) {
			problem := ProblemEmptyMessage
			if role == RoleSystem {
				problem = ProblemSystemContent
			}
			c.report(problem, i, none, "", "the message holds nothing but empty text")
		}
		if p.BridgeResults && i > 0 && role == RoleUser && c.role(i-1) == RoleTool {
			c.report(ProblemBridge, i, none, "", "a user turn follows tool results directly")
		}
		if p.OneCallPerMessage && role == RoleAssistant && parallel(c.policy, m.Parts) {
			c.report(ProblemParallelCalls, i, none, "", "the message holds several tool calls")
		}
		if p.wantsReasoning(m, &called) {
			c.report(ProblemReasoningAbsent, i, none, "", "the provider wants reasoning back, if only empty, and the message has none")
		}
		if j := p.besideText(m); j != none {
			c.report(ProblemReasoningBeside, i, j, "", "reasoning and text stand in one message with tool calls")
		}
		if p.NoTools || p.RefuseControls {
			c.plain(i, m.Parts)
		}
	}
}

// plain checks for parts and characters that a plain model does not take.
func (c *checker) plain(i int, parts []Part) {
	for j, part := range parts {
		r := clientResult(part)
		if c.profile.NoTools && (r != nil || clientCall(part) != nil) {
			c.report(ProblemToolsRefused, i, j, partID(part), "the model knows no tools")
		}
		if c.profile.RefuseControls && holdsControl(part) {
			c.report(ProblemControl, i, j, partID(part), "the text holds control characters")
		}
	}
}
