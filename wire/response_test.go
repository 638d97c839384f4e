package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// This file tests that what a response says is sent again as the provider wants it.

// responses are a response of each provider, in the shape of their documentation, and the elements
// of the list of messages that say the same in the next request.
var responses = map[string]struct{ response, stop, again string }{
	"anthropic": {
		`{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[` +
			`{"type":"thinking","thinking":"Hm.","signature":"c2lnbmVk","new":1.0},` +
			`{"type":"redacted_thinking","data":"b3BhcXVl"},` +
			`{"type":"text","text":"Reading <it>.","citations":null},` +
			`{"type":"tool_use","id":"toolu_1","name":"read","input":{"n":1.0}}],` +
			`"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1}}`,
		"tool_use",
		`[{"role":"assistant","content":[` +
			`{"type":"thinking","thinking":"Hm.","signature":"c2lnbmVk","new":1.0},` +
			`{"type":"redacted_thinking","data":"b3BhcXVl"},` +
			`{"type":"text","text":"Reading <it>.","citations":null},` +
			`{"type":"tool_use","id":"toolu_1","name":"read","input":{"n":1.0}}]}]`,
	},
	"openai-chat": {
		`{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"message":` +
			`{"role":"assistant","content":"Reading <it>.","refusal":null,"annotations":[],` +
			`"tool_calls":[{"id":"call_1","type":"function","function":` +
			`{"name":"read","arguments":"{\"n\":1.0}"}}]},"finish_reason":"tool_calls"}],"usage":{}}`,
		"tool_calls",
		`[{"role":"assistant","content":"Reading <it>.","refusal":null,"annotations":[],` +
			`"tool_calls":[{"id":"call_1","type":"function","function":` +
			`{"name":"read","arguments":"{\"n\":1.0}"}}]}]`,
	},
	"openai-responses": {
		`{"id":"resp_1","object":"response","status":"completed","output":[` +
			`{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"ZW5j"},` +
			`{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[` +
			`{"type":"output_text","text":"Reading <it>.","annotations":[],"logprobs":[]}]},` +
			`{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1",` +
			`"name":"read","arguments":"{\"n\":1.0}"}]}`,
		"completed",
		`[{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"ZW5j"},` +
			`{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[` +
			`{"type":"output_text","text":"Reading <it>.","annotations":[],"logprobs":[]}]},` +
			`{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1",` +
			`"name":"read","arguments":"{\"n\":1.0}"}]`,
	},
	"gemini": {
		`{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},` +
			`{"text":"Reading <it>."},{"functionCall":{"name":"read","args":{"n":1.0}},` +
			`"thoughtSignature":"c2lnbmVk"}],"role":"model"},"finishReason":"STOP","index":0}],` +
			`"usageMetadata":{},"modelVersion":"gemini-3-pro"}`,
		"STOP",
		`[{"parts":[{"text":"Hm.","thought":true},{"text":"Reading <it>."},` +
			`{"functionCall":{"name":"read","args":{"n":1.0}},"thoughtSignature":"c2lnbmVk"}],` +
			`"role":"model"}]`,
	},
	"bedrock": {
		`{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":` +
			`{"text":"Hm.","signature":"c2lnbmVk"}}},{"text":"Reading <it>."},` +
			`{"toolUse":{"toolUseId":"tooluse_1","name":"read","input":{"n":1.0}}}]}},` +
			`"stopReason":"tool_use","usage":{},"metrics":{}}`,
		"tool_use",
		`[{"role":"assistant","content":[{"reasoningContent":{"reasoningText":` +
			`{"text":"Hm.","signature":"c2lnbmVk"}}},{"text":"Reading <it>."},` +
			`{"toolUse":{"toolUseId":"tooluse_1","name":"read","input":{"n":1.0}}}]}]`,
	},
	"mistral": {
		`{"id":"1","object":"chat.completion","choices":[{"index":0,"message":` +
			`{"role":"assistant","content":"Reading <it>.","tool_calls":[{"id":"abcdefgh1",` +
			`"function":{"name":"read","arguments":"{\"n\":1.0}"}}]},"finish_reason":"tool_calls"}]}`,
		"tool_calls",
		`[{"role":"assistant","content":"Reading <it>.","tool_calls":[{"id":"abcdefgh1",` +
			`"function":{"name":"read","arguments":"{\"n\":1.0}"}}]}]`,
	},
	"cohere": {
		`{"id":"1","finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_plan":"Plan.",` +
			`"tool_calls":[{"id":"read_1","type":"function","function":` +
			`{"name":"read","arguments":"{\"n\":1.0}"}}]},"usage":{}}`,
		"TOOL_CALL",
		`[{"role":"assistant","tool_plan":"Plan.","tool_calls":[{"id":"read_1","type":"function",` +
			`"function":{"name":"read","arguments":"{\"n\":1.0}"}}]}]`,
	},
	"ollama": {
		`{"model":"qwen3","message":{"role":"assistant","content":"","thinking":"Hm.",` +
			`"tool_calls":[{"function":{"name":"read","arguments":{"n":1.0}}}]},` +
			`"done_reason":"stop","done":true}`,
		"stop",
		`[{"role":"assistant","content":"","thinking":"Hm.","tool_calls":[{"function":` +
			`{"name":"read","arguments":{"n":1.0}}}]}]`,
	},
	"gemini-interactions": {
		`{"id":"v1_1","object":"interaction","status":"requires_action","steps":[` +
			`{"type":"user_input","content":[{"type":"text","text":"What was asked."}]},` +
			`{"type":"thought","signature":"c2lnbmVk","summary":[{"type":"text","text":"Hm."}]},` +
			`{"type":"model_output","content":[{"type":"text","text":"Reading <it>."}]},` +
			`{"type":"function_call","id":"c1","name":"read","arguments":{"n":1.0}}]}`,
		"requires_action",
		`{"input":[{"type":"thought","signature":"c2lnbmVk","summary":[{"type":"text","text":"Hm."}]},` +
			`{"type":"model_output","content":[{"type":"text","text":"Reading <it>."}]},` +
			`{"type":"function_call","id":"c1","name":"read","arguments":{"n":1.0}}]`,
	},
	// What a host sends and does not take back is left out.
	"groq": {
		`{"choices":[{"message":{"role":"assistant","content":"Hi.","reasoning":"Hm."},` +
			`"finish_reason":"stop"}]}`,
		"stop", `[{"role":"assistant","content":"Hi.","reasoning":"Hm."}]`,
	},
}

