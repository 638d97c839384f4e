package session

import "bytes"

// This file repairs sessions of Qwen Code.

func repairQwen(l *log, r *Report) {
	dropQwenDoubles(l, r)
	undoQwen(l, r)
	sortQwen(l, r)
	records := chainedOf(l.objects())
	old := map[*line]bool{}
	for k := len(records) - 1; k >= 0; k-- {
		if records[k].at("systemPayload", "compressedHistory").Exists() {
			for _, record := range records[:k] {
				old[record] = true
			}
			break
		}
	}
	t := &tree{id: uuid, parent: parent, old: old, results: qwenResults, calls: qwenCallIDs}
	t.records, t.looped = parentsFirst(records)
	t.relink(l, r)
	calls, orphans := qwenCalls(qwenContents(qwenChain(records)))
	removeQwenOrphans(l, r, records, orphans)
	moveQwenResults(l, r)
	added := map[*line][]*line{}
	for _, c := range calls {
		if c.results > 0 || c.base {
			continue
		}
		found := Finding{
			Code: CodeDanglingCall, Lines: numbered(c.record),
			Problem: "the tool call has no result, so the client " + r.does("drop") + " the call",
			Fix:     "add an error result, and link the next record to it",
		}
		if !r.waits(c.record.stamp(), found) {
			added[c.record] = append(added[c.record], c.answer(r.text))
			r.add(found)
		}
	}
	spliceQwen(chainedOf(l.objects()), added)
	l.insertAfter(added)
}

// undoQwen drops the results that an earlier repair added for calls whose own result arrived later.
func undoQwen(l *log, r *Report) {
	ours := map[string]string{}
	for _, record := range chainedOf(l.objects()) {
		for _, part := range elements(record.at("message", "parts")) {
			if call := part.Get("functionCall"); call.Exists() {
				id := call.Get("id").Str()
				ours[derivedID(record.str(uuid), id)] = id
			}
		}
	}
	undoAnswers(l, r, ours, qwenResults)
}

// qwenResults returns the ids of the calls that a record has results of.
func qwenResults(record *line) []string { return qwenIDs(record, "functionResponse") }

// qwenCallIDs returns the ids of the calls that a record makes.
func qwenCallIDs(record *line) []string { return qwenIDs(record, "functionCall") }

func qwenIDs(record *line, member string) []string {
	var ids []string
	for _, part := range elements(record.at("message", "parts")) {
		if v := part.Get(member); v.Exists() {
			ids = append(ids, v.Get("id").Str())
		}
	}
	return ids
}

// sortQwen puts records that come before their parent after it.
func sortQwen(l *log, r *Report) {
	records := chainedOf(l.objects())
	order, _ := parentsFirst(records)
	sortChain(l, r, records, order)
}

// moveQwenResults links results that come after other messages to their calls.
func moveQwenResults(l *log, r *Report) {
	chain := qwenChain(chainedOf(l.objects()))
	callOf := map[string]*line{} // by the id of the call
	after := map[*line][]*line{} // displaced results, by the record of the call
	displaced := map[*line]bool{}
	var numbers []int
	var message *line // the last one with content that is no result
	for _, record := range chain {
		parts := elements(record.at("message", "parts"))
		result := len(parts) > 0
		for _, part := range parts {
			if call := part.Get("functionCall"); call.Exists() {
				callOf[call.Get("id").Str()] = record
			}
			result = result && part.Get("functionResponse").Exists()
		}
		if !result {
			if len(parts) > 0 {
				message = record
			}
			continue
		}
		to := callOf[parts[0].Get("functionResponse").Get("id").Str()]
		if to != nil && to != message {
			after[to] = append(after[to], record)
			displaced[record] = true
			numbers = append(numbers, numbered(record)...)
		}
	}
	if len(displaced) == 0 {
		return
	}
	var before *line
	link := func(record *line) {
		if before != nil && record.str(parent) != before.str(uuid) {
			record.setParent(before)
		}
		before = record
	}
	for _, record := range chain {
		if displaced[record] {
			continue
		}
		link(record)
		for _, result := range after[record] {
			link(result)
		}
	}
	records := chainedOf(l.objects())
	order, _ := parentsFirst(records)
	l.reorder(records, order)
	r.add(Finding{
		Code: CodeOutOfOrder, Lines: numbers,
		Problem: "the result comes after other messages than its call",
		Fix:     "move the result after its call",
	})
}

// dropQwenDoubles drops records that are in the file a second time.
func dropQwenDoubles(l *log, r *Report) {
	seen := map[string]*line{}
	records := l.objects()
	for k, record := range records {
		id := record.str(uuid)
		if id == "" {
			continue
		}
		if seen[id] != nil {
			if k == len(records)-1 && bytes.Equal(seen[id].raw, record.raw) {
				record = seen[id] // the client continues from the last record
			}
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: r.twice("the record", l), Fix: "remove the second one",
			})
		}
		seen[id] = record
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

// answer returns the record of an error result for the call.
func (c *qwenCall) answer(text string) *line {
	part := object("functionResponse",
		object("id", c.id, "name", c.name, "response", object("error", text)))
	return newLine(0, object(
		uuid, derivedID(c.record.str(uuid), c.id), parent, []byte("null"),
		"sessionId", c.record.at("sessionId"), "timestamp", c.record.at("timestamp"),
		"type", "tool_result", "cwd", c.record.at("cwd"), "version", c.record.at("version"),
		"message", object("role", "user", "parts", array(part)),
		"toolCallResult", object("callId", c.id, "status", "error", "resultDisplay", "interrupted"),
	))
}

// removeQwenOrphans takes results out that have no call, unless the client leaves them out itself.
func removeQwenOrphans(l *log, r *Report, records []*line, orphans qwenOrphans) {
	for _, record := range records {
		if orphans[record] == nil {
			continue
		}
		found := Finding{
			Code: CodeOrphanResult, Lines: numbered(record),
			Problem: "the result's tool call is not in the file",
		}
		switch {
		case l.habits.dropsOrphans:
			found.Problem += ", so the client " + r.does("leave") + " the result out"
		case orphans.whole(record):
			record.dropped = true
			found.Fix = "remove the result, and link the next record to the one before"
		default:
			parts := withoutElements(record.at("message", "parts"), orphans[record], nil)
			record.set(parts, "message", "parts")
			found.Fix = "remove the result"
		}
		r.add(found)
	}
	linkAround(records, byUUID(records), uuid, parent)
}
