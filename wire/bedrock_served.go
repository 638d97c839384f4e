package wire

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/pairs"
)

// This file tells the results of calls that Bedrock ran itself from those of the caller's.

// keepAnsweredByProvider turns results in a user message for calls that the provider ran and
// answered itself in the message before into parts of unknown kind, which are kept: no refusal of
// them is on record. No result in a user message is the provider's own.
func (d *decoder) keepAnsweredByProvider(parts []preflight.Part) {
	results := false
	for _, p := range parts {
		if r, ok := p.(*preflight.ToolResult); ok {
			r.ProviderExecuted, results = false, true
		}
	}
	n := len(d.r.Messages)
	if !results || n == 0 || !slices.ContainsFunc(d.r.Messages[n-1].Parts, isProviderResult) {
		return
	}
	turn := d.r.Messages[n-1].Parts
	own := matchedByID(turn, parts)
	for j := range matchedByID(answeredCalls(turn), parts) {
		if r, ok := parts[j].(*preflight.ToolResult); ok && !own[j] {
			c := r.Carried
			if raw, err := writeToolResult(r); err == nil && !concatEqual(raw, c.Native.JSON) {
				c.Native.JSON = bytes.Join(raw, nil) // as it was repaired
			}
			parts[j] = d.others.one(preflight.Other{Carried: c, Kind: "toolResult"})
		}
	}
}

// matchedByID reports which parts of a user message are results with the id of a call of turn.
func matchedByID(turn, user []preflight.Part) map[int]bool {
	history := []preflight.Message{
		{Role: preflight.RoleAssistant, Parts: turn},
		{Role: preflight.RoleUser, Parts: user},
	}
	matched := make(map[int]bool)
	for _, pair := range preflight.Pairs(history, &preflight.Profile{}) {
		if pair.At.Message() == 1 && pair.Reason == pairs.ByID {
			matched[pair.At.Part()] = true
		}
	}
	return matched
}

// answeredCalls returns copies of the calls that the provider ran and answered, marked as the
// caller's: the matcher never gives the result of a user message to a call of the provider's.
func answeredCalls(turn []preflight.Part) []preflight.Part {
	var calls []preflight.Part
	history := []preflight.Message{{Role: preflight.RoleAssistant, Parts: turn}}
	for _, pair := range preflight.Pairs(history, &preflight.Profile{}) {
		if c, ok := pair.Part.(*preflight.ToolCall); ok && c.ProviderExecuted &&
			pair.Counterpart != nil {
			calls = append(calls, &preflight.ToolCall{ID: c.ID, Name: c.Name})
		}
	}
	return calls
}

func isProviderResult(p preflight.Part) bool {
	r, ok := p.(*preflight.ToolResult)
	return ok && r.ProviderExecuted
}

// markProviderExecuted marks the results of provider-executed calls, which come after their calls
// in one message. The matcher keeps provider-executed parts apart from others, so it is asked about
// unmarked copies.
func markProviderExecuted(parts []preflight.Part) {
	served, unmarked := false, false
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			served = served || p.ProviderExecuted
		case *preflight.ToolResult:
			unmarked = unmarked || !p.ProviderExecuted
		}
	}
	if !served || !unmarked {
		return
	}
	copies := make([]preflight.Part, len(parts))
	for i, p := range parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			copies[i] = &preflight.ToolCall{ID: p.ID, Name: p.Name}
		case *preflight.ToolResult:
			copies[i] = &preflight.ToolResult{CallID: p.CallID, Name: p.Name}
		}
	}
	message := []preflight.Message{{Role: preflight.RoleAssistant, Parts: copies}}
	for _, pair := range preflight.Pairs(message, &preflight.Profile{}) {
		result, ok := parts[pair.At.Part()].(*preflight.ToolResult)
		if !ok || pair.Reason != pairs.ByID || pair.CounterpartAt.Part() > pair.At.Part() {
			continue
		}
		call, ok := parts[pair.CounterpartAt.Part()].(*preflight.ToolCall)
		if ok && call.ProviderExecuted {
			result.ProviderExecuted = true
		}
	}
}

// markContinued marks the results of provider-executed calls in messages before, where the model
// takes assistant messages in a row for one.
func (d *decoder) markContinued(parts []preflight.Part) {
	if !d.r.Profile.Turns.Joined() {
		return
	}
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			if p.ProviderExecuted {
				if d.served == nil {
					d.served = make(map[string]bool)
				}
				d.served[p.ID] = true
			}
		case *preflight.ToolResult:
			if d.served[p.CallID] {
				p.ProviderExecuted = true
				delete(d.served, p.CallID)
			}
		}
	}
}
