package preflight

// This file keeps reasoning acceptable: what the provider cannot verify goes, what it can verify is never edited.

// RepairReasoning removes reasoning the provider cannot have made or cannot verify: without signature, with a signature
// written in a foreign alphabet, or without anything in it.
var RepairReasoning = Fixer{
	Name:   "repair-reasoning",
	Doc:    "removes reasoning that is empty, unsigned, or signed by another provider",
	repair: repairReasoning,
}

// SettleReasoning applies what depends on the request's thinking mode: no reasoning in the open turn while thinking is
// off, and reasoning ahead of other content with a token budget.
var SettleReasoning = Fixer{
	Name:   "settle-reasoning",
	Doc:    "removes or reorders reasoning in the turns where the thinking mode demands it",
	repair: settleReasoning,
}

func repairReasoning(d *draft) {
	for i := range d.nodes {
		if d.role(i) != RoleAssistant {
			continue
		}
		for j, p := range d.nodes[i].Parts {
			r, ok := p.(*Reasoning)
			if !ok {
				continue
			}
			if problem := reasoningProblem(d.profile, r); problem != "" {
				d.drop(i, j, note{code: CodeReasoningRemoved, problem: problem, detail: "removed reasoning that the provider refuses or cannot verify"})
			}
		}
	}
	d.commit()
}

// reasoningProblem says why the provider would refuse a reasoning part by itself.
func reasoningProblem(p *Profile, r *Reasoning) Problem {
	switch {
	case p.RefuseReasoning:
		return ProblemReasoningRefused
	case !p.SignedReasoning:
		return ""
	case r.Text == "" && !r.Signed():
		return ProblemReasoningEmpty
	case !r.Signed():
		return ProblemUnsigned
	case !p.SignatureAlphabet.holds(r.Signature):
		return ProblemForeign
	}
	return ""
}

func settleReasoning(d *draft) {
	switch d.profile.Thinking {
	case ThinkingOff:
		first, last := openTurn(d.profile, len(d.nodes), d.message)
		for i := first; i < last; i++ {
			d.dropReasoning(i, 0, note{code: CodeReasoningRemoved, problem: ProblemReasoningOff, detail: "removed reasoning from the open turn, since the request has thinking off"})
		}
	case ThinkingBudget:
		for i := range d.nodes {
			if d.role(i) == RoleAssistant && reasoningBehind(d.nodes[i].Parts) {
				d.leadWithReasoning(i)
			}
		}
	}
	d.commit()
}

func (d *draft) message(i int) *Message { return &d.nodes[i].Message }

// dropReasoning drops the reasoning of node i from part j on.
func (d *draft) dropReasoning(i, j int, n note) {
	for ; j < len(d.nodes[i].Parts); j++ {
		p := d.nodes[i].Parts[j]
		if _, ok := p.(*Reasoning); ok {
			d.drop(i, j, n)
		}
	}
}

// openTurn is the last assistant turn of a history, [first, last), when it is still open: it stands last, or nothing but
// tool results stands behind it. It is empty when the conversation has moved on.
func openTurn(p *Profile, n int, at func(int) *Message) (first, last int) {
	last = n
	for last > 0 && onlyResults(p, at(last-1)) {
		last--
	}
	first = last
	for first > 0 {
		if r, _ := roleOf(at(first - 1).Role); r != RoleAssistant {
			break
		}
		first--
		if !p.JoinTurns {
			break
		}
	}
	return first, last
}

// onlyResults reports whether a message that is not the assistant's holds nothing but tool results.
func onlyResults(p *Profile, m *Message) bool {
	if r, _ := roleOf(m.Role); r != RoleUser && r != RoleTool {
		return false
	}
	for _, part := range m.Parts {
		if clientResult(part) == nil {
			return false
		}
	}
	return true
}

// reasoningBehind reports whether parts hold reasoning, but not in the first place.
func reasoningBehind(parts []Part) bool {
	if len(parts) == 0 {
		return false
	}
	if _, leads := parts[0].(*Reasoning); leads {
		return false
	}
	for _, p := range parts {
		if _, ok := p.(*Reasoning); ok {
			return true
		}
	}
	return false
}

// leadWithReasoning moves the first run of reasoning of node i to its front, unchanged and in order.
func (d *draft) leadWithReasoning(i int) {
	n := d.own(i)
	start := 0
	for {
		if _, ok := n.Parts[start].(*Reasoning); ok {
			break
		}
		start++
	}
	end := start
	for end < len(n.Parts) {
		if _, ok := n.Parts[end].(*Reasoning); !ok {
			break
		}
		d.warn(d.position(i, end), note{code: CodeReasoningMoved, problem: ProblemReasoningOrder, detail: "moved reasoning to the front of its message"}, Tally{}, Tally{})
		end++
	}
	parts := make([]Part, 0, len(n.Parts))
	from := make([]origin, 0, len(n.Parts))
	for _, span := range [][2]int{{start, end}, {0, start}, {end, len(n.Parts)}} {
		parts, from = append(parts, n.Parts[span[0]:span[1]]...), append(from, n.from[span[0]:span[1]]...)
	}
	d.setParts(i, parts, from)
}

// loopLacksReasoning reports whether the request continues a tool loop whose first assistant message does not start with
// reasoning, which a token budget demands. Nothing can be made up for it: the request has to go without thinking.
// It returns the index of that message.
func loopLacksReasoning(p *Profile, n int, at func(int) *Message) (int, bool) {
	if p.Thinking != ThinkingBudget || n == 0 || !onlyResults(p, at(n-1)) || len(at(n-1).Parts) == 0 {
		return 0, false
	}
	start := none
	for i := n - 1; i >= 0; i-- {
		m := at(i)
		r, _ := roleOf(m.Role)
		if r == RoleAssistant {
			start = i
		} else if !onlyResults(p, m) {
			break
		}
	}
	if start == none || len(at(start).Parts) == 0 {
		return 0, false
	}
	_, leads := at(start).Parts[0].(*Reasoning)
	return start, !leads
}

// dropBoundReasoning removes the reasoning behind part j of node i, the draft's first edit, where the profile says that
// reasoning is bound to what stands before it.
func (d *draft) dropBoundReasoning(i, j int) {
	for ; i < len(d.nodes); i, j = i+1, 0 {
		if d.role(i) == RoleAssistant {
			d.dropReasoning(i, j, note{code: CodeReasoningRemoved, problem: ProblemReasoningBound,
				detail: "removed reasoning that is bound to an earlier part of the history which had to change"})
		}
	}
	d.commit()
}
