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
