package preflight

// This file is how Check sees the pairs that the matcher finds.

// clientPairs checks that every call of the caller's side has exactly one result, where the provider looks for it.
func (c *checker) clientPairs() {
	p := &c.pairs
	p.of(c.history, c.profile, c.policy)
	if p.inOrder(clientSide) {
		return
	}
	p.survey(clientSide)
	p.assign()
	for r := range p.results {
		c.clientResult(r)
	}
	for k := range p.calls {
		ref := &p.calls[k]
		if ref.filled {
			continue // the provider takes what is there for the answer
		}
		if ref.answer != none && (p.taken(ref.answer) || p.byName() && p.isLate(ref.answer)) || p.policy.staysOpen(ref.call) {
			continue // where names count, a late result is all that is said
		}
		detail := "the tool call has no result right after it"
		if c.profile.AnswerAnywhere {
			detail = "the tool call has no result after it"
		}
		c.report(ProblemDangling, ref.node, ref.part, ref.call.ID, detail)
	}
}

// taken reports whether the provider takes result r for the answer of its call.
func (p *pairing) taken(r int) bool {
	ref := &p.results[r]
	call := p.calls[ref.call].call
	return p.inPlace(r) && (!ref.rebound || !p.otherID(call, ref.result) && !p.otherType(call, ref.result))
}

// isLate reports whether result r follows the turn of its call, but after other content.
func (p *pairing) isLate(r int) bool {
	ref := &p.results[r]
	t := p.calls[ref.call].turn
	return ref.near == t && ref.node > p.turns[t].last && !ref.rebound
}

func (c *checker) clientResult(r int) {
	p := &c.pairs
	ref := &p.results[r]
	i, j, id := ref.node, ref.part, ref.result.CallID
	switch {
	case ref.call == none && p.answersPast(ref):
	case ref.call == none:
		c.report(ProblemOrphan, i, j, id, "the tool result has no call")
	case ref.further:
		p.calls[ref.call].filled = p.calls[ref.call].filled || p.inPlace(r)
		c.report(ProblemDuplicateResult, i, j, id, "the call has a result already")
	case p.taken(r) && ref.rebound:
		c.report(ProblemResultName, i, j, id, "the tool result has no name")
	case p.taken(r):
	case p.isLate(r):
		c.report(ProblemResultNotFirst, i, j, id, "the tool result is after other content")
	case p.inPlace(r):
		c.report(ProblemOrphan, i, j, id, "the tool result has another id than the call that it answers")
	default:
		c.report(ProblemOrphan, i, j, id, "the tool result is not where the provider looks for the answer of its call")
	}
}

// serverPairs checks that every provider-executed call has its result after it in its turn, and the reverse.
func (c *checker) serverPairs() {
	if !c.served {
		return
	}
	p := &c.pairs
	p.of(c.history, c.profile, c.policy)
	if p.inOrder(serverSide) {
		return
	}
	p.survey(serverSide)
	p.assign()
	for r := range p.results {
		ref := &p.results[r]
		if ref.zone == none || ref.call != none && !ref.further && p.inPlace(r) {
			continue // outside the assistant's turns its role is wrong, which is said elsewhere
		}
		problem := ProblemServerOrphan
		if isMCP(ref.result) {
			problem = ProblemMCPPairing
		}
		c.report(problem, ref.node, ref.part, ref.result.CallID, "the provider-executed result has no call before it in its turn")
	}
	last := len(p.turns) - 1
	paused := last >= 0 && p.paused(last)
	mixed := last >= 0 && p.mixed(last)
	for k := range p.calls {
		ref := &p.calls[k]
		switch {
		case ref.answer != none && p.inPlace(ref.answer) || ref.turn == last && paused || p.policy.staysOpen(ref.call):
		case isMCP(ref.call):
			c.report(ProblemMCPPairing, ref.node, ref.part, ref.call.ID, "the MCP call has no result in its turn")
		case ref.turn == last && mixed:
			c.report(ProblemServerMixed, ref.node, ref.part, ref.call.ID, "more than tool results follows a turn with an open provider-executed call")
		default:
			c.report(ProblemServerDangling, ref.node, ref.part, ref.call.ID, "the provider-executed call has no result in its turn")
		}
	}
}
