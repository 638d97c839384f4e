package compact

import (
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
)

// This file finds the messages that are never compacted: those that the caller pinned, and the last
// compaction of the provider's own.

// pins reports whether the caller pinned a message.
func (l Limits) pins(m preflight.Message) bool {
	if l.Pinned == nil {
		return false
	}
	defer contain.Guard("function Limits.Pinned")
	return l.Pinned(m)
}

// pin marks the exchanges that are never compacted, given which messages of the history are
// pinned. Of the compactions that the provider made itself the last one counts: it covers what was
// before it, and nobody else can read it.
func (b *base) pin(pinned func(src int) bool) {
	last := -1
	for i, m := range b.messages {
		if slices.ContainsFunc(m.Parts, isCompaction) {
			last = i
		}
	}
	for k, from := range b.cuts {
		end := len(b.messages)
		if k+1 < len(b.cuts) {
			end = b.cuts[k+1]
		}
		stays := false
		for _, list := range b.sources[from:end] {
			stays = stays || slices.ContainsFunc(list, pinned)
		}
		if from <= last && last < end {
			stays, b.opaque = true, [2]int{from, end}
		}
		for i := from; i < end; i++ {
			b.pinned[i] = stays
		}
	}
	b.weigh()
}

// isCompaction reports whether a part is a compaction of the provider's own: a block of type
// compaction (https://platform.claude.com/docs/en/build-with-claude/compaction-threshold) or an
// item of type compaction or compaction_summary of OpenAI's Responses API.
// One without content is a compaction that failed, and replaces nothing.
func isCompaction(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	if !ok || o == nil || o.Kind != "compaction" && o.Kind != "compaction_summary" {
		return false
	}
	var is struct {
		Content   json.RawMessage `json:"content"`
		Encrypted string          `json:"encrypted_content"`
	}
	err := json.Unmarshal(o.Native.JSON, &is)
	return err != nil || is.Encrypted != "" || len(is.Content) > 0 && string(is.Content) != "null"
}

// staying returns the indices of the messages that stay with a cut, in the order they are sent in:
// the provider's compaction first, because a provider drops what is before it.
func (b *base) staying(cut int) []int {
	var out []int
	n := b.before(cut)
	for i := range n {
		out = append(out, b.opaque[0]+i)
	}
	for i := range b.messages {
		if i >= cut || b.pinned[i] && (n == 0 || i < b.opaque[0] || i >= b.opaque[1]) {
			out = append(out, i)
		}
	}
	return out
}

// before returns how many of the messages that stay with a cut come before the summaries.
func (b *base) before(cut int) int {
	if b.opaque[1] > cut {
		return 0
	}
	return b.opaque[1] - b.opaque[0]
}
