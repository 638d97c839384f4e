package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestUnknownValues: what hangs on a value that is not known of a known member, or on a block of an
// unknown type, is left alone; the same with a known one is repaired.
func TestUnknownValues(t *testing.T) {
	items := func(items string) string {
		return `{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` + items + `]}`
	}
	blocks := func(assistant, rest string) string {
		return `{"model":"claude-opus-4-8","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[` + assistant + `]}` + rest + `]}`
	}
	const then = `,{"role":"user","content":"r"}`
	for name, c := range map[string]struct{ provider, body, unknown, known string }{
		"the status of a call": {
			"openai-responses", items(`{"type":"function_call","call_id":"c","name":"f",` +
				`"arguments":"{}","status":"queued"}` + then), "queued", "incomplete",
		},
		"the status of a shell call": {
			"openai-responses", items(`{"type":"shell_call","call_id":"c","action":{"commands":` +
				`["ls"]},"status":"background"}` + then), "background", "completed",
		},
		"a member that only items of the provider's tools have": {
			"openai-responses", items(`{"type":"function_call","call_id":"c","name":"f",` +
				`"arguments":"{}","background":true}` + then), "background", "namespace",
		},
		"the status of the first of two results": {
			"openai-responses", items(`{"type":"function_call","call_id":"c","name":"f",` +
				`"arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"a",` +
				`"status":"partial"},{"type":"function_call_output","call_id":"c","output":"b"}`),
			"partial", "completed",
		},
		"the status of a result, in Converse": {
			"bedrock", `{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
				`"content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user",` +
				`"content":[{"toolResult":{"toolUseId":"t","content":[{"text":"a"}],` +
				`"status":"pending"}}]},{"role":"assistant","content":[{"text":"ok"}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":` +
				`[{"text":"b"}]}}]}]}`, "pending", "success",
		},
		"the scheduling of a result": {
			"gemini", `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":` +
				`[{"functionCall":{"id":"1","name":"f","args":{}}}]},{"role":"user","parts":` +
				`[{"functionResponse":{"id":"1","name":"f","response":{"r":1},"scheduling":"LATER"}}]},` +
				`{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":` +
				`[{"functionResponse":{"id":"1","name":"f","response":{"r":1}}}]}]}`, "LATER", "SILENT",
		},
		"a block that may be the result of a call": {
			"anthropic", blocks(`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`,
				`,{"role":"user","content":[{"type":"stream_tool_result","tool_use_id":"toolu_1"}]}`),
			"stream_tool_result", "web_search_tool_result",
		},
		"a block that may be a late result of a tool of the provider's": {
			"anthropic", blocks(`{"type":"server_tool_use","id":"srvtoolu_1","name":"f","input":{}}`,
				then+`,{"role":"assistant","content":[{"type":"f_tool_result","tool_use_id":`+
					`"srvtoolu_1","content":[]},{"type":"text","text":"a"}]}`+then),
			"f_tool_result", "web_search_tool_result",
		},
		"a member that may hold what a message says": {
			"openai-chat", `{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":null,"canvas":{"id":"c"}},{"role":"user","content":"r"}]}`,
			"canvas", "metadata",
		},
		"the same, where no content may be empty": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
				`{"role":"user","content":"q"},{"role":"assistant","content":[],"canvas":[1]},` +
				`{"role":"user","content":"r"}]}`, "canvas", "usage",
		},
		"an image in a new form": {
			"openai-chat", `{"model":"gpt-5.4","messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"q"},{"type":"image_url","image_url":{"ref":"x"}}]}]}`, "ref", "detail",
		},
		"an image in a new member": {
			"openai-responses", `{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":` +
				`"input_text","text":"q"},{"type":"input_image","image_ref":"x"}]}]}`,
			"image_ref", "detail",
		},
		"an image without a source": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[{"role":"user",` +
				`"content":[{"type":"text","text":"q"},{"type":"image","image_ref":{"id":"x"}}]}]}`,
			"image_ref", "cache_control",
		},
		"a file in a new form": {
			"gemini", `{"contents":[{"role":"user","parts":[{"text":"q"},{"fileData":` +
				`{"fileRef":"x","mimeType":"image/png"}}]}]}`, "fileRef", "displayName",
		},
		"the same beside what an answer has": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
				`{"role":"user","content":"q"},{"role":"assistant","content":[],"canvas":{"type":"t"}},` +
				`{"role":"user","content":"r"}]}`, "canvas", "stop_details",
		},
		"the same beside a member of another format": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
				`{"role":"user","content":"q"},{"role":"assistant","content":[],"canvas":{"id":"c"}},` +
				`{"role":"user","content":"r"}]}`, "canvas", "audio",
		},
		"an item without a type": {
			"openai-responses", items(`{"snapshot":"s"}`), "snapshot", "call_id",
		},
		"a tool that may run code": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"container":"c",` +
				`"tools":[{"type":"custom_v2"}],"messages":[{"role":"user","content":"q"}]}`,
			"custom_v2", "custom",
		},
		"tools in another form": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"container":"c",` +
				`"tools":{"of":"s"},"messages":[{"role":"user","content":"q"}]}`, `{"of":"s"}`, "null",
		},
		"an edit of a later version": {
			"anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"context_management":{"edits":` +
				`[{"type":"clear_thinking_20270101"}]},"messages":[{"role":"user","content":"q"}]}`,
			"clear_thinking_20270101", "clear_thinking_20251015",
		},
		"a block that may say that the turn goes on": {
			"anthropic", blocks(`{"type":"pause","id":"p"}`, ""), "pause", "container_upload",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, body := range map[string]string{
				"unknown": c.body, "known": strings.ReplaceAll(c.body, c.unknown, c.known),
			} {
				res, err := wire.Sanitize(context.Background(), []byte(body),
					&wire.Options{Provider: c.provider})
				require.NoError(t, err, kind)
				require.Equal(t, kind == "known", res.Changed, "%s: %v", kind, res.Warnings)
			}
		})
	}
}

// TestNewOutput: what a new tool of the provider's said is carried to another provider as text of
// the assistant's, as that of a known one is; in a message of the user's it would become the user's
// words.
func TestNewOutput(t *testing.T) {
	const call = `{"type":"server_tool_use","id":"srvtoolu_1","name":"browse","input":{}}`
	const result = `{"type":"browse_tool_result","tool_use_id":"srvtoolu_1","content":[{"text":"PAGE"}]}`
	convert := func(assistant, user string) string {
		res, err := wire.Convert(context.Background(), []byte(`{"model":"claude-opus-4-8","max_tokens":9,`+
			`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[`+assistant+
			`{"type":"text","text":"a"}]},{"role":"user","content":[`+user+`{"type":"text","text":"r"}]}]}`),
			"anthropic", &wire.Options{Provider: "openai-chat", Model: "gpt-5.4"})
		require.NoError(t, err)
		return string(res.Body)
	}
	require.Contains(t, convert(call+","+result+",", ""),
		`{"type":"text","text":"Result of browse:\n`+"```\\nPAGE\\n```"+`"}`)
	require.NotContains(t, convert(call+",", result+","), "PAGE")
}
