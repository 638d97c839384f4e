package wire_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

func TestDetectResponses(t *testing.T) {
	for _, c := range []struct{ reason, body, want string }{
		{"an input list", `{"model":"gpt-4o","input":[]}`, "openai-responses"},
		{"an input string", `{"model":"claude-sonnet-4-5","input":"q"}`, "openai-responses"},
		{"an input of chat-like messages",
			`{"input":[{"role":"user","content":"q"}],"tools":[{"type":"function","name":"f"}]}`,
			"openai-responses"},
		{"a bare list of items", `[{"type":"function_call","call_id":"c"}]`, "openai-responses"},
		{"a bare list with input text",
			`[{"role":"user","content":[{"type":"input_text","text":"q"}]}]`, "openai-responses"},
		{"messages beside an input", `{"input":"x","messages":[{"role":"tool"}]}`, "openai-chat"},
	} {
		got, err := wire.Detect([]byte(c.body))
		require.NoError(t, err, c.reason)
		require.Equal(t, c.want, got, c.reason)
	}
	_, err := wire.Detect([]byte(`{"input":7}`))
	require.ErrorIs(t, err, wire.ErrNotARequest)
}

// TestPlainInput: an input that is a string stays one as long as it can.
func TestPlainInput(t *testing.T) {
	const in = `{"x":1.0, "input" : "\u0071", "model":"gpt-5.4"}`
	for _, c := range []struct {
		reason, want string
		change       func([]preflight.Message) []preflight.Message
	}{
		{"untouched", in, func(m []preflight.Message) []preflight.Message { return m }},
		{
			"another text", `{"x":1.0, "input" : "new", "model":"gpt-5.4"}`,
			func([]preflight.Message) []preflight.Message {
				return []preflight.Message{say("new")}
			},
		},
		{"two messages",
			`{"x":1.0, "input" : [{"role":"user","content":"\u0071"},` +
				`{"role":"user","content":"new"}], "model":"gpt-5.4"}`,
			func(m []preflight.Message) []preflight.Message { return append(m, say("new")) }},
		{"nobody's", `{"x":1.0, "input" : [], "model":"gpt-5.4"}`,
			func([]preflight.Message) []preflight.Message { return nil }},
	} {
		require.Empty(t, cmp.Diff(c.want, encode(t, "openai-responses", in, c.change)), c.reason)
	}
	r, err := wire.Decode([]byte(in), nil)
	require.NoError(t, err)
	require.Equal(t, "input", r.Path(preflight.Position{Message: 0, Part: 0, Inner: -1}))
}

// TestStorage: what the request says about storage decides what its ids and outputs are worth.
func TestStorage(t *testing.T) {
	const items = `"input":[{"type":"item_reference","id":"rs_1"},` +
		`{"type":"function_call_output","call_id":"c1","output":"r"}]}`
	for _, c := range []struct {
		head string
		want []string
	}{
		{`{"model":"gpt-5.4",`, nil},
		{`{"model":"gpt-5.4","store":true,`, nil},
		{`{"model":"gpt-5.4","store":null,`, nil},
		{`{"model":"gpt-5.4","store":false,`,
			[]string{"openai-responses/item-not-found", "openai-responses/tool-output-orphan"}},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":"resp_1",`, nil},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":null,"conversation":"conv_1",`,
			nil},
		{`{"model":"gpt-5.4","store":false,"conversation":{"id":"conv_1"},`, nil},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":"","conversation":7,`,
			[]string{"openai-responses/item-not-found", "openai-responses/tool-output-orphan"}},
	} {
		report, err := wire.Check([]byte(c.head+items), nil)
		require.NoError(t, err)
		var got []string
		for _, v := range report.Violations {
			got = append(got, v.Rule)
		}
		require.Equal(t, c.want, got, c.head)
	}
}

