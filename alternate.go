package preflight

// This file makes sure that the conversation has a first turn, and that it is the user's.

// EnforceAlternation inserts a placeholder user turn where the provider needs a user turn and none is there: before a
// leading assistant message, or where repairs left nothing. It never removes a turn. (Neighbours of one role are the
// concern of MergeNeighbours.)
var EnforceAlternation = Fixer{
	Name:   "enforce-alternation",
	Doc:    "inserts a placeholder user turn before a leading assistant message",
	repair: enforceAlternation,
}

// needsUserFirst reports whether the provider wants a user turn before a history that begins, system messages aside, with m.
func (p *Profile) needsUserFirst(m *Message) bool {
	r, _ := roleOf(m.Role)
	return p.FirstUser && r != RoleUser || p.CallsAfterUser && r == RoleAssistant && holdsCall(m)
}

func enforceAlternation(d *draft) {
	first := 0
	for first < len(d.nodes) && d.role(first) == RoleSystem {
		first++
	}
	missing := first == len(d.nodes) && (d.profile.FirstUser || d.profile.NeedTurn || first == 0)
	if !missing && (first == len(d.nodes) || !d.profile.needsUserFirst(&d.nodes[first].Message)) {
		return
	}
	problem := ProblemFirstRole
	if missing {
		problem = ProblemNoMessages
	}
	text := &Text{Text: d.policy.placeholder()}
	d.warn(d.position(first, none), note{code: CodeTurnInserted, problem: problem, detail: "inserted a placeholder user turn"}, Tally{}, tallyPart(text))
	d.insertBefore(first, made(RoleUser, []Part{text}, []origin{{none, none}}))
	d.commit()
}
