package drift

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// How to mend a failure: "has no body" names a member that the SDK has gained. Add a minimal body
// for it to the cases of its provider, and its type to rule/blocks.go. If the body does not come
// back unchanged, the reader in package wire has to learn it.

// cases are bodies by the member of an SDK's types that they hold.
type cases map[string]string

// owed are members that preflight still changes, each with the reason. One that comes back
// unchanged has to leave the list.
var owed = map[string]string{}

// hold fails for a member without a body, a body without a member, and a body that Sanitize
// changes.
func (c cases) hold(t *testing.T, provider string, members []string, body func(string) string) {
	t.Helper()
	for name := range c {
		require.Contains(t, members, name, "the SDK has no such member any more")
	}
	for _, name := range members {
		t.Run(name, func(t *testing.T) {
			part, ok := c[name]
			require.True(t, ok, "%s has no body", name)
			in := body(part)
			_, kind, _ := strings.Cut(name, ".")
			require.Contains(t, strings.ToLower(strings.ReplaceAll(in, "_", "")),
				strings.ToLower(strings.ReplaceAll(kind, "_", "")))
			result, err := wire.Sanitize(context.Background(), []byte(in),
				&wire.Options{Provider: provider})
			require.NoError(t, err)
			if reason := owed[name]; reason != "" {
				require.True(t, result.Changed, "no longer owed: %s", reason)
				return
			}
			require.Equal(t, in, string(result.Body), "%v", result.Warnings)
		})
	}
}

const question = `{"role":"user","content":"q"}`

// turn is an assistant turn of blocks, and the user's next one.
func turn(blocks string) string {
	return question + `,{"role":"assistant","content":[` + blocks +
		`]},{"role":"user","content":"r"}`
}

// called is a call of a tool, its result and the answer.
func called(call, result string) string {
	return question + `,{"role":"assistant","content":[` + call + `]},{"role":"user","content":[` +
		result + `]}`
}

const use = `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`

// served is a call of a provider's own tool and its result.
func served(tool, result string) string {
	return turn(`{"type":"server_tool_use","id":"srvtoolu_1","name":"` + tool + `","input":{}},` +
		result + `,{"type":"text","text":"a"}`)
}

func result(content string) string {
	return called(use, `{"type":"tool_result","tool_use_id":"toolu_1","content":[`+content+`]}`)
}

func asked(block string) string {
	return `{"role":"user","content":[{"type":"text","text":"q"},` + block + `]}`
}

const (
	image = `{"type":"image","source":{"type":"base64","media_type":"image/png",` +
		`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}}`
	pdf = `{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
		`"data":"JVBERi0xLjQK"},"title":"t"}`
	found = `{"type":"search_result","source":"https://e","title":"t",` +
		`"content":[{"type":"text","text":"x"}]}`
	listing = `{"role":"system","content":[{"type":"tool_addition",` +
		`"tool":{"type":"tool_reference","name":"f"}}]}`
)

// claude are the blocks of Anthropic's messages.
var claude = cases{
	"text":          turn(`{"type":"text","text":"a","citations":null}`),
	"image":         asked(image),
	"document":      asked(pdf),
	"search_result": asked(found),
	"thinking": turn(
		`{"type":"thinking","thinking":"t","signature":"QUJD"},{"type":"text","text":"a"}`),
	"redacted_thinking": turn(
		`{"type":"redacted_thinking","data":"QUJD"},{"type":"text","text":"a"}`),
	"tool_use": called(`{"type":"tool_use","id":"toolu_1","name":"f","input":{},`+
		`"caller":{"type":"direct"},"toolset_name":"s"}`,
		`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}`),
	"tool_result": called(use,
		`{"type":"tool_result","tool_use_id":"toolu_1","content":"r","is_error":false}`),
	"server_tool_use": served("web_search",
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`),
	"web_search_tool_result": served("web_search",
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":[{"type":"web_search_result","url":"u","title":"t",`+
			`"encrypted_content":"QUJD"}]}`),
	"web_fetch_tool_result": served("web_fetch",
		`{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}}`),
	"advisor_tool_result": served("advisor",
		`{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"advisor_result","text":"x"}}`),
	"code_execution_tool_result": served("code_execution",
		`{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"code_execution_result","stdout":"","stderr":"","return_code":0,`+
			`"content":[]}}`),
	"bash_code_execution_tool_result": served("bash_code_execution",
		`{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"bash_code_execution_result","stdout":"","stderr":"",`+
			`"return_code":0,"content":[]}}`),
	"text_editor_code_execution_tool_result": served("text_editor_code_execution",
		`{"type":"text_editor_code_execution_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"text_editor_code_execution_create_result",`+
			`"is_file_update":false}}`),
	"tool_search_tool_result": served("tool_search_tool_bm25",
		`{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1",`+
			`"content":{"type":"tool_search_tool_search_result",`+
			`"tool_references":[{"type":"tool_reference","tool_name":"f"}]}}`),
	"mcp_tool_use": turn(`{"type":"mcp_tool_use","id":"mcptoolu_1","name":"m",` +
		`"server_name":"s","input":{}},` +
		`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[]},` +
		`{"type":"text","text":"a"}`),
	"mcp_tool_result": turn(`{"type":"mcp_tool_use","id":"mcptoolu_1","name":"m",` +
		`"server_name":"s","input":{}},` +
		`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,` +
		`"content":[{"type":"text","text":"x"}]},{"type":"text","text":"a"}`),
	"container_upload": asked(`{"type":"container_upload","file_id":"file_1"}`),
	"compaction": turn(`{"type":"compaction","content":"s","encrypted_content":"QUJD",` +
		`"signature":"QUJD","tool_changes":[]},{"type":"text","text":"a"}`),
	"tool_addition": question + `,` + listing,
	"tool_removal": question +
		`,{"role":"system","content":[{"type":"tool_removal","tool":{"type":"tool_reference",` +
		`"name":"f"}}]}`,
	"mcp_tool_listing": question +
		`,{"role":"system","content":[{"type":"mcp_tool_listing","mcp_server_name":"s",` +
		`"tools":[]}]}`,
	"fallback": turn(`{"type":"fallback","from":{"model":"claude-opus-5-5"},` +
		`"to":{"model":"claude-opus-4-8"}},{"type":"text","text":"a"}`),
}

