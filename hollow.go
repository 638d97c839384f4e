package preflight

// This file is about messages that have content, but say nothing: where empty text is no content.

// hollow reports whether a message holds nothing but empty text and empty reasoning, in a role of which the profile wants more.
func (p *Profile) hollow(m *Message) bool {
	if len(m.Parts) == 0 || !p.refusesHollow(m.Role) {
		return false
	}
	for _, part := range m.Parts {
		_, reasoning := part.(*Reasoning)
		if !isEmpty(part) || reasoning && p.HoldsItems && m.ID != "" { // the provider holds what it says
			return false
		}
	}
	return true
}

// isEmpty reports whether a part is text or reasoning with nothing in it.
func isEmpty(p Part) bool {
	switch p := p.(type) {
	case *Text:
		return p != nil && p.Text == ""
	case *Reasoning:
		return p != nil && p.Text == "" && !p.Signed()
	}
	return false
}

// hollowResult does the same for a tool result.
func (p *Profile) hollowResult(r *ToolResult) bool {
	if len(r.Output) > 0 || r.ProviderExecuted || !p.refusesHollow(RoleTool) {
		return false
	}
	for _, part := range r.Content {
		if !isEmpty(part) {
			return false
		}
	}
	return true
}

func (p *Profile) refusesHollow(r Role) bool {
	if len(p.RefuseHollow) == 0 {
		return false
	}
	neutral, _ := roleOf(r)
	for _, s := range p.RefuseHollow {
		if s == neutral {
			return true
		}
	}
	return false
}

// dropHollow drops the empty text of a message that holds nothing else, and with it the message.
func (d *draft) dropHollow(i int) {
	problem := ProblemEmptyMessage
	if d.role(i) == RoleSystem {
		problem = ProblemSystemContent
	}
	for j := range d.nodes[i].Parts {
		d.drop(i, j, note{code: CodeMessageRemoved, problem: problem, detail: "removed a message without content"})
	}
}
