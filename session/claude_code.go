package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
)

// claudeCode is Claude Code, measured with versions 2.1.197, 2.1.330 and 2.1.332. A session is a
// tree of records: each holds one content block of an Anthropic message, blocks of one message
// share message.id, and a tool result hangs on the record of its call, so that parallel results are
// side branches.
//
// On resume the client drops calls without a result and results without a call. Where a record is
// lost, it drops some of the records before or after it: which, depends on the version.
var claudeCode = client{
	name:     "claude-code",
	title:    "Claude Code",
	programs: []string{"claude"},
	places:   []Place{{"CLAUDE_CONFIG_DIR", ".claude", "projects"}},
	format:   "anthropic",
	habits: []habits{
		{from: "2.1.197", to: "2.1.197", dropsOrphans: true, dropsDoubles: true, unsureOfHoles: true},
		{from: "2.1.330", to: "2.1.332", dropsOrphans: true, dropsDoubles: true, unsureOfHoles: true},
	},
	heals: "2.1.332",
	betas: []string{
		"claude-code-20250219", "interleaved-thinking-2025-05-14", "context-management-2025-06-27",
		"advanced-tool-use-2025-11-20",
	},
	version: func(l *line) string { return l.str("version") },
	starts:  []string{`{"parentUuid":`, `{"type":"`},
	knows:   func(l *line) bool { return l.at("sessionId").Exists() && isClaude(l) },
	says:    []string{"message"},
	emptied: emptyAt("message", "content"),
	links:   linksByUUID,
	id:      uuid,
	compacts: func(l *line) bool {
		return l.str("subtype") == "compact_boundary" ||
			l.at("isCompactSummary").Kind() == jsonscan.True
	},
	hooked: func(l *line) bool {
		return l.at("hookEvent").Exists() || l.at("attachment", "hookEvent").Exists() ||
			l.str("data", "type") == "hook_progress" || l.str("subtype") == "stop_hook_summary"
	},
	model: func(l *line) string {
		if model := l.str("message", "model"); model != "<synthetic>" {
			return model
		}
		return ""
	},
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

// claudeLog is a log of Claude Code, with what is found in it.
type claudeLog struct {
	old     map[*line]bool // chained records before the last compaction
	records []*line        // the chained records after it, parents first, each uuid once
	calls   map[string]*line
	results map[string][]*line
	open    map[string]bool  // calls that may be answered in a way that is not known
	known   map[string]*line // all records by uuid

	// Of ids that several calls have: how many, and the results by the uuid of the record that they
	// follow and their id.
	made  map[string]int
	after map[[2]string][]*line
}

func claudeLogOf(l *log) *claudeLog {
	all, _ := parentsFirst(lastCopies(chainedOf(l.objects()), uuid))
	v := &claudeLog{
		old:   map[*line]bool{},
		calls: map[string]*line{}, results: map[string][]*line{}, open: map[string]bool{},
		known: byUUID(all),
		made:  map[string]int{}, after: map[[2]string][]*line{},
	}
	from := 0
	for k, record := range all {
		if record.str("subtype") == "compact_boundary" {
			from = k
		}
	}
	for k, record := range all {
		if k < from {
			v.old[record] = true
			continue
		}
		if v.known[record.str(uuid)] != record {
			continue // it is in the file twice, which the client does not mind
		}
		v.records = append(v.records, record)
		for _, block := range elements(record.at("message", "content")) {
			switch block.Get("type").Str() {
			case "tool_use":
				id := block.Get("id").Str()
				if id != "" && v.calls[id] == nil {
					v.calls[id] = record
				}
				v.made[id]++
				if members.LeftFor("anthropic", members.Call, block) != "" {
					v.open[id] = true
				}
			case "tool_result":
				id := block.Get("tool_use_id").Str()
				v.results[id] = append(v.results[id], record)
				of := [2]string{record.str(parent), id}
				v.after[of] = append(v.after[of], record)
			default:
				v.open[block.Get("tool_use_id").Str()] = true // a result of a new type
			}
		}
	}
	return v
}

// messageID returns the id that the records of one assistant message share, "" for others.
func messageID(record *line) string {
	if record.str("type") != "assistant" {
		return ""
	}
	return record.str("message", "id")
}

// repairClaude answers open calls and links records whose parent is lost.
func repairClaude(l *log, r *Report) {
	v := claudeLogOf(l)
	ours := map[string]string{}
	for id, call := range v.calls {
		ours[derivedID(call.str(uuid), id)] = id
	}
	if undoAnswers(l, r, ours, claudeResults) {
		v = claudeLogOf(l)
	}
	if dropRepeatedCalls(l, r, v) {
		v = claudeLogOf(l)
	}
	lastOf := map[string]*line{} // the last record of each message, in the order of the file
	for _, record := range l.objects() {
		if id := messageID(record); id != "" {
			lastOf[id] = record
		}
	}
	added := map[*line][]*line{}
	for _, record := range v.records {
		for _, block := range elements(record.at("message", "content")) {
			id := block.Get("id").Str()
			if block.Get("type").Str() != "tool_use" || v.calls[id] != record ||
				len(v.results[id]) > 0 || v.open[id] {
				continue
			}
			found := Finding{
				Code: CodeDanglingCall, Lines: numbered(record),
				Problem: "the tool call has no result, so the client " + r.does("drop") + " the call",
				Fix:     "add an error result",
			}
			if r.waits(record.stamp(), found) {
				continue
			}
			r.add(found)
			last := record
			if of := lastOf[messageID(record)]; of != nil && !v.old[of] {
				last = of
			}
			added[last] = append(added[last], claudeAnswer(record, id, r.text))
		}
	}
	l.insertAfter(added)
	for _, record := range v.records {
		if ids := claudeResults(record); len(ids) > 0 && v.calls[ids[0]] == nil {
			r.orphan(record)
		}
	}
	t := &tree{id: uuid, parent: parent, old: v.old, results: claudeResults, calls: claudeCalls}
	t.records, t.looped = parentsFirst(chainedOf(l.objects()))
	t.relink(l, r)
}

// dropRepeatedCalls drops records of a call that the conversation has in another record of the same
// message, and reports whether there was any. The client sends both, and the provider refuses two
// calls of one id (anthropics/claude-code#20901).
func dropRepeatedCalls(l *log, r *Report, v *claudeLog) bool {
	seen, again := map[string]bool{}, false
	for _, record := range v.records {
		says := onlyCall(record)
		again = again || says != "" && seen[says]
		seen[says] = true
	}
	if !again {
		return false
	}
	sent, kept := map[*line]bool{}, map[string]*line{}
	for _, record := range chainTo(v.leaf(), v.known, parent) {
		if says := onlyCall(record); kept[says] == nil && !v.old[record] {
			kept[says] = record
		}
		sent[record] = true
	}
	delete(kept, "")
	records := chainedOf(l.objects())
	instead := map[string]*line{} // by the uuid of one that is dropped
	beside := map[string]*line{}  // the same where it is of another branch
	for _, record := range v.records {
		other := kept[onlyCall(record)]
		if other == nil || other == record {
			continue
		}
		record.dropped, instead[record.str(uuid)] = true, other
		if !sent[record] {
			beside[record.str(uuid)] = other
		}
		r.add(Finding{
			Code: CodeDoubledLine, Lines: numbered(record),
			Problem: "the tool call is in the file twice, under two ids of records",
			Fix:     "remove the record, and link around it",
		})
	}
	for _, record := range records {
		if call := instead[record.str(claudeSource)]; call != nil && !record.dropped {
			record.set(quote(call.str(uuid)), claudeSource)
		}
		if call := beside[record.str(parent)]; call != nil && !record.dropped {
			record.setParent(call)
		}
	}
	linkAround(records, byUUID(records), uuid, parent)
	return len(instead) > 0
}

// onlyCall returns what a record of an assistant message says if that is one call, "" for others.
func onlyCall(record *line) string {
	content := record.at("message", "content")
	if messageID(record) == "" || len(claudeCalls(record)) != 1 || content.Len() != 1 {
		return ""
	}
	return messageID(record) + " " + string(content.Raw())
}

// claudeCalls returns the ids of the calls that a record makes.
func claudeCalls(record *line) []string {
	var ids []string
	for _, block := range elements(record.at("message", "content")) {
		if id := block.Get("id").Str(); block.Get("type").Str() == "tool_use" && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// claudeResults returns the ids of the calls that a record has results of.
func claudeResults(record *line) []string {
	var ids []string
	for _, block := range elements(record.at("message", "content")) {
		if block.Get("type").Str() == "tool_result" {
			ids = append(ids, block.Get("tool_use_id").Str())
		}
	}
	return ids
}

// claudeAnswer returns the record of an error result for a call.
func claudeAnswer(call *line, id, text string) *line {
	source := call.str(uuid)
	members := []any{parent, source}
	for _, name := range []string{
		"isSidechain", "agentId", "userType", "entrypoint", "cwd", "sessionId", "version",
		"gitBranch",
	} {
		members = append(members, name, call.at(name))
	}
	block := object("tool_use_id", id, "type", "tool_result", "content", text, "is_error", true)
	return newLine(0, object(append(members,
		"type", "user", "message", object("role", "user", "content", array(block)),
		uuid, derivedID(source, id), "timestamp", call.at("timestamp"),
		"toolUseResult", "Error: "+text, claudeSource, source)...))
}

// readClaude follows the chain to its last record, and gathers what hangs beside it.
func readClaude(l *log) (messages []message, lost []int) {
	v := claudeLogOf(l)
	order := v.order()
	calls, answered := map[string]bool{}, map[string]bool{} // by the id of the call
	for _, record := range order {
		for _, block := range elements(record.at("message", "content")) {
			switch id := block.Get("tool_use_id").Str(); block.Get("type").Str() {
			case "tool_use":
				calls[block.Get("id").Str()] = true
			case "tool_result":
				answered[id] = calls[id]
			}
		}
	}
	var last struct{ role, id string }
	var blocks []jsonscan.Value
	var from []origin
	flush := func() {
		if len(from) > 0 {
			blocks, from = resultsFirst(blocks, from)
			messages = l.add(messages, claudeMessage(last.role, blocks, from, l.heals))
		}
		blocks, from = nil, nil
	}
	for _, record := range order {
		role, id := record.str("message", "role"), record.str("message", "id")
		kept, values, dropped := claudeBlocks(record, answered)
		if l.heals && role == "assistant" && blankText(values) {
			continue
		}
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
		blocks, from = append(blocks, values...), append(from, kept...)
	}
	flush()
	return messages, lost
}

// resultsFirst returns the blocks of a message in the order that the client sends them in: results
// come before what is between them.
func resultsFirst(blocks []jsonscan.Value, from []origin) ([]jsonscan.Value, []origin) {
	isResult := func(block jsonscan.Value) bool { return block.Get("type").StrIs("tool_result") }
	var first, rest []jsonscan.Value
	var ofFirst, ofRest []origin
	for k, block := range blocks {
		if isResult(block) {
			first, ofFirst = append(first, block), append(ofFirst, from[k])
		} else {
			rest, ofRest = append(rest, block), append(ofRest, from[k])
		}
	}
	if len(first) == 0 || len(rest) == 0 {
		return blocks, from
	}
	return append(first, rest...), append(ofFirst, ofRest...)
}

// blankText reports whether a record says a blank text and nothing else.
func blankText(blocks []jsonscan.Value) bool {
	return len(blocks) == 1 && blocks[0].Get("type").StrIs("text") &&
		strings.TrimSpace(blocks[0].Get("text").Str()) == ""
}

// leaf returns the record that the client continues from: the last one that no other follows. Of
// parallel results all but one are such, but the client goes on from what follows their calls.
func (v *claudeLog) leaf() *line {
	followed := map[string]bool{}
	for _, record := range v.records {
		followed[record.str(parent)] = true
	}
	var leaf, side, spoken *line
	for _, record := range v.records {
		switch {
		case followed[record.str(uuid)]:
		case record.at("isSidechain").Kind() == jsonscan.True:
			side = record
		default:
			leaf = record
			if len(claudeResults(record)) == 0 {
				spoken = record
			}
		}
	}
	switch {
	case leaf == nil:
		return side // the file of a subagent
	case leaf == spoken || spoken == nil:
		return leaf
	}
	call := v.calls[claudeResults(leaf)[0]]
	if call != nil && slices.Contains(chainTo(spoken, v.known, parent), call) {
		return spoken
	}
	return leaf
}

// order returns the records to send: those of the chain, with the other records of the same
// messages, the results of their calls, and those that a compaction preserved.
func (v *claudeLog) order() []*line {
	chain := chainTo(v.leaf(), v.known, parent)
	ofMessage := map[string][]*line{}
	for _, record := range v.records {
		if id := messageID(record); id != "" {
			ofMessage[id] = append(ofMessage[id], record)
		}
	}
	preserved := v.preserved()
	inChain := make(map[*line]bool, len(chain))
	for _, record := range chain {
		inChain[record] = true
	}
	var order []*line
	put := map[*line]bool{}
	add := func(record *line) {
		if !put[record] && record.at("message").Exists() {
			put[record] = true
			order = append(order, record)
		}
	}
	for _, record := range chain {
		if v.old[record] {
			continue
		}
		add(record)
		of := ofMessage[messageID(record)]
		delete(ofMessage, messageID(record))
		for _, other := range of {
			add(other)
		}
		for _, other := range of {
			for _, block := range elements(other.at("message", "content")) {
				results := v.resultsOf(other, block.Get("id").Str())
				if block.Get("type").Str() == "tool_use" && len(results) > 0 &&
					!slices.ContainsFunc(results, func(l *line) bool { return inChain[l] }) {
					add(results[0]) // one in the chain comes in its place
				}
			}
		}
		for _, old := range preserved[record.str(uuid)] {
			add(old)
		}
	}
	return order
}

// resultsOf returns the results of a call that a record makes.
func (v *claudeLog) resultsOf(record *line, id string) []*line {
	switch {
	case v.made[id] > 1:
		return v.after[[2]string{record.str(uuid), id}]
	case v.calls[id] == record:
		return v.results[id]
	}
	return nil
}

// preserved returns the records from before the compaction that are sent after it, by the uuid of
// the record that they follow.
func (v *claudeLog) preserved() map[string][]*line {
	preserved := map[string][]*line{}
	if len(v.records) > 0 {
		kept := v.records[0].at("compactMetadata", "preservedMessages")
		anchor := kept.Get("anchorUuid").Str()
		for _, id := range elements(kept.Get("uuids")) {
			if record := v.known[id.Str()]; v.old[record] {
				preserved[anchor] = append(preserved[anchor], record)
			}
		}
	}
	return preserved
}

// claudeBlocks returns the blocks of a record that the client sends, and where they are. A content
// that is a string is the one block of its record. answered has the ids of the calls that have a
// result.
func claudeBlocks(record *line, answered map[string]bool) (
	kept []origin, values []jsonscan.Value, dropped bool,
) {
	content := record.at("message", "content")
	if content.Kind() == jsonscan.String {
		return []origin{{record: record, path: claudeContent, index: asText}},
			[]jsonscan.Value{content}, false
	}
	for k, block := range elements(content) {
		id, paired := block.Get("id").Str(), true
		switch block.Get("type").Str() {
		case "tool_use":
		case "tool_result":
			id = block.Get("tool_use_id").Str()
		default:
			paired = false
		}
		if paired && !answered[id] {
			dropped = true
			continue
		}
		kept = append(kept, origin{record: record, path: claudeContent, index: k})
		values = append(values, block)
	}
	return kept, values, dropped
}

var claudeContent = []any{"message", "content"}

// claudeMessage joins the blocks of one message. heals is that of the log.
func claudeMessage(role string, blocks []jsonscan.Value, from []origin, heals bool) message {
	sent := jsonscan.Value.Raw
	if heals {
		sent = wellFormed
	}
	if len(blocks) == 1 && blocks[0].Kind() == jsonscan.String {
		return messageOfRecords(object("role", role, "content", sent(blocks[0])), from)
	}
	var content [][]byte
	for _, b := range blocks {
		if b.Kind() == jsonscan.String {
			content = append(content, object("type", "text", "text", sent(b)))
		} else {
			content = append(content, sent(b))
		}
	}
	return blockMessage(role, content, from)
}
