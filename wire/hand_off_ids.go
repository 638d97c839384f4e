package wire

import (
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file gives ids to calls and results that come from a format without them.

// nameCalls gives an id to foreign calls without one: it is made of the tool's name, and no call
// before has it. A call with the id of an earlier call that has no result yet gets another id. Some
// formats allow both. The results follow.
func (h *handOff) nameCalls() {
	count := 0
	ids := make(map[preflight.Position]string)   // of the calls
	open := make(map[string]preflight.Position)  // for all ids so far, the result of the last call
	renamed := make(map[preflight.Position]bool) // the calls with another id
	source := h.source
	if source == nil {
		source = sourceByName()
	}
	pairs := preflight.Pairs(h.given, source)
	for _, pair := range pairs {
		call, ok := pair.Part.(*preflight.ToolCall)
		if !ok || call.ProviderExecuted {
			continue
		}
		result, earlier := open[call.ID]
		twice := earlier && isBefore(pair.At, result) &&
			(h.source != nil || nativeOf(call).Format == gemini)
		blank := strings.TrimSpace(call.ID) == ""
		ids[pair.At], open[call.ID] = call.ID, pair.CounterpartAt
		if !h.foreign(call) || !blank && !twice {
			continue
		}
		named, taken := *call, true
		for taken && count < 2*len(pairs) { // more ids than there can be
			count++
			named.ID = h.profile.IDs.Call.RewriteID(call.Name, count)
			_, taken = open[named.ID] // it may be from an earlier round
		}
		if taken {
			continue // the pattern allows fewer ids than there are calls
		}
		ids[pair.At], renamed[pair.At] = named.ID, true
		open[named.ID] = pair.CounterpartAt
		h.replace(pair.At.Message(), pair.At.Part(), &named, codes.IDRewritten,
			"gave a tool call an id of its own")
	}
	h.nameResults(pairs, ids, renamed)
}

// nameResults gives results the ids of their calls: a foreign result if it or its call had none or
// the call got another, any other result only if its call got another. ids are those of the calls,
// and renamed the calls that got them.
func (h *handOff) nameResults(
	pairs []preflight.Pair, ids map[preflight.Position]string, renamed map[preflight.Position]bool,
) {
	for _, pair := range pairs {
		r, isResult := pair.Part.(*preflight.ToolResult)
		call, matched := pair.Counterpart.(*preflight.ToolCall)
		if isResult && matched && r.IsError {
			if h.failed == nil {
				h.failed = make(map[preflight.Position]bool)
			}
			h.failed[pair.At] = true
		}
		if !isResult || !matched || r.ProviderExecuted ||
			!h.foreign(r) && !renamed[pair.CounterpartAt] {
			continue
		}
		if !h.foreign(call) {
			if r.Variant != "" && r.Variant == call.Variant {
				if h.typed == nil {
					h.typed = make(map[preflight.Position]bool)
				}
				h.typed[pair.At] = true
			}
			continue
		}
		if id := ids[pair.CounterpartAt]; id != r.CallID &&
			(renamed[pair.CounterpartAt] || strings.TrimSpace(r.CallID) == "") {
			answer := *r
			answer.CallID = id
			h.replace(pair.At.Message(), pair.At.Part(), &answer, codes.IDRewritten,
				"changed a tool result's id to that of its call")
		}
	}
}

// isBefore reports whether a part is before another.
func isBefore(a, b preflight.Position) bool {
	return a.Message() < b.Message() || a.Message() == b.Message() && a.Part() < b.Part()
}

// sourceByName is the profile for matching calls and results of a format without ids.
var sourceByName = sync.OnceValue(func() *preflight.Profile { return provider.Gemini("") })
