package gemini

import (
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// How answers and errors are written.

// statuses are the names of errors by HTTP status.
var statuses = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
	405: "UNIMPLEMENTED",
	429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	status := statuses[v.Status]
	if status == "" {
		status = "UNKNOWN"
	}
	body := fake.Marshal(map[string]any{
		"error": map[string]any{"code": v.Status, "message": v.Message, "status": status},
	})
	return body, nil
}

// parts returns the parts of an answer. The first call is signed, or
// the text when there is none.
func parts(t *fake.Turn) []map[string]any {
	var parts []map[string]any
	if t.Reply.Reasoning != "" {
		parts = append(parts, map[string]any{"text": t.Reply.Reasoning, "thought": true})
	}
	calls, _ := calls(t.Reply)
	if t.Reply.Text != "" {
		part := map[string]any{"text": t.Reply.Text}
		if len(calls) == 0 && t.Reply.Reasoning != "" {
			part["thoughtSignature"] = seal.Of("gemini", "text")
		}
		parts = append(parts, part)
	}
	for i, call := range calls {
		part := map[string]any{"functionCall": call}
		if i == 0 {
			part["thoughtSignature"] = signatureOf(call)
		}
		parts = append(parts, part)
	}
	return parts
}

// calls returns the calls of an answer, and the first whose arguments
// are no object: then there are none, as the form has no place for it.
func calls(r fake.Reply) (calls []map[string]any, malformed *fake.Call) {
	for i, c := range r.Calls {
		args, err := read.Decode([]byte(fake.Arguments(c.Arguments)))
		if err != nil {
			return nil, &r.Calls[i]
		}
		call := map[string]any{"name": c.Name, "args": args}
		if c.ID != "" {
			call["id"] = c.ID
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// signatureOf signs a function call. The signature is bound to the call that it
// was issued with, and not to what came before, which may be trimmed.
func signatureOf(call map[string]any) string {
	return seal.Of("gemini", "functionCall", read.Text(call["name"]),
		read.Digest(read.Object(member(call, "args"))))
}

func stopReason(r fake.Reply) string {
	if r.StopReason != "" {
		return r.StopReason
	}
	if _, malformed := calls(r); malformed != nil {
		return "MALFORMED_FUNCTION_CALL"
	}
	return "STOP"
}

// chunk returns an answer or one piece of it.
func chunk(t *fake.Turn, parts []map[string]any, stop string) map[string]any {
	candidate := map[string]any{"index": 0}
	if parts != nil {
		candidate["content"] = map[string]any{"role": "model", "parts": parts}
	}
	if stop != "" {
		candidate["finishReason"] = stop
		if _, malformed := calls(t.Reply); malformed != nil {
			candidate["finishMessage"] = "Malformed function call: " + malformed.Name + "(" +
				malformed.Arguments + ")"
		}
	}
	in, out := fake.Tokens(
		len(t.Request.Body),
	), fake.Tokens(
		len(t.Reply.Text)+len(fake.Marshal(t.Reply.Calls)),
	)
	return map[string]any{
		"candidates":   []any{candidate},
		"modelVersion": strings.TrimPrefix(t.Request.Model, vertex),
		"responseId":   t.ID("", -2),
		"usageMetadata": map[string]any{
			"promptTokenCount":     in,
			"candidatesTokenCount": out,
			"totalTokenCount":      in + out,
		},
	}
}

// events sends texts in pieces, and a signature on text in an empty
// piece of its own, as the API does.
func events(t *fake.Turn) []fake.Event {
	var chunks [][]map[string]any
	for _, part := range parts(t) {
		s, ok := part["text"].(string)
		if !ok {
			chunks = append(chunks, []map[string]any{part})
			continue
		}
		for _, piece := range fake.Pieces(s) {
			p := map[string]any{"text": piece}
			if part["thought"] != nil {
				p["thought"] = true
			}
			chunks = append(chunks, []map[string]any{p})
		}
		if part["thoughtSignature"] != nil {
			chunks = append(chunks,
				[]map[string]any{{"text": "", "thoughtSignature": part["thoughtSignature"]}})
		}
	}
	if len(chunks) == 0 {
		chunks = append(chunks, nil)
	}
	var events []fake.Event
	for i, parts := range chunks {
		stop := ""
		if i == len(chunks)-1 {
			stop = stopReason(t.Reply)
		}
		events = append(
			events,
			fake.Event{Name: "", Data: string(fake.Marshal(chunk(t, parts, stop)))},
		)
	}
	return events
}
