package drift

import (
	"strings"
	"testing"
)

func TestOpenAIResponses(t *testing.T) {
	sdk := sourcesOf(t, "github.com/openai/openai-go/v3", "responses")
	body := func(items string) string {
		return `{"model":"gpt-5.6","input":[` + question + `,` + items + `]}`
	}
	answered := func(call, output string) string { return call + `,` + output }
	const (
		function = `{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}`
		output   = `{"type":"function_call_output","call_id":"call_1","output":"r"}`
		search   = `{"type":"tool_search_call","call_id":"call_1","execution":"client",` +
			`"arguments":{}},{"type":"tool_search_output","call_id":"call_1",` +
			`"execution":"client","tools":[]}`
		computer = `{"type":"computer_call","id":"cu_1","call_id":"call_1","status":"completed",` +
			`"pending_safety_checks":[],"action":{"type":"wait"}},` +
			`{"type":"computer_call_output","call_id":"call_1",` +
			`"output":{"type":"computer_screenshot","image_url":"u"}}`
		shell = `{"type":"local_shell_call","id":"lsh_1","call_id":"call_1",` +
			`"status":"completed","action":{"type":"exec","command":["ls"],"env":{}}},` +
			`{"type":"local_shell_call_output","id":"lsh_1","output":"r"}`
		hosted = `{"type":"shell_call","call_id":"call_1","action":{"commands":["ls"]}},` +
			`{"type":"shell_call_output","call_id":"call_1","output":[{"stdout":"","stderr":"",` +
			`"outcome":{"type":"exit","exit_code":0}}]}`
		patch = `{"type":"apply_patch_call","call_id":"call_1","status":"completed",` +
			`"operation":{"type":"delete_file","path":"p"}},` +
			`{"type":"apply_patch_call_output","call_id":"call_1","status":"completed"}`
		custom = `{"type":"custom_tool_call","call_id":"call_1","name":"g","input":"x"},` +
			`{"type":"custom_tool_call_output","call_id":"call_1","output":"y"}`
		approval = `{"type":"mcp_approval_request","id":"mcpr_1","arguments":"{}","name":"m",` +
			`"server_label":"s"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1",` +
			`"approve":true}`
		program = `{"type":"program","id":"pg_1","call_id":"call_1","code":"c",` +
			`"fingerprint":"p"},{"type":"program_output","id":"po_1","call_id":"call_1",` +
			`"result":"r","status":"completed"}`
		said = `{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
			`"content":[{"type":"output_text","text":"a","annotations":[]}]}`
	)
	union := "ResponseInputItemUnionParam"
	members := sdk.union(t, union)
	cases{
		"Message": `{"type":"message","role":"user","content":"q"}`,
		"InputMessage": `{"type":"message","role":"user","status":"completed",` +
			`"content":[{"type":"input_text","text":"inputMessage"}]}`,
		"message": said,
		"file_search_call": `{"type":"file_search_call","id":"fs_1","status":"completed",` +
			`"queries":["q"],"results":null}`,
		"ComputerCall": computer, "computer_call_output": computer,
		"function_call":        answered(function, output),
		"function_call_output": answered(function, output),
		"web_search_call": `{"type":"web_search_call","id":"ws_1","status":"completed",` +
			`"action":{"type":"search","query":"q"}}`,
		"tool_search_call": search, "tool_search_output": search,
		"additional_tools":     `{"type":"additional_tools","role":"developer","tools":[]}`,
		"configuration_update": `{"type":"configuration_update","reasoning":{"effort":"low"}}`,
		"reasoning": `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},` +
			said, "compaction": `{"type":"compaction","encrypted_content":"QUJD"}`,
		"image_generation_call": `{"type":"image_generation_call","id":"ig_1",` +
			`"status":"completed","result":"iVBO"}`,
		"code_interpreter_call": `{"type":"code_interpreter_call","id":"ci_1",` +
			`"status":"completed","code":"c","container_id":"cntr_1","outputs":null}`,
		"local_shell_call": shell, "local_shell_call_output": shell, "shell_call": hosted,
		"shell_call_output": hosted,
		"apply_patch_call":  patch, "apply_patch_call_output": patch,
		"mcp_list_tools": `{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s",` +
			`"tools":[]}`,
		"mcp_approval_request": approval, "mcp_approval_response": approval,
		"mcp_call": `{"type":"mcp_call","id":"mcp_1","name":"m","server_label":"s",` +
			`"arguments":"{}","output":"r"}`,
		"custom_tool_call": custom, "custom_tool_call_output": custom,
		"compaction_trigger": `{"type":"compaction_trigger"}`,
		"ItemReference":      `{"type":"item_reference","id":"msg_1"}`,
		"program":            program, "program_output": program,
	}.of(union, members).hold(t, "openai-responses", members, body)

	for union, format := range map[string]string{
		"ResponseInputContentUnionParam": `{"role":"user","content":[PART]}`,
		"ResponseFunctionCallOutputItemUnionParam": function +
			`,{"type":"function_call_output","call_id":"call_1","output":[PART]}`,
		"ResponseOutputMessageContentUnionParam": `{"type":"message","id":"msg_1",` +
			`"role":"assistant","status":"completed","content":[PART]}`,
	} {
		members := sdk.union(t, union)
		cases{
			"input_text":  `{"type":"input_text","text":"x"}`,
			"input_image": `{"type":"input_image","image_url":"https://e/x.png","detail":"auto"}`,
			"input_file": `{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}`,
			"output_text": `{"type":"output_text","text":"x","annotations":[],"logprobs":[]}`,
			"refusal":     `{"type":"refusal","refusal":"no"}`,
		}.of(union, members).hold(t, "openai-responses", members,
			func(part string) string { return body(strings.Replace(format, "PART", part, 1)) })
	}
	cases{
		"EasyInputMessageParam.content": `{"role":"user","content":"x"}`,
		"EasyInputMessageParam.role":    `{"role":"developer","content":"x"}`,
		"EasyInputMessageParam.phase":   `{"role":"assistant","content":"x","phase":"commentary"}`,
		"EasyInputMessageParam.type":    `{"type":"message","role":"user","content":"x"}`,
	}.hold(t, "openai-responses", sdk.object(t, "EasyInputMessageParam"), body)
}
