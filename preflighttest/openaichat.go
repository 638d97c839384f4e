package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// The fake of OpenAI Chat Completions.

var openaiChatFormat = format{
	name: "openai-chat",
	route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1/chat/completions"
	},
	notFound:  "Invalid URL (POST %s)",
	malformed: openaiMalformed,
	open:      openaiChatOpen,
	checks:    openaiChatChecks,
	param:     func(path string) string { return path },
	failure:   openaiFailure,
	reply:     openaiChatReply,
	events:    openaiChatEvents,
	midway: func(v Violation) event {
		body, _ := openaiFailure(v, "")
		return event{"", string(body)}
	},
}

var openaiChatChecks = []check{
	{"", inOwnWords, "missing_required_parameter", openaiChatRequired},
	{"openai-chat/unknown-parameter", "", "unknown_parameter", openaiChatUnknown},
	{"openai-chat/messages-empty", "", "empty_array", openaiChatMessagesEmpty},
	{"openai-chat/tools-max", "", "array_above_max_length", openaiChatToolsMax},
	{"openai-chat/role-missing", "", "missing_required_parameter", openaiChatRoleMissing},
	{"openai-chat/role-unknown", "", "invalid_value", openaiChatRoleUnknown},
	{"openai-chat/content-type", "", "invalid_type", openaiChatContentType},
	{"openai-chat/part-type", "", "invalid_value", openaiChatPartType},
	{"", inOwnWords, "invalid_type", openaiChatSchema},
	{"openai-chat/part-type", inOwnWords, "invalid_value", openaiChatMute},
	{"openai-chat/empty-tool-calls", "", "empty_array", openaiChatEmptyCalls},
	{"openai-chat/tool-call-id-length", "", "string_above_max_length", openaiChatIDLength},
	{"openai-chat/function-name-pattern", "", "invalid_value", openaiChatFunctionName},
	{"openai-chat/message-name-pattern", "", "invalid_value", openaiChatMessageName},
	{"openai-chat/string-max", "", "string_above_max_length", openaiChatStringMax},
	{"openai-chat/file-needs-filename", inOwnWords, "missing_required_parameter",
		openaiChatFilename},
	{"openai-chat/content-null", "", "", openaiChatContentNull},
	{"openai-chat/system-role-unsupported", "", "unsupported_value", openaiChatSystem},
	{"openai-chat/tool-message-image", "", "", openaiChatImage},
	{"openai-chat/image-undecodable", "", "invalid_image_format", openaiChatUndecodable},
	{"openai-chat/tools-reasoning-effort", "", "", openaiChatEffort},
	{"openai-chat/arguments-not-json", inOwnWords, "invalid_value", openaiChatArguments},
	{"openai-chat/tool-call-id-duplicate", "", "", openaiChatDuplicate},
	{"openai-chat/tool-result-orphan", "", "", openaiChatOrphan},
	{"openai-chat/tool-result-missing", "", "", openaiChatMissing},
}

// openaiChatMessage is one message of a request.
type openaiChatMessage struct {
	object map[string]any
	role   string
	path   string
	calls  []openaiChatCall
}

// openaiChatCall is one element of tool_calls.
type openaiChatCall struct {
	object   map[string]any
	id       string
	function map[string]any // of a function; of a custom tool it is nil
	path     string
}

func openaiChatOpen(r *request) {
	if r.model == "" {
		r.model = text(r.root["model"])
	}
	r.stream = truth(r.root["stream"])
	var messages []openaiChatMessage
	for i, m := range array(r.root["messages"]) {
		o := object(m)
		message := openaiChatMessage{
			object: o,
			role:   text(o["role"]),
			path:   fmt.Sprintf("messages[%d]", i),
		}
		calls := array(o["tool_calls"])
		if message.role != "assistant" {
			calls = nil // ignored in other roles
		}
		for j, c := range calls {
			co := object(c)
			message.calls = append(message.calls, openaiChatCall{
				object: co, id: text(co["id"]), function: object(co["function"]),
				path: fmt.Sprintf("%s.tool_calls[%d]", message.path, j),
			})
		}
		messages = append(messages, message)
	}
	r.parsed = messages
}

