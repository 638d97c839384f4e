package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file recognizes histories in the forms in which programs store them. They are no
// requests: read as requests, most would lose messages.

// storedForm is a form of storage, and how it is recognized in a message or in a line of a file.
type storedForm struct {
	name  string
	shows func(v jsonscan.Value) bool
}

// modelMessages is the name of a form whose messages look like a request's until they hold a call.
const modelMessages = "model messages of the Vercel AI SDK"

// storedForms are tested in order.
var storedForms = []storedForm{
	{"a session of Claude Code or qwen-code", func(v jsonscan.Value) bool {
		if v.Get("sessionId").Kind() != jsonscan.String {
			return false
		}
		return v.Get("message").Kind() == jsonscan.Object || v.Has("parentUuid") ||
			v.Get("type").StrIs("queue-operation")
	}},
	{"a session of Codex", func(v jsonscan.Value) bool {
		return v.Get("payload").Kind() == jsonscan.Object &&
			oneOf(v.Get("type"), "session_meta", "response_item", "event_msg", "turn_context",
				"compacted", "world_state")
	}},
	{"a session of Gemini CLI", func(v jsonscan.Value) bool {
		if v.Has("projectHash") && v.Has("sessionId") {
			return true
		}
		return v.Has("timestamp") && v.Has("content") && v.Has("id") &&
			oneOf(v.Get("type"), "user", "gemini")
	}},
	{"LangChain messages", func(v jsonscan.Value) bool {
		if v.Has("lc") && v.Get("id").Kind() == jsonscan.Array {
			return true
		}
		kinds := []string{"human", "ai", "system", "tool", "function", "chat", "remove"}
		if !oneOf(v.Get("type"), kinds...) {
			return false
		}
		return v.Get("data").Get("content").Exists() || v.Has("additional_kwargs") ||
			v.Has("response_metadata")
	}},
	{"pydantic-ai messages", func(v jsonscan.Value) bool {
		parts := v.Get("parts")
		return oneOf(v.Get("kind"), "request", "response") && parts.Kind() == jsonscan.Array ||
			parts.First().Has("part_kind")
	}},
	{"UI messages of the Vercel AI SDK", func(v jsonscan.Value) bool {
		if !v.Has("role") {
			return false
		}
		if v.Get("toolInvocations").Kind() == jsonscan.Array {
			return true
		}
		hasID, parts := v.Get("id").Kind() == jsonscan.String, v.Get("parts")
		return hasID && hasType(parts.First()) && !isNeutral(v) || hasUIPart(parts)
	}},
	{"preflight's own messages", isNeutral},
	{modelMessages, func(v jsonscan.Value) bool {
		for b := v.Get("content").First(); b.Exists(); b = b.Next() {
			if isModelMessagePart(b) {
				return true
			}
		}
		return false
	}},
}

// isNeutral reports whether a value is a message in the JSON form of package preflight.
func isNeutral(v jsonscan.Value) bool {
	if v.Has("content") || !v.Has("role") {
		return false
	}
	for p := v.Get("parts").First(); p.Exists(); p = p.Next() {
		if !oneOf(p.Get("type"), "text", "reasoning", "tool_call", "tool_result", "media",
			"other") || p.Has("state") {
			return false
		}
	}
	return hasType(v.Get("parts").First())
}

// isTypedContents reports whether a list for Gemini can be one although its texts have a type, as
// some programs store them: it must hold nothing else.
func isTypedContents(list jsonscan.Value, provider string) bool {
	if f, err := formatOf(provider); provider == "" || err != nil || f.name != gemini {
		return false
	}
	for v := list.First(); v.Exists(); v = v.Next() {
		if !isNeutral(v) {
			return false
		}
		for p := v.Get("parts").First(); p.Exists(); p = p.Next() {
			if !p.Get("type").StrIs("text") {
				return false
			}
		}
	}
	return list.Kind() == jsonscan.Array
}

// hasUIPart reports whether a list holds a part that only UI messages have.
func hasUIPart(parts jsonscan.Value) bool {
	for p := parts.First(); p.Exists(); p = p.Next() {
		kind := p.Get("type")
		if oneOf(kind, "step-start", "dynamic-tool") || p.Has("state") && kind.Exists() ||
			p.Has("toolCallId") {
			return true
		}
	}
	return false
}

// isModelMessagePart reports whether a block is a call or a result in a model message of the Vercel
// AI SDK.
func isModelMessagePart(b jsonscan.Value) bool {
	return b.Has("toolCallId") &&
		oneOf(b.Get("type"), "tool-call", "tool-result", "tool-approval-request")
}

// hasType reports whether a value is an object with a type.
func hasType(v jsonscan.Value) bool {
	kind := v.Get("type")
	return kind.Kind() == jsonscan.String && !kind.StrIs("")
}

// oneOf reports whether a value is one of some strings.
func oneOf(v jsonscan.Value, names ...string) bool {
	for _, name := range names {
		if v.StrIs(name) {
			return true
		}
	}
	return false
}

// storedIn finds the stored form of a body: of a list of messages, of an object that holds one, or
// of an entry of a session. The first message decides.
func storedIn(root jsonscan.Value) error {
	list := root
	if root.Kind() == jsonscan.Object {
		if list = root.Get("messages"); !list.Exists() && !root.Has("input") &&
			!root.Has("contents") {
			if form := storedFormOf(root); form != "" {
				return inStoredForm(form, "")
			}
		}
	}
	if list.Kind() != jsonscan.Array {
		return nil
	}
	for k, v := range list.All() {
		if v.Kind() != jsonscan.Object {
			continue
		}
		if form := storedFormOf(v); form != "" {
			return inStoredForm(form, indexed("messages", k))
		}
		return nil
	}
	return nil
}

// storedFormOf returns the name of the form in which a value is stored, "" for none. A message of
// any format has content, and Gemini's contents have parts without types.
func storedFormOf(v jsonscan.Value) string {
	if v.Has("role") && v.Has("content") && !v.Has("toolInvocations") && !v.Has("parts") &&
		v.Get("content").Kind() != jsonscan.Array {
		return ""
	}
	for k := range storedForms {
		if storedForms[k].shows(v) {
			return storedForms[k].name
		}
	}
	return ""
}

// storedLines returns the error for a body of several lines whose first line is an entry of a
// session, nil for any other.
func storedLines(body []byte) error {
	first, _, more := bytes.Cut(bytes.TrimSpace(body), []byte{'\n'})
	if !more {
		return nil
	}
	if form := storedFormOf(valueOf(first)); strings.HasPrefix(form, "a session") {
		return inStoredForm(form, "")
	}
	return nil
}
