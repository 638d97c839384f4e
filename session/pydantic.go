package session

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// pydanticMessages are messages of pydantic-ai, as its type adapter writes them: requests and
// responses with parts. The next request has the results of a response's calls.
var pydanticMessages = listForm{
	name:  "pydantic-ai",
	title: "pydantic-ai",
	shows: func(v jsonscan.Value) bool {
		return oneOf(v.Get("kind"), "request", "response") &&
			v.Get("parts").Kind() == jsonscan.Array
	},
	read: func(v jsonscan.Value) listMessage {
		m := listMessage{role: "user"}
		if v.Get("kind").Str() == "response" {
			m.role = "assistant"
		}
		var texts []string
		for k, part := range elements(v.Get("parts")) {
			id, name := part.Get("tool_call_id").Str(), part.Get("tool_name").Str()
			switch kind := part.Get("part_kind").Str(); {
			case kind == "tool-call":
				m.calls = append(m.calls, listCall{id: id, name: name, index: k,
					input: pydanticInput(part.Get("args"))})
			case kind == "tool-return", kind == "retry-prompt" && name != "":
				content, outcome := part.Get("content"), part.Get("outcome")
				worked := kind == "tool-return" && (!outcome.Exists() || outcome.StrIs("success"))
				m.results = append(m.results, listResult{
					id, name, textOf(content), k, onlyText(content, worked),
				})
			case kind == "text", kind == "user-prompt", kind == "retry-prompt":
				texts = append(texts, textOf(part.Get("content")))
			}
		}
		m.text = strings.Join(texts, "\n")
		return m
	},
	answer: func(of, next jsonscan.Value, calls []listCall, text string) ([]byte, place) {
		var parts [][]byte
		for _, c := range calls {
			parts = append(parts, object("tool_name", c.name, "content", text, "tool_call_id", c.id,
				"timestamp", of.Get("timestamp"), "part_kind", "tool-return"))
		}
		if next.Get("kind").Str() == "request" {
			for _, part := range elements(next.Get("parts")) {
				parts = append(parts, part.Raw())
			}
			return setMember(next, array(parts...), "parts"), insteadOfNext
		}
		return object("parts", array(parts...), "kind", "request"), afterCalls
	},
	without: func(of jsonscan.Value, removed map[int]Code) []byte {
		return withoutParts(of, "parts", removed)
	},
}

// pydanticInput returns arguments as JSON: they are stored as an object or as its text.
func pydanticInput(args jsonscan.Value) []byte {
	if args.Kind() == jsonscan.String {
		return []byte(args.Str())
	}
	return args.Raw()
}
