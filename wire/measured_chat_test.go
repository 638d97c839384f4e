package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// This file is what was measured about OpenAI's Chat format at its hosts, and about Bedrock
// Converse, body by body: the least one of each shape, and where the shape is on record.

// measuredChat is a Chat body with a model and messages.
func measuredChat(model, messages string) string {
	return `{"model":"` + model + `","messages":[` + messages + `]}`
}

// measuredRound is a call and its result, with a call id and the spelling of the arguments in JSON.
func measuredRound(id, arguments string) string {
	return `{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"` +
		id +
		`","type":"function","function":{"name":"add","arguments":` + arguments + `}}]},` +
		`{"role":"tool","tool_call_id":"` + id + `","content":"3"}`
}

const measuredReasoning = `{"role":"user","content":"q"},{"role":"assistant","content":"a","reasoning_content":"t"},{"role":"user","content":"r"}`

// TestMeasuredChat: what hosts of the Chat format were recorded to accept comes back untouched.
func TestMeasuredChat(t *testing.T) {
	for _, c := range []struct{ source, provider, body string }{
		{"0xPlaygrounds/rig doubleword/conformance/streaming_structured_after_tool: reasoning at a host of many",
			"openai-compatible",
			measuredChat("Qwen/Qwen3.5-9B", measuredReasoning)},
		{"the same: the field reasoning", "openai-compatible",
			measuredChat(
				"zai-org/GLM-4.6",
				`{"role":"user","content":"q"},{"role":"assistant","content":"a","reasoning":"t"},{"role":"user","content":"r"}`,
			)},
		{"traceloop/openllmetry writer test_writer_async_streaming_chat_tool_calls_legacy: an empty id",
			"openai-compatible",
			measuredChat("palmyra-x5", measuredRound("", `"{}"`))},
		{"measured: ids of Kimi, which Moonshot asks to keep", "openai-compatible",
			measuredChat("moonshotai/kimi-k2", measuredRound("functions.add:0", `"{}"`))},
		{"measured: the same at Moonshot", "moonshot",
			measuredChat("kimi-k2-0905-preview", measuredRound("functions.add:0", `"{}"`))},
		{"lbjlaq/Antigravity-Manager#938: the signature of a Gemini model in extra_content",
			"openai-compatible",
			measuredChat("gemini-3-pro",
				`{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function",`+
					`"function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},`+
					`{"role":"tool","tool_call_id":"c1","content":"x"}`)},
		{"crmne/ruby_llm deepseek-chat multi-turn streaming: no reasoning on a model that does not think",
			"deepseek",
			measuredChat("deepseek-chat", measuredRound("call_1", `"{}"`)+
				`,{"role":"assistant","content":"3"},{"role":"user","content":"r"}`)},
		{"0xPlaygrounds/rig groq parallel_tool_calls_single_turn_streaming: arguments that are null in a string",
			"groq",
			measuredChat("openai/gpt-oss-120b", measuredRound("call_1", `"null"`))},
		{"measured: OpenAI itself answers with empty arguments", "openai-chat",
			measuredChat("gpt-5", measuredRound("call_1", `""`))},
		{"pydantic-ai test_openrouter_google_nested_schema: an id of more than 40 characters",
			"openrouter",
			measuredChat("google/gemini-2.5-flash", measuredRound(
				"tool_0_final_result_0123456789012345678901234567890123456789", `"{}"`,
			))},
		{"0xPlaygrounds/rig cohere multiturn_history_is_accepted: an empty list of calls", "cohere",
			measuredChat(
				"command-a-03-2025",
				`{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[]},{"role":"user","content":"r"}`,
			)},
		{"pydantic-ai test_mistral_history_uses_prompt_cache: an empty list of calls", "mistral",
			measuredChat(
				"mistral-small-latest",
				`{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[]},{"role":"user","content":"r"}`,
			)},
		{"0xPlaygrounds/rig mistral a_forced_tool_choice_beside_a_response_format: the user right after a result",
			"mistral",
			measuredChat("mistral-small-latest",
				measuredRound("abcDEF123", `"{}"`)+`,{"role":"user","content":"r"}`)},
		{"measured: neighbours and no content beside calls at xAI", "xai",
			measuredChat("grok-4", measuredRound("call_1", `"{}"`))},
	} {
		same(t, c.source, c.provider, c.body)
	}
}

