package preflighttest

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// The fake of Anthropic Messages: how a request is read, and how an answer is
// written. What is refused is in anthropic_checks.go.

var anthropicFormat = format{
	name: "anthropic",
	route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/messages"
	},
	notFound: "Not Found",
	maxBody:  32 << 20,
	tooLarge: Violation{
		Rule:    "anthropic/request-too-large",
		Message: "Request exceeds the maximum allowed number of bytes.", Status: 413,
	},
	malformed: anthropicMalformed,
	open:      anthropicOpen,
	checks:    anthropicByVendor(anthropicChecks),
	failure:   anthropicFailure,
	reply:     anthropicReply,
	events:    anthropicEvents,
	midway: func(v Violation) event {
		body, _ := anthropicFailure(v, "")
		return event{"error", string(body)}
	},
}

// anthropicRequest is a Messages request, laid open for the checks.
type anthropicRequest struct {
	model    anthropicModel
	named    bool // there is a model's name
	claude   bool // and it is one of Claude's
	messages []anthropicMessage
	turns    []anthropicTurn
	thinking string // the type of the thinking parameter, or what its absence means
	tools    []any
	bound    *bound
}

// anthropicMessage is one message. A string counts as one text block.
type anthropicMessage struct {
	index   int
	role    string
	object  map[string]any
	content any
	blocks  []anthropicBlock
}

// anthropicBlock is one content block at any level.
type anthropicBlock struct {
	kind   string
	object map[string]any
	path   string // in the provider's notation: messages.1.content.0
	msg    int    // index of its message
}

// anthropicTurn is a run of messages of one role, which the API joins.
type anthropicTurn struct {
	role   string
	first  int // index of its first message
	last   int
	blocks []anthropicBlock
}

func anthropicOpen(r *request) {
	a := &anthropicRequest{tools: array(r.root["tools"])}
	if r.model == "" {
		r.model = text(r.root["model"])
	}
	r.stream = truth(r.root["stream"])
	a.model = anthropicModelOf(r.model)
	a.named, a.claude = r.model != "", strings.Contains(r.model, "claude")
	a.thinking = a.model.unasked()
	if mode := text(object(r.root["thinking"])["type"]); mode != "" {
		a.thinking = mode
	}
	for i, m := range array(r.root["messages"]) {
		o := object(m)
		message := anthropicMessage{
			index:   i,
			role:    text(o["role"]),
			object:  o,
			content: o["content"],
		}
		message.blocks = anthropicBlocks(o["content"], fmt.Sprintf("messages.%d.content", i), i)
		a.messages = append(a.messages, message)
		if n := len(a.turns); n == 0 || a.turns[n-1].role != message.role {
			a.turns = append(a.turns, anthropicTurn{role: message.role, first: i})
		}
		t := &a.turns[len(a.turns)-1]
		t.last, t.blocks = i, append(t.blocks, message.blocks...)
	}
	a.bound = anthropicBind(r.root, a.messages)
	r.parsed = a
}

// anthropicBlocks reads content, a string or an array of blocks. A non-empty
// string counts as a text block.
func anthropicBlocks(content any, path string, msg int) []anthropicBlock {
	if s, ok := content.(string); ok && s != "" {
		return []anthropicBlock{
			{kind: "text", object: map[string]any{"type": "text", "text": s}, path: path, msg: msg},
		}
	}
	var blocks []anthropicBlock
	for i, b := range array(content) {
		o := object(b)
		blocks = append(blocks, anthropicBlock{
			kind:   text(o["type"]),
			object: o,
			path:   fmt.Sprintf("%s.%d", path, i),
			msg:    msg,
		})
	}
	return blocks
}

// anthropicModel is what the name of a model tells.
type anthropicModel struct {
	family string // empty for a name that is not known
	major  int
	minor  int
}

var (
	anthropicFamilyFirst = regexp.MustCompile(
		`claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2}))?(?:\D|$)`)
	anthropicVersionFirst = regexp.MustCompile(`claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)`)
	anthropicOldest       = regexp.MustCompile(`claude-(?:instant|v?[12](?:\D|$))`)
)

func anthropicModelOf(name string) anthropicModel {
	atoi := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := anthropicFamilyFirst.FindStringSubmatch(name); m != nil {
		return anthropicModel{m[1], atoi(m[2]), atoi(m[3])}
	}
	if m := anthropicVersionFirst.FindStringSubmatch(name); m != nil {
		return anthropicModel{m[3], atoi(m[1]), atoi(m[2])}
	}
	if anthropicOldest.MatchString(name) {
		return anthropicModel{"instant", 2, 0}
	}
	return anthropicModel{}
}

func (m anthropicModel) atLeast(major, minor int) bool {
	return m.major > major || m.major == major && m.minor >= minor
}

// prefills reports whether an assistant message may come last: up to 4.5.
func (m anthropicModel) prefills() bool { return m.family != "" && !m.atLeast(4, 6) }

// takesSystem reports whether system messages may be in the conversation:
// from Opus 4.8 and version 5 of the others, and in models that are not known.
func (m anthropicModel) takesSystem() bool {
	return m.family == "" || m.atLeast(5, 0) || m.family == "opus" && m.atLeast(4, 8)
}

// unasked is the thinking mode of a request that says nothing about it. Up to
// 4.8 that is none, from 5 on it is adaptive, as it is taken to be of a model
// that is not known (https://platform.claude.com/docs/en/models/opus-5/migration-guide).
func (m anthropicModel) unasked() string {
	if m.family == "" || m.atLeast(5, 0) || m.family == "mythos" {
		return "adaptive"
	}
	return "disabled"
}

