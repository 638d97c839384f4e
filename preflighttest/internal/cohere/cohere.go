// Package cohere is the fake of version 2 of Cohere's chat.
package cohere

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name:     "cohere",
	Route:    func(path string) (string, bool, bool) { return "", false, path == "/v2/chat" },
	NotFound: "invalid request: %s is not a valid endpoint",
	Malformed: func(err *read.SyntaxError) fake.Violation {
		return fake.Violation{
			Message: "invalid request: the body is not valid JSON: " + err.Reason,
			Status:  400,
		}
	},
	Open:    (*fake.Request).ReadModel,
	Checks:  checks,
	Failure: failure,
	Reply:   reply,
	Events:  events,
}

// blocks are the types of content blocks.
// https://docs.cohere.com/v2/reference/chat
var blocks = []string{"text", "image_url", "thinking", "document"}

func schema(r *fake.Request, found fake.Found) {
	wrong := func(path, message string) { found.Says(path, "invalid request: "+message) }
	if _, ok := r.Root["model"].(string); !ok {
		wrong("model", "model is required.")
	}
	messages, ok := r.Root["messages"].([]any)
	if !ok || len(messages) == 0 {
		wrong("messages", "list of messages must not be empty.")
	}
	for i, m := range messages {
		path, o := fmt.Sprintf("messages[%d]", i), read.Object(m)
		role := read.Text(o["role"])
		if !slices.Contains([]string{"system", "user", "assistant", "tool"}, role) {
			wrong(path+".role",
				"all elements in messages must have a role of 'system', 'user', 'assistant' or "+
					"'tool'.")
		}
		if k := read.Kind(o["content"]); k != "null" && k != "string" && k != "array" {
			wrong(path+".content", "content must be a string or a list of content blocks.")
		}
		for j, c := range read.Array(o["content"]) {
			if kind, ok := read.Object(c)["type"].(string); !ok || !slices.Contains(blocks, kind) {
				wrong(fmt.Sprintf("%s.content[%d].type", path, j),
					"content must be a string or a list of content blocks of a known type.")
			}
		}
		if k := read.Kind(o["tool_calls"]); k != "null" && k != "array" {
			wrong(path+".tool_calls", "tool_calls must be a list.")
		}
		for j, c := range read.Array(o["tool_calls"]) {
			call, function := read.Object(c), read.Object(read.Object(c)["function"])
			if read.Text(call["id"]) == "" || read.Text(function["name"]) == "" ||
				read.Kind(function["arguments"]) != "string" {
				wrong(fmt.Sprintf("%s.tool_calls[%d]", path, j),
					"all tool calls must have an id and a function with a name and arguments.")
			}
		}
		if role == "tool" && read.Text(o["tool_call_id"]) == "" {
			wrong(path+".tool_call_id", "all tool messages must have a tool_call_id.")
		}
	}
}

func missing(r *fake.Request, found fake.Found) {
	messages := read.Array(r.Root["messages"])
	for i, m := range messages {
		calls := read.Array(read.Object(m)["tool_calls"])
		if len(calls) == 0 || read.Object(m)["role"] != "assistant" {
			continue
		}
		answers := map[string]int{}
		for _, next := range messages[i+1:] {
			if read.Object(next)["role"] != "tool" {
				break
			}
			answers[read.Text(read.Object(next)["tool_call_id"])]++
		}
		var missing []string
		for _, c := range calls {
			id := read.Text(read.Object(c)["id"])
			if answers[id]--; answers[id] < 0 {
				missing = append(missing, id)
			}
		}
		if missing != nil {
			found(fmt.Sprintf("messages[%d]", i), "did not have response messages: ",
				"did not have response messages: "+strings.Join(missing, ", "))
		}
	}
}

// images checks the types of content of each role in Cohere's own SDK:
// only that of a user message has images.
func images(r *fake.Request, found fake.Found) {
	for i, m := range read.Array(r.Root["messages"]) {
		for j, c := range read.Array(read.Object(m)["content"]) {
			if read.Object(c)["type"] == "image_url" && read.Object(m)["role"] != "user" {
				found.Says(fmt.Sprintf("messages[%d].content[%d]", i, j),
					"invalid request: only user messages may have content of type 'image_url'.")
			}
		}
	}
}

// noImages: recordings of maruel/genai.
func noImages(r *fake.Request, found fake.Found) {
	if !strings.HasPrefix(r.Model, "command-r7b") &&
		!strings.HasPrefix(r.Model, "command-a-reasoning") {
		return
	}
	for i, m := range read.Array(r.Root["messages"]) {
		for j, c := range read.Array(read.Object(m)["content"]) {
			if read.Object(c)["type"] == "image_url" {
				found(fmt.Sprintf("messages[%d].content[%d]", i, j))
			}
		}
	}
}

// contentless checks tool messages, whose content is no optional one. It is a text or a list;
// nothing is on record of how long the list has to be.
func contentless(r *fake.Request, found fake.Found) {
	for i, m := range read.Array(r.Root["messages"]) {
		if read.Object(m)["role"] == "tool" && read.Object(m)["content"] == nil {
			found.Says(fmt.Sprintf("messages[%d].content", i),
				"invalid request: all tool messages must have content.")
		}
	}
}
