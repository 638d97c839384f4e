// Package bedrock is the fake of Amazon Bedrock's Converse and ConverseStream. It knows
// the rules of the service, and those of Claude behind it (claude.go), on its own. What
// it refuses is listed in checks.go, in order.
package bedrock

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name:        "bedrock",
	Route:       route,
	NotFound:    "Unable to determine service/operation name to be authorized: %s",
	Malformed:   malformed,
	Open:        open,
	Checks:      checks,
	Failure:     failure,
	Reply:       reply,
	Events:      events,
	Midway:      midway,
	Encode:      eventStreamMessage,
	ContentType: eventStreamType,
}

func route(path string) (model string, stream, ok bool) {
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

// request is a request, laid open for the checks.
type request struct {
	messages []message
	turns    []turn
	tools    []any
	model    claude.Model // what is known of the model, if it is Claude
	thinking string       // its mode of thinking
	talk     *claude.Conversation
}

// message is one message.
type message struct {
	index  int
	object map[string]any
	role   string
	blocks []block
}

// block is one content block.
type block struct {
	object map[string]any
	path   string // in the provider's notation: messages.1.content.0
	claude string // in Claude's notation, which does not count cache points
	msg, n int    // the message and the place in it
	served bool   // a result of a tool that the service ran, of which it judges no word
}

// use returns the tool call that the block is, or nil.
func (b block) use() map[string]any {
	if b.unknown() {
		return nil
	}
	return read.Object(b.object["toolUse"])
}

// result returns the tool result that the block is, or nil.
func (b block) result() map[string]any { return read.Object(b.object["toolResult"]) }

// answer returns the tool result that the block is, if it is the caller's.
func (b block) answer() map[string]any {
	if b.served {
		return nil
	}
	return b.result()
}

// at returns the path in the notation of [Violation].
func (b block) at() string { return fmt.Sprintf("messages[%d].content[%d]", b.msg, b.n) }

func opened(r *fake.Request) *request { return r.Parsed.(*request) }

func open(r *fake.Request) {
	if r.Model == "" {
		r.Model = read.Text(r.Root["modelId"])
	}
	b := &request{
		tools: read.Array(read.Object(r.Root["toolConfig"])["tools"]),
		model: claude.ModelOf(r.Model),
	}
	b.thinking = b.model.Unasked()
	thinking := read.Object(read.Object(r.Root["additionalModelRequestFields"])["thinking"])
	if mode := read.Text(thinking["type"]); mode != "" {
		b.thinking = mode
	}
	for i, m := range read.Array(r.Root["messages"]) {
		m := messageOf(i, read.Object(m))
		for j, answer := range m.blocks {
			id, ok := answer.result()["toolUseId"].(string)
			if ok && i > 0 && m.role != "assistant" && b.messages[i-1].served(id) {
				m.blocks[j].served = true // once more
			}
		}
		b.messages = append(b.messages, m)
	}
	b.turns = turns(b.messages)
	b.talk = b.conversation(r, read.Object(thinking["block_binding"]))
	r.Parsed = b
}

func messageOf(i int, o map[string]any) message {
	m := message{index: i, object: o, role: read.Text(o["role"])}
	served := map[string]bool{} // the calls of this message that the provider runs
	points := 0
	for j, c := range read.Array(o["content"]) {
		b := block{
			object: read.Object(c),
			path:   fmt.Sprintf("messages.%d.content.%d", i, j),
			claude: fmt.Sprintf("messages.%d.content.%d", i, j-points),
			msg:    i,
			n:      j,
		}
		if read.Has(b.object, "cachePoint") {
			points++
		}
		b.served = m.role == "assistant" && b.result() != nil &&
			served[read.Text(b.result()["toolUseId"])]
		m.blocks = append(m.blocks, b)
		if b.use()["type"] == "server_tool_use" {
			served[read.Text(b.use()["toolUseId"])] = true
		}
	}
	return m
}

func malformed(err *read.SyntaxError) fake.Violation {
	return fake.Violation{
		Message: fmt.Sprintf("The body is not valid JSON: %s at line %d column %d", err.Reason,
			err.Line, err.Col),
		Status: 400,
		Code:   "SerializationException",
	}
}

// each calls f for every block of the messages.
func each(r *fake.Request, f func(m message, b block)) {
	for _, m := range opened(r).messages {
		for _, b := range m.blocks {
			f(m, b)
		}
	}
}

// member writes a path as the constraints of the service model do: 1-based.
func (b block) member() string {
	return fmt.Sprintf("messages.%d.member.content.%d.member", b.msg+1, b.n+1)
}

func messagePath(i int) string { return fmt.Sprintf("messages[%d]", i) }
