package preflighttest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

func interactionsStart(text string) object {
	tool := func(name string) object {
		return object{"type": "function", "name": name, "parameters": object{"type": "object"}}
	}
	body := object{
		"model": "gemini-3.7-flash", "store": false, "tools": array{tool("f"), tool("g")},
		"input": array{},
	}
	interactionsSay(body, text)
	return body
}

func interactionsSay(body object, text string) {
	add(body, "input", object{
		"type": "user_input", "content": array{object{"type": "text", "text": text}},
	})
}

func interactionsKeep(body, answer object) (s said) {
	for _, step := range arr(answer["steps"]) {
		add(body, "input", step)
		switch step := obj(step); step["type"] {
		case "model_output":
			for _, p := range arr(step["content"]) {
				s.Text += str(obj(p)["text"])
			}
		case "thought":
			for _, p := range arr(step["summary"]) {
				s.Reasoning += str(obj(p)["text"])
			}
		case "function_call":
			s.Calls = append(s.Calls, str(step["name"])+compact(step["arguments"]))
			s.ids = append(s.ids, str(step["id"]))
		}
	}
	return s
}

func interactionsResult(body object, id, text string) {
	add(body, "input", object{"type": "function_result", "call_id": id, "result": text})
}

// interactionsGather puts the steps together from their deltas.
func interactionsGather(t *testing.T, events []sent) object {
	var steps array
	var arguments string
	answer := object{}
	for _, e := range events {
		if e.name == "done" {
			break
		}
		require.Equal(t, e.name, e.json["event_type"])
		switch e.name {
		case "step.start":
			require.EqualValues(t, len(steps), e.json["index"])
			steps, arguments = append(steps, e.json["step"]), ""
		case "step.delta":
			step, delta := obj(steps[len(steps)-1]), obj(e.json["delta"])
			switch delta["type"] {
			case "text":
				add(step, "content", object{"type": "text", "text": delta["text"]})
			case "thought_summary":
				add(step, "summary", delta["content"])
			case "thought_signature":
				step["signature"] = delta["signature"]
			case "arguments_delta":
				arguments += str(delta["arguments"])
			}
		case "step.stop":
			if arguments != "" {
				var whole object
				require.NoError(t, json.Unmarshal([]byte(arguments), &whole))
				obj(steps[len(steps)-1])["arguments"] = whole
			}
		case "interaction.completed":
			answer = obj(e.json["interaction"])
		}
	}
	if steps != nil {
		answer["steps"] = steps
	}
	return answer
}

// TestInteractionsMemory: the fake continues what it has answered and stored, and nothing else; a
// call that it holds wants its result.
func TestInteractionsMemory(t *testing.T) {
	d := dialects["gemini-interactions"]
	s := preflighttest.New(t, "gemini-interactions", nil)
	s.Script(preflighttest.Reply{Calls: []preflighttest.Call{{ID: "c1", Name: "f"}}})
	first := d.ask(t, s, object{"model": "gemini-3.7-flash", "input": "q"}, false)
	require.Equal(t, "requires_action", first["status"])

	after := func(id any, input any) object {
		return object{"model": "gemini-3.7-flash", "previous_interaction_id": id, "input": input}
	}
	result := array{object{"type": "function_result", "call_id": "c1", "result": "r"}}
	for reason, body := range map[string]object{
		"a call that it holds has no result": after(first["id"], "and now?"),
		"no such call": after(first["id"],
			array{object{"type": "function_result", "call_id": "c2", "result": "r"}}),
		"no such interaction": after("int_1", "q"),
	} {
		require.Equal(t, http.StatusBadRequest, d.post(t, s, body, false).StatusCode, reason)
	}
	second := d.ask(t, s, after(first["id"], result), false)
	third := after(second["id"], "and now?")
	third["store"] = false
	last := d.ask(t, s, third, true)
	require.Equal(t, http.StatusBadRequest,
		d.post(t, s, after(last["id"], "q"), false).StatusCode, "it was not stored")
	require.Equal(t, http.StatusBadRequest,
		d.post(t, s, after(second["id"], result), false).StatusCode, "the call has its result")
}
