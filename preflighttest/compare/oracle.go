package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file judges what became of a session, from the JSON of a body alone. It shares no code with
// preflight, so that what preflight reads wrongly is seen, too. Everything in a session says who
// said it: USER-1, MODEL-2, and RESULT-3 or RESULT-3b, which belong to the call for notes-3.

// wanted is what a session says.
type wanted struct {
	keep    []string        // what may not get lost, each once
	results map[string]bool // the results that have a call
	said    map[string]int  // the place of each text of the user and the model, from 1
	calls   map[string]bool // the numbers of the calls
}

var (
	marks   = regexp.MustCompile(`(?:USER|MODEL|RESULT)-(\d+)b*`) // also in JSON, after \n
	numbers = regexp.MustCompile(`notes-(\d+)`)
)

// numberOf returns the number of a mark or of arguments, or "".
func numberOf(in *regexp.Regexp, text string) string {
	if found := in.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// wantedOf reads a session. Results whose call is cut off may be lost.
func wantedOf(session []preflight.Message) wanted {
	w := wanted{results: map[string]bool{}, said: map[string]int{}, calls: map[string]bool{}}
	var results []string
	for _, m := range session {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				w.calls[numberOf(numbers, string(p.Input))] = true
			case *preflight.Text:
				if p.Text != "" {
					w.said[p.Text] = len(w.said) + 1
				}
				if m.Role == preflight.RoleUser {
					w.keep = append(w.keep, p.Text)
				}
			case *preflight.ToolResult:
				if text := textOf(p); marks.MatchString(text) {
					results = append(results, text)
				}
				if len(p.Content) > 1 {
					w.keep = append(w.keep, pixel)
				}
			}
		}
	}
	for _, text := range results {
		if w.calls[numberOf(marks, text)] {
			w.results[text] = true
		}
	}
	w.keep = append(w.keep, slices.Collect(maps.Keys(w.results))...)
	slices.Sort(w.keep)
	w.keep = slices.Compact(w.keep)
	return w
}

// piece is a text of a body, a call or a result.
type piece struct {
	who  string // "user", "model", "call", "result" or, of what is not judged, ""
	id   string // of a call, or of the call of a result
	text string
}

// pieces returns what is said in a body of any provider, in its order.
func pieces(body []byte) (all []piece) {
	for _, message := range messagesOf(body) {
		var value any
		if json.Unmarshal(message, &value) == nil {
			all = piecesOf(all, value, "", "")
		}
	}
	return all
}

// speakers are the roles, and the types of items that have none.
var speakers = map[any]string{
	"user": "user", "user_input": "user",
	"assistant": "model", "model": "model", "model_output": "model", "message": "",
	"thinking": "thought", "redacted_thinking": "thought", "reasoning": "thought",
	"thought": "thought",
}

// piecesOf appends what is said in a value, by whom the value around it says, which has an id.
func piecesOf(all []piece, value any, who, id string) []piece {
	switch v := value.(type) {
	case string:
		return append(all, piece{who: who, text: v})
	case []any:
		for _, element := range v {
			all = piecesOf(all, element, who, id)
		}
	case map[string]any:
		own, arguments := idOf(v, id), first(v, "input", "args", "arguments")
		data, _ := json.Marshal(v) // it was JSON
		switch {
		case arguments != nil && v["name"] != nil:
			return append(all, piece{"call", own, string(data)})
		case isResult(v):
			return append(all, piece{"result", own, string(data)})
		case v["thought"] == true || v["reasoningContent"] != nil:
			return all
		}
		for _, name := range []string{"type", "role"} {
			if speaker := speakers[v[name]]; speaker != "" {
				who = speaker
			} else if name == "role" && v[name] != nil {
				who = ""
			}
		}
		if who == "thought" {
			return all
		}
		for _, name := range []string{
			"content", "parts", "text", "toolUse", "toolResult", "functionCall", "functionResponse",
			"tool_calls", "function",
		} {
			all = piecesOf(all, v[name], who, own)
		}
	}
	return all
}

// isResult reports whether an object is a result: it names a call, and has no arguments.
func isResult(v map[string]any) bool {
	return first(v, "tool_use_id", "tool_call_id", "toolUseId", "call_id", "response") != nil ||
		v["role"] == "tool"
}

// idOf returns the id of a call, or that which a result names, or that of the value around it.
func idOf(v map[string]any, around string) string {
	id, ok := first(v, "tool_use_id", "tool_call_id", "toolUseId", "call_id", "id").(string)
	if !ok {
		return around
	}
	return id
}

// first returns the first of the members of an object that is there.
func first(v map[string]any, names ...string) any {
	for _, name := range names {
		if v[name] != nil {
			return v[name]
		}
	}
	return nil
}

// holds reports whether a body has a text: RESULT-1 is no part of RESULT-12 or RESULT-1b.
func holds(body []byte, text string) bool {
	for {
		k := bytes.Index(body, []byte(text))
		if k < 0 {
			return false
		}
		body = body[k+len(text):]
		if len(body) == 0 || !strings.ContainsRune("0123456789b", rune(body[0])) {
			return true
		}
	}
}

// swappedIn says which results answer another call than theirs: a result answers the last call
// before it with its id or, where there are no ids, the calls in their order.
func swappedIn(all []piece, want wanted) (whys []string) {
	last := map[string]string{} // by id: the number of a call
	var open []string           // the numbers of the calls without ids that have no result
	for _, p := range all {
		switch p.who {
		case "call":
			last[p.id] = numberOf(numbers, p.text)
			if p.id == "" {
				open = append(open, last[p.id])
			}
		case "result":
			call := last[p.id]
			if p.id == "" && len(open) > 0 {
				call, open = open[0], open[1:]
			}
			for _, text := range marks.FindAllString(p.text, -1) {
				if want.results[text] && call != "" && numberOf(marks, text) != call {
					whys = append(whys, fmt.Sprintf("%s answers the call for notes-%s", text, call))
				}
			}
		}
	}
	return whys
}

// inventedIn returns the first words of the user or the model that it did not say, or a result with
// what they said, or a call that the model did not make.
func inventedIn(all []piece, want wanted) string {
	prefixes := map[string]string{"user": "USER-", "model": "MODEL-"}
	for _, p := range all {
		switch p.who {
		case "call":
			if !want.calls[numberOf(numbers, p.text)] {
				return p.text
			}
		case "result":
			for _, text := range marks.FindAllString(p.text, -1) {
				if want.said[text] > 0 {
					return p.text
				}
			}
		case "user", "model":
			for _, word := range strings.Fields(p.text) {
				if want.said[word] == 0 || !strings.HasPrefix(word, prefixes[p.who]) {
					return p.text
				}
			}
		}
	}
	return ""
}

// movedIn returns the first text of the user or the model that comes after what followed it, or
// again.
func movedIn(all []piece, want wanted) string {
	at := 0
	for _, p := range all {
		if p.who != "user" && p.who != "model" {
			continue
		}
		for _, word := range strings.Fields(p.text) {
			if place := want.said[word]; place > at {
				at = place
			} else if place > 0 {
				return word
			}
		}
	}
	return ""
}
