package golden

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// This file checks the "holds" lines of golden files: what has to be true of the output, so that
// -update cannot accept an output that breaks the case. A line is a verb and its arguments, which
// are JSON strings:
//
//	unchanged                the input itself came out
//	has "text"               a string of the output contains the text
//	lacks "text"             no string of the output does
//	call "id"                there is a call with this id
//	no-call "id"             there is none
//	result "id" "text"       a result of this id holds the text
//	one-result "id"          there is one result of this id
//	paired "id"              there are as many results as calls of this id
//	roles user assistant     the roles of the messages, in order
//
// They are read from the JSON of any format, and from neutral messages, without the packages that
// are tested.

// seen is what the lines ask about.
type seen struct {
	texts   []string
	roles   []string
	calls   map[string]int
	results map[string][]string
}

// Holds returns an error for the first line that is not true of an output.
func Holds(lines string, in, out []byte) error {
	for line := range strings.Lines(lines) {
		if err := holds(strings.TrimSpace(line), in, out); err != nil {
			return err
		}
	}
	return nil
}

// holds returns an error if a line is not true, or not well formed.
func holds(line string, in, out []byte) error {
	verb, rest, _ := strings.Cut(line, " ")
	s, err := see(out)
	if err != nil {
		return err
	}
	var args []string
	if verb != "roles" {
		for d := json.NewDecoder(strings.NewReader(rest)); d.More(); {
			var arg string
			if err := d.Decode(&arg); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
			args = append(args, arg)
		}
	}
	args = append(args, "", "")
	contains := func(s string) bool { return strings.Contains(s, args[0]) }
	ok := false
	switch verb {
	case "unchanged":
		ok = string(in) == string(out)
	case "has":
		ok = slices.ContainsFunc(s.texts, contains)
	case "lacks":
		ok = !slices.ContainsFunc(s.texts, contains)
	case "call":
		ok = s.calls[args[0]] > 0
	case "no-call":
		ok = s.calls[args[0]] == 0
	case "result":
		ok = slices.ContainsFunc(s.results[args[0]], func(text string) bool {
			return strings.Contains(text, args[1])
		})
	case "one-result":
		ok = len(s.results[args[0]]) == 1
	case "paired":
		ok = s.calls[args[0]] == len(s.results[args[0]])
	case "roles":
		ok = strings.Join(s.roles, " ") == rest
	default:
		return fmt.Errorf("unknown verb in %q", line)
	}
	if !ok {
		return fmt.Errorf("does not hold: %s", line)
	}
	return nil
}

// see reads a request.
func see(body []byte) (*seen, error) {
	s := &seen{calls: map[string]int{}, results: map[string][]string{}}
	var request any
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	bare, _ := request.([]any)
	s.readRoles(bare)
	for _, list := range []string{"messages", "input", "contents"} {
		messages, _ := member(request, list).([]any)
		s.readRoles(messages)
	}
	s.walk(request)
	return s, nil
}

func (s *seen) readRoles(messages []any) {
	for _, m := range messages {
		if role, ok := member(m, "role").(string); ok {
			s.roles = append(s.roles, role)
		}
	}
}

// walk reads a value and all that it holds.
func (s *seen) walk(v any) {
	switch v := v.(type) {
	case string:
		s.texts = append(s.texts, v)
	case []any:
		for _, e := range v {
			s.walk(e)
		}
	case map[string]any:
		if id, content := answerIn(v); id != "" {
			inner := &seen{calls: map[string]int{}, results: map[string][]string{}}
			inner.walk(content)
			s.results[id] = append(s.results[id], strings.Join(inner.texts, "\n"))
		} else if id := callIn(v); id != "" {
			s.calls[id]++
		}
		for _, e := range v {
			s.walk(e)
		}
	}
}

// answerIn returns the id that a tool result answers, and its content. A response of Gemini's
// without an id is identified by its name.
func answerIn(v map[string]any) (id string, content any) {
	if v["type"] == "tool_result" && v["call_id"] != nil { // a neutral part
		return text(v["call_id"]), []any{v["content"], v["output"], v["output_text"]}
	}
	for _, form := range [][2]string{
		{"tool_use_id", "content"}, {"tool_call_id", "content"}, {"call_id", "output"},
	} {
		if _, ok := v[form[1]]; ok || form[0] != "call_id" {
			if id, ok := v[form[0]].(string); ok {
				return id, v[form[1]]
			}
		}
	}
	if r, ok := v["toolResult"].(map[string]any); ok {
		return text(r["toolUseId"]), r["content"]
	}
	if r, ok := v["functionResponse"].(map[string]any); ok {
		return idOrName(r), r["response"]
	}
	return "", nil
}

// callIn returns the id of a tool call, or "".
func callIn(v map[string]any) string {
	switch {
	case v["toolUse"] != nil:
		return text(member(v["toolUse"], "toolUseId"))
	case v["functionCall"] != nil:
		c, _ := v["functionCall"].(map[string]any)
		return idOrName(c)
	case v["call_id"] != nil:
		return text(v["call_id"])
	case v["type"] == "tool_call",
		v["type"] == "tool_use",
		v["type"] == "server_tool_use",
		member(v, "function") != nil:
		return text(v["id"])
	}
	return ""
}

func idOrName(v map[string]any) string {
	if id := text(v["id"]); id != "" {
		return id
	}
	return text(v["name"])
}

func member(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