// of is the cases with the name of a union before their names, without those that it does not have.
func (c cases) of(union string, members []string) cases {
	out := make(cases)
	for kind, body := range c {
		if name := union + "." + kind; slices.Contains(members, name) {
			out[name] = body
		}
	}
	return out
}

func TestAnthropic(t *testing.T) {
	sdk := sourcesOf(t, "github.com/anthropics/anthropic-sdk-go", "")
	body := func(messages string) string {
		return `{"model":"claude-opus-4-8","max_tokens":9,` +
			`"fallbacks":[{"model":"claude-opus-4-8"}],` +
			`"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[` +
			messages + `]}`
	}
	for _, union := range []string{"BetaContentBlockParamUnion", "ContentBlockParamUnion"} {
		members := sdk.union(t, union)
		claude.of(union, members).hold(t, "anthropic", members, body)
	}
	beta := sdk.union(t, "BetaContentBlockParamUnion")
	for kind := range claude {
		require.Contains(t, beta, "BetaContentBlockParamUnion."+kind,
			"the SDK has no such block any more")
	}
	for _, union := range []string{
		"BetaToolResultBlockParamContentUnion",
		"ToolResultBlockParamContentUnion",
	} {
		members := sdk.union(t, union)
		cases{
			"text": result(`{"type":"text","text":"x"}`), "image": result(image),
			"document": result(pdf), "search_result": result(found),
			"tool_reference": result(`{"type":"tool_reference","tool_name":"f"}`),
			"browser_state":  result(`{"type":"browser_state","tabs":[]}`),
		}.of(union, members).hold(t, "anthropic", members, body)
	}
	cases{
		"BetaMessageParam.content": question, "BetaMessageParam.role": question,
		"BetaMessageParam.clear_at": question +
			`,{"role":"system","content":"s","clear_at":"next_user_message"}`,
		"BetaMessageParam.output_config": question +
			`,{"role":"system","content":"s","output_config":{"effort":"low"}}`,
	}.hold(t, "anthropic", sdk.object(t, "BetaMessageParam"), body)
	cases{"MessageParam.content": question, "MessageParam.role": question}.hold(t, "anthropic",
		sdk.object(t, "MessageParam"), body)
}

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

