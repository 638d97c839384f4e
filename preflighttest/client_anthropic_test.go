package preflighttest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func anthropicStart(text string) object {
	tool := func(name string) object {
		return object{"name": name, "input_schema": object{"type": "object"}}
	}
	return object{
		"model": "claude-fable-5-1", "max_tokens": 1024, "thinking": object{"type": "adaptive"},
		"tools": array{
			tool("f"),
			tool("g"),
			object{"type": "web_search_20250305", "name": "web_search"},
		},
		"messages": array{object{"role": "user", "content": text}},
	}
}

func anthropicSay(body object, text string) {
	add(body, "messages", object{"role": "user", "content": text})
}

func anthropicKeep(body, answer object) (s said) {
	add(body, "messages", object{"role": "assistant", "content": answer["content"]})
	for _, b := range arr(answer["content"]) {
		switch b := obj(b); b["type"] {
		case "text":
			s.Text += str(b["text"])
		case "thinking":
			s.Reasoning += str(b["thinking"])
		case "tool_use":
			s.Calls = append(s.Calls, str(b["name"])+compact(b["input"]))
			s.ids = append(s.ids, str(b["id"]))
		}
	}
	return s
}

func anthropicResult(body object, id, text string) {
	result := object{"type": "tool_result", "tool_use_id": id, "content": text}
	messages := arr(body["messages"])
	if last := obj(messages[len(messages)-1]); last["role"] == "user" {
		last["content"] = append(arr(last["content"]), result)
		return
	}
	add(body, "messages", object{"role": "user", "content": array{result}})
}

func anthropicGather(t *testing.T, events []sent) object {
	var message object
	var content array
	var input string
	for _, e := range events {
		require.Equal(t, e.name, e.json["type"])
		delta := obj(e.json["delta"])
		switch e.name {
		case "message_start":
			require.Nil(t, message)
			message = obj(e.json["message"])
		case "content_block_start":
			require.EqualValues(t, len(content), e.json["index"])
			content, input = append(content, e.json["content_block"]), ""
		case "content_block_delta":
			block := obj(content[len(content)-1])
			switch delta["type"] {
			case "text_delta":
				block["text"] = str(block["text"]) + str(delta["text"])
			case "thinking_delta":
				block["thinking"] = str(block["thinking"]) + str(delta["thinking"])
			case "signature_delta":
				block["signature"] = delta["signature"]
			case "input_json_delta":
				input += str(delta["partial_json"])
			}
		case "content_block_stop":
			if input != "" {
				obj(content[len(content)-1])["input"] = json.RawMessage(input)
			}
		case "message_delta":
			message["stop_reason"] = delta["stop_reason"]
		}
	}
	require.NotEmpty(t, events)
	require.Equal(t, "message_stop", events[len(events)-1].name)
	message["content"] = content
	return decoded(message)
}
