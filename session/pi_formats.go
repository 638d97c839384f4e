package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is about the provider that a session of pi goes to: answers name its API, and pi writes
// the messages in its format.

// piAPIs are the formats of APIs and of providers, as answers name them.
var piAPIs = map[string]string{
	"anthropic-messages": "anthropic", "anthropic": "anthropic",
	"openai-completions": "openai-chat", "mistral-conversations": "openai-chat",
	"openai-responses": "openai-responses", "azure-openai-responses": "openai-responses",
	"openai-codex-responses": "openai-responses", "openai": "openai-responses",
	"openai-codex":         "openai-responses",
	"google-generative-ai": "gemini", "google-vertex": "gemini", "google-gemini-cli": "gemini",
	"google": "gemini",
}

// piFormat returns the format of the next request. Of an API that is not known it is that of Chat
// messages, which has the fewest rules; where the session names none, it is Anthropic's.
func piFormat(l *log) string {
	var model [2]string // the provider and the model that the next request goes to
	apis := map[[2]string]string{}
	for _, record := range piTreeOf(l).chain() {
		switch m := record.at("message"); {
		case record.str("type") == "model_change":
			model = [2]string{record.str("provider"), record.str("modelId")}
		case m.Get("role").StrIs("assistant"):
			model = piModel(m)
			apis[model] = m.Get("api").Str()
		}
	}
	api := apis[model]
	if format := cmp.Or(piAPIs[api], piAPIs[model[0]]); format != "" {
		return format
	}
	if api == "" || strings.Contains(model[1], "claude") {
		return "anthropic"
	}
	return "openai-chat"
}

// inFormat returns messages of the Anthropic format in another one.
func inFormat(format string, messages []message) (all []message) {
	w := &formatWriter{format: format, names: map[string]string{}}
	for _, m := range messages {
		w.write(m)
	}
	return w.all
}

// formatWriter writes Anthropic messages in another format.
type formatWriter struct {
	format string
	names  map[string]string // of tools, by the call
	all    []message

	records []*line // of the message
	role    string
	parts   [][]byte // of the message that is being written
	from    []origin
	calls   [][]byte
	seen    []func() // pictures of results, which come after all results
}

func (w *formatWriter) write(m message) {
	root := valueOf(m.json)
	w.role, w.records = root.Get("role").Str(), m.records
	for k, block := range elements(root.Get("content")) {
		of := origin{}
		if k < len(m.blocks) {
			of = m.blocks[k]
		}
		switch block.Get("type").Str() {
		case "text":
			w.show()
			w.put(of, w.text(block.Get("text")))
		case "image":
			w.show()
			w.put(of, w.picture(block.Get("source")))
		case "tool_use":
			w.call(of, block)
		case "tool_result":
			w.result(of, block)
		}
	}
	w.show()
	w.flush()
}

func (w *formatWriter) put(of origin, part []byte) {
	w.parts, w.from = append(w.parts, part), append(w.from, of)
}

func (w *formatWriter) add(json []byte, from []origin) {
	w.all = append(w.all, messageOfRecords(json, from))
}

// show writes the pictures of results.
func (w *formatWriter) show() {
	seen := w.seen
	w.seen = nil
	for _, put := range seen {
		put()
	}
}

// flush writes the message.
func (w *formatWriter) flush() {
	parts, calls := w.parts, w.calls
	from := slices.Clone(w.from)
	w.parts, w.from, w.calls = nil, nil, nil
	if len(parts)+len(calls) == 0 {
		return
	}
	switch role := w.role; {
	case w.format == "gemini":
		if role == "assistant" {
			role = "model"
		}
		w.add(object("role", role, "parts", array(parts...)), from)
	case w.format == codexFormat:
		if len(parts) > 0 {
			w.add(object("type", "message", "role", role, "content", array(parts...)), from)
		}
		for _, call := range calls {
			w.add(call, []origin{{record: firstRecord(w.records)}})
		}
	default:
		members := []any{"role", role}
		if len(parts) > 0 {
			members = append(members, "content", array(parts...))
		}
		if len(calls) > 0 {
			members = append(members, "tool_calls", array(calls...))
			for range calls {
				from = append(from, origin{record: firstRecord(w.records)})
			}
		}
		w.add(object(members...), from)
	}
}

func firstRecord(records []*line) *line {
	if len(records) == 0 {
		return nil
	}
	return records[0]
}

func (w *formatWriter) text(text jsonscan.Value) []byte {
	switch {
	case w.format == "gemini":
		return object("text", text)
	case w.format == codexFormat && w.role == "assistant":
		return object("type", "output_text", "text", text, "annotations", array())
	case w.format == codexFormat:
		return object("type", "input_text", "text", text)
	}
	return object("type", "text", "text", text)
}

func (w *formatWriter) picture(source jsonscan.Value) []byte {
	kind, data := source.Get("media_type"), source.Get("data")
	url := "data:" + kind.Str() + ";base64," + data.Str()
	switch w.format {
	case "gemini":
		return object("inlineData", object("mimeType", kind, "data", data))
	case codexFormat:
		return object("type", "input_image", "image_url", url)
	}
	return object("type", "image_url", "image_url", object("url", url))
}

func (w *formatWriter) call(of origin, block jsonscan.Value) {
	id, name, input := block.Get("id").Str(), block.Get("name").Str(), block.Get("input")
	w.names[id] = name
	switch w.format {
	case "gemini":
		members := []any{"functionCall", object("name", name, "args", input)}
		if of.known() { // that of another model is not sent
			members = append(members, "thoughtSignature", of.value().Get("thoughtSignature"))
		}
		w.put(of, object(members...))
	case codexFormat:
		id, _, _ = strings.Cut(id, "|") // with the id of the item
		w.calls = append(w.calls, object("type", "function_call", "call_id", id, "name", name,
			"arguments", string(input.Raw())))
	default:
		w.calls = append(w.calls, object("id", id, "type", "function", "function",
			object("name", name, "arguments", string(input.Raw()))))
	}
}

func (w *formatWriter) result(of origin, block jsonscan.Value) {
	id, content := block.Get("tool_use_id").Str(), block.Get("content")
	text := content.Raw()
	if content.Kind() != jsonscan.String {
		var texts []string
		for k, part := range elements(content) {
			if part.Get("type").StrIs("image") {
				picture := w.picture(part.Get("source"))
				w.seen = append(w.seen, func() {
					w.put(origin{record: of.record, path: of.inner, index: k}, picture)
				})
				continue
			}
			texts = append(texts, part.Get("text").Str())
		}
		text = quote(cmp.Or(strings.Join(texts, "\n"), "(see attached image)"))
	}
	switch w.format {
	case "gemini":
		w.put(origin{record: of.record}, object("functionResponse", object("name", w.names[id],
			"response", object("output", text))))
		return
	case codexFormat:
		w.flush()
		id, _, _ = strings.Cut(id, "|")
		w.add(object("type", "function_call_output", "call_id", id, "output", text),
			[]origin{{record: of.record}})
	default:
		w.flush()
		w.add(object("role", "tool", "tool_call_id", id, "content", text), []origin{{record: of.record}})
	}
}
