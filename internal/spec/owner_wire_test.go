package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// This file is TestOwner on the wire: bodies written here, whose texts, calls and results name
// their author, are repaired, and the marks are read from the JSON that comes out.

// uttered is one thing in a message: a text, a call or a result.
type uttered struct {
	kind string // text, call, result
	mark string
	id   string
}

// utterance is a message of a body. by is the author; role the spelling of its role.
type utterance struct {
	by, role string
	said     []uttered
}

// bodyFormats write a history as a body: the messages, and the member that holds them.
var bodyFormats = map[string]struct {
	list  string
	model string // the assistant's role
	write func(utterance) []any
}{
	"anthropic": {"messages", "assistant", func(m utterance) []any {
		return []any{map[string]any{"role": m.role, "content": blocksOf(m, func(s uttered) any {
			switch s.kind {
			case "call":
				return object("type", "tool_use", "id", s.id, "name", "f", "input", object("m", s.mark))
			case "result":
				return object("type", "tool_result", "tool_use_id", s.id, "content", s.mark)
			}
			return object("type", "text", "text", s.mark)
		})}}
	}},
	"bedrock": {"messages", "assistant", func(m utterance) []any {
		return []any{map[string]any{"role": m.role, "content": blocksOf(m, func(s uttered) any {
			switch s.kind {
			case "call":
				return object("toolUse",
					object("toolUseId", s.id, "name", "f", "input", object("m", s.mark)))
			case "result":
				return object("toolResult", object("toolUseId", s.id,
					"content", []any{object("text", s.mark)}))
			}
			return object("text", s.mark)
		})}}
	}},
	"gemini": {"contents", "model", func(m utterance) []any {
		return []any{map[string]any{"role": m.role, "parts": blocksOf(m, func(s uttered) any {
			switch s.kind {
			case "call":
				return object("functionCall",
					object("id", s.id, "name", "f", "args", object("m", s.mark)))
			case "result":
				return object("functionResponse", object("id", s.id, "name", "f",
					"response", object("m", s.mark)))
			}
			return object("text", s.mark)
		})}}
	}},
	"openai-chat": {"messages", "assistant", chatMessages},
	"mistral":     {"messages", "assistant", chatMessages},
	"cohere":      {"messages", "assistant", chatMessages},
	"ollama": {"messages", "assistant", func(m utterance) []any { // content is text, calls are objects
		out := chatMessages(m)
		for _, e := range out {
			e := e.(map[string]any)
			var text []string
			blocks, _ := e["content"].([]any)
			for _, b := range blocks {
				if words, ok := b.(map[string]any)["text"]; ok {
					text = append(text, words.(string))
				}
			}
			if blocks != nil && len(text) == len(blocks) {
				e["content"] = strings.Join(text, " ")
			}
			calls, _ := e["tool_calls"].([]any)
			for _, c := range calls {
				f := c.(map[string]any)["function"].(map[string]any)
				f["arguments"] = json.RawMessage(f["arguments"].(string))
			}
		}
		return out
	}},
	"openai-responses": {"input", "assistant", func(m utterance) []any {
		var out, content []any
		for _, s := range m.said {
			item := object("type", "input_text", "text", s.mark)
			switch {
			case s.kind == "call":
				item = object("type", "function_call", "call_id", s.id, "name", "f",
					"arguments", `{"m":"`+s.mark+`"}`)
			case s.kind == "result":
				item = object("type", "function_call_output", "call_id", s.id, "output", s.mark)
			case m.by == model:
				item["type"] = "output_text"
			}
			if s.kind == "text" || m.by == theUser { // forged ones are inside a user's message
				content = append(content, item)
			} else {
				out = append(out, item)
			}
		}
		if content != nil {
			out = append([]any{object("role", m.role, "content", content)}, out...)
		}
		return out
	}},
}

// chatMessages writes a message of OpenAI's Chat Completions, one for each result.
func chatMessages(m utterance) []any {
	if m.by == tool {
		var out []any
		for _, s := range m.said {
			of := object("role", m.role, "content", s.mark)
			if s.kind == "result" {
				of["tool_call_id"] = s.id
			}
			out = append(out, of)
		}
		return out
	}
	of := object("role", m.role)
	var content, calls []any
	for _, s := range m.said {
		switch {
		case s.kind == "call" && m.by == model:
			calls = append(calls, object("id", s.id, "type", "function", "function",
				object("name", "f", "arguments", `{"m":"`+s.mark+`"}`)))
		case s.kind == "call":
			content = append(content, object("type", "tool_use", "id", s.id, "name", "f",
				"input", object("m", s.mark)))
		case s.kind == "result":
			content = append(content, object("type", "tool_result", "tool_use_id", s.id,
				"content", s.mark))
		default:
			content = append(content, object("type", "text", "text", s.mark))
		}
	}
	of["content"] = content
	if calls != nil {
		of["tool_calls"] = calls
	}
	return []any{of}
}

func blocksOf(m utterance, write func(uttered) any) []any {
	var out []any
	for _, s := range m.said {
		out = append(out, write(s))
	}
	return out
}

// object is a JSON object of names and values in turn.
func object(members ...any) map[string]any {
	out := map[string]any{}
	for k := 0; k < len(members); k += 2 {
		out[members[k].(string)] = members[k+1]
	}
	return out
}

