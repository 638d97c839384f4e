package mistral

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of a request: unknown members, types and chunks.

// detail words an error of the schema, whose place is given as names
// and numbers.
func detail(kind, message string, place ...any) string {
	loc := append([]any{"body"}, place...)
	return string(fake.Marshal(map[string]any{
		"detail": []any{map[string]any{"type": kind, "loc": loc, "msg": message}},
	}))
}

func malformed(err *read.SyntaxError) fake.Violation {
	return fake.Violation{
		Message: detail("json_invalid", "JSON decode error: "+err.Reason, err.Offset),
		Status:  422,
	}
}

// roles are the roles, with the fields of their messages.
var roles = map[string][]string{
	"system":    {"role", "content"},
	"user":      {"role", "content"},
	"assistant": {"role", "content", "tool_calls", "prefix"},
	"tool":      {"role", "content", "tool_call_id", "name"},
}

func schema(r *fake.Request, found fake.Found) {
	wrong := func(path, kind, message string, place ...any) {
		found.Says(path, detail(kind, message, place...))
	}
	if _, ok := r.Root["model"].(string); !ok {
		wrong("model", "missing", "Field required", "model")
	}
	messages, ok := r.Root["messages"].([]any)
	if !ok {
		wrong("messages", "list_type", "Input should be a valid list", "messages")
	}
	for i, m := range messagesOf(r) {
		if m.object == nil {
			wrong(m.path, "model_attributes_type",
				"Input should be a valid dictionary or object to extract fields from", "messages",
				i)
			continue
		}
		if roles[m.role] == nil {
			wrong(m.path, "union_tag_invalid",
				fmt.Sprintf("Input tag '%v' found using 'role' does not match any of the "+
					"expected tags: 'assistant', 'system', 'tool', 'user'",
					read.Object(messages[i])["role"]), "messages", i)
			continue
		}
		switch c := m.object["content"].(type) {
		case nil, string:
		case []any:
			for j, chunk := range c {
				path := fmt.Sprintf("%s.content[%d]", m.path, j)
				place := []any{"messages", i, m.role, "content", j}
				if kind, ok := read.Object(chunk)["type"].(string); !ok {
					wrong(path, "union_tag_not_found",
						"Unable to extract tag using discriminator 'type'", place...)
				} else if chunkNames[kind] == "" {
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
		if m.role == "user" && !read.Has(m.object, "content") {
			wrong(m.path+".content", "missing", "Field required", "messages", i, m.role, "content")
		}
		if c := m.object["tool_calls"]; m.role == "assistant" && c != nil &&
			read.Kind(c) != "array" {
			wrong(m.path+".tool_calls", "list_type", "Input should be a valid list", "messages", i,
				m.role, "tool_calls")
		}
		for j, c := range m.calls {
			place := []any{"messages", i, m.role, "tool_calls", j, "function"}
			if _, ok := c.function["name"].(string); !ok {
				wrong(c.path+".function.name", "missing", "Field required",
					append(place, "name")...)
			}
			if k := read.Kind(c.function["arguments"]); k != "string" && k != "object" {
				wrong(c.path+".function.arguments", "string_type", "Input should be a valid string",
					append(place, "arguments", "str")...)
			}
			if v := c.object["id"]; v != nil && read.Kind(v) != "string" {
				wrong(c.path+".id", "string_type", "Input should be a valid string", "messages", i,
					m.role, "tool_calls", j, "id")
			}
		}
		if v := m.object["tool_call_id"]; m.role == "tool" && v != nil && read.Kind(v) != "string" {
			wrong(m.path+".tool_call_id", "string_type", "Input should be a valid string",
				"messages", i, m.role, "tool_call_id")
		}
	}
	if t := r.Root["tools"]; t != nil && read.Kind(t) != "array" {
		wrong("tools", "list_type", "Input should be a valid list", "tools")
	}
}

func unknown(r *fake.Request, found fake.Found) {
	for i, m := range messagesOf(r) {
		known := roles[m.role]
		if known == nil {
			continue
		}
		for _, name := range read.UnknownNames(m.object, known) {
			found(m.path+"."+name, `"messages",2,"assistant","reasoning_content"`,
				fmt.Sprintf(`"messages",%d,%q,%s`, i, m.role, fake.Marshal(name)))
		}
	}
}

func messagesEmpty(r *fake.Request, found fake.Found) {
	switch messages := messagesOf(r); {
	case len(messages) == 0:
		if _, ok := r.Root["messages"].([]any); ok {
			found("messages")
		}
	case len(messages) == 1 && (messages[0].role == "assistant" || messages[0].role == "tool"):
		found.Says("messages",
			"Conversation must start with a user message or system message")
	}
}

// chunkNames are the classes of chunks by type.
var chunkNames = map[string]string{
	"text": "TextChunk", "image_url": "ImageURLChunk", "document_url": "DocumentURLChunk",
	"reference": "ReferenceChunk",
	"file":      "FileChunk", "thinking": "ThinkChunk", "input_audio": "AudioChunk",
	"audio_url": "AudioURLChunk", "image": "ImageChunk",
}

// chunksOf are the types of chunks that a message of a role may hold.
var chunksOf = map[string][]string{
	"system": {"text"},
	"user": {"text", "image_url", "image", "document_url", "reference", "file", "input_audio",
		"audio_url"},
	"assistant": {"text", "thinking", "reference"},
	"tool":      {"text", "reference", "image_url"}, // recorded with mistral-small-latest
}

func chunks(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		var unexpected []string
		for _, c := range read.Array(m.object["content"]) {
			chunk := read.Text(read.Object(c)["type"])
			if name := chunkNames[chunk]; name != "" && roles[m.role] != nil &&
				!slices.Contains(chunksOf[m.role], chunk) {
				unexpected = append(unexpected, "'"+name+"'")
			}
		}
		if unexpected != nil {
			slices.Sort(unexpected)
			found.Says(m.path+".content",
				fmt.Sprintf("Unexpected content chunk types in %s message: [%s]", m.role,
					strings.Join(slices.Compact(unexpected), ", ")))
		}
	}
}
