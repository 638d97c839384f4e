package mistral

import (
	"net/http"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// How answers and errors are written.

func calls(t *fake.Turn) []map[string]any {
	var calls []map[string]any
	for i, c := range t.Called(func(i int) string { return t.ID("", i)[:9] }) {
		calls = append(calls, map[string]any{
			"id":       c.ID,
			"type":     "function",
			"index":    i,
			"function": map[string]any{"name": c.Name, "arguments": c.Arguments},
		})
	}
	return calls
}

func envelope(t *fake.Turn, kind string) map[string]any {
	return map[string]any{
		"id":      t.ID("", -2),
		"object":  kind,
		"created": fake.Epoch,
		"model":   t.Request.Model,
	}
}

func usage(t *fake.Turn) map[string]any {
	in, out := fake.Tokens(len(t.Request.Body)), fake.Tokens(len(fake.Marshal(messageObject(t))))
	return map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

func reply(t *fake.Turn) []byte {
	body := envelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       messageObject(t),
			"finish_reason": t.Reply.Stop("tool_calls", "stop"),
		},
	}
	body["usage"] = usage(t)
	return fake.Marshal(body)
}

// events sends tool calls whole, as the API does.
func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	send := func(delta map[string]any, stop any) {
		body := envelope(t, "chat.completion.chunk")
		body["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": stop}}
		if stop != nil {
			body["usage"] = usage(t)
		}
		events = append(events, fake.Event{Name: "", Data: string(fake.Marshal(body))})
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range fake.Pieces(t.Reply.Reasoning) {
		send(map[string]any{"content": []any{thinking(p)}}, nil)
	}
	for _, p := range fake.Pieces(t.Reply.Text) {
		send(map[string]any{"content": p}, nil)
	}
	last := map[string]any{"content": ""}
	if calls := calls(t); calls != nil {
		last["tool_calls"] = calls
	}
	send(last, t.Reply.Stop("tool_calls", "stop"))
	return append(events, fake.Event{Name: "", Data: "[DONE]"})
}

// types are the types of errors by their code.
var types = map[string]string{
	"3230": "invalid_request_message_order", "3240": "invalid_request_assistant_message",
	"3280": "invalid_function_call",
	"1300": "rate_limited",
}

// failure answers what the schema forbids with its bare details, and
// all else with an error object.
func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	header := http.Header{"mistral-correlation-id": {requestID}}
	if v.Status == 422 {
		return []byte(v.Message), header
	}
	kind, code := types[v.Code], v.Code
	switch {
	case v.Status == 429:
		kind, code = "rate_limited", "1300"
	case v.Status >= 500:
		kind, code = "internal_server_error", "3700"
	case kind == "":
		kind = "invalid_request_error"
	}
	return fake.Marshal(map[string]any{
		"object":  "error",
		"message": v.Message,
		"type":    kind,
		"param":   nil,
		"code":    fake.OrNull(code),
	}), header
}

// messageObject returns the message of an answer. Thinking is a chunk
// of its content.
func messageObject(t *fake.Turn) map[string]any {
	message := map[string]any{"role": "assistant", "content": t.Reply.Text, "tool_calls": nil}
	if t.Reply.Reasoning != "" {
		content := []any{thinking(t.Reply.Reasoning)}
		if t.Reply.Text != "" {
			content = append(content, map[string]any{"type": "text", "text": t.Reply.Text})
		}
		message["content"] = content
	}
	if calls := calls(t); calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

func thinking(s string) map[string]any {
	return map[string]any{
		"type":     "thinking",
		"thinking": []any{map[string]any{"type": "text", "text": s}},
	}
}
