package wire_test

import (
	"testing"
)

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
