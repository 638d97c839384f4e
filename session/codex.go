package session

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// codex is the Codex CLI, measured with versions 0.169.0 and 0.171.0. The history is the records of
// type response_item, whose payload is an input item of the Responses API.
//
// On resume the client answers calls without an output with "aborted" and drops outputs without a
// call. It does not repair reasoning without an answer, nor an item that is in the file twice. A
// record of type compacted holds the items that replace all before it, and after a second record of
// type session_meta the client has forgotten all before it. A record with a lone surrogate it
// cannot read.
var codex = client{
	name:     "codex",
	title:    "Codex",
	programs: []string{"codex"},
	places: []Place{
		{"CODEX_HOME", ".codex", "sessions"},
		{"CODEX_HOME", ".codex", "archived_sessions"},
	},
	format:  codexFormat,
	starts:  []string{`{"timestamp":`},
	habits:  []habits{{from: "0.169.0", to: "0.171.0", dropsOrphans: true}},
	version: func(l *line) string { return l.str("payload", "cli_version") },
	knows: func(l *line) bool {
		return l.at("payload").Kind() == jsonscan.Object && l.at("timestamp").Exists() &&
			l.at("type").Exists()
	},
	says:    []string{"payload"},
	emptied: emptyAt("payload", "content"),
	id:      "ordinal",
	compacts: func(l *line) bool {
		return l.str("type") == "compacted"
	},
	model:  func(l *line) string { return l.str("payload", "model") },
	sends:  codexSends,
	repair: repairCodex,
	read:   readCodex,
}

// codexItems returns the records that hold items and come after the last compaction and the last
// session_meta. base is the record of that compaction, nil without one.
func codexItems(l *log) (items []*line, base *line) {
	for _, record := range l.objects() {
		if codexUnread(record) {
			continue
		}
		switch payload := record.at("payload"); record.str("type") {
		case "session_meta":
			items, base = nil, nil
		case "compacted":
			items, base = nil, record
		case "response_item":
			if payload.Kind() == jsonscan.Object {
				items = append(items, record)
			}
		}
	}
	return items, base
}

// codexUnread reports whether the client cannot read a record, and forgets it: its JSON reader
// takes no surrogate without its partner.
func codexUnread(record *line) bool {
	return record.root().SubtreeFlags()&jsonscan.HasLoneSurrogate != 0
}

// respellCodex makes such records readable.
func respellCodex(l *log, r *Report) {
	for _, record := range l.objects() {
		if !codexUnread(record) || !oneOf(record.at("type"), "session_meta", "response_item",
			"compacted", "turn_context", "event_msg") {
			continue // or it is of a kind that is not known
		}
		*record = *newLine(record.number, jsonscan.Repair(nil, record.root()))
		r.add(Finding{
			Code: Code(codes.TextRepaired), Lines: numbered(record),
			Problem: "the record holds a lone surrogate, so the client " + r.does("forget") + " it",
			Fix:     mending[codes.TextRepaired].fix,
		})
	}
}

// repairCodex puts items in order, and drops those that are in the file a second time and
// reasoning that no answer follows.
func repairCodex(l *log, r *Report) {
	respellCodex(l, r)
	began := dropCodexMetas(l, r)
	sortCodex(l, r)
	dropCodexDoubles(l, r, began)
	numberCodex(l, r)
	moveCodexOutputs(l, r)
	dropCodexReasoning(l, r)
	items, base := codexItems(l)
	calls := codexCalls(items, base)
	for _, record := range items {
		if codexOutput(record) && !calls[record.str("payload", "call_id")] {
			r.orphan(record)
		}
	}
}

// codexCalls returns the ids of the calls among items and in the record of a compaction.
func codexCalls(items []*line, base *line) map[string]bool {
	calls := map[string]bool{}
	add := func(item jsonscan.Value) {
		if id := item.Get("call_id").Str(); id != "" && !isCodexOutput(item) {
			calls[id] = true
		}
	}
	for _, record := range items {
		add(record.at("payload"))
	}
	if base != nil {
		for _, item := range elements(base.at("payload", "replacement_history")) {
			add(item)
		}
	}
	return calls
}

// dropCodexMetas drops the records that begin the session a second time, and reports whether there
// was one.
func dropCodexMetas(l *log, r *Report) (dropped bool) {
	ids := map[string]bool{}
	for _, record := range l.objects() {
		if record.str("type") != "session_meta" {
			continue
		}
		id := record.str("payload", "id")
		if ids[id] {
			record.dropped, dropped = true, true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "the session's first record is in the file twice, " +
					"so the client " + r.does("forget") + " all before the second",
				Fix: "remove the second one",
			})
		}
		ids[id] = true
	}
	return dropped
}