const converseRound = `{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},` +
	`{"role":"user","content":[{"toolResult":{"toolUseId":"t1","status":"success","content":[{"text":"x"}]}}]}`

// converseTools declares the tool of converseRound.
const converseTools = `"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}`

// TestMeasuredConverse: what models behind Bedrock Converse were recorded to accept comes back
// untouched.
func TestMeasuredConverse(t *testing.T) {
	for _, c := range []struct{ source, model, body string }{
		{"pydantic-ai test_bedrock_llama_tool_result_followed_by_text_accepted: status at Llama 4",
			"us.meta.llama4-maverick-17b-instruct-v1:0",
			`{"messages":[` + converseRound + `],` + converseTools + `}`},
		{"the same at Pixtral", "us.mistral.pixtral-large-2502-v1:0",
			`{"messages":[` + converseRound + `],` + converseTools + `}`},
		{"0xPlaygrounds/rig bedrock completion_with_context_smoke: neighbours of one role at Nova",
			"amazon.nova-lite-v1:0",
			`{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user","content":[{"text":"r"}]}]}`},
		{"measured: the same at Titan", "amazon.titan-text-premier-v1:0",
			`{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user","content":[{"text":"r"}]}]}`},
		{"pydantic-ai test_bedrock_anthropic_message_history_starting_with_response: the assistant first",
			"us.anthropic.claude-sonnet-4-5-20250929-v1:0",
			`{"messages":[{"role":"assistant","content":[{"text":"a"}]},{"role":"user","content":[{"text":"q"}]}]}`},
		{"crmne/ruby_llm chat_with_params nova-2-lite top_k: a final assistant message, which Anthropic's models refuse",
			"amazon.nova-2-lite-v1:0",
			`{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"{"}]}]}`},
	} {
		options := &wire.Options{Provider: "bedrock", Model: c.model}
		result, err := wire.Sanitize(context.Background(), []byte(c.body), options)
		require.NoError(t, err, c.source)
		require.False(t, result.Changed, "%s: %v\n%s", c.source, result.Warnings, result.Body)
		found, err := wire.Check([]byte(c.body), options)
		require.NoError(t, err)
		require.Empty(t, found.Violations, c.source)
	}
}

// TestMeasuredChatRefused: what was recorded to be refused is repaired, so that the cited part is
// gone.
func TestMeasuredChatRefused(t *testing.T) {
	media := func(part string) string {
		return `{"role":"user","content":[{"type":"text","text":"q"},` + part + `]}`
	}
	converse := func(block string) string {
		return `{"messages":[{"role":"user","content":[{"text":"q"},` + block + `]}]}`
	}
	for _, c := range []struct{ source, provider, model, body, gone string }{
		{"recorded: Content blocks are expected to be either text or image_url type (audio)",
			"openai-chat", "gpt-5-mini",
			measuredChat(
				"gpt-5-mini",
				media(`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`),
			), "input_audio"},
		{"rig-deepseek: unknown variant `image_url`, expected `text`", "deepseek",
			"deepseek-v4-flash",
			measuredChat(
				"deepseek-v4-flash",
				media(`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`),
			), "image_url"},
		{"measured: the same for video_url", "deepseek", "deepseek-v4-flash",
			measuredChat(
				"deepseek-v4-flash",
				media(`{"type":"video_url","video_url":{"url":"https://example.com/a.mp4"}}`),
			), "video_url"},
		{"recorded: This model doesn't support the video content block", "bedrock",
			"us.anthropic.claude-sonnet-4-5-20250929-v1:0",
			converse(`{"video":{"format":"mp4","source":{"bytes":"AAAAIGZ0eXA="}}}`), `"video"`},
		{"recorded: document.source.type: Field required, for a document in S3", "bedrock",
			"us.anthropic.claude-sonnet-4-5-20250929-v1:0",
			converse(`{"document":{"format":"pdf","name":"d","source":{"s3Location":{"uri":"s3://b/d.pdf"}}}}`),
			"s3Location"},
	} {
		options := &wire.Options{Provider: c.provider, Model: c.model}
		result, err := wire.Sanitize(context.Background(), []byte(c.body), options)
		require.NoError(t, err, c.source)
		require.True(t, result.Changed, c.source)
		require.NotContains(t, string(result.Body), c.gone, c.source)
		require.Contains(t, string(result.Body), `"q"`, c.source)
		again, err := wire.Check(result.Body, options)
		require.NoError(t, err, c.source)
		require.Empty(t, again.Violations, c.source)
	}
}

