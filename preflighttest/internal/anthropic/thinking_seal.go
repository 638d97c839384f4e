package anthropic

import (
	"github.com/go-preflight/preflight/preflighttest/internal/claude"
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
			if claude.Thinks(b.kind) {
				bound.Thought(b.path)
			} else {
				bound.Add(b.path, read.Digest([]any{m.role, plain(b)}, "cache_control"))
			}
		}
	}
	return bound
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
