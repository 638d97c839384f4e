package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// This file is what was measured about Anthropic's format, body by body: the least one of each
// shape, and where the shape is on record.

const (
	measuredTools = `,"tools":[{"name":"f","input_schema":{"type":"object"}}]`
	measuredCall  = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
		`"input":{}}]}`
	measuredResult = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":"x"}]}`
)

// measuredBody is a body with the model, the messages and what else there is.
func measuredBody(model, messages, rest string) string {
	return `{"model":"` + model + `","max_tokens":9,"messages":[` + messages + `]` + rest + `}`
}

// TestMeasuredAnthropic: what providers were recorded to accept comes back untouched, through the
// format and the dialects.
func TestMeasuredAnthropic(t *testing.T) {
	user := func(text string) string { return `{"role":"user","content":"` + text + `"}` }
	bot := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	const text, blank, thought = `{"type":"text","text":"a"}`, `{"type":"text","text":" "}`, `{` +
		`"type":"thinking","thinking":"t","signature":"c2ln"}`
	for _, c := range []struct{ source, provider, body string }{
		{"0xPlaygrounds/rig tests/cassettes/anthropic/response_identity_edge/documents_and_identity.yaml",
			"anthropic",
			measuredBody("claude-sonnet-4-6", user("q")+","+user("r"), "")},
		{"openinference TestInvokeModelWithStreamResponse.test_invoke.yaml: neighbours of one " +
			"role through Bedrock",
			"bedrock-anthropic",
			measuredBody("anthropic.claude-3-5-sonnet-20240620-v1:0", user("q")+","+user("r"), "")},
		{"pydantic-ai test_anthropic_model_empty_message_on_history.yaml: the assistant first",
			"anthropic",
			measuredBody("claude-sonnet-4-5", bot(text)+","+user("q"), "")},
		{"simonw/llm-anthropic test_tools.yaml: white space before a call", "anthropic",
			measuredBody("claude-haiku-4-5", user("q")+","+
				bot(blank+`,{"type":"tool_use","id":"t1","name":"f","input":{}}`)+","+
				measuredResult, measuredTools)},
		{"pydantic-ai test_anthropic_opus_46_features: the API's own white space before thinking",
			"anthropic",
			measuredBody("claude-opus-4-6",
				user("q")+","+bot(blank+","+thought+","+text)+","+user("r"),
				`,"thinking":{"type":"adaptive"}`)},
		{"tidyverse/ellmer anthropic-whitespace.yml: thinking and white space", "anthropic",
			measuredBody("claude-sonnet-5", user("q")+","+bot(thought+","+blank)+","+user("r"),
				"")},
		{"0xPlaygrounds/rig raw_followup_empty_end_turn: tool blocks without tools; " +
			"anthropic-sdk-python#849",
			"anthropic",
			measuredBody("claude-sonnet-4-6", user("q")+","+measuredCall+","+measuredResult, "")},
		{"crmne/ruby_llm chat_citations: a title with a dot", "anthropic",
			measuredBody("claude-haiku-4-5",
				`{"role":"user","content":[{"type":"document","source":{"type":"text",`+
					`"media_type":"text/plain","data":"d"},"title":"sample.pdf"},`+
					`{"type":"text","text":"q"}]}`,
				"")},
		{"openinference test_anthropic_instrumentation_image_input_messages.yaml: an image " +
			"under another type",
			"anthropic",
			measuredBody("claude-3-5-sonnet-20240620",
				`{"role":"user","content":[{"type":"image","source":{"type":"base64",`+
					`"media_type":"image/png","data":"/9j/4AAQSkZJRgABAQAAAQABAAD/"}}]}`,
				"")},
		{"measured 2026-09-20 on five models: text after a call", "anthropic",
			measuredBody("claude-opus-4-8", user("q")+","+
				bot(`{"type":"tool_use","id":"t1","name":"f","input":{}},`+text)+","+
				measuredResult, measuredTools)},
		{"anthropic-sdk-go v1.84.0 BetaFallbackBlockParam: a fallback between thinking," +
			" in a request with fallbacks",
			"anthropic",
			measuredBody("claude-opus-4-8",
				user("q")+","+bot(thought+`,{"type":"fallback"},`+thought+","+text)+","+user("r"),
				`,"thinking":{"type":"adaptive"},"fallbacks":[{"model":"claude-sonnet-5"}]`)},
		{"anthropic-sdk-go v1.84.0 BetaCompactionBlockParam: a leading compaction block",
			"anthropic",
			measuredBody("claude-opus-4-8",
				bot(`{"type":"compaction","content":"so far"},`+text)+","+user("q"), "")},
		{"measured: blocks that the SDK's unions have", "anthropic",
			measuredBody("claude-opus-4-8", user("q")+","+bot(text)+
				`,{"role":"user","content":"r"},`+
				`{"role":"system","content":[{"type":"tool_addition",`+
				`"tool":{"type":"tool_reference","tool_name":"f"}}]}`, measuredTools)},
		{"pydantic-ai test_pause_turn_web_search: the API goes on in the next message", "anthropic",
			measuredBody("claude-sonnet-4-5", user("q")+","+
				bot(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`)+
				","+
				bot(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},`+
					text)+
				","+user("r"), `,"tools":[{"type":"web_search_20250305","name":"web_search"}]`)},
	} {
		same(t, c.source, c.provider, c.body)
	}
}