func TestOpenAIChat(t *testing.T) {
	sdk := sourcesOf(t, "github.com/openai/openai-go/v3", "")
	body := func(messages string) string {
		model := "gpt-5.4"
		if strings.Contains(messages, "input_audio") {
			model = "gpt-audio"
		}
		return `{"model":"` + model + `","messages":[` + messages + `]}`
	}
	const (
		answer = `,{"role":"tool","tool_call_id":"call_1","content":"r"}`
		called = question +
			`,{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]}` +
			answer
		custom = question +
			`,{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"custom",` +
			`"custom":{"name":"g","input":"x"}}]}` +
			answer
		legacy = question +
			`,{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},` +
			`{"role":"function","name":"f","content":"r"}`
	)
	said := func(members string) string {
		return question + `,{"role":"assistant",` + members + `},{"role":"user","content":"r"}`
	}
	bodies := map[string]cases{
		"ChatCompletionMessageParamUnion": {
			"developer": `{"role":"developer","content":"s"},` + question,
			"system":    `{"role":"system","content":"s"},` + question, "user": question,
			"assistant": said(`"content":"a"`), "tool": called, "function": legacy},
		"ChatCompletionContentPartUnionParam": {"text": asked(`{"type":"text","text":"x"}`),
			"image_url": asked(
				`{"type":"image_url","image_url":{"url":"https://e/x.png","detail":"low"}}`),
			"input_audio": asked(
				`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`),
			"file": asked(`{"type":"file","file":{"filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}}`)},
		"ChatCompletionAssistantMessageParamContentArrayOfContentPartUnion": {
			"text":    turn(`{"type":"text","text":"a"}`),
			"refusal": turn(`{"type":"refusal","refusal":"no"}`)},
		"ChatCompletionMessageToolCallUnionParam": {"function": called, "custom": custom},
	}
	for union, bodies := range bodies {
		members := sdk.union(t, union)
		bodies.of(union, members).hold(t, "openai-chat", members, body)
	}
	members := sdk.object(t, "ChatCompletionAssistantMessageParam")
	cases{
		"refusal": said(`"content":null,"refusal":"no"`), "name": said(`"content":"a","name":"n"`),
		"audio":   said(`"content":null,"audio":{"id":"audio_1"}`),
		"content": said(`"content":"a"`), "function_call": legacy, "tool_calls": called,
		"role": said(`"content":"a"`),
	}.of("ChatCompletionAssistantMessageParam", members).hold(t, "openai-chat", members, body)
}

func TestGemini(t *testing.T) {
	sdk := sourcesOf(t, "google.golang.org/genai", "")
	body := func(contents string) string {
		return `{"model":"gemini-3-flash-preview","contents":[{"role":"user",` +
			`"parts":[{"text":"q"}]},` +
			contents + `]}`
	}
	said := func(part string) string {
		return `{"role":"model","parts":[` + part + `]},{"role":"user","parts":[{"text":"r"}]}`
	}
	asked := func(part string) string {
		return `{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[` + part + `]}`
	}
	called := func(call, response string) string {
		return `{"role":"model","parts":[{"functionCall":{` + call +
			`},"thoughtSignature":"QUJD"}]},{"role":"user","parts":[{"functionResponse":{` +
			response + `}}]}`
	}
	const call, response, blob = `"name":"f","args":{}`, `"name":"f","response":{"output":"r"}`, `"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`
	plain := called(call, response)
	searched := said(`{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{}}},` +
		`{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{}}},{"text":"a"}`)
	ran := said(`{"executableCode":{"language":"PYTHON","code":"c"}},` +
		`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"o"}},{"text":"a"}`)
	for name, bodies := range map[string]cases{
		"Part": {"mediaResolution": asked(
			`{` + blob + `,"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`),
			"codeExecutionResult": ran, "executableCode": ran,
			"fileData": asked(
				`{"fileData":{"mimeType":"application/pdf","fileUri":"https://e/a.pdf"}}`),
			"functionCall": plain, "functionResponse": plain, "inlineData": asked(`{` + blob + `}`),
			"text":             said(`{"text":"a"}`),
			"thought":          said(`{"text":"t","thought":true},{"text":"a"}`),
			"thoughtSignature": said(`{"text":"a","thoughtSignature":"QUJD"}`),
			"videoMetadata": asked(`{"fileData":{"mimeType":"video/mp4",` +
				`"fileUri":"https://e/v"},"videoMetadata":{"fps":1.0}}`),
			"toolCall": searched, "toolResponse": searched,
			"partMetadata": asked(`{"text":"x","partMetadata":{"k":1.0}}`),
			"audioTranscription": asked(`{"inlineData":{"mimeType":"audio/wav",` +
				`"data":"UklGRg=="},"audioTranscription":{"text":"x"}}`),
			"mediaProcessing": asked(
				`{` + blob + `,"mediaProcessing":"MEDIA_PROCESSING_UNSPECIFIED"}`),
			"speechMetadata": asked(`{"text":"x","speechMetadata":{}}`)},
		"Content": {"parts": plain, "role": plain},
		"FunctionCall": {"id": called(call+`,"id":"c1"`, response+`,"id":"c1"`), "args": plain,
			"name": plain,
			"partialArgs": called(call+`,"partialArgs":[{"jsonPath":"$.a","numberValue":1.0}]`,
				response), "willContinue": called(call+`,"willContinue":false`, response)},
		"FunctionResponse": {"willContinue": called(call, response+`,"willContinue":false`),
			"scheduling": called(call, response+`,"scheduling":"SILENT"`),
			"parts":      called(call, response+`,"parts":[{`+blob+`}]`),
			"id":         called(call+`,"id":"c1"`, response+`,"id":"c1"`), "name": plain,
			"response": plain},
		"FunctionResponsePart": {"inlineData": called(call, response+`,"parts":[{`+blob+`}]`),
			"fileData": called(call,
				response+
					`,"parts":[{"fileData":{"mimeType":"image/png","fileUri":"https://e/x"}}]`),
			"mediaProcessing": called(call,
				response+`,"parts":[{`+blob+`,"mediaProcessing":"MEDIA_PROCESSING_UNSPECIFIED"}]`)},
	} {
		members := sdk.object(t, name)
		bodies.of(name, members).hold(t, "gemini", members, body)
	}
}