func openaiChatMessages(r *request) []openaiChatMessage { return r.parsed.([]openaiChatMessage) }

func openaiChatRequired(r *request, found found) {
	if _, ok := r.root["model"].(string); !ok {
		found("model", inOwnWords, "you must provide a model parameter")
	}
	switch v := r.root["messages"].(type) {
	case nil:
		found("messages", inOwnWords, openaiMissing("messages"))
	case []any:
		for i, m := range v {
			if _, ok := m.(map[string]any); !ok {
				path := fmt.Sprintf("messages[%d]", i)
				found(path, inOwnWords, openaiType(path, "an object", m))
			}
		}
	default:
		found("messages", inOwnWords, openaiType("messages", "an array of objects", v))
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		found("tools", inOwnWords, openaiType("tools", "an array of objects", t))
	}
}

// openaiChatFields are the parameters of the request.
var openaiChatFields = strings.Fields(
	`messages model frequency_penalty logprobs max_completion_tokens max_tokens n presence_penalty
	prompt_cache_key safety_identifier seed store temperature top_logprobs top_p parallel_tool_calls
	user audio logit_bias metadata modalities moderation prompt_cache_retention reasoning_effort
	service_tier stop stream stream_options verbosity function_call functions
	prediction prompt_cache_options response_format tool_choice tools web_search_options`)

func openaiChatUnknown(r *request, found found) {
	for _, name := range unknownNames(r.root, openaiChatFields) {
		found(name, "zzz_unknown", name)
	}
}

func openaiChatMessagesEmpty(r *request, found found) {
	if m, ok := r.root["messages"].([]any); ok && len(m) == 0 {
		found("messages")
	}
}

func openaiChatToolsMax(r *request, found found) {
	if n := len(array(r.root["tools"])); n > 128 {
		found("tools", "length 150", fmt.Sprintf("length %d", n))
	}
}

func openaiChatRoleMissing(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if m.object != nil && !has(m.object, "role") {
			found(m.path+".role", "messages[0]", m.path)
		}
	}
}

var openaiChatRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}

func openaiChatRoleUnknown(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if has(m.object, "role") && !slices.Contains(openaiChatRoles, m.role) {
			found(m.path+".role", "'bogus'", fmt.Sprintf("'%v'", m.object["role"]))
		}
	}
}

func openaiChatContentType(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		switch c := m.object["content"].(type) {
		case nil, string:
		case []any:
			for j, p := range c {
				if path := fmt.Sprintf("%s.content[%d]", m.path, j); kind(p) != "object" {
					found(path, inOwnWords, openaiType(path, "an object", p))
				}
			}
		default:
			found(m.path+".content", "messages[0]", m.path, "an integer", article(openaiKind(c)))
		}
	}
}

// openaiChatSchema looks for missing fields and wrong types in the messages.
func openaiChatSchema(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if name := m.object["name"]; name != nil && kind(name) != "string" {
			found(m.path+".name", inOwnWords, openaiType(m.path+".name", "a string", name))
		}
		if c := m.object["tool_calls"]; c != nil && kind(c) != "array" && m.role == "assistant" {
			found(m.path+".tool_calls", inOwnWords,
				openaiType(m.path+".tool_calls", "an array of objects", c))
		}
		for _, c := range m.calls {
			need := func(o map[string]any, path, name string) {
				if !has(o, name) {
					found(path+"."+name, inOwnWords, openaiMissing(path+"."+name))
				} else if _, ok := o[name].(string); !ok {
					found(path+"."+name, inOwnWords, openaiType(path+"."+name, "a string", o[name]))
				}
			}
			need(c.object, c.path, "id")
			need(c.object, c.path, "type")
			switch text(c.object["type"]) {
			case "function":
				need(c.function, c.path+".function", "name")
				if !has(c.function, "arguments") {
					need(c.function, c.path+".function", "arguments")
				}
			case "custom":
				need(object(c.object["custom"]), c.path+".custom", "name")
				need(object(c.object["custom"]), c.path+".custom", "input")
			default:
				if kind, ok := c.object["type"].(string); ok {
					found(c.path+".type", inOwnWords,
						fmt.Sprintf("Invalid value: '%s'. Supported values are: 'function' and "+
							"'custom'.", kind))
				}
			}
		}
		if _, ok := m.object["tool_call_id"].(string); m.role == "tool" && !ok {
			found(m.path+".tool_call_id", inOwnWords,
				"Missing parameter 'tool_call_id': messages with role 'tool' must have a "+
					"'tool_call_id'.")
		}
		for j, p := range array(m.object["content"]) {
			openaiPart(object(p), fmt.Sprintf("%s.content[%d]", m.path, j), openaiChatParts, found)
		}
	}
}

