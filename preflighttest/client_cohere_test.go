package preflighttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func cohereStart(text string) object {
	body := chatStart(text)
	body["model"] = "command-a-03-2025"
	return body
}

func cohereKeep(body, answer object) (s said) {
	message := obj(answer["message"])
	for _, c := range arr(message["content"]) {
		s.Text += str(obj(c)["text"])
		s.Reasoning += str(obj(c)["thinking"])
	}
	calls := chatKeep(body, object{"choices": array{object{"message": message}}})
	s.Calls, s.ids = calls.Calls, calls.ids
	return s
}

func cohereGather(t *testing.T, events []sent) object {
	var content, calls array
	var stop any
	for _, e := range events {
		if e.json == nil {
			require.Equal(t, "[DONE]", e.data)
			continue
		}
		require.Equal(t, e.name, e.json["type"])
		delta := obj(e.json["delta"])
		message := obj(delta["message"])
		switch e.name {
		case "content-start":
			require.EqualValues(t, len(content), e.json["index"])
			content = append(content, message["content"])
		case "content-delta":
			block := obj(content[len(content)-1])
			for name, value := range obj(message["content"]) {
				block[name] = str(block[name]) + str(value)
			}
		case "tool-call-start":
			require.EqualValues(t, len(calls), e.json["index"])
			calls = append(calls, message["tool_calls"])
		case "tool-call-delta":
			f := obj(obj(calls[len(calls)-1])["function"])
			f["arguments"] = str(f["arguments"]) +
				str(obj(obj(message["tool_calls"])["function"])["arguments"])
		case "message-end":
			stop = delta["finish_reason"]
		}
	}
	require.NotNil(t, stop)
	message := object{"role": "assistant", "content": content}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{"message": message, "finish_reason": stop}
}
