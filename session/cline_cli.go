package session

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// clineCLI is the Cline CLI, measured with version 3.0.65. A session is a JSON document that the
// client writes anew for every message: calls and results are blocks as those of Anthropic's, each
// result in a message of its own. The client sends them in the format of any provider.
//
// On resume it answers calls without a result, and replaces lone surrogates. It sends results
// without a call, results that come after other messages, and messages that are there twice.
var clineCLI = listForm{
	name:     "cline-cli",
	title:    "Cline CLI",
	programs: []string{"cline"},
	places: []Place{
		{"CLINE_DATA_DIR", ".cline/data", "sessions"},
		{"CLINE_SESSION_DATA_DIR", ".cline/data/sessions", ""},
	},
	habits: []habits{{from: "3.0.65", to: "3.0.65"}},
	heals:  true,
	content: &client{
		name: "cline-cli", format: clineFormat, read: readCline,
		model: func(l *line) string { return l.str("modelInfo", "id") },
	},
	renamed: nameClineResults,
	version: func(document jsonscan.Value) string {
		return document.Get("origin").Get("version").Str()
	},
	folder: clineFolder,
	shows: func(v jsonscan.Value) bool {
		return v.Has("ts") && v.Has("id") && v.Has("role") &&
			v.Get("content").Kind() == jsonscan.Array
	},
	read: func(v jsonscan.Value) listMessage {
		m := listMessage{role: v.Get("role").Str(), id: v.Get("id").Str()}
		if v.Get("metadata").Get("displayOnly").Kind() == jsonscan.True {
			return m // it is shown, and not sent
		}
		var texts []string
		for k, block := range elements(v.Get("content")) {
			switch block.Get("type").Str() {
			case "text":
				texts = append(texts, block.Get("text").Str())
			case "tool_use":
				m.calls = append(m.calls, listCall{
					id: block.Get("id").Str(), name: block.Get("name").Str(),
					input: block.Get("input").Raw(), index: k,
				})
			case "tool_result":
				m.results = append(m.results, listResult{
					id: block.Get("tool_use_id").Str(), name: block.Get("name").Str(),
					content: clineOutput(block.Get("content")), index: k,
				})
			}
		}
		m.text = strings.Join(texts, "\n")
		return m
	},
	answers: func(name string) string { return clineInterrupted + name + "." },
	without: func(of jsonscan.Value, removed map[int]Code) []byte {
		return withoutParts(of, "content", removed)
	},
}

// clinePictures are the types of the pictures that the client sends. In place of others, and of
// data that is no base64, it sends clineOmitted; in place of a message without text, clineEmpty.
var clinePictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

const (
	clineOmitted = "[media omitted: invalid or exceeds size limit]"
	clineEmpty   = "ERROR: EMPTY CONTENT"
)

// readCline reads the elements of a list as the client sends them.
func readCline(l *log) (messages []message, lost []int) {
	answered := map[string]bool{}
	for _, record := range l.objects() {
		for _, block := range elements(record.at("content")) {
			answered[block.Get("tool_use_id").Str()] = true
		}
	}
	r := clineReader{answered: answered}
	for _, record := range l.objects() {
		if record.at("metadata", "displayOnly").Kind() != jsonscan.True { // it is sent, too
			messages = l.add(messages, r.read(record)...)
		}
	}
	return l.add(messages, r.flush()...), nil
}

// clineReader gathers the results that follow each other: their pictures are sent after them all.
type clineReader struct {
	answered map[string]bool // calls, by their id
	results  [][]byte
	from     []origin
}

// flush returns the results, and forgets them.
func (r *clineReader) flush() []message {
	if r.results == nil {
		return nil
	}
	m := blockMessage("user", r.results, r.from)
	r.results, r.from = nil, nil
	return inFormat(clineFormat, []message{m})
}

