package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// This file is a repair as a good engineer writes it for one provider in an hour. It keeps numbers
// and members that it does not know, leaves a valid body alone, puts each result below its call,
// wherever it was, and answers the calls that have none.

// object is a JSON object whose members keep their bytes.
type object = map[string]json.RawMessage

// turn is a message whose content is a list of blocks.
type turn struct {
	role   string
	blocks []object
}

func text(raw json.RawMessage) (s string) { _ = json.Unmarshal(raw, &s); return s }

func raw(v any) json.RawMessage { data, _ := json.Marshal(v); return data }

// competent repairs the body of a request.
func competent(_ context.Context, body []byte) ([]byte, error) {
	var request object
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	turns, err := turnsOf(request["messages"])
	if err != nil {
		return nil, err
	}
	before := raw(messages(joined(turns)))
	if after := raw(messages(joined(repaired(turns)))); !bytes.Equal(before, after) {
		request["messages"] = after
		return json.Marshal(request)
	}
	return body, nil
}

// turnsOf reads messages.
func turnsOf(list json.RawMessage) (turns []turn, err error) {
	var messages []object
	if err := json.Unmarshal(list, &messages); err != nil {
		return nil, err
	}
	for _, m := range messages {
		t := turn{role: text(m["role"])}
		if json.Unmarshal(m["content"], &t.blocks) != nil { // a string
			t.blocks = []object{{"type": raw("text"), "text": m["content"]}}
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// repaired returns turns that can be sent.
func repaired(turns []turn) (fixed []turn) {
	results, answered := map[string]object{}, map[string]bool{}
	for _, t := range turns {
		for _, b := range t.blocks {
			if id := text(b["tool_use_id"]); id != "" && results[id] == nil {
				results[id] = b
			}
		}
	}
	for _, t := range turns {
		var kept, answers []object
		for _, b := range t.blocks {
			switch text(b["type"]) {
			case "text":
				if strings.TrimSpace(text(b["text"])) == "" {
					continue
				}
			case "tool_use":
				id := text(b["id"])
				if answered[id] || t.role != "assistant" {
					continue
				}
				answered[id] = true
				answers = append(answers, answer(id, results[id]))
			case "tool_result":
				continue // it is below its call
			}
			kept = append(kept, b)
		}
		if len(kept) > 0 {
			fixed = append(fixed, turn{t.role, kept})
		}
		if len(answers) > 0 {
			fixed = append(fixed, turn{"user", answers})
		}
	}
	return fixed
}

// answer returns the result of a call, or one that says that there is none.
func answer(id string, result object) object {
	if result != nil {
		return result
	}
	return object{
		"type": raw("tool_result"), "tool_use_id": raw(id), "is_error": raw(true),
		"content": raw("The tool was interrupted."),
	}
}

// joined returns turns with those of the user in one, where there are several in a row.
func joined(turns []turn) (joined []turn) {
	for _, t := range turns {
		if n := len(joined); n > 0 && t.role == "user" && joined[n-1].role == "user" {
			joined[n-1].blocks = slices.Concat(joined[n-1].blocks, t.blocks)
		} else {
			joined = append(joined, t)
		}
	}
	return joined
}

// messages writes turns.
func messages(turns []turn) (messages []object) {
	for _, t := range turns {
		messages = append(messages, object{"role": raw(t.role), "content": raw(t.blocks)})
	}
	return messages
}
