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
