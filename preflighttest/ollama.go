package preflighttest

import (
	"fmt"
	"net/http"
	"strings"
)

// The fake of Ollama's own chat, /api/chat, whose answers are streamed unless
// the request says otherwise.

var ollamaFormat = format{
	name:     "ollama",
	route:    func(path string) (string, bool, bool) { return "", false, path == "/api/chat" },
	notFound: "404 page not found",
	malformed: func(err *syntaxError) Violation {
		return Violation{Message: err.reason, Status: 400}
	},
	open: func(r *request) {
		if r.model == "" {
			r.model = text(r.root["model"])
		}
		r.stream = r.root["stream"] != false
	},
	checks: []check{
		{"", inOwnWords, "", ollamaSchema},
		{"ollama/arguments-object", "", "", ollamaArguments},
	},
	failure: ollamaFailure,
	reply:   func(t *turn) []byte { return marshal(ollamaLine(t, ollamaMessage(t), true)) },
	events:  ollamaEvents,
	midway: func(v Violation) event {
		body, _ := ollamaFailure(v, "")
		return event{"", string(body)}
	},
	encode:      func(e event) []byte { return []byte(e.data + "\n") },
	contentType: "application/x-ndjson",
}

func ollamaFailure(v Violation, requestID string) ([]byte, http.Header) {
	return marshal(map[string]any{"error": v.Message}), nil
}

// ollamaWrong words a value of another type than Ollama, a Go program, decodes
// it into.
func ollamaWrong(v any, field, want string) string {
	name := kind(v)
	switch name {
	case "boolean":
		name = "bool"
	case "integer":
		name = "number"
	}
	return fmt.Sprintf("json: cannot unmarshal %s into Go struct field %s of type %s", name, field,
		want)
}

func ollamaSchema(r *request, found found) {
	want := func(path, field string, v any, wanted, as string) {
		if v != nil && kind(v) != wanted {
			found(path, inOwnWords, ollamaWrong(v, "ChatRequest."+field, as))
		}
	}
	want("model", "model", r.root["model"], "string", "string")
	if r.root["model"] == nil || r.root["model"] == "" {
		found("model", inOwnWords, "model is required")
	}
	want("stream", "stream", r.root["stream"], "boolean", "bool")
	want("tools", "tools", r.root["tools"], "array", "api.Tools")
	want("messages", "messages", r.root["messages"], "array", "[]api.Message")
	for i, m := range array(r.root["messages"]) {
		path, o := fmt.Sprintf("messages[%d]", i), object(m)
		want(path, "messages", m, "object", "api.Message")
		for _, name := range []string{"role", "content", "thinking", "tool_name", "tool_call_id"} {
			want(path+"."+name, "messages."+name, o[name], "string", "string")
		}
		want(path+".images", "messages.images", o["images"], "array", "[]api.ImageData")
		want(path+".tool_calls", "messages.tool_calls", o["tool_calls"], "array", "[]api.ToolCall")
		for j, c := range array(o["tool_calls"]) {
			path := fmt.Sprintf("%s.tool_calls[%d]", path, j)
			want(path, "messages.tool_calls", c, "object", "api.ToolCall")
			want(path+".id", "messages.tool_calls.id", object(c)["id"], "string", "string")
			want(path+".function", "messages.tool_calls.function", object(c)["function"], "object",
				"api.ToolCallFunction")
			want(path+".function.name", "messages.tool_calls.function.name",
				object(object(c)["function"])["name"], "string", "string")
		}
	}
}

func ollamaArguments(r *request, found found) {
	for i, m := range array(r.root["messages"]) {
		for j, c := range array(object(m)["tool_calls"]) {
			v := object(object(c)["function"])["arguments"]
			if v != nil && kind(v) != "object" {
				wrong := ollamaWrong(v, "", "")
				found(fmt.Sprintf("messages[%d].tool_calls[%d].function.arguments", i, j),
					"unmarshal string", "unmarshal "+strings.Fields(wrong)[3])
			}
		}
	}
}

// ollamaMessage returns the message of an answer.
func ollamaMessage(t *turn) map[string]any {
	message := map[string]any{"role": "assistant", "content": t.reply.Text}
	if t.reply.Reasoning != "" {
		message["thinking"] = t.reply.Reasoning
	}
	var calls []map[string]any
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = "call_" + strings.ToLower(t.id("", i)[:8])
		}
		calls = append(calls, map[string]any{
			"id": id,
			"function": map[string]any{
				"index":     i,
				"name":      c.Name,
				"arguments": arguments(c.Arguments),
			},
		})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

// ollamaLine returns an answer or one piece of it.
func ollamaLine(t *turn, message map[string]any, done bool) map[string]any {
	line := map[string]any{
		"model":      t.request.model,
		"created_at": "2025-06-15T15:06:40Z",
		"message":    message,
		"done":       done,
	}
	if done {
		line["done_reason"] = "stop"
		if t.reply.StopReason != "" {
			line["done_reason"] = t.reply.StopReason
		}
		line["total_duration"], line["load_duration"] = 2, 1
		line["prompt_eval_count"], line["prompt_eval_duration"] = tokens(len(t.request.body)), 1
		line["eval_count"], line["eval_duration"] = tokens(len(marshal(message))), 1
	}
	return line
}

func ollamaEvents(t *turn) []event {
	var events []event
	send := func(message map[string]any, done bool) {
		message["role"] = "assistant"
		if message["content"] == nil {
			message["content"] = ""
		}
		events = append(events, event{"", string(marshal(ollamaLine(t, message, done)))})
	}
	for _, p := range pieces(t.reply.Reasoning) {
		send(map[string]any{"thinking": p}, false)
	}
	for _, p := range pieces(t.reply.Text) {
		send(map[string]any{"content": p}, false)
	}
	if calls := ollamaMessage(t)["tool_calls"]; calls != nil {
		send(map[string]any{"tool_calls": calls}, false)
	}
	send(map[string]any{}, true)
	return events
}