func TestBedrock(t *testing.T) {
	sdk := sourcesOf(t, "github.com/aws/aws-sdk-go-v2/service/bedrockruntime", "types")
	const tools = `"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
		`"inputSchema":{"json":{"type":"object"}}}}]}`
	body := func(messages string) string {
		model := "us.anthropic.claude-opus-4-8-v1:0"
		if strings.Contains(messages, `"audio":`) || strings.Contains(messages, `"video":`) {
			model = "us.amazon.nova-2-omni-v1:0" // Claude takes neither
			if strings.Contains(messages, `"toolResult":`) {
				model = "example.unknown-v1:0" // nor does Nova, inside a tool result
			}
		}
		return `{"modelId":"` + model + `",` + tools +
			`,"messages":[{"role":"user","content":[{"text":"q"}]}` + messages + `]}`
	}
	said := func(blocks string) string {
		return `,{"role":"assistant","content":[` + blocks +
			`]},{"role":"user","content":[{"text":"r"}]}`
	}
	asked := func(block string) string {
		return `,{"role":"assistant","content":[{"text":"a"}]},` +
			`{"role":"user","content":[{"text":"q"},` +
			block + `]}`
	}
	result := func(block string) string {
		return `,{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"f",` +
			`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1",` +
			`"content":[` +
			block + `]}}]}`
	}
	const (
		png = `{"image":{"format":"png","source":{"bytes":` +
			`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}}`
		pdf   = `{"document":{"format":"pdf","name":"t","source":{"bytes":"JVBERi0="}}}`
		video = `{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`
		found = `{"searchResult":{"source":"https://e","title":"t","content":[{"text":"x"}]}}`
	)
	for union, bodies := range map[string]cases{
		"ContentBlock": {"audio": asked(`{"audio":{"format":"wav","source":{"bytes":"UklGRg=="}}}`),
			"cachePoint": asked(`{"cachePoint":{"type":"default","ttl":"1h"}}`),
			"citationsContent": said(
				`{"citationsContent":{"content":[{"text":"a"}],"citations":[]}}`),
			"document": asked(pdf), "guardContent": asked(`{"guardContent":{"text":{"text":"x"}}}`),
			"image": asked(png),
			"reasoningContent": said(`{"reasoningContent":{"reasoningText":{"text":"t",` +
				`"signature":"QUJD"}}},{"text":"a"}`),
			"searchResult": asked(found), "text": said(`{"text":"a"}`),
			"toolAddition": asked(`{"toolAddition":{"name":"f"}}`),
			"toolRemoval":  asked(`{"toolRemoval":{"name":"f"}}`),
			"toolResult":   result(`{"text":"x"}`), "toolUse": result(`{"text":"x"}`),
			"video": asked(video)},
		"ToolResultContentBlock": {"document": result(pdf), "image": result(png),
			"json": result(`{"json":{"a":1.0}}`), "searchResult": result(found),
			"text": result(`{"text":"x"}`), "video": result(video)},
	} {
		members := sdk.variants(t, union)
		bodies.of(union, members).hold(t, "bedrock", members, body)
	}
	system := func(block string) string {
		return `{"modelId":"us.anthropic.claude-opus-4-8-v1:0","system":[{"text":"s"},` + block +
			`],"messages":[{"role":"user","content":[{"text":"q"}]}]}`
	}
	cases{
		"SystemContentBlock.cachePoint":   `{"cachePoint":{"type":"default"}}`,
		"SystemContentBlock.guardContent": `{"guardContent":{"text":{"text":"x"}}}`,
		"SystemContentBlock.text":         `{"text":"x"}`,
	}.hold(t, "bedrock", sdk.variants(t, "SystemContentBlock"), system)
}
