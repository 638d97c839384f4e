// Package openaichat is the fake of OpenAI Chat Completions, and those of hosts that
// speak its format: hosts.go makes them, from a file host_NAME.go each. What OpenAI
// refuses is listed in checks.go, in order.
package openaichat

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name: "openai-chat",
	Route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/chat/completions"
	},
	NotFound:  "Invalid URL (POST %s)",
	Malformed: openai.Malformed,
	Open:      open,
	Checks:    checks,
	Param:     func(path string) string { return path },
	Failure:   openai.Failure,
	Reply:     reply,
	Events:    events,
	Midway: func(v fake.Violation) fake.Event {
		body, _ := openai.Failure(v, "")
		return fake.Event{Name: "", Data: string(body)}
	},
}

// message is one message of a request.
type message struct {
	object map[string]any
	role   string
	path   string
	calls  []call
}

// call is one element of tool_calls.
type call struct {
	object   map[string]any
	id       string
	function map[string]any // of a function; of a custom tool it is nil
	path     string
}

func open(r *fake.Request) {
	r.ReadModel()
	var messages []message
	for i, m := range read.Array(r.Root["messages"]) {
		o := read.Object(m)
		message := message{
			object: o,
			role:   read.Text(o["role"]),
			path:   fmt.Sprintf("messages[%d]", i),
		}
		calls := read.Array(o["tool_calls"])
		if message.role != "assistant" {
			calls = nil // ignored in other roles
		}
		for j, c := range calls {
			co := read.Object(c)
			message.calls = append(message.calls, call{
				object: co, id: read.Text(co["id"]), function: read.Object(co["function"]),
				path: fmt.Sprintf("%s.tool_calls[%d]", message.path, j),
			})
		}
		messages = append(messages, message)
	}
	r.Parsed = messages
}

func messagesOf(r *fake.Request) []message { return r.Parsed.([]message) }
