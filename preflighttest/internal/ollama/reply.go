package ollama

import (
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// How answers and errors are written.

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	return fake.Marshal(map[string]any{"error": v.Message}), nil
}

// message returns the message of an answer.
func message(t *fake.Turn) map[string]any {
	message := map[string]any{"role": "assistant", "content": t.Reply.Text}
	if t.Reply.Reasoning != "" {
		message["thinking"] = t.Reply.Reasoning
	}
	var calls []map[string]any
	id := func(i int) string { return "call_" + strings.ToLower(t.ID("", i)[:8]) }
	for i, c := range t.Called(id) {
		calls = append(calls, map[string]any{
			"id": c.ID,
			"function": map[string]any{
				"index":     i,
				"name":      c.Name,
				"arguments": fake.Arguments(c.Arguments),
			},
		})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

// line returns an answer or one piece of it.
func line(t *fake.Turn, message map[string]any, done bool) map[string]any {
	line := map[string]any{
		"model":      t.Request.Model,
		"created_at": "2025-06-15T15:06:40Z",
		"message":    message,
		"done":       done,
	}
	if done {
		line["done_reason"] = "stop"
		if t.Reply.StopReason != "" {
			line["done_reason"] = t.Reply.StopReason
		}
		line["total_duration"], line["load_duration"] = 2, 1
		line["prompt_eval_count"], line["prompt_eval_duration"] = fake.Tokens(
			len(t.Request.Body),
		), 1
		line["eval_count"], line["eval_duration"] = fake.Tokens(len(fake.Marshal(message))), 1
	}
	return line
}

func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	send := func(message map[string]any, done bool) {
		message["role"] = "assistant"
		if message["content"] == nil {
			message["content"] = ""
		}
		events = append(
			events,
			fake.Event{Name: "", Data: string(fake.Marshal(line(t, message, done)))},
		)
	}
	for _, p := range fake.Pieces(t.Reply.Reasoning) {
		send(map[string]any{"thinking": p}, false)
	}
	for _, p := range fake.Pieces(t.Reply.Text) {
		send(map[string]any{"content": p}, false)
	}
	if calls := message(t)["tool_calls"]; calls != nil {
		send(map[string]any{"tool_calls": calls}, false)
	}
	send(map[string]any{}, true)
	return events
}
