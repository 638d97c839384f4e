package preflight

// This file fills in reasoning for providers that want it back, of turns whose reasoning was not kept or came from elsewhere.

// FillReasoning gives assistant messages empty reasoning where the provider wants some back and there is none.
var FillReasoning = Fixer{
	Name:   "fill-reasoning",
	Doc:    "gives assistant messages empty reasoning where the provider wants some back",
	repair: fillReasoning,
}

func fillReasoning(d *draft) {
	called := false
	for i := range d.nodes {
		if !d.profile.wantsReasoning(&d.nodes[i].Message, &called) {
			continue
		}
		n := d.own(i)
		d.warn(d.position(i, none), note{code: CodeReasoningAdded, problem: ProblemReasoningAbsent, detail: "added empty reasoning, since the provider wants some back"}, Tally{}, tallyPart(&Reasoning{}))
		parts := append([]Part{&Reasoning{}}, n.Parts...)
		from := append([]origin{{none, none}}, n.from...)
		d.setParts(i, parts, from)
	}
}

// wantsReasoning reports whether a message lacks reasoning that the provider wants back. called says whether a message before
// it, and then whether it or one before it, called a tool.
func (p *Profile) wantsReasoning(m *Message, called *bool) bool {
	if p.Replay == ReplayFree {
		return false
	}
	if r, _ := roleOf(m.Role); r != RoleAssistant || len(m.Parts) == 0 {
		return false
	}
	*called = *called || hasCall(m.Parts)
	for _, part := range m.Parts {
		if _, ok := part.(*Reasoning); ok {
			return false
		}
	}
	return *called && (p.Replay == ReplayFromCalls || hasCall(m.Parts))
}

func hasCall(parts []Part) bool {
	for _, p := range parts {
		if clientCall(p) != nil {
			return true
		}
	}
	return false
}
