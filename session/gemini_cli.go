package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// geminiCLI is the Gemini CLI, measured with version 0.61.0. A session is a log of changes: a
// record with a known id replaces the one before, and "$set" sets the whole list of messages. A
// finished tool call is kept with its result in the model's record, and the result once more as a
// record of the user's.
//
// On resume the client sends both, so that each result is sent twice.
var geminiCLI = client{
	name:   "gemini-cli",
	title:  "Gemini CLI",
	places: []Place{{"", ".gemini", "tmp"}},
	format: "gemini",
	opens:  `{"role":"user","parts":[{"text":"Context."}]}`,
	starts: []string{`{"sessionId":`, `{"$set":`, `{"id":`},
	knows: func(l *line) bool {
		return l.at("$set").Kind() == jsonscan.Object ||
			l.at("projectHash").Exists() && l.at("sessionId").Exists()
	},
	repair: repairGemini,
	read:   readGemini,
}

// geminiRecord is one message of the list that the log comes to.
type geminiRecord struct {
	value jsonscan.Value
	line  *line
}

// geminiList is the list of messages after all changes.
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
		if set := record.at("$set", "messages"); set.Kind() == jsonscan.Array {
			list = list[:0]
			clear(at)
			for _, m := range elements(set) {
				put(geminiRecord{m, record})
			}
		} else if record.at("type").Exists() && record.at("content").Exists() {
			put(geminiRecord{record.root, record})
		}
	}
	return list
}

// sameGeminiID is an id as it is sent: stored ids have the tool's name in front once more.
func sameGeminiID(id, name string) string { return strings.TrimPrefix(id, name+"__") }

// answeredGemini returns the ids of the results that are kept with their calls.
func answeredGemini(list []geminiRecord) map[string]bool {
	answered := map[string]bool{}
	for _, r := range list {
		for _, call := range elements(r.value.Get("toolCalls")) {
			for _, part := range elements(call.Get("result")) {
				if response := part.Get("functionResponse"); response.Exists() {
					answered[sameGeminiID(response.Get("id").Str(),
						response.Get("name").Str())] = true
				}
			}
		}
	}
	return answered
}

// onlyResults reports whether a user's record holds nothing but results, and whether each of them
// is kept with its call.
func onlyResults(m jsonscan.Value, answered map[string]bool) (results, doubled bool) {
	parts := elements(m.Get("content"))
	if m.Get("type").Str() != "user" || len(parts) == 0 {
		return false, false
	}
	doubled = true
	for _, part := range parts {
		response := part.Get("functionResponse")
		if !response.Exists() {
			return false, false
		}
		doubled = doubled &&
			answered[sameGeminiID(response.Get("id").Str(), response.Get("name").Str())]
	}
	return true, doubled
}

// repairGemini removes the second copy of results, and makes results without a call text.
func repairGemini(l *log, r *Report) {
	answered := answeredGemini(geminiList(l))
	for _, record := range l.objects() {
		if set := record.at("$set", "messages"); set.Kind() == jsonscan.Array {
			repairGeminiList(record, set, answered, r)
			continue
		}
		switch results, doubled := onlyResults(record.root, answered); {
		case doubled:
			record.dropped = true
			r.add(doubledFinding(record))
		case results:
			record.set(orphanParts(record.at("content"), answered), "content")
			r.add(orphanFinding(record))
		}
	}
}

// repairGeminiList does the same in a list that a record sets.
func repairGeminiList(record *line, list jsonscan.Value, answered map[string]bool, r *Report) {
	raw := []byte{'['}
	dropped, changed := false, false
	for _, m := range elements(list) {
		piece := m.Raw()
		switch results, doubled := onlyResults(m, answered); {
		case doubled:
			dropped = true
			continue
		case results:
			o := jsonscan.EditObject(m)
			o.SetMember("content", orphanParts(m.Get("content"), answered))
			piece, changed = o.Bytes(), true
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, piece...)
	}
	if !dropped && !changed {
		return
	}
	record.set(append(raw, ']'), "$set", "messages")
	if dropped {
		r.add(doubledFinding(record))
	}
	if changed {
		r.add(orphanFinding(record))
	}
}

