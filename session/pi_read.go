package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads what pi sends of a session, as version 1.6.0 does it: it leaves out blank texts,
// lone surrogates and the reasoning of another model, and writes ids that Anthropic takes.

const (
	// piCustom is the type of records that extensions write, and that are sent as the user's
	// messages.
	piCustom = "custom_message"
	// piEdit is the type of records that change what is sent of another one.
	piEdit        = "context_edit"
	piReplacement = "replacement"
	// piInterrupted is the text of the results that the client makes up.
	piInterrupted = "No result provided"
)

// piSkips reports whether the client leaves a message out: an answer that broke off.
func piSkips(m jsonscan.Value) bool { return oneOf(m.Get("stopReason"), "error", "aborted") }

// piEdits returns the records that change what is sent of others, by the id of the other; the last
// one counts.
func piEdits(sent []*line) map[string]*line {
	edits := map[string]*line{}
	for _, record := range sent {
		if record.str("type") == piEdit {
			edits[record.str("targetId")] = record
		}
	}
	return edits
}

// piReader writes the messages of a session as Anthropic messages.
type piReader struct {
	log      *log
	messages []message
	lost     []int
	model    [2]string // the provider and the model that the next request goes to

	open     []string          // the calls of the last answer
	answered map[string]bool   // those with a result
	ids      map[string]string // as they are sent

	role     string
	blocks   [][]byte
	from     []origin
	pictures []func() // of failed results, which are sent after all results
}

// readPi follows the chain and writes its messages as Anthropic messages.
func readPi(l *log) (messages []message, lost []int) {
	t := piTreeOf(l)
	r := &piReader{log: l, answered: map[string]bool{}, ids: map[string]string{}}
	for _, record := range t.chain() {
		switch m := record.at("message"); {
		case record.str("type") == "model_change":
			r.model = [2]string{record.str("provider"), record.str("modelId")}
		case m.Get("role").StrIs("assistant"):
			r.model = piModel(m)
		}
	}
	sent := t.sent()
	edits := piEdits(sent)
	for k, record := range sent {
		edit, edited := edits[record.str("id")]
		if edited && edit.at(piReplacement).Kind() != jsonscan.Object {
			continue
		}
		content := piSource{record: record}
		if edited {
			content = piSource{edit, []any{piReplacement, "content"}}
		}
		switch record.str("type") {
		case "message":
			r.say(record, content, "message")
		case piCustom:
			r.answer()
			r.putContent("user", content.or(record, "content"), true)
		case "compaction", "branch_summary":
			if k > 0 && record.str("type") == "compaction" {
				continue // only that of the last one is sent
			}
			if summary := record.at("summary"); summary.Kind() == jsonscan.String {
				r.put("user", origin{record: record}, piSummary(summary))
			}
			for k := range elements(record.at(piTail)) {
				r.say(record, piSource{record: record}, piTail, k)
			}
		}
	}
	r.answer()
	r.flush()
	return r.messages, r.lost
}

// piModel returns the provider and the model that an answer is from.
func piModel(m jsonscan.Value) [2]string {
	return [2]string{m.Get("provider").Str(), m.Get("model").Str()}
}

// piSummary returns the message that a summary is sent in.
func piSummary(summary jsonscan.Value) []byte {
	return object("type", "text", "text", "The conversation history before this point was compacted "+
		"into the following summary:\n\n<summary>\n"+piText(summary)+"\n</summary>")
}

// piText returns a text as the client sends it.
func piText(v jsonscan.Value) string {
	if v.SubtreeFlags()&jsonscan.NeedsRepair == 0 {
		return v.Str()
	}
	return strings.ToValidUTF8(v.Str(), "")
}

// piSource is where the content of a message is.
type piSource struct {
	record *line
	path   []any // nil for the place that it has in a message
}

func (s piSource) or(record *line, path ...any) piSource {
	if s.path == nil {
		return piSource{record, path}
	}
	return s
}

func (s piSource) value() jsonscan.Value { return follow(s.record.root(), s.path) }

func (r *piReader) flush() {
	if len(r.blocks) > 0 {
		r.messages = r.log.add(r.messages, blockMessage(r.role, r.blocks, r.from))
	}
	r.blocks, r.from = nil, nil
}

func (r *piReader) put(to string, of origin, block []byte) {
	if to != r.role {
		r.flush()
		r.role = to
	}
	r.blocks, r.from = append(r.blocks, block), append(r.from, of)
}

// putContent puts the blocks of a content. own reports that the reasoning is of the model that the
// next request goes to.
func (r *piReader) putContent(to string, at piSource, own bool) {
	content := at.value()
	if content.Kind() == jsonscan.String && strings.TrimSpace(content.Str()) != "" {
		r.put(to, origin{record: at.record, path: at.path, index: asText},
			object("type", "text", "text", piText(content)))
	}
	for k, block := range elements(content) {
		if sent := r.block(block, own); sent != nil {
			r.put(to, origin{record: at.record, path: at.path, index: k}, sent)
		}
	}
}

