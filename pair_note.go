package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file decides whether a result has to change to answer its call, and gives the warning for
// that change.

// misnames reports whether a result has to change so that the provider accepts it as the answer of
// the call it was matched with. If names count, an id missing on one side is accepted, and so is
// another name: only an empty name is refused, unless the encoder fills it in.
func (p *pairing) misnames(call *ToolCall, r *ToolResult) bool {
	return p.byName() && blank(r.Name) && call.Name != r.Name && !namedByEncoder(call, r) ||
		p.otherID(call, r) || p.otherType(call, r)
}

// namedByEncoder reports whether the encoder gives a result without a name that of its call: the
// result has the id of the call, and was not decoded from a request, which lacks the name.
func namedByEncoder(call *ToolCall, r *ToolResult) bool {
	return r.Name == "" && r.CallID == call.ID && !blank(call.ID) && len(r.Native.JSON) == 0
}

// otherType reports whether a result has another variant than its call, if variants have to agree.
func (p *pairing) otherType(call *ToolCall, r *ToolResult) bool {
	return p.variant(call.Variant) != p.variant(r.Variant)
}

// otherName reports whether a result names another tool than a call, if names count.
func (p *pairing) otherName(c, r int) bool {
	name := p.results[r].result.Name
	return p.byName() && !blank(name) && name != p.calls[c].call.Name
}

// otherID reports whether a result has another id than its call and the provider would refuse that.
func (p *pairing) otherID(call *ToolCall, r *ToolResult) bool {
	switch {
	case call.ID == r.CallID:
		return false
	case !p.byName():
		return true
	}
	return r.CallID != "" && (call.ID != "" || idProblem(p.profile.IDs.Call, r.CallID) != "")
}

func (p *pairing) reboundNote(ref *resultRef, call *ToolCall) note {
	if p.otherID(call, ref.result) {
		detail := "gave a result the id of the call it answers, as that call spells it"
		if ref.reason == ReasonPosition {
			detail = "gave a result the id of the one call that it can answer here"
		}
		return note{
			code: codes.ResultRebound, problem: rule.Orphan, id: ref.result.CallID, detail: detail,
		}
	}
	if p.otherType(call, ref.result) {
		return note{
			code: codes.ResultRebound, problem: rule.Orphan, id: ref.result.CallID,
			detail: "gave a result the type that answers its call", ambiguous: true,
		}
	}
	return note{
		code: codes.NameRepaired, problem: rule.ResultName, id: ref.result.CallID,
		detail: "gave a tool result the name of the call it answers",
	}
}
