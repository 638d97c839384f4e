package preflight

import "slices"

// This file drops what is empty, where the profile refuses it.

// DropEmpty removes empty and blank text parts, and messages without content. Unknown parts, media, reasoning and tool
// parts are content. An error result that says nothing is given a text.
var DropEmpty = Fixer{
	Name:   "drop-empty",
	Doc:    "drops empty text parts and messages without content",
	repair: dropEmpty,
}

func dropEmpty(d *draft) {
	var blank spareBlank
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *Text:
				problem, refused := d.profile.refusesText(p.Text)
				if refused && !(problem == ProblemBlankText && blank.of(d.profile, i, d.message(i))) {
					if p.Cache != nil {
						problem = ProblemCacheEmptyText
					}
					d.drop(i, j, note{code: CodeEmptyRemoved, problem: problem, detail: "removed a text part without text"})
				}
			case *ToolResult:
				if !p.ProviderExecuted {
					d.fillResult(i, j, p)
				}
			}
		}
		if d.profile.hollow(&d.nodes[i].Message) {
			d.dropHollow(i)
		}
		if len(d.nodes[i].Parts) == 0 && d.profile.refusesEmpty(&d.nodes[i].Message) {
			problem := ProblemEmptyMessage
			if d.role(i) == RoleSystem {
				problem = ProblemSystemContent
			}
			d.dropMessage(i, note{code: CodeMessageRemoved, problem: problem, detail: "removed a message without content"})
		}
	}
	d.commit()
}

// refusesEmpty reports whether a message may not be without content. One of the results' role stands
// for its result where each has a message of its own, so without one it has no form at all.
func (p *Profile) refusesEmpty(m *Message) bool {
	role, _ := roleOf(m.Role)
	return p.RefuseEmptyMessage || p.OneResultPerMessage && role == RoleTool
}

// fillResult removes empty text from a result, and gives a text to one that needs it.
func (d *draft) fillResult(i, j int, r *ToolResult) {
	emptied := func(p Part) bool {
		t, ok := p.(*Text)
		if !ok {
			return false
		}
		_, refused := d.profile.refusesText(t.Text)
		return refused
	}
	if slices.ContainsFunc(r.Content, emptied) {
		less := edited(r, func(x *ToolResult) {
			x.Content = slices.DeleteFunc(slices.Clone(x.Content), emptied)
		})
		d.replace(i, j, less, note{code: CodeEmptyRemoved, problem: ProblemEmptyText, id: r.CallID, detail: "removed a text part without text from a tool result"})
		r = less
	}
	if problem, detail := d.profile.lacksContent(r); problem != "" {
		text := ""
		switch {
		case problem == ProblemErrorEmpty:
			text = emptyErrorText
		case d.profile.refusesHollow(RoleTool), d.profile.RefuseEmptyText:
			text = emptyResultText
		}
		d.replace(i, j, edited(r, func(x *ToolResult) { x.Content = []Part{&Text{Text: text}} }),
			note{code: CodeResultFilled, problem: problem, id: r.CallID, detail: detail})
	}
}

// lacksContent reports whether a result needs content it does not have.
func (p *Profile) lacksContent(r *ToolResult) (Problem, string) {
	if p.hollowResult(r) {
		return ProblemResultEmpty, "gave a result without a word a text"
	}
	if len(r.Content) > 0 || len(r.Output) > 0 {
		return "", ""
	}
	switch {
	case r.IsError && p.ErrorNeedsText:
		return ProblemErrorEmpty, "gave an error result without content a text"
	case p.ResultNeedsText:
		return ProblemResultEmpty, "gave a result without content an empty text"
	}
	return "", ""
}
