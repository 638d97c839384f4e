// Package anthropic is the fake of Anthropic Messages. What it refuses is listed in
// checks.go, in order; the functions are in the files named after what they look at.
package anthropic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name: "anthropic",
	Route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/messages"
	},
	NotFound: "Not Found",
	MaxBody:  32 << 20,
	TooLarge: fake.Violation{
		Rule:    "anthropic/request-too-large",
		Message: "Request exceeds the maximum allowed number of bytes.", Status: 413,
	},
	Malformed: malformed,
	Open:      open,
	Checks:    byVendor(checks),
	Failure:   failure,
	Reply:     reply,
	Events:    events,
	Midway: func(v fake.Violation) fake.Event {
		body, _ := failure(v, "")
		return fake.Event{Name: "error", Data: string(body)}
	},
}

// request is a Messages request, laid open for the checks.
type request struct {
	model    claude.Model
	unnamed  bool // the request names no model
	vendor   bool // the model is another vendor's
	messages []message
	turns    []turn
	thinking string // the type of the thinking parameter, or what its absence means
	tools    []any
	talk     *claude.Conversation

	// unknown are the ids in blocks that nothing is known of, which may be calls, or results
	unknown *read.Mentions
}

// message is one message. A string counts as one text block.
type message struct {
	index   int
	role    string
	object  map[string]any
	content any
	blocks  []block
}

// block is one content block at any level.
type block struct {
	kind   string
	object map[string]any
	path   string // in the provider's notation: messages.1.content.0
	msg    int    // index of its message
}

// turn is a run of messages of one role, which the API joins.
type turn struct {
	role   string
	first  int // index of its first message
	last   int
	blocks []block

	unknown *read.Mentions // of the request
}

func open(r *fake.Request) {
	a := &request{tools: read.Array(r.Root["tools"]), unknown: &read.Mentions{}}
	r.ReadModel()
	a.model = claude.ModelOf(r.Model)
	a.unnamed, a.vendor = r.Model == "", a.model.Family == "" && ofVendor(r.Model, r.Lenient)
	a.thinking = a.model.Unasked()
	if mode := read.Text(read.Object(r.Root["thinking"])["type"]); mode != "" {
		a.thinking = mode
	}
	for i, m := range read.Array(r.Root["messages"]) {
		o := read.Object(m)
		message := message{
			index:   i,
			role:    read.Text(o["role"]),
			object:  o,
			content: o["content"],
		}
		message.blocks = blocks(o["content"], fmt.Sprintf("messages.%d.content", i), i)
		for _, b := range message.blocks {
			if !b.known() {
				a.unknown.AddIDs(b.object, i)
			}
		}
		a.messages = append(a.messages, message)
		if n := len(a.turns); n == 0 || a.turns[n-1].role != message.role {
			a.turns = append(a.turns, turn{role: message.role, first: i, unknown: a.unknown})
		}
		t := &a.turns[len(a.turns)-1]
		t.last, t.blocks = i, append(t.blocks, message.blocks...)
	}
	a.talk = a.conversation(r)
	r.Parsed = a
}

// blocks reads content, a string or an array of blocks. A non-empty
// string counts as a text block.
func blocks(content any, path string, msg int) []block {
	if s, ok := content.(string); ok && s != "" {
		return []block{
			{kind: "text", object: map[string]any{"type": "text", "text": s}, path: path, msg: msg},
		}
	}
	var blocks []block
	for i, b := range read.Array(content) {
		o := read.Object(b)
		blocks = append(blocks, block{
			kind:   read.Text(o["type"]),
			object: o,
			path:   fmt.Sprintf("%s.%d", path, i),
			msg:    msg,
		})
	}
	return blocks
}

func malformed(err *read.SyntaxError) fake.Violation {
	v := fake.Violation{
		Message: fmt.Sprintf("The request body is not valid JSON: %s: line %d column %d (char %d)",
			err.Reason, err.Line, err.Col, err.Offset),
		Status: 400,
	}
	if err.Surrogate {
		v.Rule = "anthropic/lone-surrogate"
	}
	return v
}

// foreign reports whether the model is another vendor's.
func (a *request) foreign() bool { return a.vendor }

func opened(r *fake.Request) *request { return r.Parsed.(*request) }

// each calls f for every block of every message, in order, together
// with the message.
func each(r *fake.Request, f func(m message, b block)) {
	for _, m := range opened(r).messages {
		for _, b := range m.blocks {
			f(m, b)
		}
	}
}

// everywhere calls f for every block at every level: tools, system,
// messages, and the content of results and documents.
func everywhere(r *fake.Request, f func(role string, b block)) {
	for i, t := range opened(r).tools {
		f("tools", block{
			kind:   "custom",
			object: read.Object(t),
			path:   fmt.Sprintf("tools.%d", i),
			msg:    -1,
		})
	}
	for _, b := range blocks(r.Root["system"], "system", -1) {
		f("system", b)
	}
	each(r, func(m message, b block) {
		f(m.role, b)
		if inner := b.object["content"]; b.kind == "tool_result" || b.kind == "search_result" {
			for _, b := range blocks(inner, b.path+"."+b.kind+".content", m.index) {
				f(m.role, b)
			}
		}
	})
}

// pathOf turns the provider's notation into that of Violation.Path.
func pathOf(path string) string {
	var out strings.Builder
	for i, step := range strings.Split(path, ".") {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			fmt.Fprintf(&out, "[%s]", step)
		case step == "tool_result" || step == "search_result":
			// The type of the union's member, which is not a name in the body.
		case i == 0:
			out.WriteString(step)
		default:
			out.WriteString("." + step)
		}
	}
	return out.String()
}

// at returns the path of a block for Violation.Path.
func (b block) at() string { return pathOf(b.path) }

// fill returns the pairs that put the block's place into a text.
func (b block) fill(more ...string) []string {
	return append([]string{"messages.N.content.M", b.path, "messages.N.content.0", b.path}, more...)
}

func messagePath(i int) string { return fmt.Sprintf("messages[%d]", i) }