func TestResponsesReads(t *testing.T) {
	runReads(t, "openai-responses", []reads{
		{
			"messages",
			`{"role":"user","content":"a"},` +
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"b"}]},` +
				`{"role":"developer","content":[{"type":"input_text","text":"c"}]}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"id":"msg_1","parts":[{"text":"b","type":"text"}],"role":"assistant"}
{"parts":[{"text":"c","type":"text"}],"role":"developer"}`,
		},
		{
			"messages without their role",
			`{"content":"a"},{"content":[{"type":"output_text","text":"b"}]},` +
				`{"role":"","content":[{"type":"input_text","text":"c"}]},` +
				`{"role":7,"content":"d"},{"type":"message"}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"b","type":"text"}],"role":"assistant"}
{"parts":[{"text":"c","type":"text"}],"role":"user"}
{"parts":[{"text":"d","type":"text"}],"role":"user"}
{"parts":[],"role":"user"}`,
		},
		{
			"items without their type",
			`{"call_id":"c","output":"x"},{"arguments":"{}","call_id":"c","name":"f"},` +
				`{"encrypted_content":"x"},{"summary":[]},{"id":"rs_1"},{"x":1.0},` +
				`{"type":"","role":"user","content":"a"},{"call_id":"c"}`,
			`{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result"}],"role":"tool"}
{"parts":[{"id":"c","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"opaque":"x","type":"reasoning"}],"role":"assistant"}
{"parts":[{"type":"reasoning"}],"role":"assistant"}
{"parts":[{"kind":"item_reference","type":"other"}],"role":"assistant"}
{"parts":[],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[],"role":"user"}`,
		},
		{
			"ids",
			`{"id":"msg_1","role":"user","content":"a"},{"id":null,"role":"user","content":"b"},` +
				`{"id":"","role":"user","content":"c"},{"id":7,"role":"user","content":"d"},` +
				`{"type":"item_reference","id":"rs_1"}`,
			`{"id":"msg_1","parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"b","type":"text"}],"role":"user"}
{"parts":[{"text":"c","type":"text"}],"role":"user"}
{"parts":[{"text":"d","type":"text"}],"role":"user"}
{"parts":[{"kind":"item_reference","type":"other"}],"role":"assistant"}`,
		},
		{
			"reasoning",
			`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"},` +
				`{"type":"summary_text","text":7},` +
				`{"type":"summary_text","text":"b"}],"encrypted_content":"QUJD"},` +
				`{"type":"reasoning"},{"type":"reasoning","summary":"x",` +
				`"content":[{"type":"reasoning_text","text":"t"}]}`,
			`{"id":"rs_1","parts":[{"opaque":"QUJD","text":"a\nb","type":"reasoning"}],` +
				`"role":"assistant"}
{"parts":[{"type":"reasoning"}],"role":"assistant"}
{"parts":[{"type":"reasoning"}],"role":"assistant"}`,
		},
		{
			"calls of functions",
			`{"type":"function_call","id":"fc_1","call_id":"c","name":"f",` +
				`"arguments":"{\"a\":1.0}"},{"type":"function_call","call_id":"c","name":"f"},` +
				`{"type":"function_call","call_id":7,"name":7,"arguments":{"a":1.0}},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":null}`,
			`{"id":"fc_1","parts":[{"id":"c","input":{"a":1.0},"name":"f","type":"tool_call"}],` +
				`"role":"assistant"}
{"parts":[{"id":"c","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"id":"7","input":{"a":1.0},"name":"7","type":"tool_call"}],"role":"assistant"}
{"parts":[{"id":"c","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"calls of other tools",
			`{"type":"custom_tool_call","call_id":"c","name":"f","input":"free"},` +
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c",` +
				`"action":{"type":"exec"}},` +
				`{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}},` +
				`{"type":"apply_patch_call","call_id":"c","operation":{"type":"x"}},` +
				`{"type":"computer_call","call_id":"c","action":{"type":"click"}}`,
			`{"parts":[{"id":"c","input_text":"free","name":"f","type":"tool_call",` +
				`"variant":"custom"}],"role":"assistant"}
{"id":"lsh_1","parts":[{"id":"c","input":{"type":"exec"},` +
				`"name":"local_shell","type":"tool_call","variant":"local_shell_call"}],` +
				`"role":"assistant"}
{"parts":[{"id":"c","input":{"commands":["ls"]},` +
				`"name":"shell","type":"tool_call","variant":"shell_call"}],"role":"assistant"}
{"parts":[{"id":"c","input":{"type":"x"},` +
				`"name":"apply_patch","type":"tool_call","variant":"apply_patch_call"}],` +
				`"role":"assistant"}
{"parts":[{"id":"c","input":{"type":"click"},` +
				`"name":"computer","type":"tool_call","variant":"computer_call"}],` +
				`"role":"assistant"}`,
		},
		{
			"calls that nobody can read",
			`{"type":"computer_call","call_id":"c"},` +
				`{"type":"computer_call","call_id":"c","actions":[{"type":"click"}]},` +
				`{"type":"shell_call","call_id":"c","action":7}`,
			`{"parts":[],"role":"assistant"}
{"parts":[{"id":"c","input":{"actions":[{"type":"click"}],"call_id":"c","type":"computer_call"},` +
				`"name":"computer","type":"tool_call","variant":"computer_call"}],` +
				`"role":"assistant"}
{"parts":[],"role":"assistant"}`,
		},
		{
			"results of functions",
			`{"type":"function_call_output","id":"fco_1","call_id":"c","output":"x"},` +
				`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text",` +
				`"text":"a"},{"type":"input_image","image_url":"u"}]},` +
				`{"type":"function_call_output","call_id":"c","output":[]},` +
				`{"type":"function_call_output","call_id":"c","output":null},` +
				`{"type":"function_call_output","call_id":"c","output":7},` +
				`{"type":"custom_tool_call_output","call_id":"c","output":"x"}`,
			`{"id":"fco_1","parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"c","content":[{"text":"a","type":"text"},` +
				`{"kind":"image","type":"media","url":"u"}],"type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"c","type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"c","type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"c","content":[{"text":"7","type":"text"}],"type":"tool_result"}],` +
				`"role":"tool"}
{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result","variant":"custom"}],"role":"tool"}`,
		},
		{
			"results of other tools",
			`{"type":"shell_call_output","call_id":"c","output":[{"stdout":"x"}]},` +
				`{"type":"apply_patch_call_output","call_id":"c","status":"failed",` +
				`"output":"no"},{"type":"apply_patch_call_output","call_id":"c",` +
				`"status":"completed"},{"type":"computer_call_output","call_id":"c",` +
				`"output":{"type":"computer_screenshot"}},` +
				`{"type":"local_shell_call_output","call_id":"c","output":"x"}`,
			`{"parts":[{"call_id":"c","output":[{"stdout":"x"}],` +
				`"type":"tool_result","variant":"shell_call"}],"role":"tool"}
{"parts":[{"call_id":"c","content":[{"text":"no","type":"text"}],` +
				`"is_error":true,"type":"tool_result","variant":"apply_patch_call"}],"role":"tool"}
{"parts":[{"call_id":"c","output":"completed","type":"tool_result",` +
				`"variant":"apply_patch_call"}],"role":"tool"}
{"parts":[{"call_id":"c","output":{"type":"computer_screenshot"},` +
				`"type":"tool_result","variant":"computer_call"}],"role":"tool"}
{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result","variant":"local_shell_call"}],"role":"tool"}`,
		},
		{
			"results that nobody can read",
			`{"type":"shell_call_output","call_id":"c","output":"x"},` +
				`{"type":"computer_call_output","call_id":"c"}`,
			`{"parts":[],"role":"tool"}
{"parts":[],"role":"tool"}`,
		},
		{
			"a shell's output that names its call's item",
			`{"type":"local_shell_call","id":"lsh_1","call_id":"c","action":{"type":"exec"}},` +
				`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}`,
			`{"id":"lsh_1","parts":[{"id":"c","input":{"type":"exec"},` +
				`"name":"local_shell","type":"tool_call","variant":"local_shell_call"}],` +
				`"role":"assistant"}
{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result","variant":"local_shell_call"}],"role":"tool"}`,
		},
		{
			"a shell's output as a function's",
			`{"type":"local_shell_call","id":"lsh_1","call_id":"c","action":{"type":"exec"}},` +
				`{"type":"function_call","call_id":"d","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"x"},` +
				`{"type":"function_call_output","call_id":"d","output":"y"}`,
			`{"id":"lsh_1","parts":[{"id":"c","input":{"type":"exec"},` +
				`"name":"local_shell","type":"tool_call","variant":"local_shell_call"}],` +
				`"role":"assistant"}
{"parts":[{"id":"d","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],` +
				`"type":"tool_result","variant":"local_shell_call"}],"role":"tool"}
{"parts":[{"call_id":"d","content":[{"text":"y","type":"text"}],"type":"tool_result"}],` +
				`"role":"tool"}`,
		},
		{
			"a function's output stays one where a shell's call has its id",
			`{"type":"local_shell_call","id":"lsh_1","call_id":"c","action":{"type":"exec"}},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"x"}`,
			`{"id":"lsh_1","parts":[{"id":"c","input":{"type":"exec"},` +
				`"name":"local_shell","type":"tool_call","variant":"local_shell_call"}],` +
				`"role":"assistant"}
{"parts":[{"id":"c","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"call_id":"c","content":[{"text":"x","type":"text"}],"type":"tool_result"}],` +
				`"role":"tool"}`,
		},
		{
			"other items",
			`{"type":"web_search_call","id":"ws_1","action":{"type":"search","sources":[]}},` +
				`{"type":"later","x":1.0}`,
			`{"id":"ws_1","parts":[{"kind":"web_search_call","type":"other"}],"role":"assistant"}
{"parts":[{"kind":"later","type":"other"}],"role":"assistant"}`,
		},
		{
			"parts of a user's message",
			`{"role":"user","content":[{"type":"input_text","text":"a"},` +
				`{"type":"output_text","text":"b"},{"type":"text","text":"c"},` +
				`{"type":"refusal","refusal":"d"},{"type":"input_image","image_url":"u"},` +
				`{"type":"input_image","file_id":"file-1"},` +
				`{"type":"input_image","image_url":{"url":"v"}},` +
				`{"type":"image_url","image_url":{"url":"w"}},` +
				`{"type":"image_url","image_url":"x"}]}`,
			`{"parts":[{"text":"a","type":"text"},{"text":"b","type":"text"},` +
				`{"text":"c","type":"text"},{"text":"d","type":"text"},` +
				`{"kind":"image","type":"media","url":"u"},` +
				`{"file_id":"file-1","kind":"image","type":"media"},` +
				`{"kind":"image","type":"media","url":"v"},` +
				`{"kind":"image","type":"media","url":"w"},` +
				`{"kind":"image","type":"media","url":"x"}],"role":"user"}`,
		},
		{
			"files",
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,QUJD"},` +
				`{"type":"input_file","file_id":"file-1"},{"type":"input_file","file_url":"u"},` +
				`{"type":"input_audio","x":1.0}]}`,
			`{"parts":[{"data":"data:application/pdf;base64,QUJD","kind":"document",` +
				`"media_type":"application/pdf","name":"a.pdf","type":"media"},` +
				`{"file_id":"file-1","kind":"document","type":"media"},` +
				`{"kind":"document","type":"media","url":"u"},` +
				`{"kind":"input_audio","type":"other"}],"role":"user"}`,
		},
		{
			"parts of an assistant's message",
			`{"role":"assistant","content":[{"type":"input_text","text":"a"},` +
				`{"type":"output_text","text":"b"},{"type":"refusal","refusal":"d"}]}`,
			`{"parts":[{"text":"a","type":"text"},{"text":"b","type":"text"},` +
				`{"kind":"refusal","type":"other"}],"role":"assistant"}`,
		},
		{
			"texts that are no strings",
			`{"role":"user","content":[{"type":"input_text","text":7},` +
				`{"type":"input_text","text":null},{"type":"input_text"}]}`,
			`{"parts":[{"text":"7","type":"text"},{"type":"text"},{"type":"text"}],"role":"user"}`,
		},
	})
}

func TestResponsesWrites(t *testing.T) {
	const user, model, tool = preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool
	runWrites(t, "openai-responses", []writes{
		{"a text", user, `{"type":"text","text":"a"}`, `{"role":"user","content":"a"}`},
		{
			"texts",
			model,
			`{"type":"text","text":"a"},{"type":"text","text":"b"}`,
			`{"role":"assistant","content":[{"type":"output_text","text":"a"},` +
				`{"type":"output_text","text":"b"}]}`,
		},
		{
			"a role that is in no message",
			tool,
			`{"type":"text","text":"a"}`,
			`{"role":"user","content":"a"}`,
		},
		{"no role", "", `{"type":"text","text":"a"}`, `{"role":"user","content":"a"}`},
		{"a message without parts", user, ``, `{"role":"user","content":[]}`},
		{
			"texts around a call are two messages",
			model,
			`{"type":"text","text":"a"},` +
				`{"type":"tool_call","id":"c","name":"f","input":{"a":1.0}},` +
				`{"type":"text","text":"b"}`,
			`{"role":"assistant","content":"a"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1.0}"},` +
				`{"role":"assistant","content":"b"}`,
		},
		{
			"reasoning",
			model,
			`{"type":"reasoning","text":"t"},{"type":"reasoning","opaque":"QUJD"},` +
				`{"type":"reasoning"}`,
			`{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]},` +
				`{"type":"reasoning","summary":[],"encrypted_content":"QUJD"},` +
				`{"type":"reasoning","summary":[]}`,
		},
		{
			"calls",
			model,
			`{"type":"tool_call","id":"c","name":"f"},` +
				`{"type":"tool_call","id":"d","name":"g","variant":"custom",` +
				`"input_text":"free"},{"type":"tool_call","id":"e","name":"h","variant":"mcp",` +
				`"input":{"a":1.0}}`,
			`{"type":"function_call","call_id":"c","name":"f","arguments":""},` +
				`{"type":"custom_tool_call","call_id":"d","name":"g","input":"free"},` +
				`{"type":"function_call","call_id":"e","name":"h","arguments":"{\"a\":1.0}"}`,
		},
		{
			"calls of tools that the provider knows",
			model,
			`{"type":"tool_call","id":"c","name":"shell","variant":"shell_call",` +
				`"input":{"commands":["ls"]}},` +
				`{"type":"tool_call","id":"d","name":"apply_patch","variant":"apply_patch_call",` +
				`"input":{"type":"x"}},{"type":"tool_call","id":"e","name":"computer",` +
				`"variant":"computer_call"}`,
			`{"type":"shell_call","call_id":"c","status":"completed",` +
				`"action":{"commands":["ls"]}},` +
				`{"type":"apply_patch_call","call_id":"d","status":"completed",` +
				`"operation":{"type":"x"}},` +
				`{"type":"computer_call","call_id":"e","status":"completed","action":{}}`,
		},
		{
			"results",
			tool,
			`{"type":"tool_result","call_id":"c","content":[{"type":"text","text":"a"}]},` +
				`{"type":"tool_result","call_id":"d","variant":"custom",` +
				`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},` +
				`{"type":"tool_result","call_id":"e"},` +
				`{"type":"tool_result","call_id":"f","output":{"a":1.0}}`,
			`{"type":"function_call_output","call_id":"c","output":"a"},` +
				`{"type":"custom_tool_call_output","call_id":"d","output":[{"type":"input_text",` +
				`"text":"a"},{"type":"input_text","text":"b"}]},` +
				`{"type":"function_call_output","call_id":"e","output":""},` +
				`{"type":"function_call_output","call_id":"f","output":"{\"a\":1.0}"}`,
		},
		{
			"a result that says two things",
			tool,
			`{"type":"tool_result","call_id":"c","output":{"a":1.0},` +
				`"content":[{"type":"text","text":"a"}]}`,
			`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text",` +
				`"text":"a"},{"type":"input_text","text":"{\"a\":1.0}"}]}`,
		},
		{
			"results of shells",
			tool,
			`{"type":"tool_result","call_id":"c","variant":"shell_call",` +
				`"output":[{"stdout":"1"}]},` +
				`{"type":"tool_result","call_id":"d","variant":"shell_call",` +
				`"content":[{"type":"text","text":"no"},{"type":"text","text":"never"}]},` +
				`{"type":"tool_result","call_id":"e","variant":"local_shell_call",` +
				`"content":[{"type":"text","text":"x"}]}`,
			`{"type":"shell_call_output","call_id":"c","output":[{"stdout":"1"}]},` +
				`{"type":"shell_call_output","call_id":"d","output":[{"stdout":"",` +
				`"stderr":"no\nnever","outcome":{"type":"exit","exit_code":1}}]},` +
				`{"type":"local_shell_call_output","call_id":"e","output":"x"}`,
		},
		{
			"merged results of a shell",
			tool,
			`{"type":"tool_result","call_id":"c","variant":"shell_call",` +
				`"output":[{"stdout":"1"}],` +
				`"content":[{"type":"text","text":"[{\"stdout\":\"2\"},{\"stdout\":\"3\"}]"},` +
				`{"type":"text","text":"no"},{"type":"text","text":"[]"},` +
				`{"type":"text","text":"[7]"},{"type":"text","text":"8"},` +
				`{"type":"text","text":"{}"}]}`,
			`{"type":"shell_call_output","call_id":"c","output":[{"stdout":"1"},{"stdout":"2"},` +
				`{"stdout":"3"},{"stdout":"","stderr":"no\n[7]\n8\n{}","outcome":{"type":"exit",` +
				`"exit_code":1}}]}`,
		},
		{
			"results of patches",
			tool,
			`{"type":"tool_result","call_id":"c","variant":"apply_patch_call","is_error":true,` +
				`"content":[{"type":"text","text":"no"},{"type":"text","text":"never"}]},` +
				`{"type":"tool_result","call_id":"d","variant":"apply_patch_call"}`,
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed",` +
				`"output":"no\nnever"},{"type":"apply_patch_call_output","call_id":"d",` +
				`"status":"completed"}`,
		},
		{
			"the result of a computer",
			tool,
			`{"type":"tool_result","call_id":"c","variant":"computer_call",` +
				`"output":{"type":"computer_screenshot"}}`,
			`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}`,
		},
		{
			"images",
			user,
			`{"type":"media","kind":"image","media_type":"image/png","data":"QUJD"},` +
				`{"type":"media","kind":"image","url":"u"},` +
				`{"type":"media","kind":"image","file_id":"file-1"}`,
			`{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,` +
				`QUJD"},{"type":"input_image","image_url":"u"},` +
				`{"type":"input_image","file_id":"file-1"}]}`,
		},
		{
			"files",
			user,
			`{"type":"media","kind":"document","media_type":"application/pdf","data":"QUJD",` +
				`"name":"a.pdf"},{"type":"media","kind":"document",` +
				`"data":"data:text/plain;base64,QUJD"},` +
				`{"type":"media","kind":"document","file_id":"file-1"},` +
				`{"type":"media","kind":"document","url":"u"}`,
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,QUJD"},` +
				`{"type":"input_file","file_data":"data:text/plain;base64,QUJD"},` +
				`{"type":"input_file","file_id":"file-1"},{"type":"input_file","file_url":"u"}]}`,
		},
		{
			"what has no form",
			user,
			`{"type":"other","kind":"thing"}`,
			`error: the part has no form in this format: thing`,
		},
		{
			"what has none in content",
			tool,
			`{"type":"tool_result","call_id":"c","content":[{"type":"other","kind":"thing"},` +
				`{"type":"text","text":"a"}]}`,
			`error: the part has no form in this format: thing`,
		},
	})
}

func TestResponsesEdits(t *testing.T) {
	same := func(m []preflight.Message) []preflight.Message { return m }
	text := func(j int) func([]preflight.Message) []preflight.Message {
		return part(0, j, func(t *preflight.Text) { t.Text = "b" })
	}
	named := func(id string) func([]preflight.Message) []preflight.Message {
		return func(m []preflight.Message) []preflight.Message { m[0].ID = id; return m }
	}
	role := func(r preflight.Role) func([]preflight.Message) []preflight.Message {
		return func(m []preflight.Message) []preflight.Message { m[0].Role = r; return m }
	}
	result := func(
		change func(*preflight.ToolResult),
	) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
	call := func(change func(*preflight.ToolCall)) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
	runEdits(t, "openai-responses", []edits{
		{
			"a text",
			`{"x":1.0,"type":"message","role":"user","content":[ {"type":"input_text",` +
				`"text":"a","y":1.0} ]}`,
			text(0),
			`{"x":1.0,"type":"message","role":"user","content":[ {"type":"input_text",` +
				`"text":"b","y":1.0} ]}`,
		},
		{
			"a string",
			`{"role":"user","content":"a","x":1.0}`,
			text(0),
			`{"role":"user","content":"b","x":1.0}`,
		},
		{
			"a string that becomes a list keeps its spelling",
			`{"role":"user","content":"\u0061"}`,
			parts(
				func(p []preflight.Part) []preflight.Part {
					return append(p, &preflight.Text{Text: "b"})
				},
			),
			`{"role":"user","content":[{"type":"input_text","text":"\u0061"},` +
				`{"type":"input_text","text":"b"}]}`,
		},
		{
			"annotations of a text that changes",
			`{"role":"assistant","content":[{"type":"output_text","text":"a","annotations":[],` +
				`"logprobs":[]}]}`,
			text(0),
			`{"role":"assistant","content":[{"type":"output_text","text":"b","annotations":[],` +
				`"logprobs":[]}]}`,
		},
		{
			"an answer that becomes a question",
			`{"role":"assistant","content":[{"type":"output_text","text":"a","annotations":[],` +
				`"logprobs":[],"x":1.0}]}`,
			role(preflight.RoleUser),
			`{"role":"user","content":[{"type":"input_text","text":"a","x":1.0}]}`,
		},
		{
			"a question that becomes an answer",
			`{"role":"user","content":[{"type":"input_text","text":"a"}]}`,
			role(preflight.RoleAssistant),
			`{"role":"assistant","content":[{"type":"output_text","text":"a"}]}`,
		},
		{
			"members that the provider refuses",
			`{"role":"user","status":"completed","cache_control":{},"tool_calls":[],` +
				`"content":[{"type":"input_text","text":"a","cache_control":{}},` +
				`{"type":"input_image","image_url":"u","cache_control":{}},` +
				`{"type":"later","cache_control":{},"x":1.0}]}`,
			same,
			`{"role":"user","content":[{"type":"input_text","text":"a"},` +
				`{"type":"input_image","image_url":"u"},{"type":"later","x":1.0}]}`,
		},
		{
			"an id",
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a"}]}`,
			named("msg_2"),
			`{"type":"message","id":"msg_2","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a"}]}`,
		},
		{
			"an id that goes, and the status with it",
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a"}]}`,
			named(""),
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`,
		},
		{
			"an id that is null",
			`{"type":"message","id":null,"role":"user","content":"a"}`,
			text(0),
			`{"type":"message","id":null,"role":"user","content":"b"}`,
		},
		{
			"the id of a message that becomes several items",
			`{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]}`,
			parts(func(p []preflight.Part) []preflight.Part {
				return append(
					p,
					&preflight.ToolCall{ID: "c", Name: "f", Input: []byte(`{}`)},
					&preflight.Text{Text: "b"},
				)
			}),
			`{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"type":"function_call","call_id":"c","name":"f",` +
				`"arguments":"{}"},{"role":"assistant","content":"b"}`,
		},
		{
			"content that goes",
			`{"role":"user","content":"a","x":1.0}`,
			parts(func([]preflight.Part) []preflight.Part { return nil }),
			`{"role":"user","content":[],"x":1.0}`,
		},
		{
			"a list of content that goes",
			`{"role":"user","content":[{"type":"input_text","text":"a"}]}`,
			parts(func([]preflight.Part) []preflight.Part { return nil }),
			`{"role":"user","content":[]}`,
		},
		{
			"content that is empty",
			`{"role":"user","content":""},{"role":"user","content":[]}`,
			role(preflight.RoleAssistant),
			`{"role":"assistant","content":""},{"role":"user","content":[]}`,
		},
		{
			"content that is missing",
			`{"role":"user","x":1.0}`,
			role(preflight.RoleAssistant),
			`{"role":"assistant","x":1.0,"content":[]}`,
		},
		{
			"parts of a kind that nobody knows",
			`{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"later","x":1.0}]}`,
			text(0),
			`{"role":"user","content":[{"type":"input_text","text":"b"},{"type":"later","x":1.0}]}`,
		},
		{
			"a part of such a kind before the text",
			`{"role":"user","content":[{"type":"later","x":1.0},{"type":"input_text","text":"a"}]}`,
			text(1),
			`{"role":"user","content":[{"type":"later","x":1.0},{"type":"input_text","text":"b"}]}`,
		},
		{
			"other ids of items",
			`{"type":"reasoning","id":"rs_1","summary":[]},` +
				`{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","id":"fco_1","call_id":"c","output":"x"}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].ID, m[1].ID, m[2].ID = "rs_2", "", "fco_2"
				return m
			},
			`{"type":"reasoning","id":"rs_2","summary":[]},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","id":"fco_2","call_id":"c","output":"x"}`,
		},
		{
			"an item of a kind that nobody knows",
			`{"type":"later","id":"l_1","x":1.0,"cache_control":{}}`,
			same,
			`{"type":"later","id":"l_1","x":1.0}`,
		},
		{
			"another id of such an item",
			`{"type":"later","id":"l_1","x":1.0}`,
			named("l_2"),
			`{"type":"later","id":"l_2","x":1.0}`,
		},
		{
			"a reference, whose id is no name of its own",
			`{"type":"item_reference","id":"rs_1","cache_control":{}}`,
			same,
			`{"type":"item_reference","id":"rs_1"}`,
		},
		{
			"a search without its sources",
			`{"type":"web_search_call","id":"ws_1","action":{"type":"search","sources":[],` +
				`"query":"q"}}`,
			same,
			`{"type":"web_search_call","id":"ws_1","action":{"type":"search","query":"q"}}`,
		},
		{
			"a summary",
			`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"}],` +
				`"encrypted_content":"QUJD","x":1.0}`,
			part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" }),
			`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"b"}],` +
				`"encrypted_content":"QUJD","x":1.0}`,
		},
		{
			"a summary that goes",
			`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],` +
				`"encrypted_content":"QUJD"}`,
			part(0, 0, func(r *preflight.Reasoning) { r.Text = "" }),
			`{"type":"reasoning","summary":[],"encrypted_content":"QUJD"}`,
		},
		{
			"what only the server can read goes",
			`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],` +
				`"encrypted_content":"QUJD"}`,
			part(0, 0, func(r *preflight.Reasoning) { r.Opaque = "" }),
			`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}]}`,
		},
		{
			"reasoning without what it needs, and with what it may not have",
			`{"type":"reasoning","encrypted_content":"QUJD","content":[{"type":"reasoning_text",` +
				`"text":"t"}],"status":"completed","cache_control":{}}`,
			same,
			`{"type":"reasoning","encrypted_content":"QUJD","summary":[]}`,
		},
		{
			"reasoning without its type",
			`{"summary":[],"encrypted_content":"QUJD"}`,
			same,
			`{"summary":[],"encrypted_content":"QUJD","type":"reasoning"}`,
		},
		{
			"empty plain reasoning stays",
			`{"type":"reasoning","summary":[],"content":[],"status":null}`,
			same,
			`{"type":"reasoning","summary":[],"content":[]}`,
		},
		{
			"a call's id",
			`{"type":"function_call","id":"fc_1","call_id":"c","name":"f",` +
				`"arguments":"{ \"a\":\u0031 }","status":"completed"}`,
			call(func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"function_call","id":"fc_1","call_id":"d","name":"f",` +
				`"arguments":"{ \"a\":\u0031 }","status":"completed"}`,
		},
		{
			"a call's arguments",
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","cache_control":{}}`,
			call(func(c *preflight.ToolCall) { c.Input, c.Name = []byte(`{"b":2}`), "g" }),
			`{"type":"function_call","call_id":"c","name":"g","arguments":"{\"b\":2}"}`,
		},
		{
			"arguments that were no string",
			`{"type":"function_call","call_id":"c","name":"f","arguments":{"a":1.0}}`,
			same,
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1.0}"}`,
		},
		{
			"a call of a shell",
			`{"type":"shell_call","call_id":"c","action":{ "commands":["ls"] },"x":1.0}`,
			call(func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"shell_call","call_id":"d","action":{ "commands":["ls"] },"x":1.0}`,
		},
		{
			"the arguments of a shell",
			`{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}}`,
			call(func(c *preflight.ToolCall) { c.Input = []byte(`{"commands":[]}`) }),
			`{"type":"shell_call","call_id":"c","action":{"commands":[]}}`,
		},
		{
			"arguments of a shell that are no object",
			`{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}}`,
			call(func(c *preflight.ToolCall) { c.Input = []byte(`7`) }),
			`{"type":"shell_call","call_id":"c","action":7}`,
		},
		{
			"what a shell put out, under another id",
			`{"type":"shell_call_output","call_id":"c","output":[ {"stdout":"x"} ]}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"shell_call_output","call_id":"d","output":[ {"stdout":"x"} ]}`,
		},
		{
			"a call that is the whole item",
			`{"type":"computer_call","call_id":"c","actions":[{"type":"click"}]}`,
			call(func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"computer_call","call_id":"d","actions":[{"type":"click"}]}`,
		},
		{
			"an output's text",
			`{"type":"function_call_output","call_id":"c","output":"a","x":1.0}`,
			result(
				func(r *preflight.ToolResult) {
					r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
				},
			),
			`{"type":"function_call_output","call_id":"c","output":"b","x":1.0}`,
		},
		{
			"an output's id",
			`{"type":"function_call_output","call_id":"c","output":[ {"type":"input_text",` +
				`"text":"a"} ],"cache_control":{}}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":[ {"type":"input_text",` +
				`"text":"a"} ]}`,
		},
		{
			"an output that goes",
			`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text",` +
				`"text":"a"}]}`,
			result(func(r *preflight.ToolResult) { r.Content = nil }),
			`{"type":"function_call_output","call_id":"c","output":""}`,
		},
		{
			"a string of output that goes",
			`{"type":"function_call_output","call_id":"c","output":"a"}`,
			result(func(r *preflight.ToolResult) { r.Content = nil }),
			`{"type":"function_call_output","call_id":"c","output":""}`,
		},
		{
			"an output that was none",
			`{"type":"function_call_output","call_id":"c","output":[]}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":""}`,
		},
		{
			"an empty output",
			`{"type":"function_call_output","call_id":"c","output":"","x":1.0}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":"","x":1.0}`,
		},
		{
			"an output without its type",
			`{"call_id":"c","output":"a"}`,
			same,
			`{"call_id":"c","output":"a","type":"function_call_output"}`,
		},
		{
			"a patch that now fails",
			`{"type":"apply_patch_call_output","call_id":"c","status":"completed","x":1.0}`,
			result(func(r *preflight.ToolResult) { r.IsError = true }),
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","x":1.0}`,
		},
		{
			"a patch that failed and does not",
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"a"}`,
			result(func(r *preflight.ToolResult) { r.IsError = false }),
			`{"type":"apply_patch_call_output","call_id":"c","status":"completed","output":"a"}`,
		},
		{
			"a patch under another id",
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"a"}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"apply_patch_call_output","call_id":"d","status":"failed","output":"a"}`,
		},
		{
			"a screenshot under another id",
			`{"type":"computer_call_output","call_id":"c",` +
				`"output":{ "type":"computer_screenshot" },"x":1.0}`,
			result(func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"computer_call_output","call_id":"d",` +
				`"output":{ "type":"computer_screenshot" },"x":1.0}`,
		},
		{
			"another screenshot",
			`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}`,
			result(
				func(r *preflight.ToolResult) {
					r.Output = []byte(`{"type":"computer_screenshot","file_id":"f"}`)
				},
			),
			`{"type":"computer_call_output","call_id":"c",` +
				`"output":{"type":"computer_screenshot","file_id":"f"}}`,
		},
		{
			"what is no screenshot, however short",
			`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}`,
			result(func(r *preflight.ToolResult) { r.Output = []byte(`7`) }),
			`{"type":"computer_call_output","call_id":"c","output":7}`,
		},
		{
			"a call that nobody can read stays as it is",
			`{"type":"computer_call","call_id":"c","x":1.0}`,
			role(preflight.RoleUser),
			`{"type":"computer_call","call_id":"c","x":1.0}`,
		},
		{
			"an output of a shell's call that is a function's",
			`{"type":"local_shell_call","id":"lsh_1","call_id":"c","action":{"type":"exec"}},` +
				`{"type":"function_call_output","call_id":"c","output":"x","y":1.0}`,
			part(
				1,
				0,
				func(r *preflight.ToolResult) {
					r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
				},
			),
			`{"type":"local_shell_call","id":"lsh_1","call_id":"c","action":{"type":"exec"}},` +
				`{"type":"function_call_output","call_id":"c","output":"b","y":1.0}`,
		},
		{
			"images",
			`{"role":"user","content":[{"type":"input_image","image_url":"u","detail":"low",` +
				`"x":1.0},{"type":"input_image","image_url":{"url":"u"},"detail":"low"}]}`,
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"input_image","image_url":"v","detail":"low",` +
				`"x":1.0},{"type":"input_image","image_url":"u","detail":"low"}]}`,
		},
		{
			"an image that is now a file of the provider's",
			`{"role":"user","content":[{"type":"input_image","image_url":"u"}]}`,
			part(0, 0, func(m *preflight.Media) { m.URL, m.FileID = "", "file-1" }),
			`{"role":"user","content":[{"type":"input_image","file_id":"file-1"}]}`,
		},
		{
			"an image in the words of another wire",
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}`,
			same,
			`{"role":"user","content":[{"type":"input_image","image_url":"u"}]}`,
		},
		{
			"a file",
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"QUJD","x":1.0}]}`,
			part(0, 0, func(m *preflight.Media) { m.Name = "b.pdf" }),
			`{"role":"user","content":[{"type":"input_file","filename":"b.pdf",` +
				`"file_data":"QUJD","x":1.0}]}`,
		},
		{
			"another file",
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_id":"f"}]}`,
			part(0, 0, func(m *preflight.Media) { m.Name, m.FileID, m.URL = "", "", "u" }),
			`{"role":"user","content":[{"type":"input_file","file_url":"u"}]}`,
		},
		{
			"other bytes of a file",
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,QUJD"}]}`,
			part(0, 0, func(m *preflight.Media) { m.Data = "data:application/pdf;base64,QUJE" }),
			`{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,QUJE"}]}`,
		},
	})
}

