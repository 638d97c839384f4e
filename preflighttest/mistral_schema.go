package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// This file is the schema of Mistral's requests.

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
