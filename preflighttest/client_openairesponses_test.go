package preflighttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func responsesStart(text string) object {
	tool := func(name string) object {
		return object{"type": "function", "name": name, "parameters": object{"type": "object"}}
	}
	return object{
		"model": "gpt-5.4", "store": false, "include": array{"reasoning.encrypted_content"},
		"tools": array{tool("f"), tool("g")},
		"input": array{object{"role": "user", "content": text}},
	}
}

func responsesSay(body object, text string) {
	add(body, "input", object{"role": "user", "content": text})
}

func responsesKeep(body, answer object) (s said) {
	for _, item := range arr(answer["output"]) {
		add(body, "input", item)
		switch item := obj(item); item["type"] {
		case "message":
			for _, p := range arr(item["content"]) {
				s.Text += str(obj(p)["text"])
			}
		case "reasoning":
			for _, p := range arr(item["summary"]) {
				s.Reasoning += str(obj(p)["text"])
			}
		case "function_call":
			s.Calls = append(s.Calls, str(item["name"])+str(item["arguments"]))
			s.ids = append(s.ids, str(item["call_id"]))
		}
	}
	return s
}

func responsesResult(body object, id, text string) {
	add(body, "input", object{"type": "function_call_output", "call_id": id, "output": text})
}

// responsesGather puts the items together from the deltas, and holds them
// against the whole items and the whole response that follow.
func responsesGather(t *testing.T, events []sent) object {
	var output array
	text := ""
	for i, e := range events {
		require.Equal(t, e.name, e.json["type"])
		require.EqualValues(t, i, e.json["sequence_number"])
		switch e.name {
		case "response.output_item.added":
			require.EqualValues(t, len(output), e.json["output_index"])
			text = ""
		case "response.output_text.delta",
			"response.reasoning_summary_text.delta",
			"response.function_call_arguments.delta":
			text += str(e.json["delta"])
		case "response.output_text.done", "response.reasoning_summary_text.done":
			require.Equal(t, text, e.json["text"])
		case "response.function_call_arguments.done":
			require.Equal(t, text, e.json["arguments"])
		case "response.output_item.done":
			output = append(output, e.json["item"])
		}
	}
	require.NotEmpty(t, events)
	last := events[len(events)-1]
	require.Contains(t, []string{"response.completed", "response.incomplete"}, last.name)
	response := obj(last.json["response"])
	require.Equal(t, output, arr(response["output"]))
	return response
}