// openaiChatParts are the types of parts, with the member that holds what is
// in them and its type.
var openaiChatParts = map[string][2]string{
	"text": {"text", "string"}, "refusal": {"refusal", "string"},
	"image_url": {"image_url", "object"}, "file": {"file", "object"},
	"input_audio": {"input_audio", "object"},
}

// openaiChatPartType refuses every type that the API does not have.
func openaiChatPartType(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for j, p := range array(m.object["content"]) {
			kind, ok := object(p)["type"].(string)
			if _, known := openaiChatParts[kind]; ok && !known {
				found(fmt.Sprintf("%s.content[%d].type", m.path, j), "'search_result'",
					"'"+kind+"'")
			}
		}
	}
}

// openaiChatMute checks sound for the models of the fifth generation, which
// was recorded with gpt-5-mini.
func openaiChatMute(r *request, found found) {
	if !strings.HasPrefix(r.model, "gpt-5") {
		return
	}
	for _, m := range openaiChatMessages(r) {
		for _, p := range array(m.object["content"]) {
			if object(p)["type"] == "input_audio" {
				found(m.path, inOwnWords,
					"Invalid '"+m.path+
						"'. Content blocks are expected to be either text or image_url type.")
			}
		}
	}
}

func openaiChatEmptyCalls(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		c, ok := m.object["tool_calls"].([]any)
		if ok && len(c) == 0 && m.role == "assistant" { // ignored in other roles
			found(m.path+".tool_calls", "messages[1]", m.path)
		}
	}
}

func openaiChatIDLength(r *request, found found) {
	const limit = 40
	judge := func(path, id string) {
		switch n := len([]rune(id)); {
		case blankID(id):
			found(path, inOwnWords, openaiEmpty(path))
		case n > limit:
			found(path, "messages[2].tool_calls[0].id", path, "length 41",
				fmt.Sprintf("length %d", n))
		}
	}
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			if id, ok := c.object["id"].(string); ok {
				judge(c.path+".id", id)
			}
		}
		if id, ok := m.object["tool_call_id"].(string); ok && m.role == "tool" {
			judge(m.path+".tool_call_id", id)
		}
	}
}

func openaiChatFunctionName(r *request, found found) {
	const limit, specimen = 64, "tools[0].function.name"
	openaiTools(r.root,
		func(path, name string) { openaiNameFaults(path, specimen, name, limit, found) })
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			if name, ok := c.function["name"].(string); ok {
				openaiNameFaults(c.path+".function.name", specimen, name, limit, found)
			}
		}
		if name, ok := object(m.object["function_call"])["name"].(string); ok {
			openaiNameFaults(m.path+".function_call.name", specimen, name, limit, found)
		}
	}
}

func openaiChatMessageName(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if name, ok := m.object["name"].(string); ok {
			openaiNameFaults(m.path+".name", "messages[1].name", name, 64, found)
		}
	}
}

func openaiChatStringMax(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		openaiLongStrings(m.object["content"], m.path+".content", func(path string, length int) {
			found(path, "messages[5].content", path, "10605342", fmt.Sprint(length))
		})
	}
}

func openaiChatFilename(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for j, p := range array(m.object["content"]) {
			if file := object(object(p)["file"]); text(object(p)["type"]) == "file" &&
				has(file, "file_data") && text(file["filename"]) == "" {
				path := fmt.Sprintf("%s.content[%d].file.filename", m.path, j)
				found(path, inOwnWords, openaiMissing(path))
			}
		}
	}
}

