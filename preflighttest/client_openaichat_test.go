package preflighttest_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

func chatStart(text string) object {
	tool := func(name string) object {
		return object{
			"type":     "function",
			"function": object{"name": name, "parameters": object{"type": "object"}},
		}
	}
	return object{
		"model":    "gpt-5.4",
		"tools":    array{tool("f"), tool("g")},
		"messages": array{object{"role": "user", "content": text}},
	}
}

func chatSay(body object, text string) {
	add(body, "messages", object{"role": "user", "content": text})
}

func chatKeep(body, answer object) (s said) {
	message := obj(obj(arr(answer["choices"])[0])["message"])
	add(body, "messages", message)
	s.Text = str(message["content"])
	for _, c := range arr(message["tool_calls"]) {
		f := obj(obj(c)["function"])
		s.Calls = append(s.Calls, str(f["name"])+str(f["arguments"]))
		s.ids = append(s.ids, str(obj(c)["id"]))
	}
	return s
}

func chatResult(body object, id, text string) {
	add(body, "messages", object{"role": "tool", "tool_call_id": id, "content": text})
}

func chatGather(t *testing.T, events []sent) object {
	require.NotEmpty(t, events)
	require.Equal(t, "[DONE]", events[len(events)-1].data)
	message := object{"role": "assistant", "content": nil}
	stop := any(nil)
	for _, e := range events[:len(events)-1] {
		require.Empty(t, e.name)
		require.Nil(t, stop, "a chunk follows the last")
		choice := obj(arr(e.json["choices"])[0])
		delta := obj(choice["delta"])
		if c, ok := delta["content"].(string); ok {
			message["content"] = str(message["content"]) + c
		}
		for _, c := range arr(delta["tool_calls"]) {
			calls := arr(message["tool_calls"])
			if has := obj(c)["id"] != nil; has {
				require.EqualValues(t, len(calls), obj(c)["index"])
				call := maps.Clone(obj(c))
				delete(call, "index")
				message["tool_calls"] = append(calls, call)
				continue
			}
			f := obj(obj(calls[len(calls)-1])["function"])
			f["arguments"] = str(f["arguments"]) + str(obj(obj(c)["function"])["arguments"])
		}
		stop = choice["finish_reason"]
	}
	return object{"choices": array{object{"message": message, "finish_reason": stop}}}
}