// dropCodexReasoning drops reasoning that no answer follows, if the provider refuses that.
func dropCodexReasoning(l *log, r *Report) {
	var open, alone []*line // reasoning that nothing has followed yet, and that nothing will
	drop := func() { alone, open = append(alone, open...), nil }
	items, _ := codexItems(l)
	for _, record := range items {
		switch role := record.str("payload", "role"); {
		case record.str("payload", "type") == "reasoning":
			open = append(open, record)
		case codexOutput(record), record.str("payload", "type") == "message" && role != "assistant":
			drop()
		default:
			open = nil
		}
	}
	drop()
	if len(alone) == 0 {
		return
	}
	messages, _ := readCodex(l)
	asked := (&client{format: codexFormat}).session(messages)
	asked.settings = codexSends(l)
	rules, err := asked.refused("")
	if err != nil || !slices.Contains(rules, codexReasoningRule) {
		return
	}
	for _, record := range alone {
		record.dropped = true
		r.add(Finding{
			Code: CodeReasoningLast, Lines: numbered(record),
			Problem: "the reasoning has no answer after it",
			Fix:     "remove the reasoning",
		})
	}
}

const codexFormat = "openai-responses"

// codexSends returns what the client sends beside the messages: it has OpenAI store nothing, and
// Azure everything. Which one another provider in its settings is, the session does not say.
func codexSends(l *log) []byte {
	for _, record := range l.objects() {
		if provider := record.str("payload", "model_provider"); provider == "openai" {
			return []byte(`,"store":false`)
		} else if provider != "" {
			break // after a fork, its own record comes before that of the session that it is from
		}
	}
	return nil
}

// codexReasoningRule is the rule for which a provider refuses reasoning without an answer.
const codexReasoningRule = "openai-responses/reasoning-needs-following"

// sortCodex puts the records in the order of their numbers, which the client gives them in the
// order of writing, where every record has one and no two different records have the same.
func sortCodex(l *log, r *Report) {
	records := l.objects()
	numbers := make(map[*line]int, len(records))
	of := make(map[int]*line, len(records))
	sorted, last := true, 0
	for _, record := range records {
		n, err := strconv.Atoi(string(record.at("ordinal").Raw()))
		if err != nil || of[n] != nil && !bytes.Equal(of[n].raw, record.raw) {
			return
		}
		numbers[record] = n
		if of[n] == nil {
			of[n], sorted, last = record, sorted && last <= n, n
		}
	}
	if sorted {
		return
	}
	order := slices.Clone(records)
	slices.SortStableFunc(order, func(a, b *line) int { return numbers[a] - numbers[b] })
	r.add(Finding{
		Code: CodeOutOfOrder, Lines: numbered(l.reorder(records, order)...),
		Problem: "records are not in the order of their numbers",
		Fix:     "put the records in the order of their numbers",
	})
}

// numberCodex gives records new numbers that have the one of a record before them, as two processes
// write that resume one session, and the last ones a number that have none. The client finds parts
// of the session by their numbers, and shows or resumes an old one otherwise. The order of the file
// is the one in which the records were written.
func numberCodex(l *log, r *Report) {
	records := l.objects()
	end := len(records)
	for end > 0 && !records[end-1].at("ordinal").Exists() {
		end--
	}
	if end == 0 || !records[0].at("ordinal").Exists() {
		return // the client's version gives none
	}
	last := -1
	number := func(record *line, problem string) {
		last++
		record.set(strconv.AppendInt(nil, int64(last), 10), "ordinal")
		r.add(Finding{
			Code: CodeDoubledNumber, Lines: numbered(record),
			Problem: problem, Fix: "number the record anew",
		})
	}
	for k, record := range records {
		switch n, err := strconv.Atoi(string(record.at("ordinal").Raw())); {
		case k >= end:
			number(record, "the record has no number")
		case err != nil:
		case n <= last:
			number(record, "a record before it has the same number or a higher one")
		default:
			last = n
		}
	}
}

