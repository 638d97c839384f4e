package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
)

// This file checks a Responses request outside of its items: storage, the outputs of shell
// calls, and the tools that it declares.

// prepareResponses narrows the profile by the request's storage settings, finds out which results
// answer shell calls, and repairs the names of declared tools.
func prepareResponses(r *Request) {
	r.readStorage()
	r.matchOutputs()
	const rule = "openai-responses/name-pattern"
	for k, t := range r.root.Get("tools").All() {
		if oneOf(t.Get("type"), "function", "custom") {
			r.renameTool(t.Get("name"), rule, func() string { return indexed("tools", k) + ".name" })
		}
	}
	r.renameChoice(rule, "tool_choice", "name")
}

// readStorage narrows the profile by the storage settings. With storage off the server holds no
// items, so none can be referred to by id. A request that continues a stored response or
// conversation has a past that it does not show.
func (r *Request) readStorage() {
	chained := r.isChained()
	off := r.root.Get("store").Kind() == jsonscan.False && !chained
	if off {
		r.Profile.Items.Held = false
	}
	if off && r.checksItems() { // no other host was seen to refuse a reference
		refused := slices.Clip(r.Profile.Content.RefusedKinds)
		r.Profile.Content.RefusedKinds = append(refused, provider.RefKind{Kind: itemReference})
	}
	r.Profile.Turns.Required = !r.State.ServerHoldsHistory && r.State.Unknown == "" &&
		r.hasOnlyInstructions()
}

// hasOnlyInstructions reports whether all system text is in the instructions, which are no input:
// the list may not become empty beside them.
func (r *Request) hasOnlyInstructions() bool {
	if !r.ownsSystem() {
		return false
	}
	for i := range r.Messages[1:] {
		if isSystemRole(r.Messages[i+1].Role) {
			return false
		}
	}
	return true
}

// anyType is the profile for matching calls and outputs of any type, those of one type first.
var anyType = preflight.Profile{
	Pairing: provider.PairingRules{Results: provider.ResultsAnywhere, Typed: true},
}

// matchOutputs gives outputs the variant of the call that they answer. A function's output may also
// answer a local shell call or a tool search, and the output of a local shell may name the call's
// item instead of the call.
func (r *Request) matchOutputs() {
	count := make(map[string]int) // the items with an id
	special := false
	for i := range r.Messages {
		count[r.Messages[i].ID]++
		for _, p := range r.Messages[i].Parts {
			c, ok := p.(*preflight.ToolCall)
			special = special || ok && (c.Variant == localShell || c.Variant == toolSearch)
		}
	}
	if !special {
		return
	}
	for _, pair := range preflight.Pairs(r.withoutOtherTools(), &anyType) {
		result, ok := pair.Part.(*preflight.ToolResult)
		call, found := pair.Counterpart.(*preflight.ToolCall)
		if !ok || !found {
			continue
		}
		i := pair.At.Message()
		switch special := call.Variant == localShell || call.Variant == toolSearch; {
		case result.Variant == "" && special && pair.Reason != pairs.ByName:
			result.Variant = call.Variant
		case result.Variant == localShell && call.Variant == localShell &&
			pair.Reason == pairs.ByNormalizedID && !hasValue(r.sources[i].value.Get("call_id")):
			id := result.CallID
			if result.CallID = call.ID; count[id] > 1 || !itemName.Matches(id) ||
				strings.HasSuffix(id, "_") {
				r.noteMessage(i, finding{
					code: codes.ShapeRepaired, rule: ruleItemFields,
					path:  r.listPath(r.sources[i].index),
					wrong: "the output names its call by an item id that cannot stay",
					done:  "changed an output's id to that of its call",
				})
			}
		}
	}
}

// withoutOtherTools returns the messages without the calls and outputs that matchOutputs does not
// match: those that only their own type answers.
func (r *Request) withoutOtherTools() []preflight.Message {
	out := slices.Clone(r.Messages)
	for i := range out {
		for _, p := range out[i].Parts {
			variant := ""
			switch p := p.(type) {
			case *preflight.ToolCall:
				variant = p.Variant
			case *preflight.ToolResult:
				variant = p.Variant
			}
			if variant != "" && variant != localShell && variant != toolSearch {
				out[i].Parts = nil // an item has one part
			}
		}
	}
	return out
}
