package interactions

import (
	"net/http"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// How answers and errors are written.

// codes are the codes of errors by HTTP status, as far as they are on record.
var codes = map[int]string{400: "invalid_request", 404: "not_found", 429: "rate_limit_exceeded"}

func code(status int) string {
	if c := codes[status]; c != "" {
		return c
	}
	return "internal_error"
}

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	return fake.Marshal(map[string]any{
		"error": map[string]any{"message": v.Message, "code": code(v.Status)},
	}), nil
}

func interactionID(t *fake.Turn) string { return t.ID("v1_", -2) }

// called returns the calls of an answer, with their ids.
func called(t *fake.Turn) []fake.Call {
	return t.Called(func(i int) string { return t.ID("", i)[:8] })
}

// steps returns the steps of an answer. A thought is before all else if the model reasoned or calls
// something, and it alone is signed.
func steps(t *fake.Turn) []map[string]any {
	var all []map[string]any
	calls := called(t)
	if t.Reply.Reasoning != "" || t.Reply.Redacted || len(calls) > 0 {
		thought := map[string]any{
			"type":      "thought",
			"signature": seal.Of("interactions", t.Reply.Reasoning, interactionID(t)),
		}
		if t.Reply.Reasoning != "" {
			thought["summary"] = []any{map[string]any{"type": "text", "text": t.Reply.Reasoning}}
		}
		all = append(all, thought)
	}
	for i, c := range t.Reply.ServerCalls {
		id := t.ID("s_", i)[:8]
		all = append(all, map[string]any{
			"type": c.Name + "_call", "id": id, "arguments": fake.Arguments(c.Arguments),
		})
		if c.Result != "" {
			all = append(all, map[string]any{
				"type": c.Name + "_result", "call_id": id, "result": fake.Arguments(c.Result),
			})
		}
	}
	if t.Reply.Text != "" {
		all = append(all, map[string]any{
			"type":    "model_output",
			"content": []any{map[string]any{"type": "text", "text": t.Reply.Text}},
		})
	}
	for _, c := range calls {
		arguments, err := read.Decode([]byte(c.Arguments))
		if err != nil { // the form has no place for it
			arguments = map[string]any{}
		}
		all = append(all, map[string]any{
			"type": "function_call", "id": c.ID, "name": c.Name, "arguments": arguments,
		})
	}
	return all
}

// interaction returns the answer, or what a stream says of it.
func interaction(t *fake.Turn, status string) map[string]any {
	body := map[string]any{
		"id": interactionID(t), "object": "interaction", "model": t.Request.Model, "status": status,
		"created": "2025-06-15T15:06:40Z", "updated": "2025-06-15T15:06:40Z",
	}
	if status == "in_progress" {
		return body
	}
	in, out := fake.Tokens(len(t.Request.Body)), fake.Tokens(len(fake.Marshal(steps(t))))
	body["usage"] = map[string]any{
		"total_input_tokens": in, "total_output_tokens": out, "total_tokens": in + out,
	}
	return body
}

func reply(t *fake.Turn) []byte {
	body := interaction(t, t.Reply.Stop("requires_action", "completed"))
	if all := steps(t); all != nil {
		body["steps"] = all
	}
	return fake.Marshal(body)
}

func event(kind string, fields map[string]any) fake.Event {
	fields["event_type"] = kind
	return fake.Event{Name: kind, Data: string(fake.Marshal(fields))}
}

// events sends each step: that it begins, its texts, signatures and arguments in pieces, and its
// end.
func events(t *fake.Turn) []fake.Event {
	all := []fake.Event{
		event("interaction.created", map[string]any{"interaction": interaction(t, "in_progress")}),
	}
	for i, step := range steps(t) {
		begun, deltas := begin(step)
		all = append(all, event("step.start", map[string]any{"index": i, "step": begun}))
		for _, d := range deltas {
			all = append(all, event("step.delta", map[string]any{"index": i, "delta": d}))
		}
		all = append(all, event("step.stop", map[string]any{"index": i}))
	}
	done := interaction(t, t.Reply.Stop("requires_action", "completed"))
	return append(all, event("interaction.completed", map[string]any{"interaction": done}),
		fake.Event{Name: "done", Data: "[DONE]"})
}

// begin returns a step as its stream begins, and the rest of it in pieces.
func begin(step map[string]any) (begun map[string]any, deltas []map[string]any) {
	kind := read.Text(step["type"])
	switch kind {
	case "thought":
		for _, v := range read.Array(step["summary"]) {
			for _, piece := range fake.Pieces(read.Text(read.Object(v)["text"])) {
				deltas = append(deltas, map[string]any{"type": "thought_summary",
					"content": map[string]any{"type": "text", "text": piece}})
			}
		}
		deltas = append(deltas,
			map[string]any{"type": "thought_signature", "signature": step["signature"]})
		return map[string]any{"type": kind}, deltas
	case "model_output":
		for _, v := range read.Array(step["content"]) {
			for _, piece := range fake.Pieces(read.Text(read.Object(v)["text"])) {
				deltas = append(deltas, map[string]any{"type": "text", "text": piece})
			}
		}
		return map[string]any{"type": kind}, deltas
	case "function_call":
		for _, piece := range fake.Pieces(string(fake.Marshal(step["arguments"]))) {
			deltas = append(deltas, map[string]any{"type": "arguments_delta", "arguments": piece})
		}
		return map[string]any{
			"type": kind, "id": step["id"], "name": step["name"], "arguments": map[string]any{},
		}, deltas
	}
	return step, nil
}
