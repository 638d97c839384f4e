package session

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// codex is the Codex CLI, measured with version 0.169.0. The history is the records of type
// response_item, whose payload is an input item of the Responses API.
//
// On resume the client answers calls without an output with "aborted" and drops outputs without a
// call. It does not mend reasoning without an answer, nor an item that is in the file twice.
var codex = client{
	name:   "codex",
	format: "openai-responses",
	list:   "input",
	prompt: `{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}`,
	starts: []string{`{"timestamp":`},
	knows: func(l *line) bool {
		return l.at("payload").Kind() == jsonscan.Object && l.at("timestamp").Exists() &&
			l.at("type").Exists()
	},
	repair: repairCodex,
	read:   readCodex,
}

// codexItems returns the records that hold items.
func codexItems(l *log) []*line {
	var items []*line
	for _, record := range l.objects() {
		if record.str("type") == "response_item" && record.at("payload").Kind() == jsonscan.Object {
			items = append(items, record)
		}
	}
	return items
}

// repairCodex drops items that are in the file a second time, and reasoning that no answer follows.
func repairCodex(l *log, r *Report) {
	ids, outputs := map[string]bool{}, map[string][]byte{}
	for _, record := range codexItems(l) {
		id := record.str("payload", "id")
		if ids[id] {
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "the item is in the file twice, and would be sent twice",
				Done:    "removed the second one",
			})
			continue
		}
		if id != "" {
			ids[id] = true
		}
		if call := record.str("payload", "call_id"); call != "" && codexOutput(record) {
			output := record.at("payload", "output").Raw()
			if before, again := outputs[call]; again && bytes.Equal(before, output) {
				record.dropped = true
				r.add(Finding{
					Code: CodeDoubledResult, Lines: numbered(record),
					Problem: "the output is in the file twice, and would be sent twice",
					Done:    "removed the second one",
				})
				continue
			}
			outputs[call] = output
		}
	}
	var open []*line // reasoning that nothing has followed yet
	drop := func() {
		for _, record := range open {
			record.dropped = true
			r.add(Finding{
				Code: CodeReasoningLast, Lines: numbered(record),
				Problem: "the reasoning has no answer after it, so the provider refuses every request",
				Done:    "removed the reasoning",
			})
		}
		open = nil
	}
	for _, record := range codexItems(l) {
		switch role := record.str("payload", "role"); {
		case record.str("payload", "type") == "reasoning":
			open = append(open, record)
		case record.str("payload", "type") == "message" && role != "assistant":
			drop()
		default:
			open = nil
		}
	}
	drop()
}

// codexOutput reports whether a record holds the output of a call.
func codexOutput(record *line) bool {
	kind := record.str("payload", "type")
	return len(kind) > len("_output") && kind[len(kind)-len("_output"):] == "_output"
}

// codexPrivate are the members of an item that the client does not send.
var codexPrivate = []string{"internal_chat_message_metadata_passthrough", "metadata"}

// readCodex returns the items, with the outputs that the client makes up.
func readCodex(l *log) (messages []message, lost []int) {
	items := codexItems(l)
	calls, outputs := map[string]bool{}, map[string]bool{}
	for _, record := range items {
		id := record.str("payload", "call_id")
		if codexOutput(record) {
			outputs[id] = true
		} else if id != "" {
			calls[id] = true
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
		messages = append(messages, message{item.Bytes(), numbered(record)})
		if kind := record.str("payload", "type"); kind == "function_call" && id != "" &&
			!outputs[id] {
			outputs[id] = true
			raw := append([]byte(`{"type":"function_call_output","call_id":`), quote(id)...)
			messages = append(messages, message{append(raw, `,"output":"aborted"}`...), nil})
		}
	}
	return messages, lost
}