// TestVendorsKeepThinking: what other vendors made in Anthropic's format stays, and so do the
// caller's settings.
func TestVendorsKeepThinking(t *testing.T) {
	turn := func(thinking string) string {
		return `{"role":"user","content":"q"},{"role":"assistant","content":[` + thinking +
			`{"type":"tool_use","id":"functions.f:0","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"functions.f:0",` +
			`"content":"x"}]}`
	}
	const on = measuredTools + `,"thinking":{"type":"enabled","budget_tokens":1024}`
	for provider, model := range map[string]string{
		"deepseek-anthropic": "deepseek-v4-pro", "moonshot-anthropic": "kimi-k2.6",
		"glm-anthropic": "glm-5", "minimax-anthropic": "MiniMax-M3",
		"vllm-anthropic": "qwen3", "openrouter-anthropic": "deepseek/deepseek-v4",
		"anthropic": "deepseek-v4-pro",
		"deepseek":  "deepseek-v4-pro", "moonshot": "kimi-k2.6",
	} {
		for source, thinking := range map[string]string{
			"NousResearch/hermes-agent#16748: no signature": `{"type":"thinking",` +
				`"thinking":"t"},`,
			"anomalyco/opencode#44713: an empty one": `{"type":"thinking",` +
				`"thinking":"t","signature":""},`,
			"NousResearch/hermes-agent#21048: DeepSeek signs with an id": `{"type":"thinking",` +
				`"thinking":"t","signature":"91cfbb94-554b-4136-8e21-fa02280d56ed"},`,
			"MoonshotAI/Kimi-K2#141: the setting stays without thinking": ``,
		} {
			same(t, source, provider, measuredBody(model, turn(thinking), on))
		}
	}
}

// TestDeepSeekThinkingAtAnthropic: what DeepSeek signed is refused by Anthropic, and shows by its
// form (deepseek-ai/awesome-deepseek-integration#606).
func TestDeepSeekThinkingAtAnthropic(t *testing.T) {
	in := measuredBody(
		"claude-sonnet-4-6",
		`{"role":"user","content":"q"},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t",`+
			`"signature":"91cfbb94-554b-4136-8e21-fa02280d56ed"},{"type":"text","text":"a"}]},`+
			`{"role":"user","content":"r"}`,
		"",
	)
	for _, provider := range []string{"anthropic", "vertex-anthropic", "bedrock-anthropic"} {
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(in),
			&wire.Options{Provider: provider},
		)
		require.NoError(t, err)
		require.NotContains(t, string(result.Body), "91cfbb94", provider)
		require.Contains(t, string(result.Body), `"text":"a"`, provider)
	}
}

