package preflighttest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The fake of Mistral chat completions, as the open validator of
// mistral-common and the hosted API judge them together.

var mistralFormat = format{
	name: "mistral",
	route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/chat/completions"
	},
	notFound:  "no Route matched with those values",
	malformed: mistralMalformed,
	open:      mistralOpen,
	checks:    mistralChecks,
	schema:    http.StatusUnprocessableEntity,
	failure:   mistralFailure,
	reply:     mistralReply,
	events:    mistralEvents,
}

// mistralChecks are in the order of the hosted API: the schema, then the
// validator.
var mistralChecks = []check{
	{"", inOwnWords, "", mistralSchema},
	{"mistral/unknown-fields", "", "", mistralUnknown},
	{"mistral/messages-empty", "", "1800", mistralMessagesEmpty},
	{"mistral/system-null", "", "3051", mistralSystemNull},
	{"mistral/assistant-empty", "", "3240", mistralAssistantEmpty},
	{"mistral/content-chunk-types", inOwnWords, "3051", mistralChunks},
	{"mistral/function-name", "", "3280", mistralFunctionName},
	{"mistral/tool-call-id", "", "3280", mistralID},
	{"mistral/prefix-not-last", "", "3230", mistralPrefix},
	{"mistral/order-system", "", "3230", mistralOrderSystem},
	{"mistral/order-tool-after-user", "", "3230", mistralToolAfterUser},
	{"mistral/unexpected-result-id", "", "3230", mistralUnexpected},
	{"mistral/duplicate-result-id", "", "3230", mistralDuplicate},
	{"mistral/call-result-count", "", "3230", mistralCount},
	{"mistral/last-role", "", "3230", mistralLastRole},
}

// mistralTypes are the types of errors by their code.
var mistralTypes = map[string]string{
	"3230": "invalid_request_message_order", "3240": "invalid_request_assistant_message",
	"3280": "invalid_function_call",
	"1300": "rate_limited",
}

// mistralMessage is one message of a request.
type mistralMessage struct {
	object map[string]any
	role   string
	path   string
	index  int
	calls  []mistralCall
}

// mistralCall is one element of tool_calls.
type mistralCall struct {
	object   map[string]any
	function map[string]any
	id       string
	path     string
}

func mistralOpen(r *request) {
	if r.model == "" {
		r.model = text(r.root["model"])
	}
	r.stream = truth(r.root["stream"])
	var messages []mistralMessage
	for i, m := range array(r.root["messages"]) {
		o := object(m)
		message := mistralMessage{
			object: o,
			role:   text(o["role"]),
			path:   fmt.Sprintf("messages[%d]", i),
			index:  i,
		}
		for j, c := range array(o["tool_calls"]) {
			co := object(c)
			message.calls = append(message.calls, mistralCall{
				co,
				object(co["function"]),
				text(co["id"]),
				fmt.Sprintf("%s.tool_calls[%d]", message.path, j),
			})
		}
		messages = append(messages, message)
	}
	r.parsed = messages
}

func mistralMessages(r *request) []mistralMessage { return r.parsed.([]mistralMessage) }

// mistralDetail words an error of the schema, whose place is given as names
// and numbers.
func mistralDetail(kind, message string, place ...any) string {
	loc := append([]any{"body"}, place...)
	return string(marshal(map[string]any{
		"detail": []any{map[string]any{"type": kind, "loc": loc, "msg": message}},
	}))
}

func mistralMalformed(err *syntaxError) Violation {
	return Violation{
		Message: mistralDetail("json_invalid", "JSON decode error: "+err.reason, err.offset),
		Status:  422,
	}
}

// mistralFailure answers what the schema forbids with its bare details, and
// all else with an error object.
func mistralFailure(v Violation, requestID string) ([]byte, http.Header) {
	header := http.Header{"mistral-correlation-id": {requestID}}
	if v.Status == 422 {
		return []byte(v.Message), header
	}
	kind, code := mistralTypes[v.code], v.code
	switch {
	case v.Status == 429:
		kind, code = "rate_limited", "1300"
	case v.Status >= 500:
		kind, code = "internal_server_error", "3700"
	case kind == "":
		kind = "invalid_request_error"
	}
	return marshal(map[string]any{
		"object":  "error",
		"message": v.Message,
		"type":    kind,
		"param":   nil,
		"code":    orNull(code),
	}), header
}

// mistralRoles are the roles, with the fields of their messages.
var mistralRoles = map[string][]string{
	"system":    {"role", "content"},
	"user":      {"role", "content"},
	"assistant": {"role", "content", "tool_calls", "prefix"},
	"tool":      {"role", "content", "tool_call_id", "name"},
}

