package session

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// geminiCLI is the Gemini CLI, measured with version 0.61.0. A session is a log of changes: a
// record with a known id replaces the one before, and "$set" sets the whole list of messages. A
// finished tool call is kept with its result in the model's record, in toolCalls, and the result
// once more as a record of the user's. When a session is resumed, the client sets the whole list
// anew: calls are parts of the content then, and each result is in two records of the user's.
//
// On resume the client sends both, so that each result is sent twice.
var geminiCLI = client{
	name:     "gemini-cli",
	title:    "Gemini CLI",
	programs: []string{"gemini"}, noFolder: true,
	places: []Place{{"", ".gemini", "tmp"}},
	format: "gemini",
	opens:  `{"role":"user","parts":[{"text":"Context."}]}`,
	habits: []habits{{from: "0.61.0", to: "0.61.0"}},
	starts: []string{`{"sessionId":`, `{"$set":`, `{"id":`},
	knows: func(l *line) bool {
		return l.at("$set").Kind() == jsonscan.Object ||
			l.at("projectHash").Exists() && l.at("sessionId").Exists()
	},
	id:     "id",
	model:  func(l *line) string { return l.str("model") },
	repair: repairGemini,
	read:   readGemini,
}

// geminiRecord is one message of the list that the log comes to.
type geminiRecord struct {
	value jsonscan.Value
	line  *line
	path  []any // to the value, in the line's object
}

// geminiList returns the list of messages after all changes.
func geminiList(l *log) []geminiRecord {
	var list []geminiRecord
	at := map[string]int{}
	put := func(r geminiRecord) {
		id := r.value.Get("id").Str()
		if k, known := at[id]; known && id != "" {
			list[k] = r
			return
		}
		at[id] = len(list)
		list = append(list, r)
	}
	for _, record := range l.objects() {
		if rewound := record.at("$rewindTo"); rewound.Exists() {
			k, known := at[rewound.Str()]
			if !known {
				k = 0
			}
			for _, r := range list[k:] {
				delete(at, r.value.Get("id").Str())
			}
			list = list[:k]
		} else if set := record.at("$set", "messages"); set.Kind() == jsonscan.Array {
			list = list[:0]
			clear(at)
			for k, m := range elements(set) {
				put(geminiRecord{m, record, []any{"$set", "messages", k}})
			}
		} else if record.at("type").Exists() && record.at("content").Exists() {
			put(geminiRecord{record.root(), record, nil})
		}
	}
	return list
}

// sameGeminiID returns an id as it is sent: stored ids may have the tool's name in front once more.
func sameGeminiID(id, name string) string { return strings.TrimPrefix(id, name+"__") }

// geminiID returns the id of a call or result as it is sent.
func geminiID(v jsonscan.Value) string {
	return sameGeminiID(v.Get("id").Str(), v.Get("name").Str())
}

// callsInContent reports whether the calls of a model's record are parts of its content. Then the
// client does not send those in toolCalls.
func callsInContent(m jsonscan.Value) bool {
	for _, part := range elements(m.Get("content")) {
		if part.Get("functionCall").Exists() || part.Get("thought").Kind() == jsonscan.True {
			return true
		}
	}
	return false
}

// readGemini returns the contents that the client builds of the list.
func readGemini(l *log) (messages []message, lost []int) {
	var last string
	var parts [][]byte
	var from []origin
	flush := func() {
		if len(parts) > 0 {
			messages = l.add(messages, geminiContent(last, parts, from))
		}
		parts, from = nil, nil
	}
	put := func(role string, of origin, part []byte) {
		if role != last {
			flush()
			last = role
		}
		parts, from = append(parts, part), append(from, of)
	}
	putContent := func(role string, r geminiRecord, content jsonscan.Value) {
		parts, indexes := geminiParts(content)
		path := append(r.path[:len(r.path):len(r.path)], "content")
		for k, part := range parts {
			put(role, origin{record: r.line, path: path, index: indexes[k]}, part)
		}
	}
	for _, r := range geminiList(l) {
		switch content := r.value.Get("content"); r.value.Get("type").Str() {
		case "user":
			if geminiIgnores(content) {
				continue
			}
			putContent("user", r, content)
		case "gemini":
			putContent("model", r, content)
			calls, results := geminiCalls(r.value)
			for _, call := range calls {
				put("model", origin{record: r.line, path: r.path}, call)
			}
			for _, result := range results {
				put("user", origin{record: r.line, path: r.path}, result)
			}
		}
	}
	flush()
	return messages, nil
}

// geminiParts returns the parts of a content, a string or a list, that are sent, and their indexes
// in the list.
func geminiParts(content jsonscan.Value) (parts [][]byte, indexes []int) {
	if content.Kind() == jsonscan.String {
		if content.Str() == "" {
			return nil, nil
		}
		return [][]byte{object("text", content)}, []int{asText}
	}
	for k, part := range elements(content) {
		if part.Get("thought").Kind() != jsonscan.True {
			parts, indexes = append(parts, sentPart(part)), append(indexes, k)
		}
	}
	for k, part := range parts { // the first call gets a signature
		if call := valueOf(part); call.Has("functionCall") {
			if !call.Has("thoughtSignature") {
				o := jsonscan.EditObject(call)
				o.SetMember("thoughtSignature", quote(geminiSignature))
				parts[k] = o.Bytes()
			}
			break
		}
	}
	return parts, indexes
}

// geminiSignature is what the client sends in place of a signature that it has not stored.
const geminiSignature = "skip_thought_signature_validator"

// geminiIgnores reports whether the client leaves out a content of the user's: its own context,
// commands, and blank text.
func geminiIgnores(content jsonscan.Value) bool {
	text := content.Str()
	for _, part := range elements(content) {
		if !part.Get("text").Exists() {
			return false
		}
		text += part.Get("text").Str()
	}
	text = strings.TrimSpace(text)
	for _, start := range []string{"/", "?", "<session_context>", "<hook_context>"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return text == ""
}

// geminiCalls returns the calls in toolCalls of a model's record that have a result, and the
// results.
func geminiCalls(m jsonscan.Value) (calls, results [][]byte) {
	sent := callsInContent(m)
	for _, c := range elements(m.Get("toolCalls")) {
		if len(elements(c.Get("result"))) == 0 {
			continue
		}
		for _, part := range elements(c.Get("result")) {
			results = append(results, sentPart(part))
		}
		if sent {
			continue
		}
		args := c.Get("args").Raw()
		if args == nil {
			args = []byte("{}")
		}
		part := []any{"functionCall", object("id", geminiID(c), "name", c.Get("name").Str(),
			"args", args)}
		if calls == nil {
			part = append(part, "thoughtSignature", geminiSignature)
		}
		calls = append(calls, object(part...))
	}
	return calls, results
}

// sentPart returns a part as the client sends it: the id of a call or result in its short form.
func sentPart(part jsonscan.Value) []byte {
	for _, member := range []string{"functionResponse", "functionCall"} {
		if v := part.Get(member); v.Exists() && geminiID(v) != v.Get("id").Str() {
			inner := jsonscan.EditObject(v)
			inner.SetMember("id", quote(geminiID(v)))
			outer := jsonscan.EditObject(part)
			outer.SetMember(member, inner.Bytes())
			return outer.Bytes()
		}
	}
	return part.Raw()
}

func geminiContent(role string, parts [][]byte, from []origin) message {
	return messageOfRecords(object("parts", array(parts...), "role", role), from)
}