// TestMeasuredAnthropicRefused: what was seen refused is repaired.
func TestMeasuredAnthropicRefused(t *testing.T) {
	const thought = `{"type":"thinking","thinking":"t","signature":"c2ln"}`
	for _, c := range []struct{ source, provider, in, out string }{
		{"opencode#31259, kibitz#78: an assistant message of white space", "anthropic",
			measuredBody("claude-opus-4-6",
				`{"role":"user","content":"q"},`+
					`{"role":"assistant","content":[{"type":"text","text":"\n\n"}]},`+
					`{"role":"user","content":"r"}`,
				""),
			measuredBody("claude-opus-4-6",
				`{"role":"user","content":"q"},{"role":"user","content":"r"}`, "")},
		{"PostHog/posthog#73838: clear_thinking without thinking", "anthropic",
			measuredBody(
				"claude-sonnet-4-5", `{"role":"user","content":"q"}`,
				`,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"},`+
					`{"type":"clear_thinking_20251015"}]}`,
			),
			measuredBody("claude-sonnet-4-5", `{"role":"user","content":"q"}`,
				`,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]}`)},
		{"the same, where the repair itself switches thinking off", "anthropic",
			measuredBody("claude-sonnet-4-5",
				`{"role":"user","content":"q"},`+measuredCall+`,`+measuredResult, measuredTools+
					`,"thinking":{"type":"enabled","budget_tokens":1024},`+
					`"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}`),
			measuredBody("claude-sonnet-4-5",
				`{"role":"user","content":"q"},`+measuredCall+`,`+measuredResult,
				measuredTools+`,"thinking":{"type":"disabled"}`)},
		{"anthropic-sdk-go v1.84.0 BetaCompactionBlockParam: an empty summary", "anthropic",
			measuredBody("claude-opus-4-8",
				`{"role":"assistant","content":[{"type":"compaction","content":""},`+
					`{"type":"text","text":"a"}]},{"role":"user","content":"q"}`,
				""),
			measuredBody("claude-opus-4-8",
				`{"role":"assistant","content":[{"type":"compaction","content":null},`+
					`{"type":"text","text":"a"}]},{"role":"user","content":"q"}`,
				"")},
		{"anthropic-sdk-go v1.84.0 BetaFallbackBlockParam: a fallback between thinking," +
			" in a request without fallbacks",
			"anthropic",
			measuredBody("claude-opus-4-8",
				`{"role":"user","content":"q"},{"role":"assistant","content":[`+
					thought+`,{"type":"fallback"},`+thought+
					`,{"type":"text","text":"a"}]},{"role":"user","content":"r"}`,
				`,"thinking":{"type":"adaptive"}`),
			measuredBody("claude-opus-4-8",
				`{"role":"user","content":"q"},`+
					`{"role":"assistant","content":[{"type":"text","text":"a"}]},`+
					`{"role":"user","content":"r"}`,
				`,"thinking":{"type":"adaptive"}`)},
		{"Requests which include tool blocks must define tools, through Bedrock",
			"bedrock-anthropic",
			measuredBody("anthropic.claude-sonnet-4-5",
				`{"role":"user","content":"q"},`+measuredCall+`,`+measuredResult, ""),
			measuredBody(
				"anthropic.claude-sonnet-4-5",
				`{"role":"user","content":"q"},`+measuredCall+`,`+measuredResult,
				`,"tools":[{"name":"f","input_schema":{"type":"object"}}],`+
					`"tool_choice":{"type":"none"}`,
			)},
	} {
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(c.in),
			&wire.Options{Provider: c.provider},
		)
		require.NoError(t, err, c.source)
		require.Equal(t, c.out, string(result.Body), c.source)
		again, err := wire.Check(result.Body, &wire.Options{Provider: c.provider})
		require.NoError(t, err, c.source)
		require.Empty(t, again.Violations, c.source)
	}
}

// same asserts that a body is valid and comes back as it is.
func same(t *testing.T, source, provider, body string) {
	t.Helper()
	result, err := wire.Sanitize(
		context.Background(),
		[]byte(body),
		&wire.Options{Provider: provider},
	)
	require.NoError(t, err, "%s\n%s", source, body)
	require.False(
		t,
		result.Changed,
		"%s at %s: %v\n%s\n%s",
		source,
		provider,
		result.Warnings,
		body,
		result.Body,
	)
	found, err := wire.Check([]byte(body), &wire.Options{Provider: provider})
	require.NoError(t, err)
	require.Empty(t, found.Violations, "%s at %s", source, provider)
}