func mistralSchema(r *request, found found) {
	wrong := func(path, kind, message string, place ...any) {
		found(path, inOwnWords, mistralDetail(kind, message, place...))
	}
	if _, ok := r.root["model"].(string); !ok {
		wrong("model", "missing", "Field required", "model")
	}
	messages, ok := r.root["messages"].([]any)
	if !ok {
		wrong("messages", "list_type", "Input should be a valid list", "messages")
	}
	for i, m := range mistralMessages(r) {
		if m.object == nil {
			wrong(m.path, "model_attributes_type",
				"Input should be a valid dictionary or object to extract fields from", "messages",
				i)
			continue
		}
		if mistralRoles[m.role] == nil {
			wrong(m.path, "union_tag_invalid",
				fmt.Sprintf("Input tag '%v' found using 'role' does not match any of the "+
					"expected tags: 'assistant', 'system', 'tool', 'user'",
					object(messages[i])["role"]), "messages", i)
			continue
		}
		switch c := m.object["content"].(type) {
		case nil, string:
		case []any:
			for j, chunk := range c {
				path := fmt.Sprintf("%s.content[%d]", m.path, j)
				place := []any{"messages", i, m.role, "content", j}
				if kind, ok := object(chunk)["type"].(string); !ok {
					wrong(path, "union_tag_not_found",
						"Unable to extract tag using discriminator 'type'", place...)
				} else if mistralChunkNames[kind] == "" {
					wrong(path, "union_tag_invalid",
						fmt.Sprintf("Input tag '%s' found using 'type' does not match any of the "+
							"expected tags", kind), place...)
				}
			}
		default:
			wrong(m.path+".content", "string_type", "Input should be a valid string", "messages", i,
				m.role, "content", "str")
		}
		if c, ok := m.object["content"].([]any); m.role == "user" && ok && len(c) == 0 {
			wrong(m.path+".content", "too_short",
				"List should have at least 1 item after validation, not 0", "messages", i, m.role,
				"content")
		}
		if m.role == "user" && !has(m.object, "content") {
			wrong(m.path+".content", "missing", "Field required", "messages", i, m.role, "content")
		}
		if c := m.object["tool_calls"]; m.role == "assistant" && c != nil && kind(c) != "array" {
			wrong(m.path+".tool_calls", "list_type", "Input should be a valid list", "messages", i,
				m.role, "tool_calls")
		}
		for j, c := range m.calls {
			place := []any{"messages", i, m.role, "tool_calls", j, "function"}
			if _, ok := c.function["name"].(string); !ok {
				wrong(c.path+".function.name", "missing", "Field required",
					append(place, "name")...)
			}
			if k := kind(c.function["arguments"]); k != "string" && k != "object" {
				wrong(c.path+".function.arguments", "string_type", "Input should be a valid string",
					append(place, "arguments", "str")...)
			}
			if v := c.object["id"]; v != nil && kind(v) != "string" {
				wrong(c.path+".id", "string_type", "Input should be a valid string", "messages", i,
					m.role, "tool_calls", j, "id")
			}
		}
		if v := m.object["tool_call_id"]; m.role == "tool" && v != nil && kind(v) != "string" {
			wrong(m.path+".tool_call_id", "string_type", "Input should be a valid string",
				"messages", i, m.role, "tool_call_id")
		}
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		wrong("tools", "list_type", "Input should be a valid list", "tools")
	}
}

func mistralUnknown(r *request, found found) {
	for i, m := range mistralMessages(r) {
		known := mistralRoles[m.role]
		if known == nil {
			continue
		}
		for _, name := range unknownNames(m.object, known) {
			found(m.path+"."+name, `"messages",2,"assistant","reasoning_content"`,
				fmt.Sprintf(`"messages",%d,%q,%s`, i, m.role, marshal(name)))
		}
	}
}

func mistralMessagesEmpty(r *request, found found) {
	switch messages := mistralMessages(r); {
	case len(messages) == 0:
		if _, ok := r.root["messages"].([]any); ok {
			found("messages")
		}
	case len(messages) == 1 && (messages[0].role == "assistant" || messages[0].role == "tool"):
		found("messages", inOwnWords,
			"Conversation must start with a user message or system message")
	}
}

func mistralSystemNull(r *request, found found) {
	for _, m := range mistralMessages(r) {
		_, isText := m.object["content"].(string)
		if m.role == "system" && m.empty() && !isText {
			found(m.path + ".content")
		}
	}
}

// empty reports whether the message has no content.
func (m mistralMessage) empty() bool {
	switch c := m.object["content"].(type) {
	case nil:
		return true
	case string:
		return c == ""
	case []any:
		return len(c) == 0
	}
	return false
}

// says reports whether a chunk among the content has a word.
func (m mistralMessage) says() bool {
	return slices.ContainsFunc(array(m.object["content"]),
		func(v any) bool { return !mistralEmptyChunk(object(v)) })
}

