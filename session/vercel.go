package session

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// uiMessages are UI messages of the Vercel AI SDK, of version 5 and later: a call and its result
// are one part, whose state says how far it came. Calls that wait for an approval are left alone,
// and so are those whose arguments were still streamed, which the SDK leaves out.
var uiMessages = listForm{
	name:  "vercel-ui-messages",
	title: "Vercel AI SDK (UI messages)",
	shows: func(v jsonscan.Value) bool {
		for _, part := range elements(v.Get("parts")) {
			if part.Get("type").Str() == "step-start" || isUITool(part) {
				return v.Has("role")
			}
		}
		return false
	},
	read: readUIMessage,
	answer: func(of, _ jsonscan.Value, calls []listCall, text string) ([]byte, place) {
		failed := map[int][]byte{}
		parts := elements(of.Get("parts"))
		for _, c := range calls {
			part := jsonscan.EditObject(parts[c.index])
			part.SetMember("state", quote("output-error"))
			part.SetMember("errorText", quote(text))
			failed[c.index] = part.Bytes()
		}
		return setMember(of, withoutElements(of.Get("parts"), nil, failed), "parts"), insteadOfCalls
	},
}

// isUITool reports whether a part is a call, with its result if there is one.
func isUITool(part jsonscan.Value) bool {
	kind := part.Get("type").Str()
	return part.Has("toolCallId") && part.Has("state") &&
		(kind == "dynamic-tool" || strings.HasPrefix(kind, "tool-"))
}

func readUIMessage(v jsonscan.Value) listMessage {
	m := listMessage{role: v.Get("role").Str()}
	var texts []string
	for k, part := range elements(v.Get("parts")) {
		if part.Get("type").Str() == "text" {
			texts = append(texts, part.Get("text").Str())
		}
		if !isUITool(part) || part.Get("state").Str() == "input-streaming" {
			continue
		}
		name := strings.TrimPrefix(part.Get("type").Str(), "tool-")
		if given := part.Get("toolName"); given.Exists() {
			name = given.Str()
		}
		c := listCall{
			id: part.Get("toolCallId").Str(), name: name, input: part.Get("input").Raw(),
			closed: part.Get("state").Str() != "input-available" ||
				part.Get("providerExecuted").Kind() == jsonscan.True,
			waits: oneOf(part.Get("state"), "approval-requested", "approval-responded"),
			index: k,
		}
		switch part.Get("state").Str() {
		case "output-available":
			c.content = textOf(part.Get("output"))
		case "output-error":
			c.content = part.Get("errorText").Str()
		}
		m.calls = append(m.calls, c)
	}
	m.text = strings.Join(texts, "\n")
	return m
}

// modelMessages are model messages of the Vercel AI SDK, of versions 4 to 6: calls are parts of
// assistant messages, results are parts of tool messages.
var modelMessages = listForm{
	name:  "vercel-model-messages",
	title: "Vercel AI SDK (model messages)",
	shows: func(v jsonscan.Value) bool {
		for _, part := range elements(v.Get("content")) {
			if part.Has("toolCallId") && oneOf(part.Get("type"), "tool-call", "tool-result") {
				return true
			}
		}
		return false
	},
	read: func(v jsonscan.Value) listMessage {
		m := listMessage{role: v.Get("role").Str(), text: textOf(v.Get("content"))}
		inline := map[string]string{} // results by their call: the provider executed it
		for k, part := range elements(v.Get("content")) {
			id, name := part.Get("toolCallId").Str(), part.Get("toolName").Str()
			switch part.Get("type").Str() {
			case "tool-call":
				input := part.Get("input")
				if !input.Exists() {
					input = part.Get("args")
				}
				m.calls = append(m.calls, listCall{
					id: id, name: name, input: input.Raw(), index: k,
					closed: part.Get("providerExecuted").Kind() == jsonscan.True,
				})
			case "tool-result":
				if m.role == "tool" {
					output := modelOutput(part)
					isText := part.Get("output").Get("type").StrIs("text") ||
						!part.Has("output") && part.Get("isError").Kind() != jsonscan.True
					m.results = append(m.results,
						listResult{id, name, textOf(output), k, onlyText(output, isText)})
				} else {
					inline[id] = textOf(modelOutput(part))
				}
			}
		}
		for k := range m.calls {
			m.calls[k].content = inline[m.calls[k].id]
		}
		return m
	},
	answer: func(of, _ jsonscan.Value, calls []listCall, text string) ([]byte, place) {
		parts := elements(of.Get("content"))
		var results [][]byte
		for _, c := range calls {
			result := []any{"type", "tool-result", "toolCallId", c.id, "toolName", c.name}
			if parts[c.index].Has("args") { // version 4
				result = append(result, "result", text, "isError", true)
			} else {
				result = append(result, "output", object("type", "error-text", "value", text))
			}
			results = append(results, object(result...))
		}
		return object("role", "tool", "content", array(results...)), afterCalls
	},
	without: func(of jsonscan.Value, removed map[int]Code) []byte {
		return withoutParts(of, "content", removed)
	},
}

// modelOutput returns the output of a result, which older versions call its result.
func modelOutput(part jsonscan.Value) jsonscan.Value {
	if output := part.Get("output"); output.Exists() {
		if value := output.Get("value"); value.Exists() {
			return value
		}
		return output
	}
	return part.Get("result")
}

// setMember returns an object with a member of another value.
func setMember(object jsonscan.Value, value []byte, name string) []byte {
	o := jsonscan.EditObject(object)
	o.SetMember(name, value)
	return bytes.Clone(o.Bytes())
}
