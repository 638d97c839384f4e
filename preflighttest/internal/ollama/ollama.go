// Package ollama is the fake of Ollama's own chat, /api/chat, whose answers are streamed
// unless the request says otherwise.
package ollama

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name:     "ollama",
	Route:    func(path string) (string, bool, bool) { return "", false, path == "/api/chat" },
	NotFound: "404 page not found",
	Malformed: func(err *read.SyntaxError) fake.Violation {
		return fake.Violation{Message: err.Reason, Status: 400}
	},
	Open: func(r *fake.Request) {
		r.ReadModel()
		r.Stream = r.Root["stream"] != false
	},
	Checks:  checks,
	Failure: failure,
	Reply:   func(t *fake.Turn) []byte { return fake.Marshal(line(t, message(t), true)) },
	Events:  events,
	Midway: func(v fake.Violation) fake.Event {
		body, _ := failure(v, "")
		return fake.Event{Name: "", Data: string(body)}
	},
	Encode:      func(e fake.Event) []byte { return []byte(e.Data + "\n") },
	ContentType: "application/x-ndjson",
}

// wrong words a value of another type than Ollama, a Go program, decodes
// it into.
func wrong(v any, field, want string) string {
	name := read.Kind(v)
	switch name {
	case "boolean":
		name = "bool"
	case "integer":
		name = "number"
	}
	return fmt.Sprintf("json: cannot unmarshal %s into Go struct field %s of type %s", name, field,
		want)
}

func schema(r *fake.Request, found fake.Found) {
	want := func(path, field string, v any, wanted, as string) {
		if v != nil && read.Kind(v) != wanted {
			found.Says(path, wrong(v, "ChatRequest."+field, as))
		}
	}
	want("model", "model", r.Root["model"], "string", "string")
	if r.Root["model"] == nil || r.Root["model"] == "" {
		found.Says("model", "model is required")
	}
	want("stream", "stream", r.Root["stream"], "boolean", "bool")
	want("tools", "tools", r.Root["tools"], "array", "api.Tools")
	want("messages", "messages", r.Root["messages"], "array", "[]api.Message")
	for i, m := range read.Array(r.Root["messages"]) {
		path, o := fmt.Sprintf("messages[%d]", i), read.Object(m)
		want(path, "messages", m, "object", "api.Message")
		for _, name := range []string{"role", "content", "thinking", "tool_name", "tool_call_id"} {
			want(path+"."+name, "messages."+name, o[name], "string", "string")
		}
		want(path+".images", "messages.images", o["images"], "array", "[]api.ImageData")
		want(path+".tool_calls", "messages.tool_calls", o["tool_calls"], "array", "[]api.ToolCall")
		for j, c := range read.Array(o["tool_calls"]) {
			path := fmt.Sprintf("%s.tool_calls[%d]", path, j)
			want(path, "messages.tool_calls", c, "object", "api.ToolCall")
			want(path+".id", "messages.tool_calls.id", read.Object(c)["id"], "string", "string")
			want(
				path+".function",
				"messages.tool_calls.function",
				read.Object(c)["function"],
				"object",
				"api.ToolCallFunction",
			)
			want(path+".function.name", "messages.tool_calls.function.name",
				read.Object(read.Object(c)["function"])["name"], "string", "string")
		}
	}
}

// cloudPairs counts the calls of each answer and the results that come next, which models in
// Ollama's cloud compare: ollama/ollama#12395.
func cloudPairs(r *fake.Request, found fake.Found) {
	if !strings.HasSuffix(r.Model, "-cloud") && !strings.HasSuffix(r.Model, ":cloud") {
		return
	}
	open := 0
	for i, m := range read.Array(r.Root["messages"]) {
		if read.Object(m)["role"] == "tool" {
			if open--; open < 0 {
				found(fmt.Sprintf("messages[%d]", i))
			}
			continue
		}
		if open > 0 {
			found(fmt.Sprintf("messages[%d]", i))
		}
		open = len(read.Array(read.Object(m)["tool_calls"]))
	}
	if open > 0 {
		found("messages")
	}
}

func arguments(r *fake.Request, found fake.Found) {
	for i, m := range read.Array(r.Root["messages"]) {
		for j, c := range read.Array(read.Object(m)["tool_calls"]) {
			v := read.Object(read.Object(c)["function"])["arguments"]
			if v != nil && read.Kind(v) != "object" {
				wrong := wrong(v, "", "")
				found(fmt.Sprintf("messages[%d].tool_calls[%d].function.arguments", i, j),
					"unmarshal string", "unmarshal "+strings.Fields(wrong)[3])
			}
		}
	}
}