// mistralEmptyChunk reports whether a chunk is text or thinking without a word.
func mistralEmptyChunk(chunk map[string]any) bool {
	switch chunk["type"] {
	case "text":
		return text(chunk["text"]) == ""
	case "thinking":
		said := func(v any) bool { return text(object(v)["text"]) != "" }
		return text(chunk["thinking"]) == "" && !slices.ContainsFunc(array(chunk["thinking"]), said)
	}
	return false
}

func mistralAssistantEmpty(r *request, found found) {
	for _, m := range mistralMessages(r) {
		if m.role == "assistant" && len(m.calls) == 0 &&
			(m.empty() || kind(m.object["content"]) == "array" && !m.says()) {
			found(m.path)
		}
	}
}

// mistralChunkNames are the classes of chunks by type.
var mistralChunkNames = map[string]string{
	"text": "TextChunk", "image_url": "ImageURLChunk", "document_url": "DocumentURLChunk",
	"reference": "ReferenceChunk",
	"file":      "FileChunk", "thinking": "ThinkChunk", "input_audio": "AudioChunk",
	"audio_url": "AudioURLChunk", "image": "ImageChunk",
}

// mistralChunksOf are the types of chunks that a message of a role may hold.
var mistralChunksOf = map[string][]string{
	"system": {"text"},
	"user": {"text", "image_url", "image", "document_url", "reference", "file", "input_audio",
		"audio_url"},
	"assistant": {"text", "thinking", "reference"},
	"tool":      {"text", "reference"},
}

func mistralChunks(r *request, found found) {
	for _, m := range mistralMessages(r) {
		var unexpected []string
		for _, c := range array(m.object["content"]) {
			chunk := text(object(c)["type"])
			if name := mistralChunkNames[chunk]; name != "" && mistralRoles[m.role] != nil &&
				!slices.Contains(mistralChunksOf[m.role], chunk) {
				unexpected = append(unexpected, "'"+name+"'")
			}
		}
		if unexpected != nil {
			slices.Sort(unexpected)
			found(m.path+".content", inOwnWords,
				fmt.Sprintf("Unexpected content chunk types in %s message: [%s]", m.role,
					strings.Join(slices.Compact(unexpected), ", ")))
		}
	}
}

var (
	mistralName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	mistralNine = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)

	mistralAnyID = regexp.MustCompile(`\S`)
)

func mistralFunctionName(r *request, found found) {
	look := func(path string, name any) {
		if s, ok := name.(string); ok && !mistralName.MatchString(s) {
			found(path, "name was a.b but", "name was "+s+" but")
		}
	}
	for i, t := range array(r.root["tools"]) {
		look(fmt.Sprintf("tools[%d].function.name", i), object(object(t)["function"])["name"])
	}
	for _, m := range mistralMessages(r) {
		for _, c := range m.calls {
			look(c.path+".function.name", c.function["name"])
		}
		if m.role == "tool" {
			look(m.path+".name", m.object["name"])
		}
	}
}

// mistralID lets Mistral Small have ids of any form, as the hosted API was seen
// to do.
func mistralID(r *request, found found) {
	form := mistralNine
	if strings.HasPrefix(r.model, "mistral-small") {
		form = mistralAnyID
	}
	look := func(path string, id any) {
		if s, ok := id.(string); !ok && id == nil {
			found(path, inOwnWords, "Tool call id has to be defined in serving mode.")
		} else if ok && !form.MatchString(s) {
			found(path, "call_abc123", s)
		}
	}
	for _, m := range mistralMessages(r) {
		for _, c := range m.calls {
			look(c.path+".id", c.object["id"])
		}
		if m.role == "tool" {
			look(m.path+".tool_call_id", m.object["tool_call_id"])
		}
	}
}

func mistralPrefix(r *request, found found) {
	messages := mistralMessages(r)
	for i, m := range messages {
		if m.role == "assistant" && truth(m.object["prefix"]) && i < len(messages)-1 {
			found(m.path + ".prefix")
		}
	}
}

// mistralOrder reports messages of the roles that follow one of the others.
func mistralOrder(r *request, found found, roles, after []string, specimens ...string) {
	messages := mistralMessages(r)
	for i := 1; i < len(messages); i++ {
		m, before := messages[i], messages[i-1]
		if slices.Contains(roles, m.role) && slices.Contains(after, before.role) {
			found(m.path, "role '"+specimens[0]+"' after", "role '"+m.role+"' after",
				"after role '"+specimens[1]+"'", "after role '"+before.role+"'")
		}
	}
}

func mistralOrderSystem(r *request, found found) {
	mistralOrder(r, found, []string{"system"}, []string{"assistant", "tool"}, "system", "assistant")
}

func mistralToolAfterUser(r *request, found found) {
	mistralOrder(r, found, []string{"tool"}, []string{"user", "system"}, "tool", "user")
}