// TestMeasuredChatRows: what else was measured about OpenAI's Chat format at its hosts.
func TestMeasuredChatRows(t *testing.T) {
	const (
		ask    = `{"role":"user","content":"q"}`
		upload = `{"type":"file","file":{"filename":"f.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjQKJSVFT0YK"}}`
		audio  = `{"type":"input_audio","input_audio":{"data":"SUQzBAAAAAAA","format":"mp3"}}`
		image  = `{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`
	)
	media := func(part string) string {
		return `{"role":"user","content":[{"type":"text","text":"q"},` + part + `]}`
	}
	image64 := func(data string) string {
		return media(
			`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,` + data + `"}}`,
		)
	}
	runMeasured(t, []measuredRow{
		{
			what:     "a file without its name",
			source:   "recorded: openrouter, once",
			provider: "openrouter",
			in: measuredChat(
				"google/gemini-2.5-flash",
				media(
					`{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0xLjQKJSVFT0YK"}}`,
				),
			),
		},
		{
			what:     "an image in a tool message",
			source:   "recorded: openrouter, once",
			provider: "openrouter",
			in: measuredChat(
				"google/gemini-2.5-flash",
				ask+
					`,{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":[`+
					image+`]}`,
			),
		},
		{
			what:     "a result for a call that thought",
			source:   "measured: deepseek-v4 through a gateway, where removing the reasoning is the refusal",
			provider: "openai-compatible",
			in: measuredChat(
				"deepseek-ai/deepseek-v4",
				ask+`,{"role":"assistant","content":null,"reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}`,
			),
		},
		{
			what:     "content that is null beside calls",
			source:   "sgl-project/sglang#4236: old versions refuse it, which no body shows; see the remedy fill-content",
			provider: "openai-compatible",
			in:       measuredChat("deepseek-r1", measuredRound("c", `"{}"`)),
		},
		{
			what:     "two texts in one message",
			source:   "nocmt/LLMSearchPlus#2 (2025-02): one report of an older model; see the remedy join-texts",
			provider: "xai",
			in: measuredChat(
				"grok-4",
				`{"role":"user","content":[{"type":"text","text":"q"},{"type":"text","text":"r"}]}`,
			),
		},
		{
			what:     "content and thinking beside calls",
			source:   "ggml-org/llama.cpp#17040, #19702",
			rule:     "chat-template/gpt-oss-both",
			provider: "chat-template",
			in: measuredChat(
				"gpt-oss-20b",
				ask+`,{"role":"assistant","content":"a","reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}`,
			),
			out: measuredChat(
				"gpt-oss-20b",
				ask+`,{"role":"assistant","content":"t\na","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}`,
			),
		},
		{
			what:     "channel tags in the content",
			source:   "ggml-org/llama.cpp#15242",
			rule:     "chat-template/gpt-oss-channel-tags",
			provider: "chat-template",
			in: measuredChat(
				"gpt-oss-20b",
				ask+`,{"role":"assistant","content":"<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>"},`+ask,
			),
			out: measuredChat(
				"gpt-oss-20b",
				ask+`,{"role":"assistant","content":"a","reasoning_content":"t"},`+ask,
			),
		},
		{
			what:     "thinking beside calls",
			source:   "ggml-org/llama.cpp#17040: one of them is fine",
			provider: "chat-template",
			in: measuredChat(
				"gpt-oss-20b",
				ask+`,{"role":"assistant","content":null,"reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}`,
			),
		},
		{
			what:     "a call without its signature",
			source:   "lbjlaq/Antigravity-Manager#938, Chevey339/kelivo#639, manthanabc/paws#103 (generativelanguage.googleapis.com)",
			rule:     "gemini/thought-signature-missing",
			provider: "gemini-chat",
			in:       measuredChat("gemini-3-pro-preview", measuredRound("c", `"{}"`)),
			out: measuredChat(
				"gemini-3-pro-preview",
				strings.Replace(
					measuredRound("c", `"{}"`),
					`"arguments":"{}"}}`,
					`"arguments":"{}"},"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}}`,
					1,
				),
			),
		},
		{
			what:     "a call with its signature",
			source:   "ai.google.dev/gemini-api/docs/thought-signatures",
			provider: "gemini-chat",
			in: measuredChat(
				"gemini-3-pro-preview",
				strings.Replace(
					measuredRound("c", `"{}"`),
					`"arguments":"{}"}}`,
					`"arguments":"{}"},"extra_content":{"google":{"thought_signature":"QUJD"}}}`,
					1,
				),
			),
		},
		{
			what:     "a call without a signature before 3",
			source:   "crmne/ruby_llm recordings of gemini-2.5-pro",
			provider: "gemini-chat",
			in:       measuredChat("gemini-2.5-pro", measuredRound("c", `"{}"`)),
		},
		{
			what:     "audio in the user's message",
			source:   "recorded: Content blocks are expected to be either text or image_url type",
			rule:     "openai-chat/part-type",
			provider: "openai-chat",
			in:       measuredChat("gpt-5-mini", media(audio)),
			out: measuredChat(
				"gpt-5-mini",
				`{"role":"user","content":[{"type":"text","text":"q"},{"type":"text","text":"[audio omitted]"}]}`,
			),
		},
		{
			what:     "an image that is none",
			source:   "recorded: You uploaded an unsupported image (gpt-4o-mini)",
			rule:     "openai-chat/image-undecodable",
			provider: "openai-chat",
			in:       measuredChat("gpt-4o-mini", image64("UGxlYXNlIHNldCBhIHVzZXItYWdlbnQ=")),
			out: measuredChat(
				"gpt-4o-mini",
				`{"role":"user","content":[{"type":"text","text":"q"},{"type":"text","text":"[image omitted: its data cannot be read]"}]}`,
			),
		},
		{
			what:     "the role developer for o1-mini",
			source:   "recorded: 'messages[0].role' does not support 'developer' with this model",
			rule:     "openai-chat/system-role-unsupported",
			provider: "openai-chat",
			in: measuredChat(
				"o1-mini",
				`{"role":"developer","content":"s"},`+ask,
			),
			out: measuredChat("o1-mini", `{"role":"user","content":"s"},`+ask),
		},
		{
			what:     "the role developer",
			source:   "decolua/9router#773",
			rule:     "deepseek/role-developer",
			provider: "deepseek",
			in: measuredChat(
				"deepseek-v4-flash",
				`{"role":"developer","content":"s"},`+ask,
			),
			out: measuredChat("deepseek-v4-flash", `{"role":"system","content":"s"},`+ask),
		},
		{
			what:     "a file",
			source:   "measured: repaired, and its words explained",
			rule:     "deepseek/image-unsupported",
			provider: "deepseek",
			in:       measuredChat("deepseek-v4-flash", media(upload)),
			out: measuredChat(
				"deepseek-v4-flash",
				media(`{"type":"text","text":"[document: f.pdf]"}`),
			),
		},
		{
			what:     "audio",
			source:   "measured: repaired, and its words explained",
			rule:     "deepseek/image-unsupported",
			provider: "deepseek",
			in: measuredChat(
				"deepseek-v4-flash",
				media(audio),
			),
			out: measuredChat(
				"deepseek-v4-flash",
				media(`{"type":"text","text":"[audio omitted]"}`),
			),
		},
		{
			what:     "a system message midway",
			source:   "BigPizzaV3/CodexPlusPlus#267",
			rule:     "minimax/system-role",
			provider: "minimax",
			in: measuredChat(
				"MiniMax-M3",
				ask+`,{"role":"assistant","content":"a"},{"role":"system","content":"s"},`+ask,
			),
			out: measuredChat(
				"MiniMax-M3",
				ask+`,{"role":"assistant","content":"a"},{"role":"user","content":"s"},`+ask,
			),
		},
		{
			what:     "a result whose call is not there",
			source:   "MiniMax-AI/MiniMax-M2#76, agent0ai/agent-zero#1754",
			rule:     "minimax/tool-result-order",
			provider: "minimax",
			in: measuredChat(
				"MiniMax-M3",
				ask+`,{"role":"tool","tool_call_id":"call_function_1","content":"x"},`+ask,
			),
			out: measuredChat("MiniMax-M3", ask+`,`+ask),
		},
		{
			what:     "arguments that were cut off",
			source:   "NousResearch/hermes-agent#12167",
			rule:     "openai-chat/arguments-not-json",
			provider: "minimax",
			in:       measuredChat("MiniMax-M3", measuredRound("c", `"{\"a\":1"`)),
			out: measuredChat(
				"MiniMax-M3",
				measuredRound("c", `"{\"_raw\":\"{\\\"a\\\":1\"}"`),
			),
		},
	})
}