func TestResponsesRepairs(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	body := func(items string) string { return `{"input":[` + ask + `,` + items + `]}` }
	runRepairs(t, "openai-responses", []repairs{
		{
			"items without their type",
			body(`{"call_id":"c","name":"f","arguments":"{}"},{"call_id":"c","output":"x"}`),
			`{"input":[{"role":"user","content":"q"},` +
				`{"call_id":"c","name":"f","arguments":"{}","type":"function_call"},` +
				`{"call_id":"c","output":"x","type":"function_call_output"}]}`,
			[]string{
				"input[1].type shape-repaired openai-responses/required-item-fields",
				"input[2].type shape-repaired openai-responses/required-item-fields",
			},
		},
		{
			"messages without their role",
			body(
				`{"content":[{"type":"output_text","text":"a"}]},` +
					`{"content":[{"type":"input_text","text":"b"}]}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"content":[{"type":"output_text","text":"a"}],"role":"assistant"},` +
				`{"content":[{"type":"input_text","text":"b"}],"role":"user"}]}`,
			[]string{
				"input[1].role shape-repaired openai-responses/required-item-fields",
				"input[2].role shape-repaired openai-responses/required-item-fields",
			},
		},
		{
			"ids that are none",
			body(`{"id":"","role":"user","content":"a"},{"id":7,"role":"user","content":"b"}`),
			`{"input":[{"role":"user","content":"q"},{"role":"user","content":"a"},` +
				`{"role":"user","content":"b"}]}`,
			[]string{
				"input[1].id item-id-removed openai-responses/item-id-charset",
				"input[2].id item-id-removed openai-responses/item-id-charset",
			},
		},
		{
			"members of messages that the provider refuses",
			body(
				`{"role":"user","status":"completed","tool_calls":[],"cache_control":{},` +
					`"content":[{"type":"input_text","text":"a","cache_control":{}}]},` +
					`{"type":"message","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"role":"user","content":[{"type":"input_text","text":"a"}]},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"role":"user","content":"q"}]}`,
			[]string{
				"input[1].cache_control field-removed openai-responses/unknown-item-field",
				"input[1].tool_calls field-removed openai-responses/unknown-item-field",
				"input[1].status field-removed openai-responses/unknown-item-field",
				"input[1].content[0].cache_control field-removed " +
					"openai-responses/unknown-item-field",
				"input[2].status field-removed openai-responses/unknown-item-field",
			},
		},
		{
			"what nothing is wrong with",
			body(
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					`{"type":"message","role":"user","status":"completed",` +
					`"content":[{"type":"input_text","text":"a"}]},` +
					`{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"},` +
					`{"type":"function_call_output","call_id":"c","output":"x"},` +
					`{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":48"},` +
					`{"type":"function_call_output","call_id":"d","output":""}`,
			),
			body(
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					`{"type":"message","role":"user","status":"completed",` +
					`"content":[{"type":"input_text","text":"a"}]},` +
					`{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"},` +
					`{"type":"function_call_output","call_id":"c","output":"x"},` +
					`{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":48"},` +
					`{"type":"function_call_output","call_id":"d","output":""}`,
			),
			nil,
		},
		{
			"reasoning",
			body(
				`{"type":"reasoning","encrypted_content":"QUJD","status":"completed",` +
					`"content":[{"type":"reasoning_text","text":"t"}]},` +
					`{"role":"assistant","content":"a"},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","encrypted_content":"QUJD","summary":[]},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"q"}]}`,
			[]string{
				"input[1].summary shape-repaired openai-responses/reasoning-summary-required",
				"input[1].content field-removed openai-responses/reasoning-content-nonempty",
				"input[1].status field-removed openai-responses/unknown-item-field",
			},
		},
		{
			"arguments that are no string",
			body(
				`{"type":"function_call","call_id":"c","name":"f","arguments":{"a":1.0}},` +
					`{"type":"function_call_output","call_id":"c","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1.0}"},` +
				`{"type":"function_call_output","call_id":"c","output":"x"}]}`,
			[]string{"input[1].arguments shape-repaired openai-chat/arguments-not-json"},
		},
		{
			"an output that is neither text nor a list",
			body(
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
					`{"type":"function_call_output","call_id":"c","output":7}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"7"}]}`,
			[]string{"input[2].output shape-repaired preflight/shape"},
		},
		{
			"sources of a search",
			body(
				`{"type":"web_search_call","id":"ws_1","status":"completed",` +
					`"action":{"type":"search","query":"q","sources":[]}},` +
					`{"role":"assistant","content":"a"},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"web_search_call","id":"ws_1","status":"completed",` +
				`"action":{"type":"search","query":"q"}},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"q"}]}`,
			[]string{"input[1].action.sources field-removed openai-responses/unknown-item-field"},
		},
		{
			"parts in the wrong direction",
			body(
				`{"role":"assistant","content":[{"type":"input_text","text":"a"}]},` +
					`{"role":"user","content":[{"type":"output_text","text":"b",` +
					`"annotations":[]},{"type":"refusal","refusal":"no"},` +
					`{"type":"image_url","image_url":{"url":"https://e/x.png"}},` +
					`{"type":"input_image","image_url":{"url":"https://e/y.png"}},` +
					`{"type":"input_text","text":7}]}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
				`{"role":"user","content":[{"type":"input_text","text":"b"},` +
				`{"type":"input_text","text":"no"},` +
				`{"type":"input_image","image_url":"https://e/x.png"},` +
				`{"type":"input_image","image_url":"https://e/y.png"},` +
				`{"type":"input_text","text":"7"}]}]}`,
			[]string{
				"input[1].content[0].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[0].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[1].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[2].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[3].image_url shape-repaired preflight/shape",
				"input[2].content[4].text shape-repaired preflight/shape",
			},
		},
		{
			"names of declared tools",
			`{"tools":[{"type":"function","name":"ok"},{"type":"web_search"},` +
				`{"type":"function","name":"a b"},{"type":"custom","name":"c.d"},` +
				`{"type":"mcp","name":"e f"},` +
				`{"type":"function","name":7}],"tool_choice":{"type":"function","name":"a b"},` +
				`"input":[` +
				ask + `]}`,
			`{"tools":[{"type":"function","name":"ok"},{"type":"web_search"},` +
				`{"type":"function","name":"a_b_c8687a08"},` +
				`{"type":"custom","name":"c_d_713ff6c4"},{"type":"mcp","name":"e f"},` +
				`{"type":"function","name":7}],` +
				`"tool_choice":{"type":"function","name":"a_b_c8687a08"},` +
				`"input":[{"role":"user","content":"q"}]}`,
			[]string{
				"tools[2].name tool-renamed openai-responses/name-pattern",
				"tools[3].name tool-renamed openai-responses/name-pattern",
				"tool_choice.name tool-renamed openai-responses/name-pattern",
			},
		},
		{
			"a shell's output that names its call's item",
			body(
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}]}`,
			nil,
		},
		{
			"one that names it by an id that cannot stay",
			body(
				`{"type":"local_shell_call","id":"lsh 1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh 1","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[1] item-id-removed openai-responses/item-id-charset",
			},
		},
		{
			"one that names two",
			body(
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_1","output":"x"},` +
					`{"type":"message","id":"lsh_1","role":"assistant",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"role":"user","content":"q"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[3] item-id-removed openai-responses/item-id-prefix",
			},
		},
		{
			"one whose id ends in a line",
			body(
				`{"type":"local_shell_call","id":"lsh_","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[1] item-id-removed openai-responses/item-id-charset",
			},
		},
	})
}

// TestResponsesMergedResults: where different results of one call are merged, a shell's say all
// that both put out. A screenshot takes nothing beside it, so that the first stays and the second
// goes with a warning.
func TestResponsesMergedResults(t *testing.T) {
	for _, c := range []struct{ kind, action, first, second, want, code string }{
		{"shell_call", `{"commands":["ls"]}`, `[{"stdout":"1"}]`, `[{"stdout":"2"}]`,
			`[{"stdout":"1"},{"stdout":"2"}]`, "duplicates-merged"},
		{"shell_call", `{"commands":["ls"]}`, `["1"]`, `[{"stdout":"2"}]`,
			`[{"stdout":"2"},{"stdout":"","stderr":"[\"1\"]","outcome":{"type":"exit",` +
				`"exit_code":1}}]`,
			"duplicates-merged"},
		{"computer_call", `{"type":"click"}`, `{"type":"computer_screenshot","image_url":"1"}`,
			`{"type":"computer_screenshot","image_url":"2"}`,
			`{"type":"computer_screenshot","image_url":"1"}`, "duplicate-removed"},
	} {
		before := `{"input":[{"role":"user","content":"q"},{"type":"` + c.kind +
			`","call_id":"c","action":` + c.action + `}`
		output := func(held string) string {
			return `,{"type":"` + c.kind + `_output","call_id":"c","output":` + held + `}`
		}
		options := &wire.Options{Provider: "openai-responses"}
		options.Sanitize.Duplicates = preflight.DuplicateMerge
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(before+output(c.first)+output(c.second)+`]}`),
			options,
		)
		require.NoError(t, err)
		require.Equal(t, before+output(c.want)+`]}`, string(result.Body))
		require.Len(t, result.Warnings, 1)
		require.Equal(t, codes.Code(c.code), result.Warnings[0].Code)
		require.Equal(t, "input[3]", result.Warnings[0].Path)
	}
}