func openaiChatContentNull(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if c, ok := m.object["content"].([]any); ok && len(c) == 0 && len(m.calls) == 0 {
			path := m.path + ".content"
			found(path, inOwnWords, openaiEmptyArray(path))
		}
		if has(m.object, "content") || !slices.Contains(openaiChatRoles, m.role) {
			continue
		}
		_, there := m.object["content"]
		switch path := m.path + ".content"; {
		case m.role == "function" && there: // required, and may be null
		case m.role == "assistant" && (len(m.calls) > 0 || has(m.object, "function_call") ||
			has(m.object, "refusal") || has(m.object, "audio")):
		case m.role == "developer" && !there:
			found(path, inOwnWords, openaiMissing(path))
		case m.role == "developer":
			found(path, inOwnWords, openaiType(path, "one of a string or array of objects", nil))
		default:
			found(path)
		}
	}
}

func openaiChatSystem(r *request, found found) {
	if !strings.HasPrefix(r.model, "o1-mini") && !strings.HasPrefix(r.model, "o1-preview") {
		return
	}
	for _, m := range openaiChatMessages(r) {
		if m.role == "system" || m.role == "developer" {
			found(m.path+".role", "messages[0]", m.path, "'system'", "'"+m.role+"'")
		}
	}
}

func openaiChatImage(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if m.role == "user" || !slices.Contains(openaiChatRoles, m.role) {
			continue
		}
		for j, p := range array(m.object["content"]) {
			switch kind := text(object(p)["type"]); kind {
			case "image_url":
				found(m.path, "messages[3]", m.path, "role 'tool'", "role '"+m.role+"'")
			case "file", "input_audio":
				path := fmt.Sprintf("%s.content[%d].type", m.path, j)
				found(path, inOwnWords,
					fmt.Sprintf("Invalid value: '%s'. Supported values are: 'text'.", kind))
			}
		}
	}
}

func openaiChatEffort(r *request, found found) {
	effort := text(r.root["reasoning_effort"])
	if effort == "" || effort == "none" ||
		!strings.HasPrefix(r.model, "gpt-5.4") && !strings.HasPrefix(r.model, "gpt-6") {
		return
	}
	functions := false
	openaiTools(r.root, func(path, name string) { functions = true })
	if functions {
		found("tools")
	}
}

// openaiChatArguments checks the type alone: OpenAI takes back the arguments
// that its own models cut off, and any other string.
func openaiChatArguments(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			if a := c.function["arguments"]; a != nil && kind(a) != "string" {
				path := c.path + ".function.arguments"
				found(path, inOwnWords, openaiType(path, "a string", a))
			}
		}
	}
}

// openaiChatRuns calls f for each assistant message with the tool messages
// directly after it, and for tool messages that follow something else, with
// an empty message before them.
func openaiChatRuns(r *request, f func(call openaiChatMessage, results []openaiChatMessage)) {
	messages := openaiChatMessages(r)
	for i := 0; i < len(messages); {
		var call openaiChatMessage
		if messages[i].role != "tool" {
			call = messages[i]
			i++
		}
		first := i
		for i < len(messages) && messages[i].role == "tool" {
			i++
		}
		if call.role != "assistant" {
			call.calls = nil
		}
		f(call, messages[first:i])
	}
}

func openaiChatDuplicate(r *request, found found) {
	duplicate := func(id, path, at string) {
		found(path, "call_00_abc", id, "message[2]",
			strings.TrimPrefix(strings.Replace(at, "messages[", "message[", 1), "."))
	}
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		seen := map[string]bool{}
		for _, c := range call.calls {
			if seen[c.id] {
				duplicate(c.id, c.path+".id", call.path)
			}
			seen[c.id] = true
		}
		answered := map[string]bool{}
		for _, m := range results {
			id := text(m.object["tool_call_id"])
			if answered[id] && seen[id] {
				duplicate(id, m.path+".tool_call_id", m.path)
			}
			answered[id] = true
		}
	})
}

func openaiChatOrphan(r *request, found found) {
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		called := map[string]bool{}
		for _, c := range call.calls {
			called[c.id] = true
		}
		for _, m := range results {
			if id, ok := m.object["tool_call_id"].(string); ok && !called[id] {
				found(m.path)
			}
		}
	})
}

