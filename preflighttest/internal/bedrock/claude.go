package bedrock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/rule"
)

// What Claude refuses behind Converse, whose words the service passes on.

// relayed is the prefix of the words of Claude.
const relayed = "The model returned the following errors: "

// turn is a run of messages of one role, which Claude reads as one turn.
type turn struct {
	role        string
	first, last int     // indices of its messages
	blocks      []block // but for cache points, which are no blocks to Claude
}

// turns joins the messages of a request.
func turns(messages []message) (turns []turn) {
	for _, m := range messages {
		if n := len(turns); n == 0 || turns[n-1].role != m.role {
			turns = append(turns, turn{role: m.role, first: m.index})
		}
		t := &turns[len(turns)-1]
		t.last = m.index
		for _, b := range m.blocks {
			if !read.Has(b.object, "cachePoint") {
				t.blocks = append(t.blocks, b)
			}
		}
	}
	return turns
}

// kind returns what Claude calls the block.
func (b block) kind() string {
	switch use, reasoning := b.use(), read.Object(b.object["reasoningContent"]); {
	case read.Has(b.object, "text"):
		return "text"
	case use["type"] == "server_tool_use":
		return "server_tool_use"
	case use != nil:
		return "tool_use"
	case b.served:
		return "server_tool_result"
	case b.result() != nil:
		return "tool_result"
	case read.Has(reasoning, "reasoningText"):
		return "thinking"
	case reasoning != nil:
		return "redacted_thinking"
	case read.Has(b.object, "image"):
		return "image"
	case read.Has(b.object, "document"):
		return "document"
	}
	return "other"
}

// call reports whether the block is a call of the caller's tools or of one that the service runs.
func (b block) call() bool { return b.kind() == "tool_use" || b.kind() == "server_tool_use" }

// ofClaude returns the check of one of Claude's rules, which answers in its words.
func ofClaude(name string, find func(b *request, say fake.Found)) fake.Check {
	known, _ := rule.ByID("anthropic/" + name)
	return fake.Check{Rule: known.ID, Find: func(r *fake.Request, found fake.Found) {
		if family(r.Model) != "claude" || r.Lenient && known.Severity == rule.Varies {
			return
		}
		find(opened(r), func(path string, edits ...string) {
			found.Says(path, relayed+strings.NewReplacer(edits...).Replace(known.Error))
		})
	}}
}

// ofThinking is ofClaude for rules about thinking, which Converse has one of its own for.
func ofThinking(name string, find func(c *claude.Conversation, say fake.Found)) fake.Check {
	check := ofClaude(name, func(b *request, say fake.Found) { find(b.talk, say) })
	check.Rule = "bedrock/reasoning-content"
	return check
}

// late finds calls whose results come after other blocks of the next turn.
func late(b *request, say fake.Found) {
	for i, t := range b.turns[:max(0, len(b.turns)-1)] {
		if t.role != "assistant" || b.turns[i+1].role != "user" {
			continue
		}
		head, late, talks := map[string]bool{}, map[string]bool{}, false
		for _, block := range b.turns[i+1].blocks {
			switch id := read.Text(block.answer()["toolUseId"]); {
			case block.answer() == nil:
				talks = true
			case talks:
				late[id] = true
			default:
				head[id] = true
			}
		}
		var ids []string
		for _, block := range t.blocks {
			id := read.Text(block.use()["toolUseId"])
			if block.kind() == "tool_use" && late[id] && !head[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			say(messagePath(t.last), "messages.N", fmt.Sprintf("messages.%d", t.last),
				"toolu_XXXX", strings.Join(ids, ", "))
		}
	}
}

// namesUnique finds tools that have the name of an earlier one.
func namesUnique(b *request, say fake.Found) {
	var names []string
	for i, t := range b.tools {
		name := read.Text(read.Object(read.Object(t)["toolSpec"])["name"])
		if name != "" && slices.Contains(names, name) {
			say(fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i))
		}
		names = append(names, name)
	}
}

// idsUnique finds calls that have the id of an earlier one.
func idsUnique(b *request, say fake.Found) {
	seen := map[string]bool{}
	for _, t := range b.turns {
		for _, block := range t.blocks {
			id, ok := block.use()["toolUseId"].(string)
			if !ok || !block.call() {
				continue
			}
			if seen[id] {
				say(block.at())
			}
			seen[id] = true
		}
	}
}

// continued returns the turn of the model at the end, or nil. A turn that waits
// for a tool of the service goes back as it came, and is not meant.
func (b *request) continued() *turn {
	n := len(b.turns)
	if n == 0 || b.turns[n-1].role != "assistant" {
		return nil
	}
	t := &b.turns[n-1]
	for i, use := range t.blocks {
		if use.kind() != "server_tool_use" || use.msg != t.last {
			continue
		}
		if !slices.ContainsFunc(t.blocks[i:], func(after block) bool {
			return after.served && after.result()["toolUseId"] == use.use()["toolUseId"]
		}) {
			return nil
		}
	}
	return t
}

// prefill finds a turn of the model at the end, for models that do not continue one.
func prefill(b *request, say fake.Found) {
	if t := b.continued(); t != nil && (!b.model.Prefills() || b.thinking == "enabled") {
		say(messagePath(t.last))
	}
}
