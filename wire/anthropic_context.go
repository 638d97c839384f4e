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
		if strings.HasPrefix(v.Get("type").Str(), "clear_thinking_") {
			r.note(finding{
				code: codes.FieldRemoved, rule: ruleContextEdit,
				path: indexed("context_management.edits", k), at: nowhere,
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

// checkFallbacks keeps the blocks that mark where a fallback model took over, in a request that has
// fallbacks: without its beta the provider does not know them.
func (r *Request) checkFallbacks() {
	if r.root.Get("fallbacks").Len() > 0 || mentions(r.root.Get("anthropic_beta"), "fallback") ||
		r.hasBeta("fallback") {
		r.keepFallbacks()
	}
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
		if k.Kind != "fallback" {
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