func openaiChatMissing(r *request, found found) {
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		done := map[string]bool{}
		for _, m := range results {
			if id, ok := m.object["tool_call_id"].(string); ok {
				done[id] = true
			}
		}
		var ids []string
		for _, c := range call.calls {
			if !done[c.id] {
				ids = append(ids, c.id)
			}
			done[c.id] = true
		}
		if len(ids) > 0 {
			found(call.path, "call_XXXX", strings.Join(ids, ", "))
		}
	})
}

// openaiChatStop returns the finish reason of an answer.
func openaiChatStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// openaiChatCalls returns the tool calls of an answer.
func openaiChatCalls(t *turn) []map[string]any {
	var calls []map[string]any
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("call_", i)
		}
		arguments := c.Arguments
		if arguments == "" {
			arguments = "{}"
		}
		calls = append(calls, map[string]any{
			"id":       id,
			"type":     "function",
			"function": map[string]any{"name": c.Name, "arguments": arguments},
		})
	}
	return calls
}

func openaiChatUsage(t *turn, calls []map[string]any) map[string]any {
	in, out := tokens(len(t.request.body)), tokens(len(t.reply.Text)+len(marshal(calls)))
	return map[string]any{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": map[string]any{"cached_tokens": 0, "audio_tokens": 0},
		"completion_tokens_details": map[string]any{
			"reasoning_tokens":           0,
			"audio_tokens":               0,
			"accepted_prediction_tokens": 0,
			"rejected_prediction_tokens": 0,
		},
	}
}

// openaiChatEnvelope is what every object of an answer holds.
func openaiChatEnvelope(t *turn, kind string) map[string]any {
	return map[string]any{
		"id": t.id("chatcmpl-", -2), "object": kind, "created": openaiEpoch,
		"model":        t.request.model,
		"service_tier": "default", "system_fingerprint": "fp_preflighttest",
	}
}

func openaiChatReply(t *turn) []byte {
	message := map[string]any{
		"role":        "assistant",
		"content":     orNull(t.reply.Text),
		"refusal":     nil,
		"annotations": []any{},
	}
	calls := openaiChatCalls(t)
	if calls != nil {
		message["tool_calls"] = calls
	}
	body := openaiChatEnvelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       message,
			"logprobs":      nil,
			"finish_reason": openaiChatStop(t.reply),
		},
	}
	body["usage"] = openaiChatUsage(t, calls)
	return marshal(body)
}

func openaiChatEvents(t *turn) []event {
	var events []event
	usage := truth(object(t.request.root["stream_options"])["include_usage"])
	chunk := func(choices []any, used any) {
		body := openaiChatEnvelope(t, "chat.completion.chunk")
		body["choices"] = choices
		if usage {
			body["usage"] = used
		}
		events = append(events, event{"", string(marshal(body))})
	}
	delta := func(d map[string]any, stop any) {
		chunk([]any{map[string]any{"index": 0, "delta": d, "logprobs": nil, "finish_reason": stop}},
			nil)
	}
	calls := openaiChatCalls(t)
	first := map[string]any{"role": "assistant", "content": "", "refusal": nil}
	if t.reply.Text == "" && calls != nil {
		first["content"] = nil
	}
	delta(first, nil)
	for _, p := range pieces(t.reply.Text) {
		delta(map[string]any{"content": p}, nil)
	}
	for i, c := range calls {
		fn := object(c["function"])
		delta(map[string]any{
			"tool_calls": []any{
				map[string]any{
					"index": i, "id": c["id"], "type": "function",
					"function": map[string]any{"name": fn["name"], "arguments": ""},
				},
			},
		}, nil)
		for _, p := range pieces(text(fn["arguments"])) {
			delta(map[string]any{
				"tool_calls": []any{
					map[string]any{"index": i, "function": map[string]any{"arguments": p}},
				},
			}, nil)
		}
	}
	delta(map[string]any{}, openaiChatStop(t.reply))
	if usage {
		chunk([]any{}, openaiChatUsage(t, calls))
	}
	return append(events, event{"", "[DONE]"})
}
