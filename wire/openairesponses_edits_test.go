package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

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
			"an unknown block from another message stays in the content",
			`{"role":"user","content":"a","x":1.0}`,
			parts(
				func(p []preflight.Part) []preflight.Part {
					return append(p, unknownBlock("x"), unknownBlock("mcp_approval_response"))
				},
			),
			`{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"x","n":1.0}],` +
				`"x":1.0},{"type":"mcp_approval_response","n":1.0}`,
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

// unknownBlock is a part of a kind that the library has no type for.
func unknownBlock(kind string) *preflight.Other {
	native := preflight.Native{Format: "openai-responses", JSON: []byte(`{"type":"` + kind +
		`","n":1.0}`)}
	return &preflight.Other{Kind: kind, Carried: preflight.Carried{Native: native}}
}
