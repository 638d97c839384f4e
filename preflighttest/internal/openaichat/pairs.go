package openaichat

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and results.

// runs calls f for each assistant message with the tool messages
// directly after it, and for tool messages that follow something else, with
// an empty message before them.
func runs(r *fake.Request, f func(call message, results []message)) {
	messages := messagesOf(r)
	for i := 0; i < len(messages); {
		var call message
		if messages[i].role != "tool" {
			call = messages[i]
			i++
		}
		first := i
		for i < len(messages) && messages[i].role == "tool" {
			i++
		}
		if call.role != "assistant" {
			call.calls = nil
		}
		f(call, messages[first:i])
	}
}

func duplicate(r *fake.Request, found fake.Found) {
	duplicate := func(id, path, at string) {
		found(path, "call_00_abc", id, "message[2]",
			strings.TrimPrefix(strings.Replace(at, "messages[", "message[", 1), "."))
	}
	runs(r, func(call message, results []message) {
		seen := map[string]bool{}
		for _, c := range call.calls {
			if seen[c.id] {
				duplicate(c.id, c.path+".id", call.path)
			}
			seen[c.id] = true
		}
		answered := map[string]bool{}
		for _, m := range results {
			id := read.Text(m.object["tool_call_id"])
			if answered[id] && seen[id] {
				duplicate(id, m.path+".tool_call_id", m.path)
			}
			answered[id] = true
		}
	})
}

func orphan(r *fake.Request, found fake.Found) {
	runs(r, func(call message, results []message) {
		called := map[string]bool{}
		for _, c := range call.calls {
			called[c.id] = true
		}
		for _, m := range results {
			if id, ok := m.object["tool_call_id"].(string); ok && !called[id] {
				found(m.path)
			}
		}
	})
}

func missing(r *fake.Request, found fake.Found) {
	runs(r, func(call message, results []message) {
		done := map[string]bool{}
		for _, m := range results {
			if id, ok := m.object["tool_call_id"].(string); ok {
				done[id] = true
			}
		}
		var ids []string
		for _, c := range call.calls {
			if !done[c.id] {
				ids = append(ids, c.id)
			}
			done[c.id] = true
		}
		if len(ids) > 0 {
			found(call.path, "call_XXXX", strings.Join(ids, ", "))
		}
	})
}
