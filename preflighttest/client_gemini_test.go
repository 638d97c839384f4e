package preflighttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func geminiStart(text string) object {
	tool := func(name string) object {
		return object{"name": name, "parameters": object{"type": "OBJECT"}}
	}
	return object{
		"tools":    array{object{"functionDeclarations": array{tool("f"), tool("g")}}},
		"contents": array{object{"role": "user", "parts": array{object{"text": text}}}},
	}
}

func geminiSay(body object, text string) {
	add(body, "contents", object{"role": "user", "parts": array{object{"text": text}}})
}

func geminiKeep(body, answer object) (s said) {
	content := obj(obj(arr(answer["candidates"])[0])["content"])
	add(body, "contents", content)
	for _, p := range arr(content["parts"]) {
		p := obj(p)
		switch call := obj(p["functionCall"]); {
		case call != nil:
			s.Calls = append(s.Calls, str(call["name"])+compact(call["args"]))
			s.ids = append(s.ids, str(call["name"]))
		case p["thought"] == true:
			s.Reasoning += str(p["text"])
		default:
			s.Text += str(p["text"])
		}
	}
	return s
}

// geminiResult takes the name of the function for the id.
func geminiResult(body object, id, text string) {
	part := object{"functionResponse": object{"name": id, "response": object{"output": text}}}
	contents := arr(body["contents"])
	if last := obj(contents[len(contents)-1]); last["role"] == "user" {
		add(last, "parts", part)
		return
	}
	add(body, "contents", object{"role": "user", "parts": array{part}})
}

func geminiGather(t *testing.T, events []sent) object {
	var parts array
	var stop any
	for _, e := range events {
		require.Empty(t, e.name)
		require.Nil(t, stop, "a chunk follows the last")
		candidate := obj(arr(e.json["candidates"])[0])
		parts = append(parts, arr(obj(candidate["content"])["parts"])...)
		stop = candidate["finishReason"]
	}
	require.NotNil(t, stop)
	return object{
		"candidates": array{
			object{"content": object{"role": "model", "parts": parts}, "finishReason": stop},
		},
	}
}
