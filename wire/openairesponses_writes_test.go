package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

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
