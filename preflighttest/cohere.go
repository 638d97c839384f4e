package preflighttest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The fake of version 2 of Cohere's chat.

var cohereFormat = format{
	name:     "cohere",
	route:    func(path string) (string, bool, bool) { return "", false, path == "/v2/chat" },
	notFound: "invalid request: %s is not a valid endpoint",
	malformed: func(err *syntaxError) Violation {
		return Violation{
			Message: "invalid request: the body is not valid JSON: " + err.reason,
			Status:  400,
		}
	},
	open: cohereOpen,
	checks: []check{
		{"", inOwnWords, "", cohereSchema},
		{"cohere/tool-result-missing", "", "", cohereMissing},
		{"cohere/image-user-only", inOwnWords, "", cohereImages},
		{"cohere/tool-content-required", inOwnWords, "", cohereContentless},
	},
	failure: cohereFailure,
	reply:   cohereReply,
	events:  cohereEvents,
}

func cohereOpen(r *request) {
	if r.model == "" {
		r.model = text(r.root["model"])
	}
	r.stream = truth(r.root["stream"])
}

func cohereFailure(v Violation, requestID string) ([]byte, http.Header) {
	return marshal(map[string]any{"id": requestID, "message": v.Message}), nil
}

// cohereBlocks are the types of content blocks.
// https://docs.cohere.com/v2/reference/chat
var cohereBlocks = []string{"text", "image_url", "thinking", "document"}

func cohereSchema(r *request, found found) {
	wrong := func(path, message string) { found(path, inOwnWords, "invalid request: "+message) }
	if _, ok := r.root["model"].(string); !ok {
		wrong("model", "model is required.")
	}
	messages, ok := r.root["messages"].([]any)
	if !ok || len(messages) == 0 {
		wrong("messages", "list of messages must not be empty.")
	}
	for i, m := range messages {
		path, o := fmt.Sprintf("messages[%d]", i), object(m)
		role := text(o["role"])
		if !slices.Contains([]string{"system", "user", "assistant", "tool"}, role) {
			wrong(path+".role",
				"all elements in messages must have a role of 'system', 'user', 'assistant' or "+
					"'tool'.")
		}
		if k := kind(o["content"]); k != "null" && k != "string" && k != "array" {
			wrong(path+".content", "content must be a string or a list of content blocks.")
		}
		for j, c := range array(o["content"]) {
			if kind, ok := object(c)["type"].(string); !ok || !slices.Contains(cohereBlocks, kind) {
				wrong(fmt.Sprintf("%s.content[%d].type", path, j),
					"content must be a string or a list of content blocks of a known type.")
			}
		}
		if k := kind(o["tool_calls"]); k != "null" && k != "array" {
			wrong(path+".tool_calls", "tool_calls must be a list.")
		}
		for j, c := range array(o["tool_calls"]) {
			call, function := object(c), object(object(c)["function"])
			if text(call["id"]) == "" || text(function["name"]) == "" ||
				kind(function["arguments"]) != "string" {
				wrong(fmt.Sprintf("%s.tool_calls[%d]", path, j),
					"all tool calls must have an id and a function with a name and arguments.")
			}
		}
		if role == "tool" && text(o["tool_call_id"]) == "" {
			wrong(path+".tool_call_id", "all tool messages must have a tool_call_id.")
		}
	}
}

func cohereMissing(r *request, found found) {
	messages := array(r.root["messages"])
	for i, m := range messages {
		calls := array(object(m)["tool_calls"])
		if len(calls) == 0 || object(m)["role"] != "assistant" {
			continue
		}
		answers := map[string]int{}
		for _, next := range messages[i+1:] {
			if object(next)["role"] != "tool" {
				break
			}
			answers[text(object(next)["tool_call_id"])]++
		}
		var missing []string
		for _, c := range calls {
			id := text(object(c)["id"])
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

// cohereImages checks the types of content of each role in Cohere's own SDK:
// only that of a user message has images.
func cohereImages(r *request, found found) {
	for i, m := range array(r.root["messages"]) {
		for j, c := range array(object(m)["content"]) {
			if object(c)["type"] == "image_url" && object(m)["role"] != "user" {
				found(fmt.Sprintf("messages[%d].content[%d]", i, j), inOwnWords,
					"invalid request: only user messages may have content of type 'image_url'.")
			}
		}
	}
}

// cohereContentless checks tool messages, whose content is no optional one. It is a text or a list;
// nothing is on record of how long the list has to be.
func cohereContentless(r *request, found found) {
	for i, m := range array(r.root["messages"]) {
		if object(m)["role"] == "tool" && object(m)["content"] == nil {
			found(fmt.Sprintf("messages[%d].content", i), inOwnWords,
				"invalid request: all tool messages must have content.")
		}
	}
}

// cohereContent returns the content of an answer.
func cohereContent(t *turn) []map[string]any {
	content := []map[string]any{}
	if t.reply.Reasoning != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": t.reply.Reasoning})
	}
	if t.reply.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": t.reply.Text})
	}
	return content
}

func cohereStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "TOOL_CALL"
	}
	return "COMPLETE"
}

func cohereUsage(t *turn) map[string]any {
	counts := map[string]any{
		"input_tokens":  tokens(len(t.request.body)),
		"output_tokens": tokens(len(t.reply.Text) + len(marshal(t.reply.Calls))),
	}
	return map[string]any{"billed_units": counts, "tokens": counts}
}

func cohereReply(t *turn) []byte {
	message := map[string]any{"role": "assistant", "content": cohereContent(t)}
	if calls := openaiChatCalls(t); calls != nil {
		message["tool_calls"] = calls
	}
	return marshal(map[string]any{
		"id":            t.id("", -2),
		"finish_reason": cohereStop(t.reply),
		"message":       message,
		"usage":         cohereUsage(t),
	})
}

func cohereEvents(t *turn) []event {
	var events []event
	send := func(kind string, index int, message any) {
		body := map[string]any{"type": kind}
		if index >= 0 {
			body["index"] = index
		}
		if message != nil {
			body["delta"] = map[string]any{"message": message}
		}
		if kind == "message-start" {
			body["id"] = t.id("", -2)
		}
		if kind == "message-end" {
			body["delta"] = map[string]any{
				"finish_reason": cohereStop(t.reply),
				"usage":         cohereUsage(t),
			}
		}
		events = append(events, event{kind, string(marshal(body))})
	}
	send("message-start", -1, map[string]any{
		"role":       "assistant",
		"content":    []any{},
		"tool_plan":  "",
		"tool_calls": []any{},
		"citations":  []any{},
	})
	for i, c := range cohereContent(t) {
		kind := text(c["type"])
		send("content-start", i, map[string]any{"content": map[string]any{"type": kind, kind: ""}})
		for _, p := range pieces(text(c[kind])) {
			send("content-delta", i, map[string]any{"content": map[string]any{kind: p}})
		}
		send("content-end", i, nil)
	}
	for i, c := range openaiChatCalls(t) {
		function := object(c["function"])
		send("tool-call-start", i, map[string]any{
			"tool_calls": map[string]any{
				"id": c["id"], "type": "function",
				"function": map[string]any{"name": function["name"], "arguments": ""},
			},
		})
		for _, p := range pieces(text(function["arguments"])) {
			send("tool-call-delta", i, map[string]any{
				"tool_calls": map[string]any{"function": map[string]any{"arguments": p}},
			})
		}
		send("tool-call-end", i, nil)
	}
	send("message-end", -1, nil)
	return append(events, event{"", "[DONE]"})
}
