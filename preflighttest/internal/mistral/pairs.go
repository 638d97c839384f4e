package mistral

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and results.

// rounds calls f for each assistant message with the tool messages up
// to the next, and first for those before any of them.
func rounds(r *fake.Request, f func(calls message, results []message)) {
	var calls message
	var results []message
	for _, m := range messagesOf(r) {
		switch m.role {
		case "assistant":
			f(calls, results)
			calls, results = m, nil
		case "tool":
			results = append(results, m)
		}
	}
	f(calls, results)
}

// ids returns the ids of the calls.
func (m message) ids() map[string]bool {
	ids := map[string]bool{}
	for _, c := range m.calls {
		ids[c.id] = true
	}
	return ids
}

func unexpected(r *fake.Request, found fake.Found) {
	rounds(r, func(calls message, results []message) {
		open := calls.ids()
		for _, m := range results {
			if id := read.Text(m.object["tool_call_id"]); !open[id] {
				found(m.path+".tool_call_id", "Wr0ngId99", id)
			}
		}
	})
}

func duplicate(r *fake.Request, found fake.Found) {
	rounds(r, func(calls message, results []message) {
		seen := map[string]bool{}
		for _, c := range calls.calls {
			if seen[c.id] {
				found.Says(c.path+".id",
					fmt.Sprintf("Duplicate tool call id %s in assistant message", c.id))
			}
			seen[c.id] = true
		}
		answered := map[string]bool{}
		for _, m := range results {
			id := read.Text(m.object["tool_call_id"])
			if answered[id] {
				found(m.path+".tool_call_id", "abcDEF123", id)
			}
			answered[id] = true
		}
	})
}

func count(r *fake.Request, found fake.Found) {
	rounds(r, func(calls message, results []message) {
		if len(results) != len(calls.calls) {
			path := calls.path
			if path == "" {
				path = results[0].path
			}
			found(path)
		}
	})
}
