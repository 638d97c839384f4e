package bedrock

import (
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// How answers and errors are written.

// exceptions are the types of errors by status.
var exceptions = map[int]string{
	400: "ValidationException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
	405: "UnknownOperationException",
	408: "ModelTimeoutException", 424: "ModelErrorException", 429: "ThrottlingException",
	500: "InternalServerException",
	503: "ServiceUnavailableException", 529: "ServiceUnavailableException",
}

func exception(v fake.Violation) string {
	if v.Code != "" {
		return v.Code
	}
	if kind := exceptions[v.Status]; kind != "" {
		return kind
	}
	return "InternalServerException"
}

func failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	body := fake.Marshal(map[string]any{"message": v.Message})
	return body, http.Header{
		"x-amzn-ErrorType": {exception(v)},
		"x-amzn-RequestId": {requestID},
	}
}

func midway(v fake.Violation) fake.Event {
	kind := exception(v)
	return fake.Event{
		Name: strings.ToLower(kind[:1]) + kind[1:],
		Data: string(fake.Marshal(map[string]any{"message": v.Message})),
	}
}

// content returns the blocks of an answer. Reasoning is signed as that of
// Claude.
func content(t *fake.Turn) []map[string]any {
	bound, blocks := opened(t.Request).talk.Bound, []map[string]any{}
	add := func(kind string, value any) { blocks = append(blocks, map[string]any{kind: value}) }
	said, withheld, thoughts := t.Reply.Reasoning != "", t.Reply.Redacted, 0
	for _, there := range []bool{said, withheld} {
		if there {
			thoughts++
		}
	}
	if said {
		add("reasoningContent", map[string]any{"reasoningText": map[string]any{
			"text":      t.Reply.Reasoning,
			"signature": bound.Seal("thinking", t.Reply.Reasoning, 0, thoughts),
		}})
	}
	if withheld {
		add("reasoningContent", map[string]any{
			"redactedContent": bound.Seal("redacted_thinking", "", thoughts-1, thoughts),
		})
	}
	if t.Reply.Text != "" {
		add("text", t.Reply.Text)
	}
	for _, c := range t.Called(func(i int) string { return t.ID("tooluse_", i) }) {
		add("toolUse",
			map[string]any{"toolUseId": c.ID, "name": c.Name, "input": fake.Arguments(c.Arguments)})
	}
	return blocks
}

// figures returns the usage and the metrics of an answer.
func figures(t *fake.Turn, blocks []map[string]any) map[string]any {
	in, out := fake.Tokens(len(t.Request.Body)), fake.Tokens(len(fake.Marshal(blocks)))
	return map[string]any{
		"usage":   map[string]any{"inputTokens": in, "outputTokens": out, "totalTokens": in + out},
		"metrics": map[string]any{"latencyMs": 1},
	}
}

func reply(t *fake.Turn) []byte {
	blocks := content(t)
	body := figures(t, blocks)
	body["output"] = map[string]any{
		"message": map[string]any{"role": "assistant", "content": blocks},
	}
	body["stopReason"] = t.Reply.Stop("tool_use", "end_turn")
	return fake.Marshal(body)
}

func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	send := func(name string, fields map[string]any) {
		events = append(events, fake.Event{Name: name, Data: string(fake.Marshal(fields))})
	}
	blocks := content(t)
	send("messageStart", map[string]any{"role": "assistant"})
	for i, b := range blocks {
		start, deltas := deltas(b)
		if start != nil {
			send("contentBlockStart", map[string]any{"start": start, "contentBlockIndex": i})
		}
		for _, d := range deltas {
			send("contentBlockDelta", map[string]any{"delta": d, "contentBlockIndex": i})
		}
		send("contentBlockStop", map[string]any{"contentBlockIndex": i})
	}
	send("messageStop", map[string]any{"stopReason": t.Reply.Stop("tool_use", "end_turn")})
	send("metadata", figures(t, blocks))
	return events
}

// deltas splits a block into what its start event holds, nil for none,
// and the deltas that follow.
func deltas(b map[string]any) (start map[string]any, deltas []map[string]any) {
	reasoning := read.Object(b["reasoningContent"])
	thought := func(name string, value any) {
		deltas = append(deltas, map[string]any{"reasoningContent": map[string]any{name: value}})
	}
	if use := read.Object(b["toolUse"]); use != nil {
		for _, p := range fake.Pieces(string(fake.Marshal(use["input"]))) {
			deltas = append(deltas, map[string]any{"toolUse": map[string]any{"input": p}})
		}
		return map[string]any{
			"toolUse": map[string]any{"toolUseId": use["toolUseId"], "name": use["name"]},
		}, deltas
	}
	for _, p := range fake.Pieces(read.Text(b["text"])) {
		deltas = append(deltas, map[string]any{"text": p})
	}
	if signed := read.Object(reasoning["reasoningText"]); signed != nil {
		for _, p := range fake.Pieces(read.Text(signed["text"])) {
			thought("text", p)
		}
		thought("signature", signed["signature"])
	} else if reasoning != nil {
		thought("redactedContent", reasoning["redactedContent"])
	}
	return nil, deltas
}
