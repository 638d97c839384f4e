package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file handles Anthropic's context management: the edits that a request asks for, and the
// summaries that replace compacted messages.

const (
	ruleContextEdit = "anthropic/context-edit-needs-thinking"
	ruleCompaction  = "anthropic/compaction-empty"
)

// dropThinkingEdits drops the edits that clear thinking: the provider refuses them in a request
// without thinking.
func (r *Request) dropThinkingEdits() {
	edits := r.root.Get("context_management").Get("edits")
	if edits.Kind() != jsonscan.Array {
		return
	}
	var kept listRepair
	for k, v := range edits.All() {
		if v.Get("type").StrIs("clear_thinking_20251015") { // a later version may not need it
			r.note(finding{
				code: codes.FieldRemoved, rule: ruleContextEdit,
				path:  indexed("context_management.edits", k),
				wrong: "the edit clears thinking, but the request does not think",
				done:  "removed an edit that clears thinking, since the request does not think",
			})
			kept.remove(k)
		} else {
			kept.keep(k)
		}
	}
	if kept.changed && len(kept.items) == 0 && r.root.Get("context_management").Len() == 1 {
		r.deleteMember("context_management")
	} else {
		r.repairList(edits, kept)
	}
}

const (
	fallbackKind     = "fallback"
	ruleFallbackTurn = "anthropic/fallback-refused-part"
)

// checkFallbacks keeps the blocks that mark where a fallback model took over, in a request that has
// fallbacks: without its beta the provider does not know them.
func (r *Request) checkFallbacks() {
	if r.root.Get("fallbacks").Len() > 0 || mentions(r.root.Get("anthropic_beta"), "fallback") ||
		r.hasBeta("fallback") {
		r.keepFallbacks()
	}
	var answers map[string]int
	for i := range r.Messages {
		if last := r.lastFallback(i); last > 0 {
			if answers == nil {
				answers = r.lastAnswers()
			}
			r.leaveOutRefused(i, last, answers)
		}
	}
}

// lastFallback returns the index of the last fallback block of message i, of the model's, 0 where
// there is none, or nothing before it.
func (r *Request) lastFallback(i int) int {
	if r.Messages[i].Role != preflight.RoleAssistant {
		return 0
	}
	parts := r.Messages[i].Parts
	for j := len(parts) - 1; j > 0; j-- {
		if other, ok := parts[j].(*preflight.Other); ok && other.Kind == fallbackKind {
			return j
		}
	}
	return 0
}

// lastAnswers returns the index of the last message with a result of a call, by the call's id.
func (r *Request) lastAnswers() map[string]int {
	answers := map[string]int{}
	for i, m := range r.Messages {
		for _, p := range m.Parts {
			if result, ok := p.(*preflight.ToolResult); ok {
				answers[result.CallID] = i
			}
		}
	}
	return answers
}

// leaveOutRefused removes from message i what a model that refused had begun before the last
// fallback block of the turn: its calls that were never answered, for which no result is wanted,
// and, where the block itself has to go, the reasoning that the block kept apart.
func (r *Request) leaveOutRefused(i, last int, answers map[string]int) {
	parts := r.Messages[i].Parts
	kept := make([]preflight.Part, 0, len(parts))
	refused := slices.ContainsFunc(r.Profile.Content.RefusedKinds, func(k provider.RefKind) bool {
		return k.Kind == fallbackKind
	})
	for j, p := range parts {
		call, isCall := p.(*preflight.ToolCall)
		_, isReasoning := p.(*preflight.Reasoning)
		unanswered := false
		if isCall {
			at, answered := answers[call.ID]
			unanswered = !answered || at < i
		}
		if j >= last || !unanswered && !(isReasoning && refused) {
			kept = append(kept, p)
			continue
		}
		r.noteMessage(i, finding{
			code: codes.PartRemoved, rule: ruleFallbackTurn,
			path:  r.requestPath(preflight.At(i, j)),
			wrong: "a part of the model that refused comes before the fallback block",
			done:  "removed what the model that refused had begun before the fallback block",
		})
	}
	r.Messages[i].Parts = kept
}

// hasBeta reports whether the request asks, outside of its body, for a beta feature whose name
// holds word.
func (r *Request) hasBeta(word string) bool {
	return slices.ContainsFunc(r.betas, func(beta string) bool {
		return strings.Contains(beta, word)
	})
}

// keepFallbacks takes the blocks out of the kinds that are refused.
func (r *Request) keepFallbacks() {
	var rest []provider.RefKind
	for _, k := range r.Profile.Content.RefusedKinds {
		if k.Kind != fallbackKind {
			rest = append(rest, k)
		}
	}
	r.Profile.Content.RefusedKinds = rest
}

// mentions reports whether a list of strings has one that holds word.
func mentions(list jsonscan.Value, word string) bool {
	for v := list.First(); v.Exists(); v = v.Next() {
		if v.Kind() == jsonscan.String && strings.Contains(v.Str(), word) {
			return true
		}
	}
	return false
}

// compactionPart reads a compaction block. An empty summary is refused; null means that there is
// none.
func compactionPart(d *decoder, v jsonscan.Value, c preflight.Carried) preflight.Part {
	if content := v.Get("content"); content.StrIs("") && !d.r.format.ownMembers {
		d.note(v, "content", finding{
			code: codes.ShapeRepaired, rule: ruleCompaction,
			wrong: "the summary is empty",
			done:  "replaced an empty summary by null",
		})
		raw := append([]byte(nil), c.Native.JSON[:content.Start()-v.Start()]...)
		raw = append(append(raw, "null"...), c.Native.JSON[content.End()-v.Start():]...)
		c.Native.JSON = raw
	}
	return d.others.one(preflight.Other{Carried: c, Kind: "compaction"})
}
