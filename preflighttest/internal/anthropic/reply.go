package anthropic

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// How answers and errors are written.

// errorTypes are the types of errors by status.
var errorTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
	404: "not_found_error",
	405: "invalid_request_error", 413: "request_too_large", 429: "rate_limit_error",
	500: "api_error",
	503: "api_error", 504: "timeout_error", 529: "overloaded_error",
}

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	kind := errorTypes[v.Status]
	if kind == "" {
		kind = "api_error"
	}
	body := map[string]any{
		"type":  "error",
		"error": map[string]any{"type": kind, "message": v.Message},
	}
	if v.Code != "" {
		body["error"].(map[string]any)["details"] = map[string]any{"error_code": v.Code}
	}
	if requestID != "" {
		body["request_id"] = requestID
	}
	retry := v.Status == 429 || v.Status >= 500
	return fake.Marshal(body), http.Header{
		"request-id":     {requestID},
		"x-should-retry": {strconv.FormatBool(retry)},
	}
}

// content returns the blocks of an answer.
func content(t *fake.Turn) []map[string]any {
	var blocks []map[string]any
	add := func(kind string, fields map[string]any) {
		fields["type"] = kind
		blocks = append(blocks, fields)
	}
	a := t.Request.Parsed.(*request)
	thoughts := 0
	if t.Reply.Reasoning != "" {
		thoughts++
	}
	if t.Reply.Redacted {
		thoughts++
	}
	if t.Reply.Reasoning != "" {
		add("thinking", map[string]any{
			"thinking":  t.Reply.Reasoning,
			"signature": a.talk.Bound.Seal("thinking", t.Reply.Reasoning, 0, thoughts),
		})
	}
	if t.Reply.Redacted {
		add("redacted_thinking",
			map[string]any{"data": a.talk.Bound.Seal("redacted_thinking", "", thoughts-1, thoughts)})
	}
	for i, c := range t.Reply.ServerCalls {
		id := t.ID("srvtoolu_01", i)
		add("server_tool_use",
			map[string]any{"id": id, "name": c.Name, "input": fake.Arguments(c.Arguments)})
		if c.Result != "" {
			add(resultKind(c.Name),
				map[string]any{"tool_use_id": id, "content": fake.Arguments(c.Result)})
		}
	}
	if t.Reply.Text != "" {
		add("text", map[string]any{"text": t.Reply.Text})
	}
	id := func(i int) string { return t.ID("toolu_01", len(t.Reply.ServerCalls)+i) }
	for _, c := range t.Called(id) {
		add("tool_use",
			map[string]any{"id": c.ID, "name": c.Name, "input": fake.Arguments(c.Arguments)})
	}
	return blocks
}

// resultKind returns the type of the block that answers a server tool.
func resultKind(tool string) string {
	if strings.HasPrefix(tool, "tool_search_tool_") {
		return "tool_search_tool_result"
	}
	return tool + "_tool_result"
}

func stopReason(r fake.Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_use"
	case r.Text == "" && len(r.ServerCalls) > 0 && r.ServerCalls[len(r.ServerCalls)-1].Result == "":
		return "pause_turn"
	}
	return "end_turn"
}

// messageObject returns the message of an answer with the given content.
func messageObject(t *fake.Turn, content any, stop any, output int) map[string]any {
	message := map[string]any{
		"id": t.ID("msg_01", -2), "type": "message", "role": "assistant", "model": t.Request.Model,
		"content":     content,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": fake.Tokens(len(t.Request.Body)), "cache_creation_input_tokens": 0,
			"cache_read_input_tokens": 0,
			"output_tokens":           output, "service_tier": "standard",
		},
	}
	if list := transformations(t.Request); list != nil {
		message["input_transformations"] = list
	}
	return message
}

func reply(t *fake.Turn) []byte {
	content := content(t)
	if content == nil {
		content = []map[string]any{}
	}
	return fake.Marshal(messageObject(t, content, stopReason(t.Reply),
		fake.Tokens(len(fake.Marshal(content)))))
}

func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		events = append(events, fake.Event{Name: kind, Data: string(fake.Marshal(fields))})
	}
	send("message_start", map[string]any{"message": messageObject(t, []any{}, nil, 1)})
	size := 0
	for i, b := range content(t) {
		size += len(fake.Marshal(b))
		start, deltas := deltas(b)
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		if i == 0 {
			send("ping", map[string]any{})
		}
		for _, d := range deltas {
			send("content_block_delta", map[string]any{"index": i, "delta": d})
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReason(t.Reply), "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": fake.Tokens(size)},
	})
	send("message_stop", map[string]any{})
	return events
}

// deltas splits a block into what its start event holds and the
// deltas that follow. Results and redacted thinking come whole.
func deltas(b map[string]any) (start map[string]any, deltas []map[string]any) {
	add := func(kind, field, value string) {
		deltas = append(deltas, map[string]any{"type": kind, field: value})
	}
	switch b["type"] {
	case "text":
		for _, p := range fake.Pieces(read.Text(b["text"])) {
			add("text_delta", "text", p)
		}
		return map[string]any{"type": "text", "text": ""}, deltas
	case "thinking":
		for _, p := range fake.Pieces(read.Text(b["thinking"])) {
			add("thinking_delta", "thinking", p)
		}
		add("signature_delta", "signature", read.Text(b["signature"]))
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""}, deltas
	case "tool_use", "server_tool_use":
		add("input_json_delta", "partial_json", "")
		for _, p := range fake.Pieces(string(fake.Marshal(b["input"]))) {
			add("input_json_delta", "partial_json", p)
		}
		return map[string]any{
			"type":  b["type"],
			"id":    b["id"],
			"name":  b["name"],
			"input": map[string]any{},
		}, deltas
	}
	return b, nil
}