func doubledFinding(record *line) Finding {
	return Finding{
		Code: CodeDoubledResult, Lines: numbered(record),
		Problem: "the tool results are kept twice, and would be sent twice",
		Done:    "removed the second copy",
	}
}

func orphanFinding(record *line) Finding {
	return Finding{
		Code: CodeOrphanResult, Lines: numbered(record),
		Problem: "a result's tool call is not in the file, so the provider refuses the result",
		Done:    "turned the result into text that says what it is",
	}
}

// orphanParts rewrites a list of results: those that are kept with their calls go, the others
// become text.
func orphanParts(parts jsonscan.Value, answered map[string]bool) []byte {
	raw := []byte{'['}
	for _, part := range elements(parts) {
		response := part.Get("functionResponse")
		if answered[sameGeminiID(response.Get("id").Str(), response.Get("name").Str())] {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, orphanPart(part)...)
	}
	return append(raw, ']')
}

// readGemini returns the contents that the client builds of the list.
func readGemini(l *log) (messages []message, lost []int) {
	var last string
	var parts [][]byte
	var from []*line
	flush := func() {
		if len(parts) > 0 {
			messages = append(messages, geminiContent(last, parts, from))
		}
		parts, from = nil, nil
	}
	put := func(role string, line *line, some ...[]byte) {
		if role != last {
			flush()
			last = role
		}
		parts, from = append(parts, some...), append(from, line)
	}
	for _, r := range geminiList(l) {
		if r.value.Get("type").Str() != "gemini" {
			for _, part := range elements(r.value.Get("content")) {
				put("user", r.line, sentPart(part))
			}
			continue
		}
		if text := r.value.Get("content"); text.Str() != "" {
			put("model", r.line, append(append([]byte(`{"text":`), text.Raw()...), '}'))
		}
		calls, results := geminiCalls(r.value)
		for _, call := range calls {
			put("model", r.line, call)
		}
		for _, result := range results {
			put("user", r.line, result)
		}
	}
	flush()
	return messages, nil
}

// geminiCalls returns the calls of a model's record that have a result, and the results.
func geminiCalls(m jsonscan.Value) (calls, results [][]byte) {
	for _, c := range elements(m.Get("toolCalls")) {
		if len(elements(c.Get("result"))) == 0 {
			continue
		}
		name := c.Get("name").Str()
		raw := append([]byte(`{"functionCall":{"id":`),
			quote(sameGeminiID(c.Get("id").Str(), name))...)
		raw = append(append(raw, `,"name":`...), quote(name)...)
		args := c.Get("args").Raw()
		if args == nil {
			args = []byte("{}")
		}
		raw = append(append(append(raw, `,"args":`...), args...), '}')
		if calls == nil {
			raw = append(raw, `,"thoughtSignature":"skip_thought_signature_validator"`...)
		}
		calls = append(calls, append(raw, '}'))
		for _, part := range elements(c.Get("result")) {
			results = append(results, sentPart(part))
		}
	}
	return calls, results
}

// sentPart is a part as the client sends it: the id of a result in its short form.
func sentPart(part jsonscan.Value) []byte {
	response := part.Get("functionResponse")
	if !response.Exists() {
		return part.Raw()
	}
	id := response.Get("id").Str()
	short := sameGeminiID(id, response.Get("name").Str())
	if short == id {
		return part.Raw()
	}
	inner := jsonscan.EditObject(response)
	inner.SetMember("id", quote(short))
	outer := jsonscan.EditObject(part)
	outer.SetMember("functionResponse", inner.Bytes())
	return outer.Bytes()
}

func geminiContent(role string, parts [][]byte, from []*line) message {
	raw := append([]byte(`{"parts":[`), parts[0]...)
	for _, p := range parts[1:] {
		raw = append(append(raw, ','), p...)
	}
	raw = append(append(append(raw, `],"role":`...), quote(role)...), '}')
	return message{raw, slices.Compact(numbered(from...))}
}
