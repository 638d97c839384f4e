package preflighttest

import (
	"fmt"
	"net/http"
	"strings"
)

// The fake of Amazon Bedrock's Converse and ConverseStream: how a request is
// read, and how an answer is written. What is refused is in
// bedrock_checks.go.

var bedrockFormat = format{
	name:        "bedrock",
	route:       bedrockRoute,
	notFound:    "Unable to determine service/operation name to be authorized: %s",
	malformed:   bedrockMalformed,
	open:        bedrockOpen,
	checks:      bedrockChecks,
	failure:     bedrockFailure,
	reply:       bedrockReply,
	events:      bedrockEvents,
	midway:      bedrockMidway,
	encode:      eventStreamMessage,
	contentType: eventStreamType,
}

func bedrockRoute(path string) (model string, stream, ok bool) {
	rest, ok := strings.CutPrefix(path, "/model/")
	if !ok {
		return "", false, false
	}
	if model, ok = strings.CutSuffix(rest, "/converse-stream"); ok {
		return model, true, model != ""
	}
	model, ok = strings.CutSuffix(rest, "/converse")
	return model, false, ok && model != ""
}

// bedrockRequest is a request, laid open for the checks.
type bedrockRequest struct {
	messages []bedrockMessage
	turns    []bedrockTurn
	tools    []any
	model    anthropicModel // what is known of the model, if it is Claude
	thinking string         // its mode of thinking
	drops    bool           // it is asked to drop thinking that is bound to something else
	bound    *bound
}

// bedrockMessage is one message.
type bedrockMessage struct {
	index  int
	object map[string]any
	role   string
	blocks []bedrockBlock
}

// bedrockBlock is one content block.
type bedrockBlock struct {
	object map[string]any
	path   string // in the provider's notation: messages.1.content.0
	claude string // in Claude's notation, which does not count cache points
	msg, n int    // the message and the place in it
	served bool   // the result of a tool that the service ran, which judges none of its own words
}

// use returns the tool call that the block is, or nil.
func (b bedrockBlock) use() map[string]any { return object(b.object["toolUse"]) }

// result returns the tool result that the block is, or nil.
func (b bedrockBlock) result() map[string]any { return object(b.object["toolResult"]) }

// answer returns the tool result that the block is, if it is the caller's.
func (b bedrockBlock) answer() map[string]any {
	if b.served {
		return nil
	}
	return b.result()
}

// at returns the path in the notation of [Violation].
func (b bedrockBlock) at() string { return fmt.Sprintf("messages[%d].content[%d]", b.msg, b.n) }

func bedrockOf(r *request) *bedrockRequest { return r.parsed.(*bedrockRequest) }

func bedrockOpen(r *request) {
	if r.model == "" {
		r.model = text(r.root["modelId"])
	}
	b := &bedrockRequest{
		tools: array(object(r.root["toolConfig"])["tools"]),
		model: anthropicModelOf(r.model),
	}
	b.thinking = b.model.unasked()
	thinking := object(object(r.root["additionalModelRequestFields"])["thinking"])
	if mode := text(thinking["type"]); mode != "" {
		b.thinking = mode
	}
	binding := object(thinking["block_binding"])
	b.drops = r.lenient && binding == nil ||
		text(binding["prefix_mismatch_behavior"]) == "drop_block"
	for i, m := range array(r.root["messages"]) {
		b.messages = append(b.messages, bedrockMessageOf(i, object(m)))
	}
	b.turns = bedrockTurns(b.messages)
	b.bound = bedrockBind(r.root, b.turns)
	r.parsed = b
}

func bedrockMessageOf(i int, o map[string]any) bedrockMessage {
	m := bedrockMessage{index: i, object: o, role: text(o["role"])}
	served := map[string]bool{} // the calls of this message that the provider runs
	points := 0
	for j, c := range array(o["content"]) {
		b := bedrockBlock{
			object: object(c),
			path:   fmt.Sprintf("messages.%d.content.%d", i, j),
			claude: fmt.Sprintf("messages.%d.content.%d", i, j-points),
			msg:    i,
			n:      j,
		}
		if has(b.object, "cachePoint") {
			points++
		}
		b.served = m.role == "assistant" && b.result() != nil &&
			served[text(b.result()["toolUseId"])]
		m.blocks = append(m.blocks, b)
		if b.use()["type"] == "server_tool_use" {
			served[text(b.use()["toolUseId"])] = true
		}
	}
	return m
}

func bedrockMalformed(err *syntaxError) Violation {
	return Violation{
		Message: fmt.Sprintf("The body is not valid JSON: %s at line %d column %d", err.reason,
			err.line, err.col),
		Status: 400,
		code:   "SerializationException",
	}
}

