package bedrock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and results.

// ids returns the ids of the calls of the caller's tools, and of the results
// for them. Tools that the provider executes are called and answered within
// one message.
func (m message) ids() (uses, results []string) {
	served := map[string]bool{}
	for _, b := range m.blocks {
		if use := b.use(); use["type"] == "server_tool_use" && m.role == "assistant" {
			served[read.Text(use["toolUseId"])] = true
		} else if use != nil {
			uses = append(uses, read.Text(use["toolUseId"]))
		}
		if result := b.result(); result != nil && !served[read.Text(result["toolUseId"])] {
			results = append(results, read.Text(result["toolUseId"]))
		}
	}
	return uses, results
}

// unknown returns the number of blocks of which nothing is known, and which may be calls.
func (m message) unknown() (n int) {
	for _, b := range m.blocks {
		if b.unknown() {
			n++
		}
	}
	return n
}

// unknown reports whether nothing is known of the block, or of who runs the call that it is.
func (b block) unknown() bool {
	use := read.Object(b.object["toolUse"])
	if kind, typed := use["type"].(string); typed {
		return kind != "tool_use" && kind != "server_tool_use"
	}
	return held(b.object, blockUnion) == 0
}

// head returns the message without the results that come after blocks that are no results of the
// calls.
func (m message) head(calls []string) message {
	other := func(b block) bool {
		return b.result() == nil && !b.point() && !b.mayAnswer(calls)
	}
	if n := slices.IndexFunc(m.blocks, other); n >= 0 {
		m.blocks = m.blocks[:n]
	}
	return m
}

// mayAnswer reports whether a block of which nothing is known names one of the calls.
func (b block) mayAnswer(calls []string) bool {
	var named read.Mentions
	if b.unknown() {
		named.AddIDs(b.object, 0)
	}
	return slices.ContainsFunc(calls, func(id string) bool { return named.From(0, id) })
}

// resultAlone checks the families that take results in a turn of their own
// (https://github.com/pydantic/pydantic-ai/pull/6098). The service joins user
// messages that follow each other.
func resultAlone(r *fake.Request, found fake.Found) {
	family := family(r.Model)
	if !strings.Contains(r.Model, "mistral.") && family != "llama" && family != "palmyra" &&
		!strictest(r) {
		return
	}
	answers, role := false, ""
	for _, m := range opened(r).messages {
		if m.role != "user" || role != m.role {
			answers = false
		}
		role = m.role
		talks := false
		for _, b := range m.blocks {
			answers = answers || b.answer() != nil
			talks = talks || b.answer() == nil && !read.Has(b.object, "cachePoint")
		}
		if m.role == "user" && talks && answers {
			found(messagePath(m.index), "messages.4.content",
				fmt.Sprintf("messages.%d.content", m.index))
		}
	}
}

// repeated returns the ids that occur more than once.
func repeated(ids []string) (repeated []string) {
	count := map[string]int{}
	for _, id := range ids {
		if count[id]++; count[id] == 2 {
			repeated = append(repeated, id)
		}
	}
	return repeated
}

// duplicate is known from https://github.com/BerriAI/litellm/issues/20048.
func duplicate(r *fake.Request, found fake.Found) {
	for _, m := range opened(r).messages {
		report := func(name string, ids []string) {
			if ids = repeated(ids); ids != nil {
				found.Says(messagePath(m.index),
					fmt.Sprintf("The %s blocks at messages.%d.content contain duplicate Ids: %s",
						name, m.index, strings.Join(ids, ", ")))
			}
		}
		uses, results := m.ids()
		report("toolUse", uses)
		report("toolResult", results)
	}
}

// exceeds counts the caller's results of a message against the calls of
// the turn before it. A result for a call that the provider ran there itself is
// of no account: no refusal of one is on record.
func exceeds(r *fake.Request, found fake.Found) {
	calls, before := 0, ""
	var last message
	for _, m := range opened(r).messages {
		uses, results := m.ids()
		if m.role == "assistant" && before == m.role && family(r.Model) == "claude" {
			calls += len(uses) + m.unknown() // Claude reads neighbours as one turn
			last = m
			continue
		}
		before = m.role
		if m.role != "assistant" {
			results = slices.DeleteFunc(results, last.served)
		}
		if len(results) > calls {
			found(messagePath(m.index), "messages.8.content",
				fmt.Sprintf("messages.%d.content", m.index))
		}
		if calls = 0; m.role == "assistant" { // a call that the user makes is no turn's
			calls = len(uses) + m.unknown()
		}
		last = m
	}
}

// served reports whether an id is that of a call that the provider ran and
// answered itself in the message, and of none of the caller's there.
func (m message) served(id string) bool {
	ran, answered := false, false
	for _, b := range m.blocks {
		use, result := b.use(), b.result()
		switch {
		case use != nil && read.Text(use["toolUseId"]) == id && use["type"] != "server_tool_use":
			return false
		case use != nil && read.Text(use["toolUseId"]) == id:
			ran = true
		case result != nil && read.Text(result["toolUseId"]) == id:
			answered = answered || ran
		}
	}
	return answered && m.role == "assistant"
}

func missing(r *fake.Request, found fake.Found) {
	messages := opened(r).messages
	var unknown read.Mentions // the ids in blocks that may be results
	each(r, func(m message, b block) {
		if b.unknown() {
			unknown.AddIDs(b.object, m.index)
		}
	})
	for i, m := range messages {
		uses, _ := m.ids()
		answered := map[string]bool{}
		at := i + 1
		joined := m.role == "assistant" && family(r.Model) == "claude"
		for joined && at < len(messages) && messages[at].role == "assistant" {
			at++
		}
		// the results in a message of the assistant are its own
		if at < len(messages) && (m.role != "assistant" || messages[at].role != m.role) {
			next := messages[at]
			if !r.Lenient && family(r.Model) != "claude" {
				next = next.head(uses) // Claude words it itself; what the others take is on no record
			}
			_, results := next.ids()
			for _, id := range results {
				answered[id] = true
			}
		}
		missing := slices.DeleteFunc(uses, func(id string) bool {
			return answered[id] || unknown.From(i, id)
		})
		if len(missing) > 0 {
			found(messagePath(i), "messages.2.content",
				fmt.Sprintf("messages.%d.content", i+1), "tooluse_XXXX",
				strings.Join(missing, ", "))
		}
	}
}
