package cohere

import (
	"net/http"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// How answers and errors are written.

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	return fake.Marshal(map[string]any{"id": requestID, "message": v.Message}), nil
}

// content returns the content of an answer.
func content(t *fake.Turn) []map[string]any {
	content := []map[string]any{}
	if t.Reply.Reasoning != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": t.Reply.Reasoning})
	}
	if t.Reply.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": t.Reply.Text})
	}
	return content
}

func usage(t *fake.Turn) map[string]any {
	counts := map[string]any{
		"input_tokens":  fake.Tokens(len(t.Request.Body)),
		"output_tokens": fake.Tokens(len(t.Reply.Text) + len(fake.Marshal(t.Reply.Calls))),
	}
	return map[string]any{"billed_units": counts, "tokens": counts}
}

func reply(t *fake.Turn) []byte {
	message := map[string]any{"role": "assistant", "content": content(t)}
	if calls := openai.Calls(t); calls != nil {
		message["tool_calls"] = calls
	}
	return fake.Marshal(map[string]any{
		"id":            t.ID("", -2),
		"finish_reason": t.Reply.Stop("TOOL_CALL", "COMPLETE"),
		"message":       message,
		"usage":         usage(t),
	})
}

func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	send := func(kind string, index int, message any) {
		body := map[string]any{"type": kind}
		if index >= 0 {
			body["index"] = index
		}
		if message != nil {
			body["delta"] = map[string]any{"message": message}
		}
		if kind == "message-start" {
			body["id"] = t.ID("", -2)
		}
		if kind == "message-end" {
			body["delta"] = map[string]any{
				"finish_reason": t.Reply.Stop("TOOL_CALL", "COMPLETE"),
				"usage":         usage(t),
			}
		}
		events = append(events, fake.Event{Name: kind, Data: string(fake.Marshal(body))})
	}
	send("message-start", -1, map[string]any{
		"role":       "assistant",
		"content":    []any{},
		"tool_plan":  "",
		"tool_calls": []any{},
		"citations":  []any{},
	})
	for i, c := range content(t) {
		kind := read.Text(c["type"])
		send("content-start", i, map[string]any{"content": map[string]any{"type": kind, kind: ""}})
		for _, p := range fake.Pieces(read.Text(c[kind])) {
			send("content-delta", i, map[string]any{"content": map[string]any{kind: p}})
		}
		send("content-end", i, nil)
	}
	for i, c := range openai.Calls(t) {
		function := read.Object(c["function"])
		send("tool-call-start", i, map[string]any{
			"tool_calls": map[string]any{
				"id": c["id"], "type": "function",
				"function": map[string]any{"name": function["name"], "arguments": ""},
			},
		})
		for _, p := range fake.Pieces(read.Text(function["arguments"])) {
			send("tool-call-delta", i, map[string]any{
				"tool_calls": map[string]any{"function": map[string]any{"arguments": p}},
			})
		}
		send("tool-call-end", i, nil)
	}
	send("message-end", -1, nil)
	return append(events, fake.Event{Name: "", Data: "[DONE]"})
}
