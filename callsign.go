package preflight

// This file gives tool calls the signature that the provider wants on replay.
//
// What is examined is the open turn: everything behind the last thing the user said. Each run of the assistant in it is a
// step, and the first call of a step bears the signature of the thought that led to it. One that was lost, or that another
// model's call never had, cannot be made up; the provider takes a documented stand-in, which the profile holds.

// SignCalls puts the profile's stand-in on the first call of each step of the open turn that has no signature.
var SignCalls = Fixer{
	Name:   "sign-calls",
	Doc:    "gives the first tool call of each step of the open turn a stand-in for the signature it lacks",
	repair: signCalls,
}

func signCalls(d *draft) {
	for _, at := range unsignedCalls(d.profile, len(d.nodes), d.message) {
		call := d.nodes[at.Message].Parts[at.Part].(*ToolCall)
		d.replace(at.Message, at.Part, edited(call, func(c *ToolCall) { c.Signature = d.profile.CallSignature }),
			note{code: CodeCallSigned, problem: ProblemCallUnsigned, id: call.ID, detail: "gave a tool call a stand-in for the signature it lacks"})
	}
}

// unsignedCalls are the places of the calls that lack the signature the provider wants, in a history of n messages.
func unsignedCalls(p *Profile, n int, at func(int) *Message) []Position {
	if p.CallSignature == "" {
		return nil
	}
	var out []Position
	signed := false // the first call of this step was seen
	for i := p.openFrom(n, at); i < n; i++ {
		m := at(i)
		if len(m.Parts) == 0 {
			continue
		}
		if r, _ := roleOf(m.Role); r != RoleAssistant {
			signed = false
			continue
		}
		if !p.JoinTurns {
			signed = false
		}
		for j, part := range m.Parts {
			call := clientCall(part)
			if call != nil && !signed && call.Signature == "" {
				out = append(out, Position{i, j, none})
			}
			signed = signed || call != nil
		}
	}
	return out
}

// openFrom is where the open turn of a history of n messages begins: behind the last user message that holds text, or holds
// something else than results. Media beside results belongs to them.
func (p *Profile) openFrom(n int, at func(int) *Message) int {
	for i := n - 1; i >= 0; i-- {
		m := at(i)
		if r, _ := roleOf(m.Role); r != RoleUser {
			continue
		}
		said, results := false, false
		for _, part := range m.Parts {
			if t, ok := part.(*Text); ok {
				_, refused := p.refusesText(t.Text)
				said = said || !refused
			}
			results = results || clientResult(part) != nil
		}
		if said || !results && len(m.Parts) > 0 {
			return i + 1
		}
	}
	return 0
}

// signatures checks that the calls of the open turn are signed.
func (c *checker) signatures() {
	for _, at := range unsignedCalls(c.profile, len(c.history), c.at) {
		call := c.at(at.Message).Parts[at.Part].(*ToolCall)
		c.report(ProblemCallUnsigned, at.Message, at.Part, call.ID, "the first tool call of a step of the open turn has no signature")
	}
}

// sealedCall reports whether part is a call with a signature of the provider's own.
func (p *Profile) sealedCall(part Part) bool {
	call := clientCall(part)
	return call != nil && call.Signature != "" && call.Signature != p.CallSignature
}
