package anthropic

import (
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Signatures of thinking blocks.

// bind tells what the thinking of a request can be bound to.
func bind(root map[string]any, messages []message) *seal.Bound {
	system, tools := root["system"], root["tools"]
	if s, ok := system.(string); ok {
		system = []any{map[string]any{"type": "text", "text": s}}
	}
	if len(read.Array(system)) == 0 {
		system = nil
	}
	if len(read.Array(tools)) == 0 {
		tools = nil
	}
	bound := seal.NewBound(
		read.Digest(system, "cache_control"),
		read.Digest(tools, "cache_control"),
	)
	for _, m := range messages {
		for _, b := range m.blocks {
			if b.thinks() {
				bound.Thought(b.path)
			} else {
				bound.Add(b.path, read.Digest([]any{m.role, plain(b)}, "cache_control"))
			}
		}
	}
	return bound
}

// thinks reports whether the block is thinking, withheld or not.
func (b block) thinks() bool {
	return b.kind == "thinking" || b.kind == "redacted_thinking"
}

// plain writes a result that is a string as the text block that it
// stands for.
func plain(b block) map[string]any {
	s, ok := b.object["content"].(string)
	if b.kind != "tool_result" || !ok {
		return b.object
	}
	plain := map[string]any{}
	for name, value := range b.object {
		plain[name] = value
	}
	plain["content"] = []any{map[string]any{"type": "text", "text": s}}
	return plain
}

// unseal reads the seal of a block, as seal.OpenThinking does.
func unseal(b block) (s seal.Thinking, ours, intact bool) {
	if b.kind == "redacted_thinking" {
		return seal.OpenThinking(read.Text(b.object["data"]))
	}
	return seal.OpenThinking(read.Text(b.object["signature"]))
}
