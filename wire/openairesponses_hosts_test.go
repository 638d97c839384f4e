package wire_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestResponsesAccepted: what a provider accepted comes back as it is. Each body is the least one
// of its shape; the source names the recording that has the shape, by the repository's own path.
func TestResponsesAccepted(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	for _, c := range []struct{ provider, body, source string }{
		// Ids of items that were made without reasoning.
		{"openai-responses", `{"model":"gpt-5.6","input":[` + ask +
			`,{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}",` +
			`"status":"completed"},` +
			`{"type":"function_call_output","call_id":"c","output":"r","status":"completed"},` +
			ask + `]}`,
			"0xPlaygrounds/rig tests/cassettes/openai/streaming_grammar/tool_then_followup_text.yaml"},
		{"openai-responses", `{"model":"gpt-5","previous_response_id":null,"input":[` + ask +
			`,{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"c","output":"r"},` + ask + `]}`,
			"pydantic/pydantic-ai test_openai_responses/test_openai_responses_history_with_combined_tool_call_id.yaml"},
		// Arguments that are no object.
		{"openai-responses", `{"model":"gpt-5.4-nano","store":false,"input":[` + ask +
			`,{"type":"function_call","call_id":"c","name":"f","arguments":"[]"},` +
			`{"type":"function_call_output","call_id":"c","output":"r"},` + ask + `]}`,
			"tidyverse/ellmer tests/testthat/_vcr/chat-tools-dangling.yml"},
		{"openai-responses", `{"model":"gpt-5.6","input":[` + ask +
			`,{"type":"function_call","id":"fc_1","call_id":"c","name":"f",` +
			`"arguments":"{\"x\":48","status":"incomplete"},` +
			`{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			"0xPlaygrounds/rig tests/cassettes/openai/streaming_grammar/incomplete_mid_tool_call.yaml, the answer sent back"},
		// An answer that was cut off while it reasoned.
		{"openai-responses", `{"model":"gpt-5.6","input":[` + ask +
			`,{"type":"reasoning","id":"rs_1","summary":[],"content":[],` +
			`"encrypted_content":"QUJD"},` +
			ask + `]}`,
			"0xPlaygrounds/rig tests/cassettes/openai/streaming_grammar/incomplete_max_output_tokens.yaml, the answer sent back"},
		// Without storage an id binds nothing.
		{"openai-responses", `{"model":"gpt-5.4","store":false,"input":[` + ask +
			`,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"},` +
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			"nine requests to api.openai.com, among those of recorded/"},
		// A search for tools: answered by a function's output, by the client's own, and by the
		// server.
		{"openai-responses", `{"model":"gpt-5.6","input":[` + ask +
			`,{"type":"tool_search_call","call_id":"s","execution":"client",` +
			`"status":"completed","arguments":{"q":1.0}},` +
			`{"type":"function_call_output","call_id":"s","output":"r"},` + ask + `]}`,
			"pydantic/pydantic-ai test_tool_availability_portability_matrix[" +
				"R5-T3-native-search].yaml"},
		{"openai-responses", `{"model":"gpt-5.4","input":[` + ask +
			`,{"type":"tool_search_call","id":"tsc_1","call_id":"s","execution":"client",` +
			`"status":"completed","arguments":{"queries":[]}},` +
			`{"type":"tool_search_output","call_id":"s","execution":"client",` +
			`"status":"completed","tools":[{"type":"function","name":"f","parameters":{}}]},` +
			`{"type":"function_call","id":"fc_1","call_id":"c","name":"f","namespace":"f",` +
			`"arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			"pydantic/pydantic-ai test_tool_search/test_openai_client_tool_search_streaming.yaml"},
		{"openai-responses", `{"model":"gpt-5.4","input":[` + ask +
			`,{"type":"tool_search_call","id":"tsc_1","call_id":null,"execution":"server",` +
			`"status":"completed","arguments":{"paths":[]}},` +
			`{"type":"function_call","id":"fc_1","call_id":"c","name":"f","namespace":"f",` +
			`"arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			"pydantic/pydantic-ai test_tool_search/test_openai_native_tool_search_round_trip.yaml"},
		// Requests without messages of their own.
		{"openai-responses", `{"model":"gpt-4o-mini","input":[],"previous_response_id":"resp_1"}`,
			"pydantic/pydantic-ai test_openai_responses/test_openai_responses_compact_with_auto_previous_response_id.yaml"},
		{"openai-responses", `{"prompt":{"id":"pmpt_1","version":"1"}}`,
			"openai-go v3.95.0, ResponseNewParams.Prompt"},
		{"openai-responses", `{"model":"gpt-5.4","conversation":"conv_1"}`,
			"openai-go v3.95.0, ResponseNewParams.Conversation"},

		// Other hosts, by their own name and, since a model tells too, by that of the format.
		{
			"xai-responses", grokItems,
			"0xPlaygrounds/rig tests/cassettes/xai/agent_tool_sessions/parallel_tool_calls_single_turn_nonstreaming.yaml",
		},
		{"openai-responses", grokItems, "the same"},
		{
			"deepseek-responses", deepSeekItems,
			"pydantic/pydantic-ai test_deepseek_responses/test_deepseek_responses[" +
				"function_tool].yaml",
		},
		{"openai-responses", deepSeekItems, "the same"},
		{"deepseek", deepSeekItems, "the same"},
		{"copilot-responses", `{"model":"gpt-5.3-codex","input":[` + ask +
			`,{"type":"reasoning","id":"c29tZSBvcGFxdWUgaWQ+/==","summary":[],` +
			`"encrypted_content":"QUJD"},` +
			`{"type":"message","id":"b3RoZXI=","role":"assistant","status":"completed",` +
			`"content":[{"type":"output_text","text":"a"}]},` +
			ask + `]}`,
			"0xPlaygrounds/rig tests/cassettes/copilot/reasoning_roundtrip/nonstreaming.yaml"},
		{
			"openrouter-responses", openRouterItems,
			"0xPlaygrounds/rig tests/cassettes/openrouter/openai_responses_compat/openai_responses_stream_against_openrouter_completes.yaml, the answer sent back",
		},
		{"openai-responses", openRouterItems, "the same"},
		{"openai-responses", `{"model":"openai.gpt-oss-20b","store":false,"input":[` + ask +
			`,{"type":"reasoning","id":"msg_1","summary":[],` +
			`"status":"completed","content":[{"type":"reasoning_text","text":"t"}]},` +
			`{"type":"message","id":"msg_2","role":"assistant","status":"completed",` +
			`"content":[{"type":"output_text","text":"a"}]},` +
			ask + `]}`,
			"crmne/ruby_llm providers_bedrock_mantle_responses_chat_chats_through_the_responses_surface.yml, the answer sent back"},
	} {
		for _, policy := range []preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		} {
			options := &wire.Options{Provider: c.provider}
			options.Sanitize.Dangling = policy
			report, err := wire.Check([]byte(c.body), options)
			require.NoError(t, err, c.source)
			require.Empty(t, report.Violations, "%s: %s", c.source, c.body)
			result, err := wire.Sanitize(context.Background(), []byte(c.body), options)
			require.NoError(t, err, c.source)
			require.False(t, result.Changed, "%s: %s", c.source, result.Body)
			require.Equal(t, c.body, string(result.Body))
		}
	}
}

const (
	grokItems = `{"model":"grok-4.3","input":[{"role":"user","content":"q"},` +
		`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],` +
		`"status":"completed"},` +
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c","output":"r"}]}`
	deepSeekItems = `{"model":"deepseek-v4-flash","input":[{"role":"user","content":"q"},` +
		`{"type":"reasoning","id":"76f8b89e-0000","summary":[],` +
		`"content":[{"type":"reasoning_text","text":"t"}]},` +
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c","output":"r"}]}`
	openRouterItems = `{"model":"google/gemini-3-flash-preview","input":[{"role":"user",` +
		`"content":"q"},{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
		`"content":[{"type":"output_text","text":"a"}]},` +
		`{"type":"reasoning","id":"rs_1","format":"google-gemini-v1","status":"completed",` +
		`"summary":[],"encrypted_content":"QUJD"},{"role":"user","content":"next"}]}`
)

// TestResponsesRefused: what a provider refused is repaired, with nothing lost that it could have
// taken.
func TestResponsesRefused(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	// pydantic/pydantic-ai, the recording of test_openai_responses_thinking_with_modified_history:
	// "Item 'rs_…' of type 'reasoning' was provided without its required following item."
	runRepairs(t, "openai-responses", []repairs{
		{"reasoning with its id and payload before a message without one",
			`{"model":"gpt-5","input":[` + ask +
				`,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"},` +
				`{"role":"assistant","content":"a"},` +
				ask + `]}`,
			`{"model":"gpt-5","input":[` + ask + `,{"role":"assistant","content":"a"},` +
				ask + `]}`,
			[]string{"input[1] reasoning-removed openai-responses/reasoning-needs-following"}},
		// https://github.com/vercel/ai/issues/7099
		{"reasoning by its id alone before the user's message",
			`{"model":"gpt-5","input":[` + ask +
				`,{"type":"reasoning","id":"rs_1","summary":[]},` + ask +
				`]}`, `{"model":"gpt-5","input":[` + ask + `,` + ask + `]}`,
			[]string{"input[1] reasoning-removed openai-responses/reasoning-needs-following"}},
		// What other hosts answer with, sent to OpenAI: https://github.com/QuantumNous/new-api has
		// a repair for the words of its refusal.
		{"reasoning in plain words, of an answer by another host",
			`{"model":"gpt-5","input":[` + ask +
				`,{"type":"reasoning","summary":[],` +
				`"status":"completed","encrypted_content":"QUJD",` +
				`"content":[{"type":"reasoning_text","text":"t"}]},` +
				`{"role":"assistant","content":"a"},` +
				ask + `]}`,
			`{"model":"gpt-5","input":[` + ask +
				`,{"type":"reasoning","summary":[],"encrypted_content":"QUJD"},` +
				`{"role":"assistant","content":"a"},` +
				ask + `]}`,
			[]string{
				"input[1].content field-removed openai-responses/reasoning-content-nonempty",
				"input[1].status field-removed openai-responses/unknown-item-field",
			}},
		// openai/codex#31053: "No tool output found for tool search call"
		{"a search for tools without its output",
			`{"model":"gpt-5.4","input":[` + ask +
				`,{"type":"tool_search_call","call_id":"s","execution":"client",` +
				`"status":"completed","arguments":{"queries":[]}},` +
				ask + `]}`,
			`{"model":"gpt-5.4","input":[` + ask + `,` + ask + `]}`,
			[]string{"input[1] dangling-removed openai-responses/tool-output-missing"}},
		// codex-rs removes such outputs from its history itself.
		{"the output of a search for tools that is not there",
			`{"model":"gpt-5.4","input":[` + ask +
				`,{"type":"tool_search_output","call_id":"s","execution":"client",` +
				`"status":"completed","tools":[]},` +
				ask + `]}`,
			`{"model":"gpt-5.4","input":[` + ask + `,` + ask + `]}`,
			[]string{"input[1] orphan-removed openai-responses/tool-output-orphan"}},
	})
	// The recording of test_deepseek_responses_rejects_interleaved_function_calls in
	// pydantic/pydantic-ai: "No tool output found for tool call call-a."
	runRepairs(t, "deepseek-responses", []repairs{
		{"text between a call and its output",
			`{"model":"deepseek-v4-flash","input":[` + ask +
				`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},` +
				`{"content":"t","role":"assistant"},` +
				`{"type":"function_call","call_id":"b","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"a","output":"1"},` +
				`{"type":"function_call_output","call_id":"b","output":"2"}]}`,
			`{"model":"deepseek-v4-flash","input":[` + ask +
				`,{"content":"t","role":"assistant"},` +
				`{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},` +
				`{"type":"function_call","call_id":"b","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"a","output":"1"},` +
				`{"type":"function_call_output","call_id":"b","output":"2"}]}`,
			[]string{"input[2] parts-reordered deepseek/tool-result-missing"}},
	})
	// anomalyco/opencode#20698: Azure, whatever the deployment is called.
	runRepairs(t, "azure-responses", []repairs{
		{"reasoning by its id before a call without one",
			`{"model":"our-deployment","input":[` + ask +
				`,{"type":"reasoning","id":"rs_1","summary":[]},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			`{"model":"our-deployment","input":[` + ask +
				`,{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"r"}]}`,
			[]string{"input[1] reasoning-removed openai-responses/reasoning-ids-azure"}},
	})
}

// TestToolSearchAnswers: an answer that preflight makes up for a search finds no tools, as codex
// has it.
func TestToolSearchAnswers(t *testing.T) {
	options := &wire.Options{Provider: "openai-responses"}
	options.Sanitize.Dangling = preflight.DanglingAnswer
	const head = `{"input":[{"role":"user","content":"q"},` +
		`{"type":"tool_search_call","call_id":"s","execution":"client","status":"completed",` +
		`"arguments":{}}`
	result, err := wire.Sanitize(context.Background(), []byte(head+`]}`), options)
	require.NoError(t, err)
	require.Equal(
		t,
		head+
			`,{"type":"tool_search_output","call_id":"s","execution":"client",`+
			`"status":"completed","tools":[]}]}`,
		string(result.Body),
	)
	require.Len(t, result.Warnings, 1)
	requireGuarantees(t, []byte(head+`]}`), options)
}

// TestForeignItemsKeepTheirMembers: a message of another host that is changed loses nothing that
// only OpenAI refuses.
func TestForeignItemsKeepTheirMembers(t *testing.T) {
	const body = `{"model":"deepseek-v4-flash","input":[{"role":"user","content":"q"},` +
		`{"type":"reasoning","id":"7","status":"completed","summary":[{"type":"summary_text",` +
		`"text":"s"}],` +
		`"content":[{"type":"reasoning_text","text":"t"}]},` +
		`{"type":"message","id":"8","role":"assistant","status":"completed",` +
		`"content":[{"type":"output_text","text":"a"}]}]}`
	r, err := wire.Decode([]byte(body), &wire.Options{Provider: "deepseek-responses"})
	require.NoError(t, err)
	thought := *r.Messages[1].Parts[0].(*preflight.Reasoning)
	thought.Text = "shorter"
	messages := slices.Clone(r.Messages)
	messages[1].Parts = []preflight.Part{&thought}
	out, err := r.Encode(messages)
	require.NoError(t, err)
	require.Contains(
		t,
		string(out),
		`"status":"completed","summary":[{"type":"summary_text","text":"shorter"}],`+
			`"content":[{"type":"reasoning_text","text":"t"}]`,
	)
}
