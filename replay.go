package preflight

// This file is about the reasoning of assistant messages that are sent again: it fills in what providers want back, of turns
// whose reasoning was not kept or came from elsewhere, and makes text of what may not stand beside text.

// FillReasoning gives assistant messages empty reasoning where the provider wants some back and there is none. Where a message
// with tool calls may hold reasoning or text, but not both, the reasoning becomes text.
var FillReasoning = Fixer{
	Name:   "fill-reasoning",
	Doc:    "gives assistant messages empty reasoning where the provider wants some back, and makes text of it where it may not stand beside text",
	repair: fillReasoning,
}

func fillReasoning(d *draft) {
	called := false
	for i := range d.nodes {
		if d.profile.besideText(&d.nodes[i].Message) != none {
			d.reasoningToText(i)
		}
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
	if p.Replay == ReplayFree || p.Replay == ReplayInText {
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

// besideText is the place of the first reasoning in a message with tool calls that holds text as well, where the profile wants
// one or the other; none for any other message.
func (p *Profile) besideText(m *Message) int {
	if p.Replay != ReplayInText || !hasCall(m.Parts) {
		return none
	}
	if r, _ := roleOf(m.Role); r != RoleAssistant {
		return none
	}
	at, text := none, false
	for j, part := range m.Parts {
		switch part := part.(type) {
		case *Reasoning:
			if at == none && part.Text != "" {
				at = j
			}
		case *Text:
			text = text || part.Text != ""
		}
	}
	if !text {
		return none
	}
	return at
}

// reasoningToText makes text of the reasoning of a message: the template writes both in the same place.
func (d *draft) reasoningToText(i int) {
	for j, part := range d.nodes[i].Parts {
		if r, ok := part.(*Reasoning); ok && r.Text != "" {
			d.replace(i, j, &Text{Text: r.Text}, note{code: CodePartToText, problem: ProblemReasoningBeside,
				detail: "turned reasoning into text, since the message may not hold both"})
		}
	}
}
