package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs signatures that another provider made, and missing ones of the calls in the
// open turn.

// signCallsFixer removes signatures that the provider cannot have made, from calls and from
// reasoning that needs none. Then it sets the profile's stand-in signature on the first call of
// each step of the open turn if that call has no signature.
var signCallsFixer = Fixer{
	Name:   "sign-calls",
	group:  "end",
	repair: signCalls,
	cures:  problemset.Of(problems.CallUnsigned, problems.Foreign),
	checks: []checks{{call: (*checker).callSignature, whole: (*checker).signatures}},
}

// dropForeignSignatures removes the signatures that the provider cannot have made.
func dropForeignSignatures(d *draft) {
	for i := range d.nodes {
		if d.role(i) != RoleAssistant {
			continue
		}
		for j, p := range d.nodes[i].Parts {
			var unsigned Part
			switch p := p.(type) {
			case *Reasoning:
				if foreignSignature(d.profile, p.Signature) {
					unsigned = edited(p, func(r *Reasoning) { r.Signature = "" })
				}
			case *ToolCall:
				if foreignSignature(d.profile, p.Signature) {
					unsigned = edited(p, func(c *ToolCall) { c.Signature = "" })
				} else if isLateStandIn(d.profile, d.nodes[i].Parts, j) {
					d.replace(i, j, edited(p, func(c *ToolCall) { c.Signature = "" }), note{
						code: codes.SignatureRemoved, problem: problems.Foreign, id: p.ID,
						detail: "removed a stand-in signature from a call that is not the first",
					})
				}
			}
			if unsigned != nil {
				d.replace(i, j, unsigned, note{
					code: codes.SignatureRemoved, problem: problems.Foreign, id: partID(p),
					detail: "removed a signature that the provider cannot have made",
				})
			}
		}
	}
}

// isLateStandIn reports whether part j is a call with a stand-in for a signature where the provider
// takes one only on the first call of a message.
func isLateStandIn(p *Profile, parts []Part, j int) bool {
	call := clientCall(parts[j])
	if call == nil || !p.Tools.StandInFirst || call.Signature == "" ||
		call.Signature != p.Tools.CallSignature {
		return false
	}
	for j--; j >= 0; j-- { // backwards: the calls of a message share one walk
		if clientCall(parts[j]) != nil {
			return true
		}
	}
	return false
}

func signCalls(d *draft) {
	dropForeignSignatures(d)
	for _, at := range unsignedCalls(d.profile, d) {
		call := d.nodes[at.Message()].Parts[at.Part()].(*ToolCall)
		signature := d.profile.Tools.CallSignature
		signed := edited(call, func(c *ToolCall) { c.Signature = signature })
		d.replace(at.Message(), at.Part(), signed, note{
			code: codes.CallSigned, problem: problems.CallUnsigned, id: call.ID,
			detail: "added the documented stand-in signature to a tool call",
		})
	}
}

// unsignedCalls returns the positions of the calls that lack a signature the provider wants.
func unsignedCalls(p *Profile, v view) []Position {
	if p.Tools.CallSignature == "" {
		return nil
	}
	var out []Position
	signed := false // the first call of this step was seen
	for i := openTurnStart(p, v); i < v.len(); i++ {
		m := v.at(i)
		if len(m.Parts) == 0 {
			continue
		}
		if roleOf(m) != RoleAssistant {
			signed = false
			continue
		}
		if !p.Turns.Joined() {
			signed = false
		}
		for j, part := range m.Parts {
			call := clientCall(part)
			if call != nil && !signed && call.Signature == "" {
				out = append(out, At(i, j))
			}
			signed = signed || call != nil || isUnknown(part) // which may be a call
		}
	}
	return out
}

// openTurnStart returns the index at which the open turn of a history starts: after
// the last user message that holds text, or that holds other parts but no tool results. Media in a
// message with results belongs to the results.
func openTurnStart(p *Profile, v view) int {
	for i := v.len() - 1; i >= 0; i-- {
		m := v.at(i)
		if roleOf(m) != RoleUser {
			continue
		}
		said, results := false, false
		for _, part := range m.Parts {
			if t, ok := part.(*Text); ok {
				_, refused := textRefusal(p, t)
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

// signatures checks that the calls of the open turn have the signatures that the provider wants.
func (c *checker) signatures() {
	for _, at := range unsignedCalls(c.profile, c) {
		call := c.at(at.Message()).Parts[at.Part()].(*ToolCall)
		c.report(problems.CallUnsigned, at.Message(), at.Part(), call.ID,
			"the first tool call of a step of the open turn has no signature")
	}
}

// callSignature checks the signature of a call, if it has one.
func (c *checker) callSignature(i, j int, part Part) {
	call := part.(*ToolCall)
	if foreignSignature(c.profile, call.Signature) {
		c.report(problems.Foreign, i, j, call.ID, "the provider cannot have made this signature")
	} else if isLateStandIn(c.profile, c.at(i).Parts, j) {
		c.report(problems.Foreign, i, j, call.ID,
			"a stand-in for a signature is on a call that is not the first of its message")
	}
}
