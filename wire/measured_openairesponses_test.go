package wire_test

import "testing"

// TestMeasuredResponses: what was measured about the OpenAI Responses API and its hosts, beside
// TestResponsesAccepted and TestResponsesRefused.
func TestMeasuredResponses(t *testing.T) {
	const (
		ask    = `{"role":"user","content":"q"}`
		call   = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
		output = `{"type":"function_call_output","call_id":"c","output":"r"}`
	)
	body := func(model, items string) string {
		return `{"model":"` + model + `","input":[` + items + `]}`
	}
	stateless := func(items string) string {
		return `{"model":"gpt-5.4","store":false,"input":[` + items + `]}`
	}
	runMeasured(t, []measuredRow{
		{
			what: "null members of items",
			source: "requests to api.openai.com among the recorded ones (function_call," +
				" tool_search_call)",
			provider: "openai-responses",
			in: body(
				"gpt-5.4",
				ask+
					`,{"type":"function_call","call_id":"c","name":"f","arguments":"{}",`+
					`"status":null},`+
					output,
			),
		},
		{
			what:     "sources that are null",
			source:   "pydantic-ai recordings of web searches, accepted 10 times",
			provider: "openai-responses",
			in: body(
				"gpt-5.4",
				ask+
					`,{"type":"web_search_call","id":"ws_1","status":"completed",`+
					`"action":{"type":"search","query":"x","sources":null}},`+
					ask,
			),
		},
		{
			what:     "a web search of an unknown type",
			source:   "openai/codex#7129, #6945",
			rule:     "openai-responses/web-search-action",
			provider: "openai-responses",
			in: body(
				"gpt-5.4",
				ask+
					`,{"type":"web_search_call","status":"completed","action":{"type":"other"}},`+
					ask,
			),
			out: body("gpt-5.4", ask+`,`+ask),
		},
		{what: "reasoning in full without ids", source: "47 recorded requests with store false",
			provider: "openai-responses", in: stateless(ask +
				`,{"type":"reasoning","summary":[],"encrypted_content":"QUJD"},` +
				`{"role":"assistant","content":"a"},` +
				ask)},
		{
			what: "reasoning in full that the user's message follows",
			source: "openai/codex 0.169, killed between reasoning and answer; accepted by " +
				"three recorded follow-ups",
			provider: "openai-responses",
			in: stateless(
				ask + `,{"type":"reasoning","summary":[],"encrypted_content":"QUJD"},` + ask,
			),
		},
		{
			what: "audio as a file",
			source: "pydantic-ai test_multimodal_tool_returns " +
				"(direct-url_force_download-audio-openai_responses)",
			rule:     "openai-responses/file-type",
			provider: "openai-responses",
			in: body(
				"gpt-5-mini",
				ask+`,`+call+
					`,{"type":"function_call_output","call_id":"c",`+
					`"output":[{"type":"input_file","filename":"f.mp3",`+
					`"file_data":"data:audio/mpeg;base64,SUQzBAAAAAAA"}]}`,
			),
			out: body(
				"gpt-5-mini",
				ask+`,`+call+
					`,{"type":"function_call_output","call_id":"c",`+
					`"output":[{"type":"input_text","text":"[audio: f.mp3]"}]}`,
			),
		},
		{what: "a document as a file", source: "0xPlaygrounds/rig recording of sample.docx",
			provider: "openai-responses", in: body(
				"gpt-5-nano",
				`{"role":"user","content":[{"type":"input_file","filename":"s.docx",`+
					`"file_data":"data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,UEsDBA=="}]}`,
			)},
		{
			what:     "a compaction trigger before the end",
			source:   "router-for-me/CLIProxyAPI#4148, Wei-Shaw/sub2api#6366, openai-go v3.95.0",
			rule:     "openai-responses/compaction-trigger-last",
			provider: "openai-responses",
			in:       body("gpt-5.5", ask+`,{"type":"compaction_trigger"},`+ask),
			out:      body("gpt-5.5", ask+`,`+ask),
		},
		{
			what:     "two compaction triggers",
			source:   "Soju06/codex-lb#1749",
			rule:     "openai-responses/compaction-trigger-last",
			provider: "openai-responses",
			in: body(
				"gpt-5.5",
				ask+`,{"type":"compaction_trigger"},{"type":"compaction_trigger"}`,
			),
			out: body("gpt-5.5", ask+`,{"type":"compaction_trigger"}`),
		},
		{
			what:     "a compaction trigger at the end",
			source:   "openai-go v3.95.0 ResponseInputItemCompactionTriggerParam",
			provider: "openai-responses",
			in:       body("gpt-5.5", ask+`,{"type":"compaction_trigger"}`),
		},
		{what: "a compaction trigger at another host", source: "no refusal is on record",
			provider: "xai-responses",
			in:       body("grok-4.3", ask+`,{"type":"compaction_trigger"},`+ask)},
		{
			what:     "one output twice",
			source:   "codex sessions: a result that was recorded twice",
			rule:     "openai-responses/tool-output-orphan",
			provider: "openai-responses",
			in:       body("gpt-5.4", ask+`,`+call+`,`+output+`,`+output),
			out:      body("gpt-5.4", ask+`,`+call+`,`+output),
		},
		{
			what:     "items that newer clients send",
			source:   "recorded requests (additional_tools 18, compaction), openai-go v3.95.0",
			provider: "openai-responses",
			in: body(
				"gpt-5.6",
				`{"type":"compaction","id":"cmp_1","encrypted_content":"QUJD"},`+
					`{"type":"additional_tools","role":"developer","tools":[{"type":"function",`+
					`"name":"f"}]},`+
					ask,
			),
		},
		{
			what:     "items that newer clients send, with settings",
			source:   "openai-go v3.95.0 ResponseNewParams.ContextManagement, configuration_update",
			provider: "openai-responses",
			in: `{"model":"gpt-5.6","context_management":[{"type":"compaction",` +
				`"compact_threshold":9}],"input":[{"type":"configuration_update",` +
				`"reasoning":{"effort":"low"}},` +
				ask + `]}`,
		},
		{what: "programs keep their fingerprint", source: "openai-go v3.95.0: send back unchanged",
			provider: "openai-responses", in: body("gpt-5.6", ask+
				`,{"type":"program","id":"prog_1","call_id":"p","code":"x","fingerprint":"z"},`+
				`{"type":"program_output","id":"prog_2","call_id":"p","result":"r",`+
				`"status":"completed"},`+
				ask)},
		{
			what:     "an answered approval",
			source:   "openai-go v3.95.0 ResponseInputItemMcpApprovalResponseParam",
			provider: "openai-responses",
			in: body(
				"gpt-5.4",
				ask+`,{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s",`+
					`"name":"f","arguments":"{}"},`+
					`{"type":"mcp_approval_response","approval_request_id":"mcpr_1",`+
					`"approve":true}`,
			),
		},
	})
}
