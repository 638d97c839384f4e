package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// qwenCode is Qwen Code, measured with version 0.15.10. A session is one chain of records,
// telemetry among them, with messages in Gemini's form; they are sent as Chat messages.
//
// On resume the client follows the chain from the last record, so one lost record hides all before
// it. It drops calls without a result, and sends a result twice that is in the file twice.
var qwenCode = client{
	name:   "qwen-code",
	format: "openai-chat",
	list:   "messages",
	prompt: `{"role":"user","content":"Go on."}`,
	starts: []string{`{"uuid":`},
	knows: func(l *line) bool {
		return l.at(parent).Exists() && l.at("sessionId").Exists() &&
			!l.at("isSidechain").Exists() &&
			(l.at("message", "parts").Exists() || l.at("systemPayload").Exists())
	},
	repair: repairQwen,
	read:   readQwen,
}

// qwenCall is a call of a record, with how many results it has.
type qwenCall struct {
	id, name string
	record   *line
	results  int
}

// qwenCalls returns the calls of records by id, and the results that answer none of them.
func qwenCalls(records []*line) (calls []*qwenCall, orphans []*line) {
	known := map[string]*qwenCall{}
	for _, record := range records {
		for _, part := range elements(record.at("message", "parts")) {
			if call := part.Get("functionCall"); call.Exists() {
				c := &qwenCall{
					id:     call.Get("id").Str(),
					name:   call.Get("name").Str(),
					record: record,
				}
				calls, known[c.id] = append(calls, c), c
			}
			if response := part.Get("functionResponse"); response.Exists() {
				if c := known[response.Get("id").Str()]; c != nil {
					c.results++
				} else {
					orphans = append(orphans, record)
				}
			}
		}
	}
	return calls, orphans
}

func repairQwen(l *log, r *Report) {
	dropQwenDoubles(l, r)
	relink(l, r, 0, func(*line) *line { return nil })
	records := l.objects()
	calls, orphans := qwenCalls(records)
	added := map[*line][]*line{}
	for _, c := range calls {
		if c.results > 0 {
			continue
		}
		added[c.record] = append(added[c.record], c.answer(r.text))
		r.add(Finding{
			Code: CodeDanglingCall, Lines: numbered(c.record),
			Problem: "the tool call has no result, so the client drops it",
			Done:    "added an error result",
		})
	}
	spliceQwen(records, added)
	l.insertAfter(added)
	for _, record := range orphans {
		qwenOrphanText(record)
		r.add(Finding{
			Code: CodeOrphanResult, Lines: numbered(record),
			Problem: "the result's tool call is not in the file, so the provider refuses the result",
			Done:    "turned the result into text that says what it is",
		})
	}
}

// dropQwenDoubles drops records that are in the file a second time.
func dropQwenDoubles(l *log, r *Report) {
	seen := map[string]bool{}
	for _, record := range l.objects() {
		id := record.str(uuid)
		if id == "" {
			continue
		}
		if seen[id] {
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "the record is in the file twice, and would be sent twice",
				Done:    "removed the second one",
			})
		}
		seen[id] = true
	}
}

// spliceQwen links added records into the chain: the first to its record, each to the one before
// it, and the record's children to the last.
func spliceQwen(records []*line, added map[*line][]*line) {
	last := map[string]*line{} // by the uuid of the record that they follow
	for record, lines := range added {
		before := record
		for _, l := range lines {
			l.setParent(before)
			before = l
		}
		last[record.str(uuid)] = before
	}
	for _, record := range records {
		if to := last[record.str(parent)]; to != nil {
			record.setParent(to)
		}
	}
}

// answer is the record of an error result for the call.
func (c *qwenCall) answer(text string) *line {
	raw := append([]byte(`{"uuid":`), quote(derivedID(c.record.str(uuid), c.id))...)
	raw = append(raw, `,"parentUuid":null`...)
	member := func(name string, value []byte) {
		raw = append(append(append(append(raw, ','), quote(name)...), ':'), value...)
	}
	for _, name := range []string{"sessionId", "timestamp"} {
		if value := c.record.at(name); value.Exists() {
			member(name, value.Raw())
		}
	}
	member("type", quote("tool_result"))
	for _, name := range []string{"cwd", "version"} {
		if value := c.record.at(name); value.Exists() {
			member(name, value.Raw())
		}
	}
	part := append([]byte(`{"functionResponse":{"id":`), quote(c.id)...)
	part = append(append(part, `,"name":`...), quote(c.name)...)
	part = append(append(part, `,"response":{"error":`...), quote(text)...)
	member("message", append(append([]byte(`{"role":"user","parts":[`), part...), "}}}]}"...))
	status := append([]byte(`{"callId":`), quote(c.id)...)
	member("toolCallResult", append(status, `,"status":"error","resultDisplay":"interrupted"}`...))
	return newLine(0, append(raw, '}'))
}

