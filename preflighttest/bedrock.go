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
	claude   *request          // the request as Claude gets to see it
	origin   map[string]string // paths in the request by those in Claude's
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
	b := &bedrockRequest{origin: map[string]string{}}
	if r.model == "" {
		r.model = text(r.root["modelId"])
	}
	var relayed []any
	for i, m := range array(r.root["messages"]) {
		o := object(m)
		message := bedrockMessage{index: i, object: o, role: text(o["role"])}
		// the calls of this message that the provider runs
		content, served := []any{}, map[string]bool{}
		for j, c := range array(o["content"]) {
			block := bedrockBlock{
				object: object(c),
				path:   fmt.Sprintf("messages.%d.content.%d", i, j),
				msg:    i,
				n:      j,
			}
			block.served = message.role == "assistant" && block.result() != nil &&
				served[text(block.result()["toolUseId"])]
			message.blocks = append(message.blocks, block)
			if block.use()["type"] == "server_tool_use" {
				served[text(block.use()["toolUseId"])] = true
			}
			if sent := bedrockToClaude(block.object); sent != nil {
				if block.served {
					sent["type"] = "server_tool_result"
				}
				b.origin[fmt.Sprintf("messages[%d].content[%d]", i, len(content))] = block.at()
				content = append(content, sent)
			}
		}
		b.messages = append(b.messages, message)
		relayed = append(relayed, map[string]any{"role": message.role, "content": content})
	}
	var tools []any
	for i, t := range array(object(r.root["toolConfig"])["tools"]) {
		spec := object(object(t)["toolSpec"])
		b.origin[fmt.Sprintf("tools[%d]", i)] = fmt.Sprintf("toolConfig.tools[%d].toolSpec", i)
		tools = append(tools, map[string]any{
			"name":         spec["name"],
			"description":  spec["description"],
			"input_schema": spec["inputSchema"],
		})
	}
	b.claude = &request{
		model:   r.model,
		lenient: r.lenient,
		root: map[string]any{
			"thinking": object(r.root["additionalModelRequestFields"])["thinking"],
			"messages": relayed, "system": r.root["system"], "tools": tools,
		},
	}
	anthropicOpen(b.claude)
	r.parsed = b
}

// bedrockToClaude writes a block in Claude's own format. It returns nil for a
// cache point, which is no block there.
func bedrockToClaude(o map[string]any) map[string]any {
	reasoning := object(o["reasoningContent"])
	signed := object(reasoning["reasoningText"])
	switch {
	case has(o, "cachePoint"):
		return nil
	case has(o, "text"):
		return map[string]any{"type": "text", "text": o["text"]}
	case has(o, "toolUse"):
		use := object(o["toolUse"])
		if use["type"] == "server_tool_use" {
			return map[string]any{
				"type":  "server_tool_use",
				"id":    use["toolUseId"],
				"name":  use["name"],
				"input": use["input"],
			}
		}
		return map[string]any{
			"type":  "tool_use",
			"id":    use["toolUseId"],
			"name":  use["name"],
			"input": use["input"],
		}
	case has(o, "toolResult"):
		result := object(o["toolResult"])
		return map[string]any{
			"type":        "tool_result",
			"tool_use_id": result["toolUseId"],
			"content":     result["content"],
			"is_error":    result["status"] == "error",
		}
	case signed != nil:
		return map[string]any{
			"type":      "thinking",
			"thinking":  signed["text"],
			"signature": signed["signature"],
		}
	case reasoning != nil:
		return map[string]any{"type": "redacted_thinking", "data": reasoning["redactedContent"]}
	}
	return map[string]any{"type": "other", "other": o}
}

// bedrockFromClaude is the way back, for the blocks of an answer. It returns
// nil for blocks that Converse does not have.
func bedrockFromClaude(b map[string]any) map[string]any {
	switch b["type"] {
	case "text":
		return map[string]any{"text": b["text"]}
	case "tool_use":
		return map[string]any{
			"toolUse": map[string]any{"toolUseId": b["id"], "name": b["name"], "input": b["input"]},
		}
	case "thinking":
		return map[string]any{
			"reasoningContent": map[string]any{
				"reasoningText": map[string]any{"text": b["thinking"], "signature": b["signature"]},
			},
		}
	case "redacted_thinking":
		return map[string]any{"reasoningContent": map[string]any{"redactedContent": b["data"]}}
	}
	return nil
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

// bedrockContent returns the blocks of an answer. Reasoning is signed as
// Claude signs it.
func bedrockContent(t *turn) []map[string]any {
	inner := *t
	inner.request = bedrockOf(t.request).claude
	inner.reply.Calls = append([]Call(nil), t.reply.Calls...)
	for i := range inner.reply.Calls {
		if c := &inner.reply.Calls[i]; c.ID == "" {
			c.ID = t.id("tooluse_", i)
		}
	}
	blocks := []map[string]any{}
	for _, b := range anthropicContent(&inner) {
		if block := bedrockFromClaude(b); block != nil {
			blocks = append(blocks, block)
		}
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
