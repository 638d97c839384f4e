package preflighttest

import (
	"fmt"
	"strconv"
)

// What the fake seals into the signature of a thinking block, and into the
// data of redacted thinking: the block itself, its place among the thinking
// of its turn, and everything that came before. Cache breakpoints and earlier
// thinking are left out of the comparison, as the provider leaves them out.

// anthropicBound is what the blocks of a request can be bound to.
type anthropicBound struct {
	system, tools string
	chain         []string       // hashes of the first 0, 1, 2… blocks that are not thinking
	trail         string         // four digits of the hash of each of the first of these blocks
	paths         []string       // where these blocks are
	before        map[string]int // the number of these blocks before a thinking block, by its path
}

// anthropicTrail is the number of blocks whose hashes a signature holds one by
// one, so that signatures do not grow with the conversation. A difference
// further on is found too, but said to be there.
const anthropicTrail = 256

func anthropicBind(root map[string]any, messages []anthropicMessage) anthropicBound {
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
	bound := anthropicBound{
		system: digest(system, "cache_control"),
		tools:  digest(tools, "cache_control"),
		chain:  []string{""},
		before: map[string]int{},
	}
	var trail []byte
	for _, m := range messages {
		for _, b := range m.blocks {
			if b.thinks() {
				bound.before[b.path] = len(bound.paths)
				continue
			}
			hash := digest([]any{m.role, anthropicPlain(b)}, "cache_control")
			bound.chain = append(bound.chain, digest(bound.chain[len(bound.chain)-1]+hash))
			bound.paths = append(bound.paths, b.path)
			if len(bound.paths) <= anthropicTrail {
				trail = append(trail, hash[:4]...)
			}
		}
	}
	bound.trail = string(trail)
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

// anthropicSeal signs a thinking block of an answer to the request: the nth of
// so many in its turn.
func anthropicSeal(a *anthropicRequest, kind, text string, nth, of int) string {
	b := a.bound
	return seal(kind, digest(text), strconv.Itoa(nth), strconv.Itoa(of), b.system, b.tools,
		b.chain[len(b.chain)-1], b.trail)
}

// anthropicSealed is what a sealed block holds.
type anthropicSealed struct {
	kind, text, nth, of, system, tools, chain, trail string
}

// anthropicUnseal reads the seal of a block. ours is false for a block that
// the fakes did not issue, and intact for one whose seal is as it was.
func anthropicUnseal(b anthropicBlock) (s anthropicSealed, ours, intact bool) {
	opaque := text(b.object["signature"])
	if b.kind == "redacted_thinking" {
		opaque = text(b.object["data"])
	}
	f, ours := unseal(opaque)
	if len(f) != 8 {
		return s, ours, false
	}
	return anthropicSealed{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}, ours, true
}

// genuine reports whether the block is as it was issued, apart from what it
// is bound to.
func (s anthropicSealed) genuine(b anthropicBlock) bool {
	return s.kind == b.kind && s.text == digest(text(b.object["thinking"]))
}

// differs names the first thing before the block at path that is not as it
// was when the block was made, in the provider's words. It is empty when
// nothing differs.
func (s anthropicSealed) differs(now anthropicBound, path string) string {
	n := now.before[path]
	switch {
	case s.system != now.system:
		return "The `system` prompt differs from the one this block was created with."
	case s.tools != now.tools:
		return "The `tools` list differs from the one this block was created with."
	case s.chain == now.chain[n]:
		return ""
	}
	known := min(4*n, len(s.trail), len(now.trail))
	at := 0
	for 4*at+4 <= known && s.trail[4*at:4*at+4] == now.trail[4*at:4*at+4] {
		at++
	}
	first := "messages.0.content.0"
	if at = min(at, len(now.paths)-1); at >= 0 {
		first = now.paths[at]
	}
	return fmt.Sprintf("Content before this block differs from when it was created, first at `%s`.",
		first)
}
