package session

import (
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// claudeCode is Claude Code, measured with version 2.1.197. A session is a tree of records: each
// holds one content block of an Anthropic message, blocks of one message share message.id, and a
// tool result hangs on the record of its call, so that parallel results are side branches.
//
// On resume the client drops calls without a result, results without a call, and whatever hangs on
// a record that is lost.
var claudeCode = client{
	name:   "claude-code",
	format: "anthropic",
	list:   "messages",
	prompt: `{"role":"user","content":"Go on."}`,
	starts: []string{`{"parentUuid":`, `{"type":"`},
	knows:  func(l *line) bool { return l.at("sessionId").Exists() && isClaude(l) },
	repair: repairClaude,
	read:   readClaude,
}

func isClaude(l *line) bool {
	if l.at(parent).Exists() {
		return l.at("isSidechain").Exists()
	}
	return l.str("type") == "queue-operation" || l.at("leafUuid").Exists()
}

// claudeSource is the member of a result that names the record of its call.
const claudeSource = "sourceToolAssistantUUID"

// claudeLog is the part of a log that the client sends: what comes after the last compaction.
type claudeLog struct {
	records []*line // chained records, in order
	from    int     // the number of the first line after the compaction
	calls   map[string]*line
	results map[string][]*line
}

func claudeView(l *log) claudeLog {
	var v claudeLog
	for _, record := range l.objects() {
		if record.str("subtype") == "compact_boundary" {
			v.from = record.number
		}
		if record.chained() {
			v.records = append(v.records, record)
		}
	}
	v.calls, v.results = map[string]*line{}, map[string][]*line{}
	for _, record := range v.records {
		for _, block := range elements(record.at("message", "content")) {
			switch block.Get("type").Str() {
			case "tool_use":
				if id := block.Get("id").Str(); id != "" && v.calls[id] == nil {
					v.calls[id] = record
				}
			case "tool_result":
				id := block.Get("tool_use_id").Str()
				v.results[id] = append(v.results[id], record)
			}
		}
	}
	return v
}

// repairClaude answers open calls and links records whose parent is lost.
func repairClaude(l *log, r *Report) {
	v := claudeView(l)
	lastOf := map[string]*line{} // the last record of each message
	for _, record := range v.records {
		if record.str("type") == "assistant" {
			lastOf[record.str("message", "id")] = record
		}
	}
	added := map[*line][]*line{}
	for _, record := range v.records {
		if record.number < v.from || record.str("type") != "assistant" {
			continue
		}
		for _, block := range elements(record.at("message", "content")) {
			id := block.Get("id").Str()
			if block.Get("type").Str() != "tool_use" || v.calls[id] != record ||
				len(v.results[id]) > 0 {
				continue
			}
			last := lastOf[record.str("message", "id")]
			added[last] = append(added[last], claudeAnswer(record, id, r.text))
			r.add(Finding{
				Code: CodeDanglingCall, Lines: numbered(record),
				Problem: "the tool call has no result, so the client drops it",
				Done:    "added an error result",
			})
		}
	}
	l.insertAfter(added)
	for id, results := range v.results {
		if v.calls[id] == nil && results[0].number >= v.from {
			r.add(Finding{
				Code: CodeOrphanResult, Lines: numbered(results...),
				Problem: "the result's tool call is not in the file, so the client drops the result",
			})
		}
	}
	relink(l, r, v.from, func(record *line) *line {
		for _, block := range elements(record.at("message", "content")) {
			if block.Get("type").Str() == "tool_result" {
				return v.calls[block.Get("tool_use_id").Str()]
			}
		}
		return nil
	})
}

// claudeAnswer is the record of an error result for a call.
func claudeAnswer(call *line, id, text string) *line {
	source := quote(call.str(uuid))
	raw := append([]byte(`{"parentUuid":`), source...)
	member := func(name string, value []byte) {
		raw = append(append(append(append(raw, ','), quote(name)...), ':'), value...)
	}
	for _, name := range []string{
		"isSidechain", "agentId", "userType", "entrypoint", "cwd", "sessionId", "version",
		"gitBranch",
	} {
		if value := call.at(name); value.Exists() {
			member(name, value.Raw())
		}
	}
	block := append([]byte(`{"tool_use_id":`), quote(id)...)
	block = append(append(block, `,"type":"tool_result","content":`...), quote(text)...)
	block = append(block, `,"is_error":true}`...)
	member("type", quote("user"))
	member("message", append(append([]byte(`{"role":"user","content":[`), block...), "]}"...))
	member(uuid, quote(derivedID(call.str(uuid), id)))
	if value := call.at("timestamp"); value.Exists() {
		member("timestamp", value.Raw())
	}
	member("toolUseResult", quote("Error: "+text))
	member(claudeSource, source)
	return newLine(0, append(raw, '}'))
}

// readClaude follows the chain from its last record, and gathers what hangs beside it.
func readClaude(l *log) (messages []message, lost []int) {
	v := claudeView(l)
	sent := v.sent()
	ids := map[string]bool{} // calls that are sent
	for id, call := range v.calls {
		ids[id] = sent[call] &&
			slices.ContainsFunc(v.results[id], func(r *line) bool { return sent[r] })
	}
	var last struct{ role, id string }
	var blocks []jsonscan.Value
	var from []*line
	flush := func() {
		if len(from) > 0 {
			messages = append(messages, claudeMessage(last.role, blocks, from))
		}
		blocks, from = nil, nil
	}
	for _, record := range v.order(sent) {
		role, id := record.str("message", "role"), record.str("message", "id")
		kept, dropped := claudeBlocks(record, ids)
		if dropped {
			lost = append(lost, numbered(record)...)
		}
		if len(kept) == 0 {
			continue
		}
		if role != last.role || role == "assistant" && id != last.id {
			flush()
			last.role, last.id = role, id
		}
		blocks, from = append(blocks, kept...), append(from, record)
	}
	flush()
	for _, record := range v.records {
		role := record.str("message", "role")
		if record.number >= v.from && !sent[record] && (role == "user" || role == "assistant") {
			lost = append(lost, numbered(record)...)
		}
	}
	slices.Sort(lost)
	return messages, slices.Compact(lost)
}

// sent returns the records that the client reaches: those of the chain that ends in the last
// record, the others of the same messages, and the results of their calls.
func (v *claudeLog) sent() map[*line]bool {
	if len(v.records) == 0 {
		return nil
	}
	sent := ancestors(v.records[len(v.records)-1], byUUID(v.records))
	messages := map[string]bool{}
	sources := map[string]bool{}
	for _, record := range v.records {
		if sent[record] && record.str("type") == "assistant" {
			messages[record.str("message", "id")] = true
		}
	}
	for _, record := range v.records {
		if record.str("type") == "assistant" && record.number >= v.from &&
			messages[record.str("message", "id")] {
			sent[record] = true
			sources[record.str(uuid)] = true
		}
		if sources[record.str(claudeSource)] {
			sent[record] = true
		}
	}
	return sent
}

// order returns the records to send, with those that a compaction preserved behind its summary.
func (v *claudeLog) order(sent map[*line]bool) []*line {
	var order []*line
	known := byUUID(v.records)
	preserved := map[string][]*line{}
	for _, record := range v.records {
		if record.number != v.from {
			continue
		}
		kept := record.at("compactMetadata", "preservedMessages")
		for _, id := range elements(kept.Get("uuids")) {
			if l := known[id.Str()]; l != nil && l.number < v.from {
				anchor := kept.Get("anchorUuid").Str()
				preserved[anchor] = append(preserved[anchor], l)
			}
		}
	}
	for _, record := range v.records {
		if sent[record] && record.number >= v.from && record.at("message").Exists() {
			order = append(order, record)
			order = append(order, preserved[record.str(uuid)]...)
		}
	}
	return order
}

// claudeBlocks returns the blocks of a record that the client sends. A content that is a string is
// the one block of its record.
func claudeBlocks(record *line, answered map[string]bool) (kept []jsonscan.Value, dropped bool) {
	content := record.at("message", "content")
	if content.Kind() == jsonscan.String {
		return []jsonscan.Value{content}, false
	}
	for _, block := range elements(content) {
		id := ""
		switch block.Get("type").Str() {
		case "tool_use":
			id = block.Get("id").Str()
		case "tool_result":
			id = block.Get("tool_use_id").Str()
		}
		if id != "" && !answered[id] {
			dropped = true
			continue
		}
		kept = append(kept, block)
	}
	return kept, dropped
}

// claudeMessage joins the blocks of one message.
func claudeMessage(role string, blocks []jsonscan.Value, from []*line) message {
	raw := append(append([]byte(`{"role":`), quote(role)...), `,"content":`...)
	if len(blocks) == 1 && blocks[0].Kind() == jsonscan.String {
		raw = append(append(raw, blocks[0].Raw()...), '}')
		return message{raw, numbered(from...)}
	}
	raw = append(raw, '[')
	for k, b := range blocks {
		if k > 0 {
			raw = append(raw, ',')
		}
		if b.Kind() == jsonscan.String {
			raw = append(append(append(raw, `{"type":"text","text":`...), b.Raw()...), '}')
			continue
		}
		raw = append(raw, b.Raw()...)
	}
	return message{append(raw, "]}"...), slices.Compact(numbered(from...))}
}