func TestDecodeResponse(t *testing.T) {
	for provider, test := range responses {
		t.Run(provider, func(t *testing.T) {
			response, err := wire.DecodeResponse(provider, []byte(test.response))
			require.NoError(t, err)
			require.Equal(t, test.stop, response.Stop)
			if provider != "groq" {
				require.Len(t, response.Calls(), 1)
				require.Equal(t, "read", response.Calls()[0].Name)
			}
			if provider != "cohere" && provider != "ollama" && provider != "groq" {
				require.Equal(t, "Reading <it>.", response.Text())
			}
			body, err := wire.Encode(provider, "", response.Messages, nil)
			require.NoError(t, err)
			require.Contains(t, string(body), test.again)
		})
	}
}

// TestDecodeResponseRefuses: an error message, a request and other JSON are no response.
func TestDecodeResponseRefuses(t *testing.T) {
	for provider := range responses {
		for _, body := range []string{
			`{"error":{"message":"no"}}`, `{"type":"error","error":{"type":"x"}}`, `{}`, `[]`, `1`,
			`{"messages":[]}`, ``, `{"content"`,
		} {
			_, err := wire.DecodeResponse(provider, []byte(body))
			require.ErrorIs(t, err, wire.ErrNotARequest, "%s: %s", provider, body)
		}
	}
	_, err := wire.DecodeResponse("nobody", []byte(`{}`))
	require.ErrorIs(t, err, wire.ErrNotARequest)
}

// TestDecodeResponseWithoutContent: a model that says nothing adds nothing to the history.
func TestDecodeResponseWithoutContent(t *testing.T) {
	for provider, body := range map[string]string{
		"anthropic":        `{"role":"assistant","content":[],"stop_reason":"end_turn"}`,
		"gemini":           `{"candidates":[{"finishReason":"SAFETY"}]}`,
		"openai-responses": `{"output":[],"status":"completed"}`,
		"openai-chat":      `{"choices":[]}`,

		"gemini-interactions": `{"id":"v1_1","status":"in_progress"}`, // in the background
	} {
		response, err := wire.DecodeResponse(provider, []byte(body))
		require.NoError(t, err, provider)
		require.Empty(t, response.Messages, provider)
		require.Empty(t, response.Text(), provider)
	}
}

// TestNotAResponse: the error says what is missing, and does not speak of a request.
func TestNotAResponse(t *testing.T) {
	for body, want := range map[string]string{
		`{"type":"error","error":{"message":"secret"}}`: "not a response of anthropic: " +
			"it is an error message",
		`{"type":"message"}`: "not a response of anthropic: content: there is none",
	} {
		_, err := wire.DecodeResponse("anthropic", []byte(body))
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, wire.ErrNotARequest)
	}
	_, err := wire.Encode("anthropic", "m", nil, &wire.RequestOptions{MaxTokens: -1})
	require.EqualError(t, err, "RequestOptions: MaxTokens: want a positive number, or 0 for none")
	require.ErrorIs(t, err, wire.ErrNotARequest)
}