// read returns the messages that are to be sent before the results of a record, if it has any, and
// those of all else in it.
func (r *clineReader) read(record *line) (messages []message) {
	role := record.str("role")
	var blocks, answers [][]byte
	var from []origin
	blank := true
	for k, block := range elements(record.at("content")) {
		of := origin{record: record, path: []any{"content"}, index: k}
		switch block.Get("type").Str() {
		case "text":
			blank = blank && strings.TrimSpace(block.Get("text").Str()) == ""
			blocks = append(blocks, object("type", "text", "text", wellFormed(block.Get("text"))))
			from = append(from, of)
		case "image":
			blank = false
			blocks, from = append(blocks, clinePicture(role, block)), append(from, of)
		case "tool_use":
			blank = false
			id, name := healed(block.Get("id")), healed(block.Get("name"))
			blocks = append(blocks, object("type", "tool_use", "id", id, "name", name,
				"input", wellFormed(block.Get("input"))))
			from = append(from, of)
			if !r.answered[block.Get("id").Str()] {
				answers = append(answers, resultBlock(id, quote(clineInterrupted+name+"."), true))
			}
		case "tool_result":
			of.inner = []any{"content", k, "content"}
			r.results = append(r.results, resultBlock(healed(block.Get("tool_use_id")),
				clineParts(block), false))
			r.from = append(r.from, of)
		default:
			blank = false // it is sent in some form
		}
	}
	if blank && r.results != nil && r.from[len(r.from)-1].record == record && blocks == nil {
		return nil // it is nothing but results
	}
	if blank {
		blocks = [][]byte{object("type", "text", "text", clineEmpty)}
		from = []origin{{record: record}}
	}
	messages = append(r.flush(), inFormat(clineFormat,
		[]message{blockMessage(role, blocks, from)})...)
	if answers != nil {
		messages = append(messages, inFormat(clineFormat,
			[]message{blockMessage("user", answers, make([]origin, len(answers)))})...)
	}
	return messages
}

// clineFormat is the format in which the client was measured to send a session.
const clineFormat = "openai-chat"

// clineParts is the content of a result: a text, or parts where there is a picture among them.
func clineParts(result jsonscan.Value) []byte {
	content := result.Get("content")
	pictures := false
	var parts [][]byte
	for _, part := range elements(content) {
		switch {
		case part.Get("type").StrIs("image"):
			sent := clinePicture("user", part)
			pictures = pictures || valueOf(sent).Get("type").StrIs("image")
			parts = append(parts, sent)
		default:
			parts = append(parts, object("type", "text", "text", healedText(string(part.Raw()))))
		}
	}
	if pictures && result.Get("is_error").Kind() != jsonscan.True {
		return array(parts...)
	}
	return quote(healedText(clineOutput(content)))
}

func healedText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// nameClineResults writes the names of calls into their results.
func nameClineResults(l *log) {
	names := map[string]string{}
	for _, record := range l.objects() {
		instead := map[int][]byte{}
		for k, block := range elements(record.at("content")) {
			if block.Get("type").StrIs("tool_use") {
				names[block.Get("id").Str()] = block.Get("name").Str()
			}
			name := names[block.Get("tool_use_id").Str()]
			if was := block.Get("name"); name != "" && was.Exists() && was.Str() != name {
				instead[k] = setMember(block, quote(name), "name")
			}
		}
		if len(instead) > 0 {
			record.set(withoutElements(record.at("content"), nil, instead), "content")
		}
	}
}

func healed(v jsonscan.Value) string { return healedText(v.Str()) }

// clinePicture is what the client sends for a picture.
func clinePicture(role string, block jsonscan.Value) []byte {
	if role == "assistant" {
		return object("type", "text", "text", "[generated image]")
	}
	kind, data := block.Get("mediaType"), block.Get("data").Str()
	_, err := base64.StdEncoding.DecodeString(data)
	if err != nil || data == "" || !oneOf(kind, clinePictures...) {
		return object("type", "text", "text", clineOmitted)
	}
	return object("type", "image", "source", object("type", "base64", "media_type", kind, "data", data))
}

// clineInterrupted is the text with which the client answers a call without a result, before the
// name of its tool.
const clineInterrupted = "Tool execution was interrupted before a result was produced. Tool: "

// clineOutput returns the text of a result: that of text blocks, or else the JSON of the outputs.
func clineOutput(content jsonscan.Value) string {
	if text := textOf(content); text != "" {
		return text
	}
	return string(content.Raw())
}

// clineMessages is how the names of session files end.
const clineMessages = ".messages.json"

// clineFolder returns the folder in which the client works on the session of a file, which another
// file beside it names; "" if there is none.
func clineFolder(name string) string {
	data, err := os.ReadFile(strings.TrimSuffix(name, clineMessages) + ".json")
	if err != nil {
		return ""
	}
	var about struct {
		Folder string `json:"cwd"`
	}
	if json.Unmarshal(data, &about) != nil {
		return ""
	}
	return about.Folder
}