// mistralRounds calls f for each assistant message with the tool messages up
// to the next, and first for those before any of them.
func mistralRounds(r *request, f func(calls mistralMessage, results []mistralMessage)) {
	var calls mistralMessage
	var results []mistralMessage
	for _, m := range mistralMessages(r) {
		switch m.role {
		case "assistant":
			f(calls, results)
			calls, results = m, nil
		case "tool":
			results = append(results, m)
		}
	}
	f(calls, results)
}

// ids returns the ids of the calls.
func (m mistralMessage) ids() map[string]bool {
	ids := map[string]bool{}
	for _, c := range m.calls {
		ids[c.id] = true
	}
	return ids
}

func mistralUnexpected(r *request, found found) {
	mistralRounds(r, func(calls mistralMessage, results []mistralMessage) {
		open := calls.ids()
		for _, m := range results {
			if id := text(m.object["tool_call_id"]); !open[id] {
				found(m.path+".tool_call_id", "Wr0ngId99", id)
			}
		}
	})
}

func mistralDuplicate(r *request, found found) {
	mistralRounds(r, func(calls mistralMessage, results []mistralMessage) {
		seen := map[string]bool{}
		for _, c := range calls.calls {
			if seen[c.id] {
				found(c.path+".id", inOwnWords,
					fmt.Sprintf("Duplicate tool call id %s in assistant message", c.id))
			}
			seen[c.id] = true
		}
		answered := map[string]bool{}
		for _, m := range results {
			id := text(m.object["tool_call_id"])
			if answered[id] {
				found(m.path+".tool_call_id", "abcDEF123", id)
			}
			answered[id] = true
		}
	})
}

func mistralCount(r *request, found found) {
	mistralRounds(r, func(calls mistralMessage, results []mistralMessage) {
		if len(results) != len(calls.calls) {
			path := calls.path
			if path == "" {
				path = results[0].path
			}
			found(path)
		}
	})
}

// mistralLastRole lets a system message come last, as the validator does.
func mistralLastRole(r *request, found found) {
	messages := mistralMessages(r)
	if n := len(messages); n > 0 && messages[n-1].role == "assistant" &&
		!truth(messages[n-1].object["prefix"]) {
		found(messages[n-1].path)
	}
}

// mistralMessageObject returns the message of an answer. Thinking is a chunk
// of its content.
func mistralMessageObject(t *turn) map[string]any {
	message := map[string]any{"role": "assistant", "content": t.reply.Text, "tool_calls": nil}
	if t.reply.Reasoning != "" {
		content := []any{mistralThinking(t.reply.Reasoning)}
		if t.reply.Text != "" {
			content = append(content, map[string]any{"type": "text", "text": t.reply.Text})
		}
		message["content"] = content
	}
	if calls := mistralCalls(t); calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

func mistralThinking(s string) map[string]any {
	return map[string]any{
		"type":     "thinking",
		"thinking": []any{map[string]any{"type": "text", "text": s}},
	}
}

func mistralCalls(t *turn) []map[string]any {
	var calls []map[string]any
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("", i)[:9]
		}
		arguments := c.Arguments
		if arguments == "" {
			arguments = "{}"
		}
		calls = append(calls, map[string]any{
			"id":       id,
			"type":     "function",
			"index":    i,
			"function": map[string]any{"name": c.Name, "arguments": arguments},
		})
	}
	return calls
}

func mistralStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func mistralEnvelope(t *turn, kind string) map[string]any {
	return map[string]any{
		"id":      t.id("", -2),
		"object":  kind,
		"created": openaiEpoch,
		"model":   t.request.model,
	}
}

func mistralUsage(t *turn) map[string]any {
	in, out := tokens(len(t.request.body)), tokens(len(marshal(mistralMessageObject(t))))
	return map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

func mistralReply(t *turn) []byte {
	body := mistralEnvelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       mistralMessageObject(t),
			"finish_reason": mistralStop(t.reply),
		},
	}
	body["usage"] = mistralUsage(t)
	return marshal(body)
}

// mistralEvents sends tool calls whole, as the API does.
func mistralEvents(t *turn) []event {
	var events []event
	send := func(delta map[string]any, stop any) {
		body := mistralEnvelope(t, "chat.completion.chunk")
		body["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": stop}}
		if stop != nil {
			body["usage"] = mistralUsage(t)
		}
		events = append(events, event{"", string(marshal(body))})
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(t.reply.Reasoning) {
		send(map[string]any{"content": []any{mistralThinking(p)}}, nil)
	}
	for _, p := range pieces(t.reply.Text) {
		send(map[string]any{"content": p}, nil)
	}
	last := map[string]any{"content": ""}
	if calls := mistralCalls(t); calls != nil {
		last["tool_calls"] = calls
	}
	send(last, mistralStop(t.reply))
	return append(events, event{"", "[DONE]"})
}
