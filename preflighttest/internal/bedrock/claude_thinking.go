package bedrock

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// The reasoning that goes back to Claude.

// bind tells what the thinking of a request can be bound to.
func bind(root map[string]any, turns []turn) *seal.Bound {
	listed := func(list any) any {
		blocks := slices.DeleteFunc(slices.Clone(read.Array(list)),
			func(v any) bool { return read.Has(read.Object(v), "cachePoint") })
		if len(blocks) == 0 {
			return nil
		}
		return blocks
	}
	bound := seal.NewBound(read.Digest(listed(root["system"])),
		read.Digest(listed(read.Object(root["toolConfig"])["tools"])))
	for _, t := range turns {
		for _, b := range t.blocks {
			if claude.Thinks(b.kind()) {
				bound.Thought(b.claude)
				continue
			}
			bound.Add(b.claude, read.Digest([]any{t.role, b.bare()}))
		}
	}
	return bound
}

// bare returns the block without the status of a result that is no error, which says
// nothing.
func (b block) bare() map[string]any {
	if b.result() == nil || b.result()["status"] == "error" {
		return b.object
	}
	result := maps.Clone(b.result())
	delete(result, "status")
	return map[string]any{"toolResult": result}
}

// conversation returns the request as Claude reads it.
func (b *request) conversation(r *fake.Request, binding map[string]any) *claude.Conversation {
	c := &claude.Conversation{
		Model: b.model, Thinking: b.thinking, Bound: bind(r.Root, b.turns),
		Drops: r.Lenient && binding == nil ||
			read.Text(binding["prefix_mismatch_behavior"]) == "drop_block",
	}
	for _, t := range b.turns {
		turn := claude.Turn{Role: t.role, Last: t.last}
		for _, block := range t.blocks {
			reasoning := read.Object(block.object["reasoningContent"])
			said := read.Object(reasoning["reasoningText"])
			turn.Blocks = append(turn.Blocks, claude.Block{
				Kind: block.kind(), Place: block.claude, At: block.at, Text: read.Text(said["text"]),
				Signature: said["signature"], Data: reasoning["redactedContent"],
				Unknown: block.unknown(),
			})
		}
		c.Turns = append(c.Turns, turn)
	}
	c.Waits = b.continued() == nil
	return c
}
