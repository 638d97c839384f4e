package preflighttest

// anthropicBind tells what the thinking of a request can be bound to.
func anthropicBind(root map[string]any, messages []anthropicMessage) *bound {
	system, tools := root["system"], root["tools"]
	if s, ok := system.(string); ok {
		system = []any{map[string]any{"type": "text", "text": s}}
	}
	if len(array(system)) == 0 {
		system = nil
	}
	if len(array(tools)) == 0 {
		tools = nil
	}
	bound := newBound(digest(system, "cache_control"), digest(tools, "cache_control"))
	for _, m := range messages {
		for _, b := range m.blocks {
			if b.thinks() {
				bound.thought(b.path)
			} else {
				bound.add(b.path, digest([]any{m.role, anthropicPlain(b)}, "cache_control"))
			}
		}
	}
	return bound
}

// thinks reports whether the block is thinking, withheld or not.
func (b anthropicBlock) thinks() bool {
	return b.kind == "thinking" || b.kind == "redacted_thinking"
}

// anthropicPlain writes a result that is a string as the text block that it
// stands for.
func anthropicPlain(b anthropicBlock) map[string]any {
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

// anthropicUnseal reads the seal of a block, as unsealThinking does.
func anthropicUnseal(b anthropicBlock) (s sealedThinking, ours, intact bool) {
	if b.kind == "redacted_thinking" {
		return unsealThinking(text(b.object["data"]))
	}
	return unsealThinking(text(b.object["signature"]))
}
