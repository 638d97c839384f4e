package preflight

// This file orders the parts of an assistant message: text before tool calls.

// OrderCalls moves text that stands behind a tool call of the same message in front of it, where the model would read it
// as the beginning of an answer. Nothing moves across reasoning or a provider-executed part.
var OrderCalls = Fixer{
	Name:   "order-calls",
	Doc:    "moves text of an assistant message in front of its tool calls",
	repair: orderCalls,
}

// movable reports whether a part may change places within its message.
func movable(p Part) bool {
	switch p.(type) {
	case *Text:
		return true
	default:
		return clientCall(p) != nil
	}
}

// textBehindCall is the index of the first text that stands behind a tool call with only text and calls between them,
// none when there is none.
func textBehindCall(parts []Part) int {
	call := false
	for j, p := range parts {
		switch {
		case !movable(p):
			call = false
		case clientCall(p) != nil:
			call = true
		case call:
			return j
		}
	}
	return none
}

func orderCalls(d *draft) {
	if !d.profile.TextBeforeCalls {
		return
	}
	for i := range d.nodes {
		if d.role(i) == RoleAssistant && textBehindCall(d.nodes[i].Parts) != none {
			d.orderMessage(i)
		}
	}
}

func (d *draft) orderMessage(i int) {
	n := d.own(i)
	parts := make([]Part, 0, len(n.Parts))
	from := make([]origin, 0, len(n.Parts))
	var calls []Part
	var callsFrom []origin
	flush := func() {
		parts, from = append(parts, calls...), append(from, callsFrom...)
		calls, callsFrom = calls[:0], callsFrom[:0]
	}
	for j, p := range n.Parts {
		switch {
		case !movable(p):
			flush()
		case clientCall(p) != nil:
			calls, callsFrom = append(calls, p), append(callsFrom, n.from[j])
			continue
		case len(calls) > 0:
			d.warn(d.position(i, j), note{code: CodeReordered, problem: ProblemCallNotLast, detail: "moved text in front of the tool calls of its message"}, Tally{}, Tally{})
		}
		parts, from = append(parts, p), append(from, n.from[j])
	}
	flush()
	d.setParts(i, parts, from)
}
