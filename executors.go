package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file joins a call and its result that say different things about who ran the tool, as a
// client that converts histories between APIs may leave them. The id tells that they belong
// together:
//
//	assistant: tool_use srvtoolu_1 web_search        the caller's tool?
//	           web_search_tool_result srvtoolu_1     no, the provider's

// executed holds the calls of a history with the same id, and the results before the second of
// them.
type executed struct {
	calls, results int
	call, result   place // the first ones
	served         bool  // the first result is that of a tool of the provider's
	disagree       bool  // the results say different things
	rivals         int   // later calls without results that agree with the first result
}

// matchExecutors makes the first call of an id and its results agree about who ran the tool. Later
// calls of that id do not change what was sent before. But if one of them has no result, and is of
// the side that the first result names, that result may be its own: then nothing about the id is
// decided. A result of the provider's can only be that of a call in its own message. A call that
// the provider made is the provider's, whatever a client answered: it may still run. Otherwise the
// result decides, if it is the caller's or was decoded from the provider's own JSON: its form shows
// who made it. Any other result becomes one of the caller's, as its call is.
func matchExecutors(d *draft) {
	if !d.servesTools() {
		return
	}
	ids := make(map[string]*executed)
	var inOrder []*executed
	note := func(id string) *executed {
		e := ids[id]
		if e == nil {
			e = &executed{}
			ids[id], inOrder = e, append(inOrder, e)
		}
		return e
	}
	for i := range d.nodes {
		for j, part := range d.nodes[i].Parts {
			switch part := part.(type) {
			case *ToolCall:
				if part != nil && !blank(part.ID) {
					e := note(part.ID)
					if e.calls++; e.calls == 1 {
						e.call = place{i, j}
					} else if part.ProviderExecuted == e.served && (!e.served || i == e.result.node) {
						e.rivals++
					}
				}
			case *ToolResult:
				if part != nil && !blank(part.CallID) {
					e := note(part.CallID)
					if e.calls > 1 {
						if part.ProviderExecuted == e.served {
							e.rivals = max(e.rivals-1, 0)
						}
						continue
					}
					if e.results++; e.results == 1 {
						e.result, e.served = place{i, j}, part.ProviderExecuted
					}
					e.disagree = e.disagree || part.ProviderExecuted != e.served
				}
			}
		}
	}
	for _, e := range inOrder {
		if e.calls > 0 && e.results > 0 && !e.disagree && e.rivals == 0 {
			d.matchExecutor(e.call, e.result)
		}
	}
}

// matchExecutor makes a call and its result agree about who ran the tool.
func (d *draft) matchExecutor(of, answer place) {
	call := d.nodes[of.node].Parts[of.part].(*ToolCall)
	result := d.nodes[answer.node].Parts[answer.part].(*ToolResult)
	if call.ProviderExecuted == result.ProviderExecuted || isMCP(result) ||
		answer.node < of.node || answer.node == of.node && answer.part < of.part ||
		!blank(call.Name) && !blank(result.Name) && call.Name != result.Name ||
		call.ProviderExecuted && madeByProvider(d.profile, call) ||
		d.options.staysOpen(call) || leftAlone(d.profile, call) || leftAlone(d.profile, result) {
		return
	}
	if !result.ProviderExecuted || isOf(d.profile, result) {
		now := *call
		now.ProviderExecuted, now.Variant = result.ProviderExecuted, ""
		n := note{
			code: codes.PartChanged, problem: problems.Dangling, id: call.ID,
			detail: "made the call that of the provider's tool whose result follows",
		}
		if call.ProviderExecuted {
			n.problem = problems.Orphan
			n.detail = "made the call that of the caller's tool whose result follows"
		}
		d.replace(of.node, of.part, &now, n)
		return
	}
	now := *result
	now.ProviderExecuted, now.Variant = false, ""
	d.replace(answer.node, answer.part, &now, note{
		code: codes.PartChanged, problem: problems.ServerOrphan, id: result.CallID,
		detail: "made the result that of the caller's tool whose call is before it",
	})
}

// restoreServed makes a result in message i the provider's again if it is nothing but an output
// that only the provider's tool writes, and answers the provider's call before it that has no other
// result in the message. A client that knows one type of result stored it as the caller's:
//
//	assistant: server_tool_use srvtoolu_1 web_search
//	           tool_result srvtoolu_1 [{"type":"web_search_result","encrypted_content":…}]
func (d *draft) restoreServed(i int) {
	parts := d.nodes[i].Parts
	if d.role(i) != RoleAssistant ||
		!slices.ContainsFunc(parts, func(p Part) bool { return clientResult(p) != nil }) {
		return
	}
	answered := map[string]bool{}
	for _, part := range parts {
		if served := serverResult(part); served != nil {
			answered[served.CallID] = true
		}
	}
	open := map[string]*ToolCall{}
	for j, part := range parts {
		if call := serverCall(part); call != nil && !isMCP(call) && madeByProvider(d.profile, call) {
			open[call.ID] = call
		}
		result := clientResult(part)
		if result == nil || open[result.CallID] == nil || answered[result.CallID] ||
			leftAlone(d.profile, result) {
			continue
		}
		call := open[result.CallID]
		raw := onlyOutput(result)
		if !knownKinds()[call.Name+"_tool_result"] || !output.IsServed(raw, call.Name) {
			continue
		}
		now := &ToolResult{
			CallID: result.CallID, Name: call.Name, Output: raw, ProviderExecuted: true,
			Carried: Carried{Cache: result.Cache, Meta: result.Meta},
		}
		d.replace(i, j, now, note{
			code: codes.PartChanged, problem: problems.ResultMisplaced, id: result.CallID,
			detail: "made the result that of the provider's tool whose call is before it",
		})
		answered[result.CallID] = true
	}
}

// onlyOutput returns the output, or the text, of a result that holds nothing else, nil for others.
func onlyOutput(r *ToolResult) []byte {
	switch {
	case r.IsError || len(r.Output) > 0 && len(r.Content) > 0:
		return nil
	case len(r.Content) == 0:
		return r.Output
	}
	text, ok := r.Content[0].(*Text)
	if len(r.Content) > 1 || !ok || text == nil || len(text.Cache) > 0 {
		return nil
	}
	return []byte(text.whole())
}

// madeByProvider reports whether the provider made a call of its own: the id has the prefix of such
// calls or, where they have none, the call was decoded from the provider's JSON.
func madeByProvider(p *Profile, call *ToolCall) bool {
	if own := p.IDs.ServerCall; own.Prefix != "" {
		return own.Matches(call.ID)
	}
	return isOf(p, call)
}

// isOf reports whether a part was decoded from the JSON of the profile's own format.
func isOf(p *Profile, part Part) bool {
	native := part.carried().Native
	return len(native.JSON) > 0 && native.Format == or(p.Format, p.Provider)
}