// bedrockExceptions are the types of errors by status.
var bedrockExceptions = map[int]string{
	400: "ValidationException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
	405: "UnknownOperationException",
	408: "ModelTimeoutException", 424: "ModelErrorException", 429: "ThrottlingException",
	500: "InternalServerException",
	503: "ServiceUnavailableException", 529: "ServiceUnavailableException",
}

func bedrockException(v Violation) string {
	if v.code != "" {
		return v.code
	}
	if kind := bedrockExceptions[v.Status]; kind != "" {
		return kind
	}
	return "InternalServerException"
}

func bedrockFailure(v Violation, requestID string) ([]byte, http.Header) {
	body := marshal(map[string]any{"message": v.Message})
	return body, http.Header{
		"x-amzn-ErrorType": {bedrockException(v)},
		"x-amzn-RequestId": {requestID},
	}
}

func bedrockMidway(v Violation) event {
	kind := bedrockException(v)
	return event{
		strings.ToLower(kind[:1]) + kind[1:],
		string(marshal(map[string]any{"message": v.Message})),
	}
}

// bedrockContent returns the blocks of an answer. Reasoning is signed as that of
// Claude.
func bedrockContent(t *turn) []map[string]any {
	bound, blocks := bedrockOf(t.request).bound, []map[string]any{}
	add := func(kind string, value any) { blocks = append(blocks, map[string]any{kind: value}) }
	said, withheld, thoughts := t.reply.Reasoning != "", t.reply.Redacted, 0
	for _, there := range []bool{said, withheld} {
		if there {
			thoughts++
		}
	}
	if said {
		add("reasoningContent", map[string]any{"reasoningText": map[string]any{
			"text":      t.reply.Reasoning,
			"signature": bound.seal("thinking", t.reply.Reasoning, 0, thoughts),
		}})
	}
	if withheld {
		add("reasoningContent", map[string]any{
			"redactedContent": bound.seal("redacted_thinking", "", thoughts-1, thoughts),
		})
	}
	if t.reply.Text != "" {
		add("text", t.reply.Text)
	}
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("tooluse_", i)
		}
		add("toolUse",
			map[string]any{"toolUseId": id, "name": c.Name, "input": arguments(c.Arguments)})
	}
	return blocks
}

func bedrockStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// bedrockFigures are the usage and the metrics of an answer.
func bedrockFigures(t *turn, blocks []map[string]any) map[string]any {
	in, out := tokens(len(t.request.body)), tokens(len(marshal(blocks)))
	return map[string]any{
		"usage":   map[string]any{"inputTokens": in, "outputTokens": out, "totalTokens": in + out},
		"metrics": map[string]any{"latencyMs": 1},
	}
}

func bedrockReply(t *turn) []byte {
	blocks := bedrockContent(t)
	body := bedrockFigures(t, blocks)
	body["output"] = map[string]any{
		"message": map[string]any{"role": "assistant", "content": blocks},
	}
	body["stopReason"] = bedrockStop(t.reply)
	return marshal(body)
}

func bedrockEvents(t *turn) []event {
	var events []event
	send := func(name string, fields map[string]any) {
		events = append(events, event{name, string(marshal(fields))})
	}
	blocks := bedrockContent(t)
	send("messageStart", map[string]any{"role": "assistant"})
	for i, b := range blocks {
		start, deltas := bedrockDeltas(b)
		if start != nil {
			send("contentBlockStart", map[string]any{"start": start, "contentBlockIndex": i})
		}
		for _, d := range deltas {
			send("contentBlockDelta", map[string]any{"delta": d, "contentBlockIndex": i})
		}
		send("contentBlockStop", map[string]any{"contentBlockIndex": i})
	}
	send("messageStop", map[string]any{"stopReason": bedrockStop(t.reply)})
	send("metadata", bedrockFigures(t, blocks))
	return events
}

// bedrockDeltas splits a block into what its start event holds, nil for none,
// and the deltas that follow.
func bedrockDeltas(b map[string]any) (start map[string]any, deltas []map[string]any) {
	reasoning := object(b["reasoningContent"])
	thought := func(name string, value any) {
		deltas = append(deltas, map[string]any{"reasoningContent": map[string]any{name: value}})
	}
	if use := object(b["toolUse"]); use != nil {
		for _, p := range pieces(string(marshal(use["input"]))) {
			deltas = append(deltas, map[string]any{"toolUse": map[string]any{"input": p}})
		}
		return map[string]any{
			"toolUse": map[string]any{"toolUseId": use["toolUseId"], "name": use["name"]},
		}, deltas
	}
	for _, p := range pieces(text(b["text"])) {
		deltas = append(deltas, map[string]any{"text": p})
	}
	if signed := object(reasoning["reasoningText"]); signed != nil {
		for _, p := range pieces(text(signed["text"])) {
			thought("text", p)
		}
		thought("signature", signed["signature"])
	} else if reasoning != nil {
		thought("redactedContent", reasoning["redactedContent"])
	}
	return nil, deltas
}
