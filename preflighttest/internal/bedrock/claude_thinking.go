package bedrock

import (
	"fmt"
	"maps"
	"slices"

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
			if b.thinks() {
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

// thinks reports whether the block is reasoning, withheld or not.
func (b block) thinks() bool {
	return b.kind() == "thinking" || b.kind() == "redacted_thinking"
}

// thought returns the text of the reasoning that the block is, and its signature.
func (b block) thought() (thinking string, signature any) {
	said := read.Object(read.Object(b.object["reasoningContent"])["reasoningText"])
	return read.Text(said["text"]), said["signature"]
}

// unseal reads the seal of a block of reasoning.
func (b block) unseal() (s seal.Thinking, ours, intact bool) {
	if b.kind() == "redacted_thinking" {
		return seal.OpenThinking(
			read.Text(read.Object(b.object["reasoningContent"])["redactedContent"]),
		)
	}
	_, signature := b.thought()
	return seal.OpenThinking(read.Text(signature))
}

// genuine reports whether the block is as it was issued under the seal.
func (b block) genuine(s seal.Thinking) bool {
	thinking, _ := b.thought()
	return s.Genuine(b.kind(), thinking)
}

// reasoning calls f for every block of reasoning, with its turn.
func (b *request) reasoning(f func(t turn, block block)) {
	for _, t := range b.turns {
		for _, block := range t.blocks {
			if block.thinks() {
				f(t, block)
			}
		}
	}
}

// latest returns the index of the last turn of the model, or -1.
func (b *request) latest() int {
	for i := len(b.turns) - 1; i >= 0; i-- {
		if b.turns[i].role == "assistant" {
			return i
		}
	}
	return -1
}

// unfinished returns the turns of the model that belong to the answer that is to
// come: the last one, if nothing but results follows, and those before it that
// results alone lead on from.
func (b *request) unfinished() (turns []turn) {
	for _, t := range slices.Backward(b.turns) {
		switch {
		case t.role == "assistant":
			turns = append(turns, t)
		case t.role != "user" || slices.ContainsFunc(t.blocks,
			func(b block) bool { return b.answer() == nil }):
			slices.Reverse(turns)
			return turns
		}
	}
	slices.Reverse(turns)
	return turns
}

func signatureMissing(b *request, say refusal) {
	b.reasoning(func(_ turn, block block) {
		thinking, signature := block.thought()
		s, ok := signature.(string)
		if block.kind() == "thinking" && (!ok || s == "" && thinking != "") {
			say(block.at(), block.edits()...)
		}
	})
}

func redacted(b *request, say refusal) {
	b.reasoning(func(_ turn, block block) {
		data, ok := read.Object(block.object["reasoningContent"])["redactedContent"].(string)
		s, ours, intact := block.unseal()
		if ok && block.kind() == "redacted_thinking" &&
			(data == "" || ours && (!intact || s.Kind != block.kind())) {
			say(block.at(), block.edits()...)
		}
	})
}

// modified looks at the latest turn of the model, whose reasoning has to
// be all there, in order and unchanged. What no fake has issued is taken as it
// is, and a damaged seal is another rule's case.
func modified(b *request, say refusal) {
	i := b.latest()
	if i < 0 {
		return
	}
	var issued []seal.Thinking
	var at []block
	for _, block := range b.turns[i].blocks {
		if !block.thinks() {
			continue
		}
		s, ours, intact := block.unseal()
		if !ours || !intact {
			return
		}
		if !block.genuine(s) {
			say(block.at(), block.edits()...)
			return
		}
		issued, at = append(issued, s), append(at, block)
	}
	if i := seal.Misplaced(issued); i >= 0 {
		say(at[i].at(), at[i].edits()...)
	}
}

func signatureInvalid(b *request, say refusal) {
	latest := b.latest()
	b.reasoning(func(t turn, block block) {
		s, ours, intact := block.unseal()
		modified := latest >= 0 && t.first == b.turns[latest].first // is said of that turn
		if block.kind() == "thinking" && ours && !(intact && (modified || block.genuine(s))) {
			say(block.at(), block.edits()...)
		}
	})
}

// prefix finds reasoning of models that bind it to what came before it.
func prefix(b *request, say refusal) {
	if b.drops || !b.model.binds() {
		return
	}
	b.reasoning(func(_ turn, block block) {
		s, _, intact := block.unseal()
		if !intact {
			return
		}
		if what := s.Differs(b.bound, block.claude); what != "" {
			say(block.at(), block.edits(
				"The `system` prompt differs from the one this block was created with.", what)...)
		}
	})
}

func thinkingEmpty(b *request, say refusal) {
	b.reasoning(func(_ turn, block block) {
		thinking, signature := block.thought()
		if block.kind() == "thinking" && thinking == "" && signature == "" {
			say(block.at(), block.edits()...)
		}
	})
}

func thinkingLast(b *request, say refusal) {
	t := b.continued()
	if t == nil || len(t.blocks) == 0 {
		return
	}
	if end := t.blocks[len(t.blocks)-1]; end.thinks() {
		say(messagePath(t.last), "messages.N", fmt.Sprintf("messages.%d", t.last),
			"cannot be `thinking`", "cannot be `"+end.kind()+"`")
	}
}

func thinkingOff(b *request, say refusal) {
	if b.thinking != "disabled" {
		return
	}
	for _, t := range b.unfinished() {
		if i := slices.IndexFunc(t.blocks, block.thinks); i >= 0 {
			say(t.blocks[i].at(), t.blocks[i].edits("cannot contain `thinking`",
				"cannot contain `"+t.blocks[i].kind()+"`")...)
			return
		}
	}
}

func thinkingFirst(b *request, say refusal) {
	for _, t := range b.turns {
		if b.thinking == "enabled" && t.role == "assistant" && len(t.blocks) > 0 &&
			!t.blocks[0].thinks() && !t.blocks[0].unknown() &&
			slices.ContainsFunc(t.blocks, block.thinks) {
			say(t.blocks[0].at(), t.blocks[0].edits("Found `text`",
				"Found `"+t.blocks[0].kind()+"`")...)
		}
	}
}

// thinkingLeads: an answer that goes on after results began with its reasoning.
func thinkingLeads(b *request, say refusal) {
	turns := b.unfinished()
	if b.thinking != "enabled" || len(turns) == 0 ||
		b.turns[len(b.turns)-1].role == "assistant" || len(turns[0].blocks) == 0 {
		return
	}
	if first := turns[0].blocks[0]; !first.thinks() && !first.unknown() {
		say(first.at()+".type", first.edits("found `tool_use`", "found `"+first.kind()+"`")...)
	}
}
