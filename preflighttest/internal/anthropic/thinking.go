package anthropic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Thinking blocks.

// onlyResults reports whether the turn answers calls and does nothing else.
func (t turn) onlyResults() bool {
	return t.role == "user" &&
		!slices.ContainsFunc(t.blocks,
			func(b block) bool { return b.kind != "tool_result" })
}

// conversation returns the request as Claude reads it.
func (a *request) conversation(r *fake.Request) *claude.Conversation {
	binding := read.Object(read.Object(r.Root["thinking"])["block_binding"])
	c := &claude.Conversation{
		Model: a.model, Thinking: a.thinking, Bound: bind(r.Root, a.messages),
		Drops: r.Lenient && binding == nil ||
			read.Text(binding["prefix_mismatch_behavior"]) == "drop_block",
	}
	for _, t := range a.turns {
		turn := claude.Turn{Role: t.role, Last: t.last}
		for _, b := range t.blocks {
			turn.Blocks = append(turn.Blocks, b.ofClaude())
		}
		c.Turns = append(c.Turns, turn)
	}
	if n := len(a.turns); n > 0 {
		c.Waits = a.turns[n-1].paused()
	}
	return c
}

func (b block) ofClaude() claude.Block {
	return claude.Block{
		Kind: b.kind, Place: b.path, At: b.at, Text: read.Text(b.object["thinking"]),
		Signature: b.object["signature"], Data: b.object["data"],
	}
}

// thinks returns a check of the thinking in a request.
func thinks(
	find func(c *claude.Conversation, found fake.Found),
) func(r *fake.Request, found fake.Found) {
	return func(r *fake.Request, found fake.Found) { find(opened(r).talk, found) }
}

// contextEdit looks for edits of thinking in a request without it.
func contextEdit(r *fake.Request, found fake.Found) {
	if opened(r).thinking != "disabled" {
		return
	}
	for i, e := range read.Array(read.Object(r.Root["context_management"])["edits"]) {
		if kind := read.Text(read.Object(e)["type"]); strings.HasPrefix(kind, "clear_thinking_") {
			found(fmt.Sprintf("context_management.edits[%d]", i), "clear_thinking_20251015", kind)
		}
	}
}
