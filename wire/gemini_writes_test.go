package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

func TestGeminiWrites(t *testing.T) {
	const user, model = preflight.RoleUser, preflight.RoleAssistant
	runWrites(t, "gemini", []writes{
		{
			"text",
			user,
			`{"type":"text","text":"a <b>"}`,
			`{"role":"user","parts":[{"text":"a <b>"}]}`,
		},
		{
			"the user's turn with results",
			preflight.RoleTool,
			`{"type":"text","text":"a"}`,
			`{"role":"user","parts":[{"text":"a"}]}`,
		},
		{
			"a role of nobody's",
			"critic",
			`{"type":"text","text":"a"}`,
			`{"role":"critic","parts":[{"text":"a"}]}`,
		},
		{"a message without parts", user, ``, `{"role":"user","parts":[]}`},
		{
			"thinking",
			model,
			`{"type":"reasoning","text":"t"},{"type":"reasoning","text":"u","signature":"QUJD"}`,
			`{"role":"model","parts":[{"text":"t","thought":true},` +
				`{"text":"u","thought":true,"thoughtSignature":"QUJD"}]}`,
		},
		{
			"thinking that nobody can read",
			model,
			`{"type":"reasoning","opaque":"QUJD"}`,
			`error: the part has no form in this format: opaque reasoning`,
		},
		{
			"sealed thinking with a summary",
			model,
			`{"type":"reasoning","text":"t","opaque":"QUJD"}`,
			`{"role":"model","parts":[{"text":"t","thought":true}]}`,
		},
		{
			"calls",
			model,
			`{"type":"tool_call","name":"f"},` +
				`{"type":"tool_call","id":"1","name":"g","input":{"a":1.0},"signature":"QUJD"},` +
				`{"type":"tool_call","name":"h","input":{}}`,
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},` +
				`{"functionCall":{"name":"g","args":{"a":1.0},"id":"1"},` +
				`"thoughtSignature":"QUJD"},{"functionCall":{"name":"h","args":{}}}]}`,
		},
		{
			"free text as arguments",
			model,
			`{"type":"tool_call","name":"f","variant":"custom","input_text":"a\nb"}`,
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{"input":"a\nb"}}}]}`,
		},
		{
			"arguments that are no JSON",
			model,
			`{"type":"tool_call","name":"f","input_text":"{cut"}`,
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":"{cut"}}]}`,
		},
		{
			"a call that another provider runs",
			model,
			`{"type":"tool_call","name":"f","provider_executed":true}`,
			`error: the part has no form in this format: provider-executed tool call`,
		},
		{
			"and its result",
			model,
			`{"type":"tool_result","name":"f","provider_executed":true}`,
			`error: the part has no form in this format: provider-executed tool result`,
		},
		{
			"results that are text",
			user,
			`{"type":"tool_result","call_id":"1","name":"f","content":[{"type":"text",` +
				`"text":"x"}]},{"type":"tool_result","name":"f","content":[{"type":"text",` +
				`"text":"x"},{"type":"text","text":"y"}]},` +
				`{"type":"tool_result","name":"f","is_error":true,"content":[{"type":"text",` +
				`"text":"no"}]}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"},` +
				`"id":"1"}},{"functionResponse":{"name":"f","response":{"output":"x\ny"}}},` +
				`{"functionResponse":{"name":"f","response":{"error":"no"}}}]}`,
		},
		{
			"results that say nothing",
			user,
			`{"type":"tool_result","name":"f"},{"type":"tool_result","name":"f","is_error":true}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}},` +
				`{"functionResponse":{"name":"f","response":{"error":""}}}]}`,
		},
		{
			"outputs",
			user,
			`{"type":"tool_result","name":"f","output":{"a":1.0}},` +
				`{"type":"tool_result","name":"f","output":[1.0]},` +
				`{"type":"tool_result","name":"f","output_text":"{cut"}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1.0}}},` +
				`{"functionResponse":{"name":"f","response":{"output":[1.0]}}},` +
				`{"functionResponse":{"name":"f","response":{"output":"{cut"}}}]}`,
		},
		{
			"outputs of what failed",
			user,
			`{"type":"tool_result","name":"f","is_error":true,"output":{"a":1.0}},` +
				`{"type":"tool_result","name":"f","is_error":true,"output":{"error":{"a":1.0}}},` +
				`{"type":"tool_result","name":"f","is_error":true,"output":"x"}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"error":{"a":1.0}}}},` +
				`{"functionResponse":{"name":"f","response":{"error":{"a":1.0}}}},` +
				`{"functionResponse":{"name":"f","response":{"error":"x"}}}]}`,
		},
		{
			"an output and text",
			user,
			`{"type":"tool_result","name":"f","output":{"a":1.0},` +
				`"content":[{"type":"text","text":"x"}]},` +
				`{"type":"tool_result","name":"f","output_text":"{cut",` +
				`"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":[{"a":1.0},"x"]}}},` +
				`{"functionResponse":{"name":"f","response":{"output":["{cut","x","y"]}}}]}`,
		},
		{
			"media in a result",
			user,
			`{"type":"tool_result","name":"f","content":[{"type":"text","text":"x"},` +
				`{"type":"media","kind":"image","media_type":"image/png","data":"aa"}]},` +
				`{"type":"tool_result","name":"f","content":[{"type":"media","kind":"image",` +
				`"media_type":"image/png","data":"aa"}]}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"},` +
				`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}},` +
				`{"functionResponse":{"name":"f","response":{},` +
				`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}}]}`,
		},
		{
			"inline media",
			user,
			`{"type":"media","kind":"image","media_type":"image/png","data":"aa"},` +
				`{"type":"media","kind":"image","url":"data:image/webp;base64,aa"},` +
				`{"type":"media","kind":"document","data":"aa"}`,
			`{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}},` +
				`{"inlineData":{"mimeType":"image/webp","data":"aa"}},` +
				`{"inlineData":{"mimeType":"","data":"aa"}}]}`,
		},
		{
			"media by address",
			user,
			`{"type":"media","kind":"video","media_type":"video/mp4","url":"u"},` +
				`{"type":"media","kind":"document","file_id":"files/1"},` +
				`{"type":"media","kind":"document","url":"u","file_id":"files/1"}`,
			`{"role":"user","parts":[{"fileData":{"fileUri":"u","mimeType":"video/mp4"}},` +
				`{"fileData":{"fileUri":"files/1"}},{"fileData":{"fileUri":"u"}}]}`,
		},
		{
			"images whose address shows their type",
			user,
			`{"type":"media","kind":"image","url":"e/a.png"},` +
				`{"type":"media","kind":"image","url":"e/a.JPEG?x=.png"},` +
				`{"type":"media","kind":"image","url":"e/a.jpg"},` +
				`{"type":"media","kind":"image","url":"e/a.gif"},` +
				`{"type":"media","kind":"image","url":"e/a.webp"},` +
				`{"type":"media","kind":"image","url":"e/a.heic"},` +
				`{"type":"media","kind":"image","url":"e/a.heif"}`,
			`{"role":"user","parts":[{"fileData":{"fileUri":"e/a.png","mimeType":"image/png"}},` +
				`{"fileData":{"fileUri":"e/a.JPEG?x=.png","mimeType":"image/jpeg"}},` +
				`{"fileData":{"fileUri":"e/a.jpg","mimeType":"image/jpeg"}},` +
				`{"fileData":{"fileUri":"e/a.gif","mimeType":"image/gif"}},` +
				`{"fileData":{"fileUri":"e/a.webp","mimeType":"image/webp"}},` +
				`{"fileData":{"fileUri":"e/a.heic","mimeType":"image/heic"}},` +
				`{"fileData":{"fileUri":"e/a.heif","mimeType":"image/heif"}}]}`,
		},
		{
			"addresses that show none",
			user,
			`{"type":"media","kind":"image","url":"e/a.svg"},` +
				`{"type":"media","kind":"image","url":"e/png"},` +
				`{"type":"media","kind":"document","url":"e/a.png"}`,
			`{"role":"user","parts":[{"fileData":{"fileUri":"e/a.svg"}},` +
				`{"fileData":{"fileUri":"e/png"}},{"fileData":{"fileUri":"e/a.png"}}]}`,
		},
		{
			"what has no form",
			user,
			`{"type":"other","kind":"thing"}`,
			`error: the part has no form in this format: thing`,
		},
	})
}