// TestMeasuredAnthropicRows: what else was measured about Anthropic's format.
func TestMeasuredAnthropicRows(t *testing.T) {
	const (
		model = "claude-opus-4-8"
		ask   = `{"role":"user","content":"q"}`
		text  = `{"type":"text","text":"a"}`
	)
	bot := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	image := func(mime, data string) string {
		return `{"role":"user","content":[{"type":"image","source":{"type":"base64",` +
			`"media_type":"` +
			mime + `","data":"` + data + `"}},{"type":"text","text":"q"}]}`
	}
	const omitted = `{"role":"user","content":[{"type":"text",` +
		`"text":"[image omitted: its data cannot be read]"},{"type":"text","text":"q"}]}`
	call := func(id string) string {
		return bot(`{"type":"tool_use","id":"` + id + `","name":"f","input":{}}`)
	}
	result := func(id string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id +
			`","content":"x"}]}`
	}
	runMeasured(t, []measuredRow{
		{
			what:     "a message of role tool",
			source:   "messages.1.tool_call_id: Extra inputs are not permitted",
			rule:     "anthropic/extra-inputs",
			provider: "anthropic",
			in: measuredBody(
				model,
				ask+`,`+call(
					"t1",
				)+`,{"role":"tool","tool_call_id":"t1","content":[{"type":"tool_result",`+
					`"tool_use_id":"t1","content":"x"}]}`,
				measuredTools,
			),
			out: measuredBody(model, ask+`,`+call("t1")+`,`+result("t1"), measuredTools),
		},
		{
			what: "an id used again in another round",
			source: "documented refusals; two recordings accept it: an exception," +
				" which loses nothing",
			rule:     "anthropic/tool-use-id-duplicate",
			provider: "anthropic",
			in: measuredBody(
				model,
				ask+`,`+call("t1")+`,`+result("t1")+`,`+call("t1")+`,`+result("t1"),
				measuredTools,
			),
			out: measuredBody(
				model,
				ask+`,`+call(
					"t1",
				)+`,`+result(
					"t1",
				)+`,`+call(
					"t1_809f16d9",
				)+`,`+result(
					"t1_809f16d9",
				),
				measuredTools,
			),
		},
		{
			what:     "a picture that is a web page",
			source:   "anthropics/claude-code#53228",
			rule:     "anthropic/image-undecodable",
			provider: "anthropic",
			in: measuredBody(
				model,
				image("image/png", "PGh0bWw+bm90IGZvdW5kPC9odG1sPg=="),
				"",
			),
			out: measuredBody(model, omitted, ""),
		},
		{
			what:     "a picture that is no base64",
			source:   "anthropics/claude-code#56016",
			rule:     "anthropic/image-undecodable",
			provider: "anthropic",
			in: measuredBody(
				model,
				image("image/png", "@@@not base64"),
				"",
			),
			out: measuredBody(model, omitted, ""),
		},
		{
			what:     "a picture of nothing but its first eight bytes",
			source:   "anthropics/claude-code#66167, #42399",
			rule:     "anthropic/image-undecodable",
			provider: "anthropic",
			in: measuredBody(
				model,
				image("image/png", "iVBORw0KGgo="),
				"",
			),
			out: measuredBody(model, omitted, ""),
		},
		{
			what:     "blocks of a search for tools",
			source:   "recorded requests (tool_reference 49, tool_search_tool_result)",
			provider: "anthropic",
			in: measuredBody(
				model,
				ask+`,`+bot(
					`{"type":"server_tool_use","id":"srvtoolu_1",`+
						`"name":"tool_search_tool_regex","input":{"query":"f"}},`+
						`{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1",`+
						`"content":{"type":"tool_search_tool_search_result",`+
						`"tool_references":[{"type":"tool_reference","tool_name":"f"}]}},`+
						text,
				)+`,`+ask,
				`,"tools":[{"type":"tool_search_tool_regex_20251119",`+
					`"name":"tool_search_tool_regex"},`+
					`{"name":"f","input_schema":{"type":"object"},"defer_loading":true}]`,
			),
		},
		{
			what:     "references to tools in a result",
			source:   "recorded requests (tool_reference 49)",
			provider: "anthropic",
			in: measuredBody(
				model,
				ask+`,`+call(
					"t1",
				)+`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",`+
					`"content":[{"type":"tool_reference","tool_name":"f"}]}]}`,
				measuredTools,
			),
		},
		{
			what: "members of the newest SDK",
			source: "anthropic-sdk-go v1.84.0: caller, toolset_name, clear_at," +
				" compaction's encrypted_content, signature and tool_changes",
			provider: "anthropic",
			in: measuredBody(
				model,
				bot(
					`{"type":"compaction","content":null,"encrypted_content":"QUJD",`+
						`"signature":"c2ln","tool_changes":[]},`+
						text,
				)+`,`+ask+`,`+
					bot(
						`{"type":"tool_use","id":"t1","name":"f","input":{},`+
							`"caller":{"type":"direct"},"toolset_name":"s"}`,
					)+`,`+result(
					"t1",
				),
				measuredTools,
			),
		},
		{
			what:     "editing of the context",
			source:   "recorded requests; anthropic-sdk-go v1.84.0",
			provider: "anthropic",
			in: measuredBody(
				model,
				ask,
				`,"thinking":{"type":"adaptive"},`+
					`"context_management":{"edits":[{"type":"clear_thinking_20251015"},`+
					`{"type":"clear_tool_uses_20250919"}]}`,
			),
		},
		{
			what:     "thinking of the vendor's own at vLLM",
			source:   "intel/llm-scaler#341: refused by old versions alone, which no body shows",
			provider: "vllm-anthropic",
			in: measuredBody(
				"qwen3",
				ask+`,`+bot(`{"type":"thinking","thinking":"t"},`+text)+`,`+ask,
				"",
			),
		},
	})
}