func TestOwnerOnTheWire(t *testing.T) {
	for name, format := range bodyFormats {
		t.Run(name, func(t *testing.T) {
			repaired := 0
			for seed := range *ownerHistories {
				r := rand.New(rand.NewPCG(uint64(seed), uint64(len(name))))
				var list []any
				from := map[string]int{}
				for _, m := range drawSpoken(r, format.model, name) {
					for _, e := range format.write(m) {
						text, err := json.Marshal(e)
						require.NoError(t, err)
						for _, mark := range authorMarks.FindAllString(string(text), -1) {
							from[mark] = len(list)
						}
						list = append(list, e)
					}
				}
				in, err := json.Marshal(object("model", "m", format.list, list))
				require.NoError(t, err)
				options := &wire.Options{Provider: name}
				if seed%3 == 0 {
					options.Options.Orphans = "text"
				}
				res, err := wire.Sanitize(context.Background(), in, options)
				if err != nil {
					continue
				}
				repaired++
				places := map[string][]string{}
				var body map[string]any
				require.NoError(t, json.Unmarshal(res.Body, &body))
				for _, e := range body[format.list].([]any) {
					readPlaces(e, speakerOf(e.(map[string]any)), places)
				}
				for mark, i := range from {
					about := func(w wire.Warning) bool {
						return strings.HasPrefix(w.Path, fmt.Sprintf("%s[%d]", format.list, i))
					}
					wrong := slices.ContainsFunc(places[mark], func(p string) bool {
						return p != mark[:3]
					})
					require.False(t, mark[:3] == theUser && slices.Contains(places[mark], model),
						"%s is the assistant's\nin:  %s\nout: %s\n%v", mark, in, res.Body, res.Warnings)
					excused := slices.ContainsFunc(res.Warnings, func(w wire.Warning) bool {
						return w.Class() == codes.Rank && about(w)
					})
					require.False(t, wrong && !excused, "%s is said by %v\nin:  %s\nout: %s\n%v", mark,
						places[mark], in, res.Body, res.Warnings)
					require.False(t, len(places[mark]) == 0 &&
						!slices.ContainsFunc(res.Warnings, about),
						"%s is gone without a warning\nin:  %s\nout: %s\n%v", mark, in, res.Body,
						res.Warnings)
				}
			}
			require.Greater(t, repaired, *ownerHistories*9/10, "bodies that are repaired")
		})
	}
}

// speakerOf returns whose words a message, or an item, holds.
func speakerOf(e map[string]any) string {
	switch e["type"] {
	case "function_call", "reasoning":
		return model
	case "function_call_output":
		return tool
	}
	switch e["role"] {
	case "assistant", "model":
		return model
	case "tool", "function":
		return tool
	case "system", "developer":
		return developer
	}
	return theUser
}

// readPlaces notes, for each mark in v, whose words it is among.
func readPlaces(v any, speaker string, places map[string][]string) {
	switch v := v.(type) {
	case string:
		for _, mark := range authorMarks.FindAllString(v, -1) {
			places[mark] = append(places[mark], speaker)
		}
	case []any:
		for _, e := range v {
			readPlaces(e, speaker, places)
		}
	case map[string]any:
		if v["type"] == "tool_result" {
			speaker = tool
		}
		for key, e := range v {
			if key == "toolResult" || key == "functionResponse" {
				readPlaces(e, tool, places)
				continue
			}
			readPlaces(e, speaker, places)
		}
	}
}

// drawSpoken draws a conversation with forged blocks, other spellings of the tool's role, and
// results that come late, twice or for no call.
func drawSpoken(r *rand.Rand, assistant, format string) []utterance {
	n, ids := 0, 0
	next := func(author, kind, id string) uttered {
		n++
		return uttered{kind, fmt.Sprintf("%s#%d#", author, n), id}
	}
	var open []string
	call := func(author string) uttered {
		ids++
		id := fmt.Sprintf("toolu_%02d", ids)
		open = append(open, id)
		return next(author, "call", id)
	}
	result := func() uttered {
		id := "toolu_99"
		if len(open) > 0 && r.IntN(6) > 0 {
			id, open = open[0], open[1:]
		}
		return next(tool, "result", id)
	}
	toolRole := func() string {
		if format == "anthropic" || format == "bedrock" || format == "gemini" {
			if r.IntN(3) > 0 {
				return "user"
			}
		} else if r.IntN(3) > 0 {
			return "tool"
		}
		return []string{"tool", "Tool", "observation", "tool_result", "ipython", "tool "}[r.IntN(6)]
	}
	h := []utterance{{theUser, "user", []uttered{next(theUser, "text", "")}}}
	for range 3 + r.IntN(5) {
		switch r.IntN(6) {
		case 0:
			h = append(h, utterance{theUser, "user", []uttered{next(theUser, "text", "")}})
		case 1: // a call that the user claims
			h = append(h, utterance{theUser, "user", []uttered{
				next(theUser, "text", ""), call(theUser)}})
		case 2, 3:
			m := utterance{model, assistant, []uttered{next(model, "text", "")}}
			for range r.IntN(3) {
				m.said = append(m.said, call(model))
			}
			h = append(h, m)
		default:
			m := utterance{tool, toolRole(), nil}
			for range 1 + r.IntN(2) {
				m.said = append(m.said, result())
			}
			h = append(h, m)
		}
	}
	return h
}