// answer answers the open calls.
func (r *piReader) answer() {
	for _, id := range r.open {
		if !r.answered[id] {
			r.put("user", origin{}, resultBlock(id, quote(piInterrupted), true))
		}
	}
	for _, put := range r.pictures {
		put()
	}
	r.open, r.pictures = nil, nil
	clear(r.answered)
}

// say sends a message of a record. at is where its content is, if that is not in the message.
func (r *piReader) say(record *line, at piSource, path ...any) {
	m := follow(record.root(), path)
	at = at.or(record, append(path[:len(path):len(path)], "content")...)
	switch m.Get("role").Str() {
	case "assistant":
		r.answer()
		if piSkips(m) {
			r.lost = append(r.lost, numbered(record)...)
			return
		}
		own := piModel(m) == r.model
		if !own {
			for _, id := range piCallsIn(at.value()) {
				r.ids[id] = piID(id)
			}
		}
		r.putContent("assistant", at, own)
		for _, id := range piCallsIn(at.value()) {
			r.open = append(r.open, r.sentID(id))
		}
	case "toolResult":
		id := r.sentID(m.Get("toolCallId").Str())
		r.answered[id] = true
		failed := m.Get("isError").Kind() == jsonscan.True
		content := at.value()
		r.put("user", origin{record: record, path: path, inner: at.path},
			resultBlock(id, r.result(content, failed), failed))
		if !failed {
			return
		}
		for k, block := range elements(content) {
			if block.Get("type").StrIs("image") {
				r.pictures = append(r.pictures, func() {
					r.put("user", origin{record: at.record, path: at.path, index: k}, r.block(block, true))
				})
			}
		}
	case "user", "custom":
		r.answer()
		r.putContent("user", at, true)
	case "bashExecution": // a command that the user typed
		if m.Get("excludeFromContext").Kind() != jsonscan.True {
			r.answer()
			r.put("user", origin{record: record}, object("type", "text", "text",
				"Ran `"+m.Get("command").Str()+"`\n"+m.Get("output").Str()))
		}
	}
}

// sentID returns the id of a call as it is sent.
func (r *piReader) sentID(id string) string {
	if sent, other := r.ids[id]; other {
		return sent
	}
	return id
}

// piID returns an id of another provider's as Anthropic takes it.
func piID(id string) string {
	sent := []rune(id)
	for k, c := range sent {
		if c >= 0x80 || !strings.ContainsRune("_-", c) && (c < '0' || c > '9') &&
			(c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			sent[k] = '_'
		}
	}
	return string(sent[:min(len(sent), 64)])
}

// result returns the content of a result as the client sends it: texts become one, and those of a
// failed one are without its pictures.
func (r *piReader) result(content jsonscan.Value, failed bool) []byte {
	if content.Kind() != jsonscan.Array {
		return content.Raw()
	}
	all := elements(content)
	isPicture := func(block jsonscan.Value) bool { return block.Get("type").StrIs("image") }
	isText := func(block jsonscan.Value) bool {
		return strings.TrimSpace(block.Get("text").Str()) != ""
	}
	if !slices.ContainsFunc(all, isPicture) && slices.ContainsFunc(all, isText) {
		all = slices.DeleteFunc(all, func(block jsonscan.Value) bool { return !isText(block) })
	}
	var sent [][]byte
	for _, block := range all {
		switch {
		case failed && isPicture(block):
			sent = append(sent, object("type", "text", "text", "(image attached after the tool results)"))
		case isPicture(block):
			sent = append(sent, r.block(block, true))
		default:
			sent = append(sent, object("type", "text", "text", piText(block.Get("text"))))
		}
	}
	return array(sent...)
}

// block returns a block as the client sends it, nil for one that it does not send.
func (r *piReader) block(block jsonscan.Value, own bool) []byte {
	switch block.Get("type").Str() {
	case "text":
		if text := piText(block.Get("text")); strings.TrimSpace(text) != "" {
			return object("type", "text", "text", text)
		}
	case "image":
		return object("type", "image", "source", object("type", "base64",
			"media_type", block.Get("mimeType"), "data", block.Get("data")))
	case "thinking":
		signature, text := block.Get("thinkingSignature"), piText(block.Get("thinking"))
		switch {
		case !own:
		case block.Get("redacted").Kind() == jsonscan.True:
			return object("type", "redacted_thinking", "data", signature)
		case strings.TrimSpace(signature.Str()) != "":
			return object("type", "thinking", "thinking", text, "signature", signature)
		case strings.TrimSpace(text) != "":
			return object("type", "text", "text", text)
		}
	case "toolCall":
		input := block.Get("arguments").Raw()
		if !block.Has("arguments") {
			input = []byte("{}")
		}
		return object("type", "tool_use", "id", r.sentID(block.Get("id").Str()),
			"name", block.Get("name").Str(), "input", input)
	}
	return nil
}
