package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

func TestResponsesItemEdits(t *testing.T) {
	named := func(id string) edit {
		return first(func(m *preflight.Message) { m.ID = id })
	}
	runEdits(t, "openai-responses", []edits{
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
		{"an item of an unknown kind", `{"type":"later","id":"l_1","x":1.0,"cache_control":{}}`,
			same, `{"type":"later","id":"l_1","x":1.0}`},
		{"another id of such an item", `{"type":"later","id":"l_1","x":1.0}`, named("l_2"),
			`{"type":"later","id":"l_2","x":1.0}`},
		{"a reference, whose id is no name of its own",
			`{"type":"item_reference","id":"rs_1","cache_control":{}}`, same,
			`{"type":"item_reference","id":"rs_1"}`},
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
			"a summary that is removed",
			`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],` +
				`"encrypted_content":"QUJD"}`,
			part(0, 0, func(r *preflight.Reasoning) { r.Text = "" }),
			`{"type":"reasoning","summary":[],"encrypted_content":"QUJD"}`,
		},
		{
			"what only the server can read is removed",
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
		{"reasoning without its type", `{"summary":[],"encrypted_content":"QUJD"}`, same,
			`{"summary":[],"encrypted_content":"QUJD","type":"reasoning"}`},
		{"empty plain reasoning stays",
			`{"type":"reasoning","summary":[],"content":[],"status":null}`, same,
			`{"type":"reasoning","summary":[],"content":[]}`},
		{
			"a call's id",
			`{"type":"function_call","id":"fc_1","call_id":"c","name":"f",` +
				`"arguments":"{ \"a\":\u0031 }","status":"completed"}`,
			part(0, 0, func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"function_call","id":"fc_1","call_id":"d","name":"f",` +
				`"arguments":"{ \"a\":\u0031 }","status":"completed"}`,
		},
		{"a call's arguments",
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","cache_control":{}}`,
			part(0, 0, func(c *preflight.ToolCall) { c.Input, c.Name = []byte(`{"b":2}`), "g" }),
			`{"type":"function_call","call_id":"c","name":"g","arguments":"{\"b\":2}"}`},
		{"arguments that were no string",
			`{"type":"function_call","call_id":"c","name":"f","arguments":{"a":1.0}}`, same,
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1.0}"}`},
		{"a call of a shell",
			`{"type":"shell_call","call_id":"c","action":{ "commands":["ls"] },"x":1.0}`,
			part(0, 0, func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"shell_call","call_id":"d","action":{ "commands":["ls"] },"x":1.0}`},
		{"the arguments of a shell",
			`{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}}`,
			part(0, 0, func(c *preflight.ToolCall) { c.Input = []byte(`{"commands":[]}`) }),
			`{"type":"shell_call","call_id":"c","action":{"commands":[]}}`},
		{"arguments of a shell that are no object",
			`{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}}`,
			part(0, 0, func(c *preflight.ToolCall) { c.Input = []byte(`7`) }),
			`{"type":"shell_call","call_id":"c","action":7}`},
		{"what a shell put out, under another id",
			`{"type":"shell_call_output","call_id":"c","output":[ {"stdout":"x"} ]}`,
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"shell_call_output","call_id":"d","output":[ {"stdout":"x"} ]}`},
		{"a call that is the whole item",
			`{"type":"computer_call","call_id":"c","actions":[{"type":"click"}]}`,
			part(0, 0, func(c *preflight.ToolCall) { c.ID = "d" }),
			`{"type":"computer_call","call_id":"d","actions":[{"type":"click"}]}`},
		{
			"an output's text",
			`{"type":"function_call_output","call_id":"c","output":"a","x":1.0}`,
			part(0, 0,
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
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":[ {"type":"input_text",` +
				`"text":"a"} ]}`,
		},
		{
			"an output that is removed",
			`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text",` +
				`"text":"a"}]}`,
			part(0, 0, func(r *preflight.ToolResult) { r.Content = nil }),
			`{"type":"function_call_output","call_id":"c","output":""}`,
		},
		{"a string of output that is removed",
			`{"type":"function_call_output","call_id":"c","output":"a"}`,
			part(0, 0, func(r *preflight.ToolResult) { r.Content = nil }),
			`{"type":"function_call_output","call_id":"c","output":""}`},
		{"an output that was none", `{"type":"function_call_output","call_id":"c","output":[]}`,
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":""}`},
		{"an empty output", `{"type":"function_call_output","call_id":"c","output":"","x":1.0}`,
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"function_call_output","call_id":"d","output":"","x":1.0}`},
		{"an output without its type", `{"call_id":"c","output":"a"}`, same,
			`{"call_id":"c","output":"a","type":"function_call_output"}`},
		{"a patch that now fails",
			`{"type":"apply_patch_call_output","call_id":"c","status":"completed","x":1.0}`,
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = true }),
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","x":1.0}`},
		{"a patch that failed and does not",
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"a"}`,
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = false }),
			`{"type":"apply_patch_call_output","call_id":"c","status":"completed","output":"a"}`},
		{"a patch under another id",
			`{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"a"}`,
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"apply_patch_call_output","call_id":"d","status":"failed","output":"a"}`},
		{
			"a screenshot under another id",
			`{"type":"computer_call_output","call_id":"c",` +
				`"output":{ "type":"computer_screenshot" },"x":1.0}`,
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "d" }),
			`{"type":"computer_call_output","call_id":"d",` +
				`"output":{ "type":"computer_screenshot" },"x":1.0}`,
		},
		{
			"another screenshot",
			`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}`,
			part(0, 0,
				func(r *preflight.ToolResult) {
					r.Output = []byte(`{"type":"computer_screenshot","file_id":"f"}`)
				},
			),
			`{"type":"computer_call_output","call_id":"c",` +
				`"output":{"type":"computer_screenshot","file_id":"f"}}`,
		},
		{"what is no screenshot, however short",
			`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}`,
			part(0, 0, func(r *preflight.ToolResult) { r.Output = []byte(`7`) }),
			`{"type":"computer_call_output","call_id":"c","output":7}`},
		{"a call of an unknown shape stays as it is",
			`{"type":"computer_call","call_id":"c","x":1.0}`,
			first(func(m *preflight.Message) { m.Role = preflight.RoleUser }),
			`{"type":"computer_call","call_id":"c","x":1.0}`},
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
	})
}
