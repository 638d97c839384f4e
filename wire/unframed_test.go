package wire_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// frames are lists of messages as frameworks store them, without the braces of the list, and what
// the error has to name: the first message that shows it. The shapes are from the serializers of
// each: ChatMessageContent of Semantic Kernel (.NET and Python), ChatMessage of
// Microsoft.Extensions.AI, Haystack (to_dict, before and since 2.12) and LlamaIndex (since 0.12 and
// before), ChatMessageSerializer of LangChain4j, Message of Spring AI, LLMMessage and
// BaseChatMessage of AutoGen, AgentInputItem of the OpenAI Agents SDK for JavaScript, MessageData
// of Genkit, Event of ADK, Message of A2A, gen_ai.input.messages of OpenTelemetry, messages of
// AG-UI, Mastra's database, LibreChat, ShareGPT, and BaseMessage of LangChain by its fields.
var frames = map[string]struct {
	at   int
	list string
}{
	"Semantic Kernel": {0, `{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"QQ"}]},` +
		`{"Role":{"Label":"assistant"},"Items":[{"$type":"FunctionCallContent","Id":"c1",` +
		`"PluginName":"p","FunctionName":"f","Arguments":{}}]}`},
	"Semantic Kernel for Python": {0, `{"role":"user","content_type":"message",` +
		`"items":[{"content_type":"text","text":"QQ"}]},` +
		`{"role":"tool","content_type":"message","items":[{"content_type":"function_result",` +
		`"id":"c1","name":"p-f","result":"r"}]}`},
	"Microsoft.Extensions.AI": {0, `{"role":"user","contents":[{"$type":"text","text":"QQ"}]},` +
		`{"role":"assistant","contents":[{"$type":"functionCall","callId":"c1","name":"f"}]},` +
		`{"role":"tool","contents":[{"$type":"functionResult","callId":"c1","result":"r"}]}`},
	"Haystack": {0, `{"_role":"user","_content":[{"text":"QQ"}],"_name":null,"_meta":{}},` +
		`{"_role":"assistant","_content":[{"tool_call":{"id":"c1","tool_name":"f"}}]}`},
	"Haystack 2.12": {1, `{"role":"user","content":[{"text":"QQ"}],"name":null,"meta":{}},` +
		`{"role":"assistant","content":[{"tool_call":{"id":"c1","tool_name":"f","arguments":{}}}]},` +
		`{"role":"tool","content":[{"tool_call_result":{"result":"r","origin":{"id":"c1"}}}]}`},
	"LangChain4j": {0, `{"contents":[{"text":"QQ","type":"TEXT"}],"type":"USER"},` +
		`{"toolExecutionRequests":[{"id":"1","name":"f","arguments":"{}"}],"type":"AI"},` +
		`{"id":"1","toolName":"f","text":"r","type":"TOOL_EXECUTION_RESULT"}`},
	"Spring AI": {0, `{"messageType":"USER","content":"QQ","metadata":{},"media":[]},` +
		`{"messageType":"TOOL","responses":[{"id":"c1","name":"f","responseData":"r"}]}`},
	"LlamaIndex": {0, `{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text",` +
		`"text":"QQ"}]},{"role":"assistant","additional_kwargs":{},"blocks":[{"block_type":"text",` +
		`"text":"a"}]}`},
	"LlamaIndex 0.11": {2, `{"role":"user","content":"QQ","additional_kwargs":{}},` +
		`{"role":"assistant","content":"a","additional_kwargs":{"tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}}]}},` +
		`{"role":"tool","content":"r","additional_kwargs":{"tool_call_id":"c1","name":"f"}}`},
	"AutoGen": {0, `{"content":"QQ","source":"user","type":"UserMessage"},` +
		`{"content":"a","source":"agent","type":"AssistantMessage"}`},
	"OpenAI Agents SDK": {2, `{"role":"user","content":"QQ"},{"type":"function_call","callId":"c1",` +
		`"name":"f","arguments":"{}","status":"completed"},{"type":"function_call_result",` +
		`"callId":"c1","name":"f","output":{"type":"text","text":"r"}}`},
	"Genkit": {1, `{"role":"user","content":[{"text":"QQ"}]},` +
		`{"role":"model","content":[{"toolRequest":{"name":"f","ref":"1","input":{}}}]},` +
		`{"role":"tool","content":[{"toolResponse":{"name":"f","ref":"1","output":"r"}}]}`},
	"Genkit's media": {0, `{"role":"user","content":[{"text":"QQ"},{"media":{` +
		`"url":"https://e/x.png","contentType":"image/png"}}]}`},
	"ADK": {0, `{"content":{"parts":[{"text":"QQ"}],"role":"user"},"invocation_id":"i"},` +
		`{"content":{"parts":[{"text":"a"}],"role":"model"},"invocation_id":"i"}`},
	"A2A": {0, `{"role":"user","parts":[{"kind":"text","text":"QQ"}],"messageId":"m1",` +
		`"kind":"message"},{"role":"agent","parts":[{"kind":"text","text":"a"}],"messageId":"m2",` +
		`"kind":"message"}`},
	"OpenTelemetry": {0, `{"role":"user","parts":[{"type":"text","content":"QQ"}]},` +
		`{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"r"}]}`},
	"AG-UI": {2, `{"id":"1","role":"user","content":"QQ"},{"id":"2","role":"assistant",` +
		`"content":"a","toolCalls":[{"id":"c1","type":"function","function":{"name":"f"}}]},` +
		`{"id":"3","role":"tool","toolCallId":"c1","content":"r"}`},
	"Mastra": {0, `{"id":"1","role":"user","content":{"format":2,"parts":[{"type":"text",` +
		`"text":"QQ"}]},"threadId":"t"}`},
	"LibreChat": {0, `{"messageId":"1","sender":"User","text":"QQ"},` +
		`{"messageId":"2","sender":"GPT","text":"a"}`},
	"ShareGPT":  {0, `{"from":"human","value":"QQ"},{"from":"gpt","value":"a"}`},
	"LangChain": {0, `{"type":"human","content":"QQ"},{"type":"ai","content":"a"}`},
	"ChatGPT": {0, `{"author":{"role":"user"},"content":{"content_type":"text","parts":["QQ"]}},` +
		`{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["a"]}}`},
}

