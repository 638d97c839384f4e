package drift

import (
	"strings"
	"testing"
)

func TestOpenAIChat(t *testing.T) {
	sdk := sourcesOf(t, "github.com/openai/openai-go/v3", "")
	body := func(messages string) string {
		model := "gpt-5.4"
		if strings.Contains(messages, "input_audio") {
			model = "gpt-audio"
		}
		return `{"model":"` + model + `","messages":[` + messages + `]}`
	}
	const (
		answer = `,{"role":"tool","tool_call_id":"call_1","content":"r"}`
		called = question +
			`,{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]}` +
			answer
		custom = question +
			`,{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"custom",` +
			`"custom":{"name":"g","input":"x"}}]}` +
			answer
		legacy = question +
			`,{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},` +
			`{"role":"function","name":"f","content":"r"}`
	)
	said := func(members string) string {
		return question + `,{"role":"assistant",` + members + `},{"role":"user","content":"r"}`
	}
	bodies := map[string]cases{
		"ChatCompletionMessageParamUnion": {
			"developer": `{"role":"developer","content":"s"},` + question,
			"system":    `{"role":"system","content":"s"},` + question, "user": question,
			"assistant": said(`"content":"a"`), "tool": called, "function": legacy},
		"ChatCompletionContentPartUnionParam": {"text": asked(`{"type":"text","text":"x"}`),
			"image_url": asked(
				`{"type":"image_url","image_url":{"url":"https://e/x.png","detail":"low"}}`),
			"input_audio": asked(
				`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`),
			"file": asked(`{"type":"file","file":{"filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}}`)},
		"ChatCompletionAssistantMessageParamContentArrayOfContentPartUnion": {
			"text":    turn(`{"type":"text","text":"a"}`),
			"refusal": turn(`{"type":"refusal","refusal":"no"}`)},
		"ChatCompletionMessageToolCallUnionParam": {"function": called, "custom": custom},
	}
	for union, bodies := range bodies {
		members := sdk.union(t, union)
		bodies.of(union, members).hold(t, "openai-chat", members, body)
	}
	members := sdk.object(t, "ChatCompletionAssistantMessageParam")
	cases{
		"refusal": said(`"content":null,"refusal":"no"`), "name": said(`"content":"a","name":"n"`),
		"audio":   said(`"content":null,"audio":{"id":"audio_1"}`),
		"content": said(`"content":"a"`), "function_call": legacy, "tool_calls": called,
		"role": said(`"content":"a"`),
	}.of("ChatCompletionAssistantMessageParam", members).hold(t, "openai-chat", members, body)
}
