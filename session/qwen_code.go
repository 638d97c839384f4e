package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// qwenCode is Qwen Code, measured with versions 0.15.10 and 0.24.4. A session is one chain of
// records, telemetry among them, with messages in Gemini's form; they are sent as Chat messages.
//
// On resume the client follows the chain from the last record, so one lost record hides all before
// it. It drops calls without a result. Version 0.15.10 sends a result twice that is in the file
// twice, and one whose call is lost; version 0.24.4 sends neither.
var qwenCode = client{
	name:     "qwen-code",
	title:    "Qwen Code",
	programs: []string{"qwen"},
	places:   []Place{{"", ".qwen", "projects"}},
	format:   "openai-chat",
	starts:   []string{`{"uuid":`},
	habits: []habits{
		{from: "0.15.10", to: "0.15.10"},
		{from: "0.24.4", to: "0.24.4", dropsOrphans: true, dropsDoubles: true},
	},
	version: func(l *line) string { return l.str("version") },
	knows: func(l *line) bool {
		return l.at(parent).Exists() && l.at("sessionId").Exists() &&
			!l.at("isSidechain").Exists() &&
			(l.at("message", "parts").Exists() || l.at("systemPayload").Exists())
	},
	says:  []string{"message"},
	links: linksByUUID,
	id:    uuid,
	compacts: func(l *line) bool {
		return l.at("systemPayload", "compressedHistory").Exists()
	},
	model:  func(l *line) string { return l.str("model") },
	repair: repairQwen,
	read:   readQwen,
}

// qwenContent is one content of the history: that of a record, or one of those that a compaction
// put in place of all before it.
type qwenContent struct {
	value  jsonscan.Value // an object with role and parts
	record *line
	base   bool // it is from a compaction
}

// qwenContents returns the contents of records in their order. Those before the last compaction
// are left out, and the compaction's own come first.
func qwenContents(records []*line) []qwenContent {
	var contents []qwenContent
	for _, record := range records {
		if base := record.at("systemPayload", "compressedHistory"); base.Kind() == jsonscan.Array {
			contents = contents[:0]
			for _, value := range elements(base) {
				contents = append(contents, qwenContent{value, record, true})
			}
			continue
		}
		if value := record.at("message"); value.Exists() && record.str("type") != "system" {
			contents = append(contents, qwenContent{value, record, false})
		}
	}
	return contents
}

// qwenCall is a call, with how many results it has.
type qwenCall struct {
	id, name string
	record   *line
	base     bool
	results  int
}

// qwenOrphans are the results without a call: the indexes of their parts, by record.
type qwenOrphans map[*line]map[int]bool

// whole reports whether a record has nothing else.
func (o qwenOrphans) whole(record *line) bool {
	return len(o[record]) > 0 && len(o[record]) == len(elements(record.at("message", "parts")))
}

// qwenCalls returns the calls of contents, and the results that answer none of them. An id that is
// used again belongs to the call before.
func qwenCalls(contents []qwenContent) (calls []*qwenCall, orphans qwenOrphans) {
	known, orphans := map[string]*qwenCall{}, qwenOrphans{}
	for _, content := range contents {
		for k, part := range elements(content.value.Get("parts")) {
			if call := part.Get("functionCall"); call.Exists() {
				c := &qwenCall{
					id:     call.Get("id").Str(),
					name:   call.Get("name").Str(),
					record: content.record,
					base:   content.base,
				}
				calls, known[c.id] = append(calls, c), c
			}
			if response := part.Get("functionResponse"); response.Exists() {
				if c := known[response.Get("id").Str()]; c != nil {
					c.results++
				} else if !content.base {
					if orphans[content.record] == nil {
						orphans[content.record] = map[int]bool{}
					}
					orphans[content.record][k] = true
				}
			}
		}
	}
	return calls, orphans
}

// readQwen follows the chain to its last record and writes its messages as Chat messages.
func readQwen(l *log) (messages []message, lost []int) {
	chain := qwenChain(chainedOf(l.objects()))
	if l.habits.dropsDoubles {
		chain = chainOfUUIDs(chain)
	}
	contents := qwenContents(chain)
	calls, orphans := qwenCalls(contents)
	if l.habits.dropsOrphans {
		contents = slices.DeleteFunc(contents, func(c qwenContent) bool {
			gone := orphans.whole(c.record)
			if gone {
				lost = append(lost, numbered(c.record)...)
			}
			return gone
		})
	}
	answered := map[qwenKey]bool{}
	callsAlone := map[*line]bool{} // of a record with many calls it is found out once
	for _, c := range calls {
		answered[qwenKey{c.record, c.id}] = c.results > 0
		alone, known := callsAlone[c.record]
		if c.results == 0 && !known {
			alone = onlyCalls(c.record)
			callsAlone[c.record] = alone
		}
		if c.results == 0 && alone {
			lost = append(lost, numbered(c.record)...)
		}
	}
	for _, content := range contents {
		messages = l.add(messages, qwenMessages(content, answered)...)
	}
	return messages, lost
}

// onlyCalls reports whether a record says nothing beside its calls, so that it is gone with them.
func onlyCalls(record *line) bool {
	return !slices.ContainsFunc(elements(record.at("message", "parts")),
		func(part jsonscan.Value) bool { return !part.Get("functionCall").Exists() })
}

// qwenChain returns the records that the client sends.
func qwenChain(records []*line) []*line {
	if len(records) == 0 {
		return nil
	}
	same := map[string][]*line{} // a second record of one uuid is sent as well
	for _, record := range records {
		same[record.str(uuid)] = append(same[record.str(uuid)], record)
	}
	var chain []*line
	for _, record := range chainTo(records[len(records)-1], byUUID(records), parent) {
		chain = append(chain, same[record.str(uuid)]...)
	}
	return chain
}

// chainOfUUIDs returns the first record of each uuid.
func chainOfUUIDs(records []*line) []*line {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(record *line) bool {
		id := record.str(uuid)
		defer func() { seen[id] = true }()
		return seen[id]
	})
}

// qwenKey names a call: ids may be used again in another record.
type qwenKey struct {
	record *line
	id     string
}

// qwenMessages writes one content as Chat messages.
func qwenMessages(content qwenContent, answered map[qwenKey]bool) []message {
	record := content.record
	var text, reasoning strings.Builder
	var calls [][]byte
	var results []message
	for _, part := range elements(content.value.Get("parts")) {
		call, response := part.Get("functionCall"), part.Get("functionResponse")
		switch {
		case call.Exists():
			if answered[qwenKey{record, call.Get("id").Str()}] {
				args := call.Get("args").Raw()
				if args == nil {
					args = []byte("{}")
				}
				calls = append(calls,
					chatCall(call.Get("id").Str(), call.Get("name").Str(), string(args)))
			}
		case response.Exists():
			results = append(results, oneRecord(chatResult(response), record))
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
	if content.value.Get("role").Str() == "model" {
		role = "assistant"
	}
	if text.Len() == 0 && calls == nil {
		return nil
	}
	members := []any{"role", role, "content", text.String()}
	if calls != nil {
		members = append(members, "tool_calls", array(calls...))
	}
	if reasoning.Len() > 0 {
		members = append(members, "reasoning_content", reasoning.String())
	}
	return []message{oneRecord(object(members...), record)}
}

// oneRecord returns a message that is from one record.
func oneRecord(json []byte, record *line) message {
	return message{json: json, lines: numbered(record), records: []*line{record}}
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
	return chatToolMessage(response.Get("id").Str(), text)
}