// TestUnframed: messages of a framework are a typed error that names the first message which shows
// it, and no content. Read as requests they lost what they say, or gave it to the user.
func TestUnframed(t *testing.T) {
	for name, frame := range frames {
		for provider, list := range map[string]string{
			"openai-chat": "messages", "mistral": "messages", "cohere": "messages",
			"groq": "messages", "anthropic": "messages", "bedrock": "messages",
			"gemini": "contents", "openai-responses": "input",
		} {
			in := []byte(`{"` + list + `":[` + frame.list + `]}`)
			result, err := wire.Sanitize(context.Background(), in,
				&wire.Options{Provider: provider})
			var stored *wire.Error
			switch {
			case provider == "openai-responses" && (name == "LangChain4j" || name == "AutoGen" ||
				name == "LangChain"):
				require.NoError(t, err, name) // items of an unknown type may be new
				require.False(t, result.Changed, name)
				continue
			case errors.Is(err, wire.ErrOtherFormat):
				continue
			case name == "Mastra" && (provider == "gemini" || provider == "bedrock"):
				continue // whose blocks and parts have no types
			}
			require.True(t, errors.As(err, &stored), "%s for %s: %v\n%s", name, provider, err,
				result.Body)
			require.Equal(t, wire.ErrStoredForm, stored.Reason, "%s for %s", name, provider)
			if provider == "openai-chat" {
				require.Equal(t, "messages["+string(rune('0'+frame.at))+"]", stored.Path, name)
			}
			require.NotContains(t, err.Error(), "QQ", "%s for %s", name, provider)
			require.True(t, sameSlice(in, result.Body))
		}
	}
	_, err := wire.Sanitize(context.Background(),
		[]byte(`{"messages":[{"_role":"user","_content":[{"text":"QQ"}],"some words":"QQ"}]}`),
		&wire.Options{Provider: "openai-chat"})
	require.EqualError(t, err, "not a request body: messages[0] shows that it is "+
		"a list of messages without roles, with the members _role, _content")
}

// TestFramed: the other side. A message that lacks its role, or has members of a vendor's own, is
// one all the same if it has what the format's messages have.
func TestFramed(t *testing.T) {
	for _, c := range []struct{ provider, in, out string }{
		{ // a lost role
			"openai-chat", `{"messages":[{"content":"q","id":"m1","timestamp":"t"}]}`,
			`{"messages":[{"content":"q","id":"m1","timestamp":"t","role":"user"}]}`,
		},
		{ // members of a vendor's own
			"openai-chat", `{"messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"vendor":{"said":"a"}},{"role":"user","content":"r","toolCalls":[{"id":"x"}]}]}`,
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"vendor":{"said":"a"}},{"role":"user","content":"r","toolCalls":[{"id":"x"}]}]}`,
		},
		{ // empty messages of a host that has its own members
			"openai-compatible", `{"messages":[{"role":"user","content":"","vendor":"x"}]}`,
			`{"messages":[{"role":"user","content":"","vendor":"x"}]}`,
		},
		{ // a part among the messages, as the SDKs of Gemini take it for a user's message
			"gemini", `{"contents":[{"text":"q"}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
		},
		{
			"anthropic", `{"messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"content":"a"},{"text":"r"}]}`,
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant",` +
				`"content":"a"},{"role":"user","content":[{"type":"text","text":"r"}]}]}`,
		},
		{ // threads of OpenAI's Assistants
			"openai-chat", `{"messages":[{"role":"user","content":[{"type":"text",` +
				`"text":{"value":"q","annotations":[]}}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}`,
		},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(c.in),
			&wire.Options{Provider: c.provider})
		require.NoError(t, err, c.in)
		require.JSONEq(t, c.out, string(result.Body), c.in)
	}
}
