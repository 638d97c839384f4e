package session

import (
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
					block.Get("tool_use_id").Str(), block.Get("name").Str(),
					clineOutput(block.Get("content")), k,
				})
			}
		}
		m.text = strings.Join(texts, "\n")
		return m
	},
	answers: func(name string) string {
		return `[{"type":"text","text":"Tool execution was interrupted before a result was ` +
			`produced. Tool: ` + name + `."}]`
	},
	without: func(of jsonscan.Value, removed map[int]Code) []byte {
		return withoutParts(of, "content", removed)
	},
}

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