// qwenOrphanText turns a record of results into one of text.
func qwenOrphanText(record *line) {
	raw := []byte{'['}
	for k, part := range elements(record.at("message", "parts")) {
		if k > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, orphanPart(part)...)
	}
	record.set(append(raw, ']'), "message", "parts")
	record.set(quote("user"), "type")
}

// orphanPart is a Gemini part that is not sent as a result: text with the result's name and
// content.
func orphanPart(part jsonscan.Value) []byte {
	response := part.Get("functionResponse")
	if !response.Exists() {
		return part.Raw()
	}
	text := "Result of tool " + response.Get("name").Str() + ", whose call is missing:\n" +
		string(response.Get("response").Raw())
	return append(append([]byte(`{"text":`), quote(text)...), '}')
}

// readQwen follows the chain from its last record and writes its messages as Chat messages.
func readQwen(l *log) (messages []message, lost []int) {
	records := l.objects()
	var leaf *line
	for _, record := range records {
		if record.chained() {
			leaf = record
		}
	}
	if leaf == nil {
		return nil, nil
	}
	known := byUUID(records)
	sent := ancestors(leaf, known)
	var chain []*line
	for _, record := range records {
		switch {
		case !record.at("message").Exists():
		case sent[known[record.str(uuid)]]: // a second record of one uuid is sent as well
			chain = append(chain, record)
		case record.chained():
			lost = append(lost, numbered(record)...)
		}
	}
	calls, _ := qwenCalls(chain)
	answered := map[string]bool{}
	for _, c := range calls {
		if answered[c.id] = c.results > 0; !answered[c.id] {
			lost = append(lost, numbered(c.record)...)
		}
	}
	for _, record := range chain {
		messages = append(messages, qwenMessages(record, answered)...)
	}
	slices.Sort(lost)
	return messages, slices.Compact(lost)
}

// qwenMessages writes one record as Chat messages.
func qwenMessages(record *line, answered map[string]bool) []message {
	var text, reasoning strings.Builder
	var calls []byte
	var results []message
	for _, part := range elements(record.at("message", "parts")) {
		call, response := part.Get("functionCall"), part.Get("functionResponse")
		switch {
		case call.Exists():
			if answered[call.Get("id").Str()] {
				calls = appendChatCall(calls, call)
			}
		case response.Exists():
			results = append(results, message{chatResult(response), numbered(record)})
		case part.Get("thought").Kind() == jsonscan.True:
			reasoning.WriteString(part.Get("text").Str())
		default:
			text.WriteString(part.Get("text").Str())
		}
	}
	if results != nil {
		return results
	}
	role := "user"
	if record.str("message", "role") == "model" {
		role = "assistant"
	}
	if text.Len() == 0 && calls == nil {
		return nil
	}
	raw := append(append([]byte(`{"role":`), quote(role)...), `,"content":`...)
	raw = append(raw, quote(text.String())...)
	if calls != nil {
		raw = append(append(append(raw, `,"tool_calls":[`...), calls...), ']')
	}
	if reasoning.Len() > 0 {
		raw = append(append(raw, `,"reasoning_content":`...), quote(reasoning.String())...)
	}
	return []message{{append(raw, '}'), numbered(record)}}
}

func appendChatCall(calls []byte, call jsonscan.Value) []byte {
	if calls != nil {
		calls = append(calls, ',')
	}
	calls = append(append(calls, `{"id":`...), quote(call.Get("id").Str())...)
	calls = append(append(calls, `,"type":"function","function":{"name":`...),
		quote(call.Get("name").Str())...)
	args := call.Get("args").Raw()
	if args == nil {
		args = []byte("{}")
	}
	return append(append(append(calls, `,"arguments":`...), quote(string(args))...), "}}"...)
}

func chatResult(response jsonscan.Value) []byte {
	content := response.Get("response").Get("output")
	if !content.Exists() {
		content = response.Get("response").Get("error")
	}
	text := content.Str()
	if content.Kind() != jsonscan.String {
		text = string(response.Get("response").Raw())
	}
	raw := append([]byte(`{"role":"tool","tool_call_id":`), quote(response.Get("id").Str())...)
	return append(append(append(raw, `,"content":`...), quote(text)...), '}')
}