// binds reports whether thinking is bound to what came before it: from 5.1 of
// Fable and Mythos and 5.5 of the others, and for models that are not known.
func (m anthropicModel) binds() bool {
	switch m.family {
	case "":
		return true
	case "fable", "mythos":
		return m.atLeast(5, 1)
	}
	return m.atLeast(5, 5)
}

func anthropicMalformed(err *syntaxError) Violation {
	v := Violation{
		Message: fmt.Sprintf("The request body is not valid JSON: %s: line %d column %d (char %d)",
			err.reason, err.line, err.col, err.offset),
		Status: 400,
	}
	if err.surrogate {
		v.Rule = "anthropic/lone-surrogate"
	}
	return v
}

// anthropicErrorTypes are the types of errors by status.
var anthropicErrorTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
	404: "not_found_error",
	405: "invalid_request_error", 413: "request_too_large", 429: "rate_limit_error",
	500: "api_error",
	503: "api_error", 504: "timeout_error", 529: "overloaded_error",
}

func anthropicFailure(v Violation, requestID string) ([]byte, http.Header) {
	kind := anthropicErrorTypes[v.Status]
	if kind == "" {
		kind = "api_error"
	}
	body := map[string]any{
		"type":  "error",
		"error": map[string]any{"type": kind, "message": v.Message},
	}
	if requestID != "" {
		body["request_id"] = requestID
	}
	retry := v.Status == 429 || v.Status >= 500
	return marshal(body), http.Header{
		"request-id":     {requestID},
		"x-should-retry": {strconv.FormatBool(retry)},
	}
}

// anthropicContent returns the blocks of an answer.
func anthropicContent(t *turn) []map[string]any {
	var blocks []map[string]any
	add := func(kind string, fields map[string]any) {
		fields["type"] = kind
		blocks = append(blocks, fields)
	}
	a := t.request.parsed.(*anthropicRequest)
	thoughts := 0
	if t.reply.Reasoning != "" {
		thoughts++
	}
	if t.reply.Redacted {
		thoughts++
	}
	if t.reply.Reasoning != "" {
		add("thinking", map[string]any{
			"thinking":  t.reply.Reasoning,
			"signature": a.bound.seal("thinking", t.reply.Reasoning, 0, thoughts),
		})
	}
	if t.reply.Redacted {
		add("redacted_thinking",
			map[string]any{"data": a.bound.seal("redacted_thinking", "", thoughts-1, thoughts)})
	}
	for i, c := range t.reply.ServerCalls {
		id := t.id("srvtoolu_01", i)
		add("server_tool_use",
			map[string]any{"id": id, "name": c.Name, "input": arguments(c.Arguments)})
		if c.Result != "" {
			add(anthropicResultKind(c.Name),
				map[string]any{"tool_use_id": id, "content": arguments(c.Result)})
		}
	}
	if t.reply.Text != "" {
		add("text", map[string]any{"text": t.reply.Text})
	}
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("toolu_01", len(t.reply.ServerCalls)+i)
		}
		add("tool_use", map[string]any{"id": id, "name": c.Name, "input": arguments(c.Arguments)})
	}
	return blocks
}

// anthropicResultKind is the type of the block that answers a server tool.
func anthropicResultKind(tool string) string {
	if strings.HasPrefix(tool, "tool_search_tool_") {
		return "tool_search_tool_result"
	}
	return tool + "_tool_result"
}

func anthropicStopReason(r Reply) string {
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

// anthropicMessageObject returns the message of an answer with the given content.
func anthropicMessageObject(t *turn, content any, stop any, output int) map[string]any {
	return map[string]any{
		"id": t.id("msg_01", -2), "type": "message", "role": "assistant", "model": t.request.model,
		"content":     content,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": tokens(len(t.request.body)), "cache_creation_input_tokens": 0,
			"cache_read_input_tokens": 0,
			"output_tokens":           output, "service_tier": "standard",
		},
	}
}

func anthropicReply(t *turn) []byte {
	content := anthropicContent(t)
	if content == nil {
		content = []map[string]any{}
	}
	return marshal(anthropicMessageObject(t, content, anthropicStopReason(t.reply),
		tokens(len(marshal(content)))))
}

func anthropicEvents(t *turn) []event {
	var events []event
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		events = append(events, event{kind, string(marshal(fields))})
	}
	send("message_start", map[string]any{"message": anthropicMessageObject(t, []any{}, nil, 1)})
	size := 0
	for i, b := range anthropicContent(t) {
		size += len(marshal(b))
		start, deltas := anthropicDeltas(b)
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
		"delta": map[string]any{"stop_reason": anthropicStopReason(t.reply), "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": tokens(size)},
	})
	send("message_stop", map[string]any{})
	return events
}

// anthropicDeltas splits a block into what its start event holds and the
// deltas that follow. Results and redacted thinking come whole.
func anthropicDeltas(b map[string]any) (start map[string]any, deltas []map[string]any) {
	add := func(kind, field, value string) {
		deltas = append(deltas, map[string]any{"type": kind, field: value})
	}
	switch b["type"] {
	case "text":
		for _, p := range pieces(text(b["text"])) {
			add("text_delta", "text", p)
		}
		return map[string]any{"type": "text", "text": ""}, deltas
	case "thinking":
		for _, p := range pieces(text(b["thinking"])) {
			add("thinking_delta", "thinking", p)
		}
		add("signature_delta", "signature", text(b["signature"]))
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""}, deltas
	case "tool_use", "server_tool_use":
		add("input_json_delta", "partial_json", "")
		for _, p := range pieces(string(marshal(b["input"]))) {
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