// dropCodexDoubles drops items that are in the file a second time. began reports that there was a
// record between them which made the client forget the first copies.
func dropCodexDoubles(l *log, r *Report, began bool) {
	twice := func(what string) string {
		if began {
			return what + " is in the file twice"
		}
		return r.twice(what, l)
	}
	ids, outputs := map[string]*line{}, map[string][]byte{}
	items, _ := codexItems(l)
	copies := codexCopies(l)
	for _, record := range l.objects() {
		if copies[record] && record.str("type") != "response_item" {
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "the record is in the file twice", Fix: "remove the second one",
			})
		}
	}
	for _, record := range items {
		id := record.str("payload", "id")
		first := ids[id]
		if first != nil && !sameCodexItem(first, record) {
			item := jsonscan.EditObject(record.at("payload"))
			item.DeleteMember("id")
			record.set(item.Bytes(), "payload")
			r.add(Finding{
				Code: Code(codes.ItemIDRemoved), Lines: numbered(record),
				Problem: "the item has the id of another one", Fix: "remove the id",
			})
		} else if first != nil || copies[record] {
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: twice("the item"), Fix: "remove the second one",
			})
			continue
		}
		if id != "" && first == nil {
			ids[id] = record
		}
		if call := record.str("payload", "call_id"); call != "" && codexOutput(record) {
			output := record.at("payload", "output").Raw()
			if before, again := outputs[call]; again && bytes.Equal(before, output) {
				record.dropped = true
				r.add(Finding{
					Code: CodeDoubledResult, Lines: numbered(record),
					Problem: twice("the output"), Fix: "remove the second one",
				})
				continue
			}
			outputs[call] = output
		}
	}
}

// sameCodexItem reports whether items with one id are the same one: they say the same, or they are
// the same call, result or reasoning.
func sameCodexItem(a, b *line) bool {
	kind, call, said := b.str("payload", "type"), b.str("payload", "call_id"), []string{"payload", "content"}
	switch {
	case kind != a.str("payload", "type"):
		return false
	case kind == "reasoning":
		return true
	case call != "":
		return call == a.str("payload", "call_id")
	case !b.at(said...).Exists():
		said = said[:1]
	}
	return bytes.Equal(a.at(said...).Raw(), b.at(said...).Raw())
}

// codexCopies returns the records that are copies of one before them: with its number, which no
// other record has.
func codexCopies(l *log) map[*line]bool {
	seen, copies := map[digest]bool{}, map[*line]bool{}
	for _, record := range l.objects() {
		if record.at("ordinal").Exists() {
			sum := sha256.Sum256(record.raw)
			copies[record] = seen[sum]
			seen[sum] = true
		}
	}
	return copies
}

// moveCodexOutputs moves outputs that come before their call to the place after it.
func moveCodexOutputs(l *log, r *Report) {
	items, _ := codexItems(l)
	early := map[string]*line{} // outputs whose call has not come yet
	called := map[string]bool{}
	after := map[*line][]*line{}
	for _, record := range items {
		id := record.str("payload", "call_id")
		switch {
		case id == "":
		case codexOutput(record):
			if !called[id] && early[id] == nil {
				early[id] = record
			}
		case early[id] != nil:
			after[record] = append(after[record], early[id])
			r.add(Finding{
				Code: CodeOutOfOrder, Lines: numbered(early[id]),
				Problem: "the output comes before its call",
				Fix:     "move the output after its call",
			})
			early[id] = nil
			called[id] = true
		default:
			called[id] = true
		}
	}
	l.moveAfter(after)
}

// codexOutput reports whether a record holds the output of a call.
func codexOutput(record *line) bool { return isCodexOutput(record.at("payload")) }

func isCodexOutput(item jsonscan.Value) bool {
	return strings.HasSuffix(item.Get("type").Str(), "_output")
}

// codexPrivate are the members of an item that the client does not send.
var codexPrivate = []string{"internal_chat_message_metadata_passthrough", "metadata"}

// readCodex returns the items, with the outputs that the client makes up.
func readCodex(l *log) (messages []message, lost []int) {
	items, base := codexItems(l)
	for _, record := range l.objects() {
		if record.str("type") == "response_item" && codexUnread(record) {
			lost = append(lost, numbered(record)...)
		}
	}
	if base != nil {
		for _, item := range elements(base.at("payload", "replacement_history")) {
			messages = l.add(messages, message{json: item.Raw(), lines: numbered(base)})
		}
	}
	calls, outputs := codexCalls(items, base), map[string]bool{}
	for _, record := range items {
		if codexOutput(record) {
			outputs[record.str("payload", "call_id")] = true
		}
	}
	for _, record := range items {
		id := record.str("payload", "call_id")
		if codexOutput(record) && !calls[id] {
			lost = append(lost, numbered(record)...)
			continue
		}
		item := jsonscan.EditObject(record.at("payload"))
		for _, name := range codexPrivate {
			item.DeleteMember(name)
		}
		content := record.at("payload", "content")
		messages = l.add(messages, message{
			item.Bytes(), numbered(record), []*line{record},
			blocksOf(record, len(elements(content)), "payload", "content"),
		})
		if kind := record.str("payload", "type"); kind == "function_call" && id != "" &&
			!outputs[id] {
			outputs[id] = true
			messages = l.add(messages, message{
				json: object("type", "function_call_output", "call_id", id, "output", "aborted"),
			})
		}
	}
	return messages, lost
}
