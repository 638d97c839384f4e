package session

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// langchainMessages are messages of LangChain in its three forms: with the fields in a member data
// (messages_to_dict), in a member kwargs (dumpd), or in the message itself (model_dump).
var langchainMessages = listForm{
	name:  "langchain",
	title: "LangChain",
	shows: func(v jsonscan.Value) bool {
		if v.Has("lc") {
			return v.Get("id").Kind() == jsonscan.Array
		}
		return oneOf(v.Get("type"), "human", "ai", "system", "tool") &&
			(v.Get("data").Has("content") || v.Has("additional_kwargs"))
	},
	read: func(v jsonscan.Value) listMessage {
		fields, kind := langchainFields(v)
		m := listMessage{role: map[string]string{"ai": "assistant", "system": "system"}[kind]}
		if m.role == "" {
			m.role = "user"
		}
		if kind == "tool" {
			content := fields.Get("content")
			m.results = []listResult{{
				id: fields.Get("tool_call_id").Str(), name: fields.Get("name").Str(),
				content: textOf(content), text: onlyText(content, !fields.Get("status").StrIs("error")),
			}}
			return m
		}
		m.text = textOf(fields.Get("content"))
		for k, call := range elements(fields.Get("tool_calls")) {
			m.calls = append(m.calls, listCall{
				id: call.Get("id").Str(), name: call.Get("name").Str(),
				input: call.Get("args").Raw(), index: k,
			})
		}
		return m
	},
	answer: func(of, _ jsonscan.Value, calls []listCall, text string) ([]byte, place) {
		var all [][]byte
		for _, c := range calls {
			all = append(all, langchainLike(of, "tool", "ToolMessage", object("content", text,
				"additional_kwargs", []byte("{}"), "response_metadata", []byte("{}"),
				"type", "tool", "name", c.name, "tool_call_id", c.id, "status", "error")))
		}
		return bytes.Join(all, []byte(",")), afterCalls
	},
	without: func(jsonscan.Value, map[int]Code) []byte { return nil }, // it has one result
}

// langchainFields returns the object with the fields of a message, and its type.
func langchainFields(v jsonscan.Value) (fields jsonscan.Value, kind string) {
	switch {
	case v.Has("lc"):
		class := ""
		for _, name := range elements(v.Get("id")) {
			class = name.Str()
		}
		kinds := map[string]string{
			"HumanMessage": "human", "HumanMessageChunk": "human", "AIMessage": "ai",
			"AIMessageChunk": "ai", "SystemMessage": "system", "ToolMessage": "tool",
		}
		return v.Get("kwargs"), kinds[class]
	case v.Get("data").Exists():
		return v.Get("data"), v.Get("type").Str()
	}
	return v, v.Get("type").Str()
}

// langchainLike returns a message with fields, in the form of another one.
func langchainLike(of jsonscan.Value, kind, class string, fields []byte) []byte {
	switch {
	case of.Has("lc"):
		id := array(quote("langchain"), quote("schema"), quote("messages"), quote(class))
		return object("lc", []byte("1"), "type", "constructor", "id", id, "kwargs", fields)
	case of.Get("data").Exists():
		return object("type", kind, "data", fields)
	}
	return fields
}
