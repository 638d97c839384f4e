// Package mistral is the fake of Mistral chat completions, as the open validator of
// mistral-common and the hosted API judge them together. What it refuses is listed in
// checks.go, in order.
package mistral

import (
	"fmt"
	"net/http"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name: "mistral",
	Route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/chat/completions"
	},
	NotFound:     "no Route matched with those values",
	Malformed:    malformed,
	Open:         open,
	Checks:       checks,
	SchemaStatus: http.StatusUnprocessableEntity,
	Failure:      failure,
	Reply:        reply,
	Events:       events,
}

// message is one message of a request.
type message struct {
	object map[string]any
	role   string
	path   string
	index  int
	calls  []call
}

// call is one element of tool_calls.
type call struct {
	object   map[string]any
	function map[string]any
	id       string
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
			index:  i,
		}
		for j, c := range read.Array(o["tool_calls"]) {
			co := read.Object(c)
			message.calls = append(message.calls, call{
				co,
				read.Object(co["function"]),
				read.Text(co["id"]),
				fmt.Sprintf("%s.tool_calls[%d]", message.path, j),
			})
		}
		messages = append(messages, message)
	}
	r.Parsed = messages
}

func messagesOf(r *fake.Request) []message { return r.Parsed.([]message) }
