package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
)

// This file is what the Gemini format reads, writes, keeps and mends, a row for each thing.

func TestGeminiReads(t *testing.T) {
	user := func(parts string) string { return `{"role":"user","parts":` + parts + `}` }
	response := func(held string) string {
		return user(`[{"functionResponse":{"name":"f",` + held + `}}]`)
	}
	runReads(t, "gemini", []reads{
		{
			"the roles",
			`{"role":"model","parts":[]},{"role":"assistant","parts":[]},` +
				`{"role":"user","parts":[]},{"role":"function","parts":[]}`,
			`{"parts":[],"role":"assistant"}
{"parts":[],"role":"assistant"}
{"parts":[],"role":"user"}
{"parts":[],"role":"function"}`,
		},
		{
			"content without its role, which its parts tell",
			`{"parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"","parts":[{"functionResponse":{"name":"f","response":{}}}]},` +
				`{"role":7,"parts":[{"text":"a"}]}`,
			`{"parts":[{"input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"name":"f","output":{},"type":"tool_result"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}`,
		},
		{
			"one part in the place of the list",
			user(`{"text":"a"}`),
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}`,
		},
		{"no parts", user(`null`) + `,{"role":"user"}`, `{"parts":[],"role":"user"}
{"parts":[],"role":"user"}`},
		{
			"parts that are none",
			user(`"a"`) + `,` + user(`[7,null,["b"]]`),
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"7","type":"text"},{"text":"[\"b\"]","type":"text"}],"role":"user"}`,
		},
		{
			"content in the place of parts",
			`{"role":"user","content":"a"},{"role":"user","content":[{"text":"b"}]},` +
				`{"role":"user","content":"c","parts":null},` +
				`{"role":"user","content":"no","parts":[{"text":"d"}]},` +
				`{"role":"user","content":null,"parts":[{"text":"e"}]}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"b","type":"text"}],"role":"user"}
{"parts":[{"text":"c","type":"text"}],"role":"user"}
{"parts":[{"text":"d","type":"text"}],"role":"user"}
{"parts":[{"text":"e","type":"text"}],"role":"user"}`,
		},
		{
			"either spelling, and the first of two",
			user(
				`[{"functionCall":null,"function_call":{"name":"f"}},` +
					`{"inline_data":{"mime_type":"image/gif","data":"aa"},` +
					`"inlineData":{"mimeType":"image/png","data":"bb"}},` +
					`{"file_data":{"file_uri":"u"}}]`,
			),
			`{"parts":[{"input":{},"name":"f","type":"tool_call"},` +
				`{"data":"bb","kind":"image","media_type":"image/png","type":"media"},` +
				`{"kind":"document","type":"media","url":"u"}],"role":"user"}`,
		},
		{
			"the last of two members of one name",
			user(`[{"text":"a","text":"b"}]`),
			`{"parts":[{"text":"b","type":"text"}],"role":"user"}`,
		},
		{
			"media by their type",
			user(
				`[{"inlineData":{"mimeType":"IMAGE/PNG","data":"aa"}},` +
					`{"inlineData":{"mimeType":"audio/mp3","data":"aa"}},` +
					`{"fileData":{"mimeType":"video/mp4","fileUri":"u"}},` +
					`{"fileData":{"mimeType":"application/pdf","fileUri":"u"}},` +
					`{"inlineData":{"data":"aa"}}]`,
			),
			`{"parts":[{"data":"aa","kind":"image","media_type":"IMAGE/PNG","type":"media"},` +
				`{"data":"aa","kind":"audio","media_type":"audio/mp3","type":"media"},` +
				`{"kind":"video","media_type":"video/mp4","type":"media","url":"u"},` +
				`{"kind":"document","media_type":"application/pdf","type":"media","url":"u"},` +
				`{"data":"aa","kind":"document","type":"media"}],"role":"user"}`,
		},
		{
			"data that nobody looks into",
			`{"role":"model","parts":[{"executableCode":{"code":"1"}},` +
				`{"code_execution_result":{"output":"1"}},{"toolCall":{}},{"tool_response":{}}]}`,
			`{"parts":[{"kind":"executableCode","type":"other"},` +
				`{"kind":"codeExecutionResult","type":"other"},` +
				`{"kind":"toolCall","type":"other"},` +
				`{"kind":"toolResponse","type":"other"}],"role":"assistant"}`,
		},
		{
			"several kinds of data, text first",
			`{"role":"model","parts":[{"functionCall":{"name":"f"},` +
				`"text":"a","thoughtSignature":"QUJD"},` +
				`{"inlineData":{"mimeType":"image/png","data":"aa"},"functionCall":{"name":"g"},` +
				`"thoughtSignature":"QUJE"}]}`,
			`{"parts":[{"text":"a","type":"text"},` +
				`{"input":{},"name":"f","signature":"QUJD","type":"tool_call"},` +
				`{"input":{},"name":"g","signature":"QUJE","type":"tool_call"},` +
				`{"data":"aa","kind":"image","media_type":"image/png","type":"media"}],` +
				`"role":"assistant"}`,
		},
		{
			"hollow data beside other",
			user(
				`[{"text":"","inlineData":{"mimeType":"image/png","data":"aa"}},` +
					`{"text":"a","inlineData":{"mimeType":"image/png","data":""}},` +
					`{"text":"b","fileData":{"mimeType":"image/png"}}]`,
			),
			`{"parts":[{"data":"aa","kind":"image","media_type":"image/png","type":"media"},` +
				`{"text":"a","type":"text"},{"text":"b","type":"text"}],"role":"user"}`,
		},
		{
			"hollow data of several kinds",
			user(`[{"text":"","inlineData":{"data":""},"fileData":{}}]`),
			`{"parts":[{"type":"text"}],"role":"user"}`,
		},
		{
			"what is next to data of several kinds belongs to the first",
			`{"role":"model","parts":[{"text":"t","thought":true,"executableCode":{"code":"1"},` +
				`"inlineData":{"mimeType":"image/png","data":"aa"}}]}`,
			`{"parts":[{"text":"t","type":"text"},` +
				`{"data":"aa","kind":"image","media_type":"image/png","type":"media"},` +
				`{"kind":"executableCode","type":"other"}],"role":"assistant"}`,
		},
		{
			"data that is no object",
			user(`[{"functionCall":"f"},{"inlineData":7},{"fileData":[]}]`),
			`{"parts":[{"text":"f","type":"text"},{"text":"7","type":"text"},` +
				`{"text":"[]","type":"text"}],"role":"user"}`,
		},
		{
			"a part without data",
			user(
				`[{},{"thought":true},{"videoMetadata":{}},{"type":"text"},{"later":null},` +
					`{"inlineData":{}},{"fileData":{"fileUri":7}},{"inlineData":{"data":7}}]`,
			),
			`{"parts":[],"role":"user"}`,
		},
		{
			"a part of a kind that nobody knows",
			user(`[{"thought":true,"later":{"x":1.0}}]`),
			`{"parts":[{"kind":"later","type":"other"}],"role":"user"}`,
		},
		{
			"a signature alone",
			`{"role":"model","parts":[{"thoughtSignature":"QUJD"},` +
				`{"text":"","thought_signature":"QUJD"},{"text":"","thoughtSignature":""},` +
				`{"thoughtSignature":"!"}]}`,
			`{"parts":[{"kind":"thoughtSignature","type":"other"},` +
				`{"kind":"thoughtSignature","type":"other"},{"type":"text"}],"role":"assistant"}`,
		},
		{
			"thinking",
			`{"role":"model","parts":[{"text":"a","thought":true,"thoughtSignature":"QUJD"},` +
				`{"text":"b","thought":true,"thought_signature":"Q-_+/="},` +
				`{"text":"c","thought":false},` +
				`{"text":"d","thought":true,"thoughtSignature":"not it"},` +
				`{"text":7,"thought":true}]}`,
			`{"parts":[{"signature":"QUJD","text":"a","type":"reasoning"},` +
				`{"signature":"Q-_+/=","text":"b","type":"reasoning"},` +
				`{"text":"c","type":"text"},{"text":"d","type":"reasoning"},` +
				`{"text":"7","type":"reasoning"}],"role":"assistant"}`,
		},
		{
			"calls",
			`{"role":"model","parts":[{"functionCall":{"name":"f","id":"1","args":{"a":1.0}}},` +
				`{"functionCall":{"name":"g","args":null},"thoughtSignature":"QUJD"},` +
				`{"functionCall":{"name":7,"args":"x"}}]}`,
			`{"parts":[{"id":"1","input":{"a":1.0},"name":"f","type":"tool_call"},` +
				`{"input":{},"name":"g","signature":"QUJD","type":"tool_call"},` +
				`{"input":"x","name":"7","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"a signature inside its call",
			`{"role":"model","parts":[{"functionCall":{"name":"f","thoughtSignature":"QUJD"}},` +
				`{"functionCall":{"name":"g","thought_signature":"QUJD"},` +
				`"thoughtSignature":"QUJE"},{"functionCall":{"name":"h","thoughtSignature":"!"}}]}`,
			`{"parts":[{"input":{},"name":"f","signature":"QUJD","type":"tool_call"},` +
				`{"input":{},"name":"g","signature":"QUJE","type":"tool_call"},` +
				`{"input":{},"name":"h","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"a response that is text",
			response(
				`"response":{"output":"x"}`,
			) + `,` + response(
				`"response":{"error":"x"},"id":"1"`,
			),
			`{"parts":[{"content":[{"text":"x","type":"text"}],` +
				`"name":"f","type":"tool_result"}],"role":"user"}
{"parts":[{"call_id":"1","content":[{"text":"x","type":"text"}],` +
				`"is_error":true,"name":"f","type":"tool_result"}],"role":"user"}`,
		},
		{
			"a response that says more",
			response(
				`"response":{"output":"x","more":1.0}`,
			) + `,` + response(
				`"response":{"error":"x","more":1}`,
			) + `,` + response(
				`"response":{"output":{"a":1.0}}`,
			) + `,` + response(
				`"response":{"output":""}`,
			) + `,` + response(
				`"response":{}`,
			),
			`{"parts":[{"name":"f","output":{"more":1.0,"output":"x"},"type":"tool_result"}],` +
				`"role":"user"}
{"parts":[{"is_error":true,"name":"f","output":{"error":"x","more":1},"type":"tool_result"}],` +
				`"role":"user"}
{"parts":[{"name":"f","output":{"output":{"a":1.0}},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"output":""},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{},"type":"tool_result"}],"role":"user"}`,
		},
		{
			"a response that is none",
			response(
				`"x":1`,
			) + `,` + response(
				`"response":null`,
			) + `,` + response(
				`"response":"x"`,
			) + `,` + response(
				`"response":""`,
			) + `,` + response(
				`"response":7`,
			) + `,` + response(
				`"response":["a"]`,
			),
			`{"parts":[{"name":"f","output":{},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{},"type":"tool_result"}],"role":"user"}
{"parts":[{"content":[{"text":"x","type":"text"}],"name":"f","type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"output":""},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"output":7},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"output":["a"]},"type":"tool_result"}],"role":"user"}`,
		},
		{
			"media in a response",
			response(
				`"response":{"output":"x"},`+
					`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}},`+
					`{"file_data":{"mime_type":"image/gif","file_uri":"u"}}]`,
			) + `,` +
				response(
					`"response":{"a":1.0},"parts":[{"inlineData":{"mimeType":"image/png",`+
						`"data":"aa"}}]`,
				) + `,` + response(
				`"response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]`,
			) + `,` +
				response(
					`"response":{"a":1.0},"parts":[]`,
				) + `,` + response(
				`"response":{"a":1.0},"parts":{}`,
			),
			`{"parts":[{"content":[{"text":"x","type":"text"},` +
				`{"data":"aa","kind":"image","media_type":"image/png","type":"media"},` +
				`{"kind":"image","media_type":"image/gif","type":"media","url":"u"}],` +
				`"name":"f","type":"tool_result"}],"role":"user"}
{"parts":[{"content":[{"text":"{\"a\":1.0}","type":"text"},` +
				`{"data":"aa","kind":"image","media_type":"image/png","type":"media"}],` +
				`"name":"f","type":"tool_result"}],"role":"user"}
{"parts":[{"content":[{"data":"aa","kind":"image","media_type":"image/png","type":"media"}],` +
				`"name":"f","type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"a":1.0},"type":"tool_result"}],"role":"user"}
{"parts":[{"name":"f","output":{"a":1.0},"type":"tool_result"}],"role":"user"}`,
		},
		{
			"what is no media in a response",
			response(
				`"response":{"output":"x"},"parts":[null,"y",{"inlineData":{"data":""}},` +
					`{"fileData":{}},{"later":1.0},` +
					`{"inlineData":{"data":""},"fileData":{"fileUri":"u"}}]`,
			),
			`{"parts":[{"content":[{"text":"x","type":"text"},{"text":"y","type":"text"},` +
				`{"kind":"part","type":"other"},` +
				`{"kind":"document","type":"media","url":"u"}],` +
				`"name":"f","type":"tool_result"}],"role":"user"}`,
		},
	})
}

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

func TestGeminiEdits(t *testing.T) {
	text := part(0, 0, func(t *preflight.Text) { t.Text = "b" })
	thought := part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" })
	rename := part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" })
	arguments := func(s string) func([]preflight.Message) []preflight.Message {
		return part(0, 0, func(c *preflight.ToolCall) { c.Input = []byte(s) })
	}
	answer := part(0, 0, func(r *preflight.ToolResult) { r.Name = "g" })
	model := func(held string) string { return `{"role":"model","parts":[{` + held + `}]}` }
	user := func(held string) string { return `{"role":"user","parts":[{` + held + `}]}` }
	runEdits(t, "gemini", []edits{
		{
			"a text beside what nobody knows",
			`{"x":1.0,"role":"user","parts":[ {"later":1.0,"text":"a","videoMetadata":{}} ]}`,
			text,
			`{"x":1.0,"role":"user","parts":[ {"later":1.0,"text":"b","videoMetadata":{}} ]}`,
		},
		{
			"a string that became a part",
			`{"role":"user","parts":["\u0061"]}`,
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"user","parts":[{"text":"\u0061"}]}`,
		},
		{
			"a text whose members are of others",
			user(`"id":"1","text":"a","cache_control":{},"type":"text","index":0`),
			text,
			`{"role":"user","parts":[{"text":"b"}]}`,
		},
		{
			"a signed text",
			model(`"text":"a","thoughtSignature":"QUJD"`),
			text,
			`{"role":"model","parts":[{"text":"b","thoughtSignature":"QUJD"}]}`,
		},
		{
			"a text with a signature that cannot be one",
			model(`"text":"a","thoughtSignature":"!","x":1`),
			text,
			`{"role":"model","parts":[{"text":"b","x":1}]}`,
		},
		{
			"the one part in the place of a list",
			`{"role":"user","parts":{"text":"a"}}`,
			func(m []preflight.Message) []preflight.Message { m[0].Role = "model"; return m },
			`{"role":"model","parts":{"text":"a"}}`,
		},
		{
			"one that changed becomes a list",
			`{"role":"user","parts":{"text":"a","x":1.0}}`,
			text,
			`{"role":"user","parts":[{"text":"b","x":1.0}]}`,
		},
		{
			"a message whose parts go",
			`{"role":"user","parts":[{"text":"a"}],"x":1.0}`,
			parts(func([]preflight.Part) []preflight.Part { return nil }),
			`{"role":"user","parts":[],"x":1.0}`,
		},
		{
			"a message that had none",
			`{"x":1.0,"role":"user"}`,
			func(m []preflight.Message) []preflight.Message { m[0].Role = "model"; return m },
			`{"x":1.0,"role":"model"}`,
		},
		{
			"thinking",
			model(`"x":1.0,"text":"a","thought":true,"thoughtSignature":"QUJD"`),
			thought,
			`{"role":"model","parts":[{"x":1.0,"text":"b","thought":true,` +
				`"thoughtSignature":"QUJD"}]}`,
		},
		{
			"thinking without its signature",
			model(`"text":"a","thought":true,"thought_signature":"QUJD"`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"model","parts":[{"text":"a","thought":true}]}`,
		},
		{
			"thinking with another signature, in its spelling",
			model(`"text":"a","thought":true,"thought_signature":"QUJD"`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "QUJE" }),
			`{"role":"model","parts":[{"text":"a","thought":true,"thought_signature":"QUJE"}]}`,
		},
		{
			"a text that becomes thinking",
			user(`"text":"a","x":1.0`),
			func(m []preflight.Message) []preflight.Message {
				was := m[0].Parts[0].(*preflight.Text)
				m[0].Parts = []preflight.Part{&preflight.Reasoning{Carried: was.Carried, Text: "a"}}
				return m
			},
			`{"role":"user","parts":[{"text":"a","x":1.0,"thought":true}]}`,
		},
		{
			"a call's name",
			model(
				`"functionCall":{"name":"f","args":{ "a":1.0 },"x":1.0},` +
					`"y":1.0,"thoughtSignature":"QUJD"`,
			),
			rename,
			`{"role":"model","parts":[{"functionCall":{"name":"g","args":{ "a":1.0 },"x":1.0},` +
				`"y":1.0,"thoughtSignature":"QUJD"}]}`,
		},
		{
			"a call without arguments",
			model(`"functionCall":{"name":"f"}`),
			rename,
			`{"role":"model","parts":[{"functionCall":{"name":"g"}}]}`,
		},
		{
			"one that gets some",
			model(`"function_call":{"name":"f"}`),
			arguments(`{"a":1.0}`),
			`{"role":"model","parts":[{"function_call":{"name":"f","args":{"a":1.0}}}]}`,
		},
		{
			"one that gets what is no object",
			model(`"functionCall":{"name":"f"}`),
			arguments(`7`),
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":7}}]}`,
		},
		{
			"one that loses them",
			model(`"functionCall":{"name":"f","args":{"a":1.0}}`),
			arguments(``),
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`,
		},
		{
			"one with as many as none",
			model(`"functionCall":{"name":"f"}`),
			arguments(`{}`),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`,
		},
		{
			"one whose arguments become none",
			model(`"functionCall":{"name":"f","args":{"a":1.0}}`),
			arguments(`{}`),
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`,
		},
		{
			"a call's id goes",
			model(`"functionCall":{"id":"1","name":"f"}`),
			part(0, 0, func(c *preflight.ToolCall) { c.ID = "" }),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`,
		},
		{
			"a call loses its signature",
			model(`"functionCall":{"name":"f"},"thoughtSignature":"QUJD"`),
			part(0, 0, func(c *preflight.ToolCall) { c.Signature = "" }),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`,
		},
		{
			"a result's name",
			user(
				`"functionResponse":{"name":"f","response":{ "output" : "\u0061" },` +
					`"willContinue":false},"x":1.0`,
			),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g",` +
				`"response":{ "output" : "\u0061" },"willContinue":false},"x":1.0}]}`,
		},
		{
			"a result's name beside an output",
			user(`"functionResponse":{"name":"f","response":{ "a" : 1.0 }}`),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ "a" : 1.0 }}}]}`,
		},
		{
			"a result's text",
			user(`"functionResponse":{"name":"f","response":{"output":"a"}}`),
			part(0, 0, func(r *preflight.ToolResult) {
				r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
			}),
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"b"}}}]}`,
		},
		{
			"a result's text beside nothing",
			user(`"functionResponse":{"name":"f","response":{"output":"a"}}`),
			part(0, 0, func(r *preflight.ToolResult) {
				r.Content = []preflight.Part{(*preflight.Text)(nil), &preflight.Text{Text: "b"}}
			}),
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"b"}}}]}`,
		},
		{
			"a result that now is an error",
			user(`"functionResponse":{"name":"f","response":{"output":"\u0061"}}`),
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = true }),
			`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"error":"\u0061"}}}]}`,
		},
		{
			"an output that now is an error",
			user(`"functionResponse":{"name":"f","response":{"a":1.0}}`),
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = true }),
			`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"error":{"a":1.0}}}}]}`,
		},
		{
			"a response that is text to others beside its media",
			user(
				`"functionResponse":{"name":"f","response":{ "a":1.0 },` +
					`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa","x":1.0}}]}`,
			),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ "a":1.0 },` +
				`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa","x":1.0}}]}}]}`,
		},
		{
			"an empty response beside media stays as it is spelled",
			user(
				`"functionResponse":{"name":"f","response":{ },` +
					`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}`,
			),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ },` +
				`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}}]}`,
		},
		{
			"the signature of a result that cannot be one",
			user(`"functionResponse":{"name":"f","response":{}},"thoughtSignature":"!"`),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}}]}`,
		},
		{
			"media that change",
			user(
				`"functionResponse":{"name":"f","response":{"output":"a"},` +
					`"parts":[ {"inlineData":{"mimeType":"image/png","data":"aa","x":1.0}} ,` +
					` {"fileData":{"fileUri":"u"}} ]}`,
			),
			part(0, 0, func(r *preflight.ToolResult) {
				m := *r.Content[1].(*preflight.Media)
				m.Data = "bb"
				r.Content = []preflight.Part{r.Content[0], &m, r.Content[2]}
			}),
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"a"},` +
				`"parts":[ {"inlineData":{"mimeType":"image/png","data":"bb","x":1.0}} ,` +
				` {"fileData":{"fileUri":"u"}} ]}}]}`,
		},
		{
			"media that go",
			user(
				`"functionResponse":{"name":"f","response":{"output":"a"},` +
					`"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}`,
			),
			part(0, 0, func(r *preflight.ToolResult) { r.Content = r.Content[:1] }),
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"a"}}}]}`,
		},
		{
			"an empty list of media",
			user(`"functionResponse":{"name":"f","response":{"output":"a"},"parts":[]}`),
			answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"a"},` +
				`"parts":[]}}]}`,
		},
		{
			"media that come",
			user(`"functionResponse":{"name":"f","response":{"output":"a"},"x":1.0}`),
			part(0, 0, func(r *preflight.ToolResult) {
				r.Content = append(
					slices.Clip(r.Content),
					&preflight.Media{Kind: "image", MediaType: "image/png", Data: "aa"},
				)
			}),
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"a"},` +
				`"x":1.0,"parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}}]}`,
		},
		{
			"inline data",
			user(
				`"inline_data":{"mime_type":"image/png","data":"aa","x":1.0},"mediaResolution":{}`,
			),
			part(0, 0, func(m *preflight.Media) { m.Data, m.MediaType = "bb", "image/gif" }),
			`{"role":"user","parts":[{"inline_data":{"mime_type":"image/gif","data":"bb",` +
				`"x":1.0},"mediaResolution":{}}]}`,
		},
		{
			"a file",
			user(`"fileData":{"file_uri":"u","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","parts":[{"fileData":{"file_uri":"v","x":1.0}}]}`,
		},
		{
			"a file that had no type gets none",
			user(`"fileData":{"fileUri":"u.png"}`),
			part(0, 0, func(m *preflight.Media) { m.Kind, m.URL = "image", "v.png" }),
			`{"role":"user","parts":[{"fileData":{"fileUri":"v.png"}}]}`,
		},
		{
			"a file that becomes inline data",
			user(`"fileData":{"fileUri":"u"},"x":1.0`),
			part(
				0,
				0,
				func(m *preflight.Media) { m.Data, m.MediaType, m.URL = "aa", "image/png", "" },
			),
			`{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}`,
		},
		{
			"what is not looked into, beside what is not the provider's",
			model(`"executableCode":{"code":"1"},"id":"1","thoughtSignature":"!","x":1.0`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"executableCode":{"code":"1"},"x":1.0}]}`,
		},
		{
			"data of several kinds, of which the first has what is next to it",
			model(
				`"functionCall":{"name":"f"},"inlineData":{"mimeType":"image/png","data":"aa"},` +
					`"executableCode":{"code":"1"},"thoughtSignature":"QUJD","x":1.0`,
			),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"functionCall":{"name":"f"},` +
				`"thoughtSignature":"QUJD","x":1.0},` +
				`{"inlineData":{"mimeType":"image/png","data":"aa"}},` +
				`{"executableCode":{"code":"1"}}]}`,
		},
		{
			"signatures of media that cannot be one",
			`{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"aa"},` +
				`"thoughtSignature":"!"},{"fileData":{"fileUri":"u"},"thought_signature":7}]}`,
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}},` +
				`{"fileData":{"fileUri":"u"}}]}`,
		},
		{
			"a signature beside empty data",
			model(`"thoughtSignature":"QUJD","inlineData":{"data":""}`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"thoughtSignature":"QUJD"}]}`,
		},
		{
			"a signature with its text",
			model(`"text":"","thoughtSignature":"QUJD","index":0`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"text":"","thoughtSignature":"QUJD"}]}`,
		},
		{
			"members that are not the provider's go from a message that changes",
			`{"role":"user","id":"1","timestamp":7,"parts":[{"text":"a"}],"content":"b","x":1.0}`,
			text,
			`{"role":"user","parts":[{"text":"b"}],"x":1.0}`,
		},
	})
}

func TestGeminiRepairs(t *testing.T) {
	const ask = `{"role":"user","parts":[{"text":"q"}]}`
	body := func(contents string) string { return `{"contents":[` + contents + `]}` }
	exchange := func(response string) string {
		return body(
			ask +
				`,{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				response + `}}]}`,
		)
	}
	runRepairs(t, "gemini", []repairs{
		{
			"members that are not the provider's",
			body(
				`{"role":"user","id":"1","name":"n","parts":[{"text":"q","index":0,"id":"2"}],` +
					`"x":1.0}`,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}],"x":1.0}]}`,
			[]string{
				"contents[0].id field-removed gemini/extra-field",
				"contents[0].name field-removed gemini/extra-field",
				"contents[0].parts[0].index field-removed gemini/extra-field",
				"contents[0].parts[0].id field-removed gemini/extra-field",
			},
		},
		{
			"content beside parts",
			body(`{"role":"user","content":"x","parts":[{"text":"q"}]}`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{"contents[0].content field-removed gemini/extra-field"},
		},
		{
			"content as a list of parts",
			body(`{"role":"user","content":[null,{"text":"q"},7]}`),
			`{"contents":[{"role":"user","parts":[{"text":"q"},{"text":"7"}]}]}`,
			[]string{
				"contents[0].content shape-repaired gemini/extra-field",
				"contents[0].content[0] shape-repaired preflight/shape",
				"contents[0].content[2] shape-repaired preflight/shape",
			},
		},
		{
			"parts that are no list",
			body(`{"role":"user","parts":"q"}`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{"contents[0].parts shape-repaired preflight/shape"},
		},
		{
			"roles",
			body(`{"parts":[{"text":"q"}]},{"role":"assistant","parts":[{"text":"a"}]},` + ask),
			`{"contents":[{"parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"}]},` +
				`{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{"contents[1].role role-mapped gemini/role-invalid"},
		},
		{
			"several kinds of data",
			body(
				ask +
					`,{"role":"model","parts":[{"text":"a",` +
					`"executableCode":{"language":"PYTHON","code":"1"},` +
					`"codeExecutionResult":{"outcome":"OUTCOME_OK"}}]},` +
					ask,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a"},` +
				`{"executableCode":{"language":"PYTHON","code":"1"}},` +
				`{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}]},` +
				`{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{"contents[1].parts[0] shape-repaired gemini/empty-part-data"},
		},
		{
			"data that is no object",
			body(`{"role":"user","parts":[{"inlineData":"x"}]}`),
			`{"contents":[{"role":"user","parts":[{"text":"x"}]}]}`,
			[]string{"contents[0].parts[0].inlineData shape-repaired preflight/shape"},
		},
		{
			"a text that is no string",
			body(`{"role":"user","parts":[{"text":{"a":1.0}}]}`),
			`{"contents":[{"role":"user","parts":[{"text":"{\"a\":1.0}"}]}]}`,
			[]string{"contents[0].parts[0].text shape-repaired preflight/shape"},
		},
		{
			"parts without data",
			body(
				`{"role":"user","parts":[{"text":"q"},{"thought":true},{"fileData":{}},` +
					`{"inlineData":{"mimeType":"image/png"}}]}`,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"contents[0].parts[1] shape-repaired gemini/empty-part-data",
				"contents[0].parts[2] shape-repaired gemini/empty-part-data",
				"contents[0].parts[3] shape-repaired gemini/empty-part-data",
			},
		},
		{
			"signatures that cannot be one",
			body(
				ask +
					`,{"role":"model","parts":[{"text":"a","thoughtSignature":"!"},` +
					`{"executableCode":{"language":"PYTHON","code":"1"},` +
					`"thoughtSignature":7},{"text":"t","thought":true,` +
					`"thought_signature":"a b"}]},` +
					ask,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a"},` +
				`{"executableCode":{"language":"PYTHON","code":"1"}},` +
				`{"text":"t","thought":true}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"contents[1].parts[0].thoughtSignature field-removed " +
					"gemini/thought-signature-corrupt",
				"contents[1].parts[1].thoughtSignature field-removed " +
					"gemini/thought-signature-corrupt",
				"contents[1].parts[2].thought_signature field-removed " +
					"gemini/thought-signature-corrupt",
			},
		},
		{
			"signatures that are no text",
			body(
				ask +
					`,{"role":"model","parts":[{"text":"a","thoughtSignature":"QUJD\ud800"},` +
					`{"text":"b","thought_signature":"QUJD\ud800"}]},` +
					ask,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a"},{"text":"b"}]},` +
				`{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"contents[1].parts[0].thoughtSignature field-removed " +
					"gemini/thought-signature-corrupt",
				"contents[1].parts[1].thought_signature field-removed " +
					"gemini/thought-signature-corrupt",
			},
		},
		{
			"a system content that leads a bare list",
			`[{"role":"system","parts":[{"text":"s"}]},` + ask + `]`,
			`[{"role":"user","parts":[{"text":"s"}]},` + ask + `]`,
			[]string{"contents[0] system-demoted gemini/system-in-contents"},
		},
		{
			"signatures that are fine",
			body(
				ask +
					`,{"role":"model","parts":[{"text":"a","thoughtSignature":""},` +
					`{"executableCode":{"language":"PYTHON","code":"1"},` +
					`"thoughtSignature":"QUJD"},{"thoughtSignature":null,"text":"b"}]},` +
					ask,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a","thoughtSignature":""},` +
				`{"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"QUJD"},` +
				`{"thoughtSignature":null,"text":"b"}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			nil,
		},
		{
			"signatures inside calls",
			body(
				ask +
					`,{"role":"model","parts":[{"functionCall":{"name":"f",` +
					`"thoughtSignature":"QUJD"}},` +
					`{"functionCall":{"name":"g","thought_signature":"!"}}]},` +
					`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
					`"response":{}}},{"functionResponse":{"name":"g","response":{}}}]}`,
			),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"},` +
				`"thoughtSignature":"QUJD"},{"functionCall":{"name":"g"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}},` +
				`{"functionResponse":{"name":"g","response":{}}}]}]}`,
			[]string{
				"contents[1].parts[0].functionCall.thoughtSignature shape-repaired " +
					"gemini/extra-field",
				"contents[1].parts[1].functionCall.thought_signature shape-repaired " +
					"gemini/extra-field",
			},
		},
		{
			"no response",
			exchange(`"x":1.0`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","x":1.0,` +
				`"response":{}}}]}]}`,
			[]string{
				"contents[2].parts[0].functionResponse.response shape-repaired " +
					"gemini/function-response-object",
			},
		},
		{
			"a response that is a string",
			exchange(`"response":"\u0061"`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":"\u0061"}}}]}]}`,
			[]string{
				"contents[2].parts[0].functionResponse.response shape-repaired " +
					"gemini/function-response-object",
			},
		},
		{
			"a response that is an empty string",
			exchange(`"response":""`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":""}}}]}]}`,
			[]string{
				"contents[2].parts[0].functionResponse.response shape-repaired " +
					"gemini/function-response-object",
			},
		},
		{
			"a response that is a list",
			exchange(`"response":[ 1.0 ]`),
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":[ 1.0 ]}}}]}]}`,
			[]string{
				"contents[2].parts[0].functionResponse.response shape-repaired " +
					"gemini/function-response-object",
			},
		},
		{
			"what is no media in a response",
			strings.Replace(
				exchange(
					`"response":{"output":"a"},`+
						`"parts":[null,{"inlineData":{"mimeType":"image/png"}},`+
						`{"inlineData":{"mimeType":"image/png","data":""},`+
						`"fileData":{"fileUri":"https://e/x.png","mimeType":"image/png"}},`+
						`{"inlineData":{"mimeType":"image/png",`+
						`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]`,
				),
				`{"contents"`,
				`{"model":"gemini-3-pro-preview","contents"`,
				1,
			),
			`{"model":"gemini-3-pro-preview","contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f"},` +
				`"thoughtSignature":"skip_thought_signature_validator"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":"a"},` +
				`"parts":[{"fileData":{"fileUri":"https://e/x.png","mimeType":"image/png"}},` +
				`{"inlineData":{"mimeType":"image/png",` +
				`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]}}]}]}`,
			[]string{
				"contents[2].parts[0].functionResponse.parts[0] shape-repaired preflight/shape",
				"contents[2].parts[0].functionResponse.parts[1] shape-repaired " +
					"gemini/empty-part-data",
				"contents[2].parts[0].functionResponse.parts[2] shape-repaired " +
					"gemini/empty-part-data",
				"contents[1].parts[0] call-signed gemini/thought-signature-missing",
			},
		},
		{
			"a system instruction that is a string",
			`{"systemInstruction":"\u0061","contents":[` + ask + `]}`,
			`{"systemInstruction":{"parts":[{"text":"\u0061"}]},` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{"systemInstruction shape-repaired preflight/shape"},
		},
		{
			"a system instruction that is a list",
			`{"systemInstruction":[{"text":"a"},"b"],"contents":[` + ask + `]}`,
			`{"systemInstruction":{"parts":[{"text":"a"},` +
				`{"text":"b"}]},"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"systemInstruction shape-repaired preflight/shape",
				"systemInstruction[1] shape-repaired preflight/shape",
			},
		},
		{
			"a system instruction of other members",
			`{"system_instruction":{"id":"1","role":"x","parts":[{"text":"a","type":"text"}]},` +
				`"contents":[` +
				ask + `]}`,
			`{"system_instruction":{"role":"x","parts":[{"text":"a"}]},` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"system_instruction.id field-removed gemini/extra-field",
				"system_instruction.parts[0].type field-removed gemini/extra-field",
			},
		},
		{
			"names of functions, wherever they are",
			`{"tools":[{"googleSearch":{}},{"function_declarations":[{"name":"ok"},{"name":7},` +
				`{"name":"a b"}]},{"functionDeclarations":[{"name":"c d"}]}],` +
				`"toolConfig":{"functionCallingConfig":{"mode":"ANY",` +
				`"allowedFunctionNames":["ok",7,"a b"]}},"contents":[` +
				ask + `]}`,
			`{"tools":[{"googleSearch":{}},{"function_declarations":[{"name":"ok"},{"name":7},` +
				`{"name":"a_b_c8687a08"}]},` +
				`{"functionDeclarations":[{"name":"c_d_b561f19f"}]}],` +
				`"toolConfig":{"functionCallingConfig":{"mode":"ANY",` +
				`"allowedFunctionNames":["ok",7,"a_b_c8687a08"]}},` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			[]string{
				"tools[1].function_declarations[2].name tool-renamed gemini/function-name-pattern",
				"tools[2].functionDeclarations[0].name tool-renamed gemini/function-name-pattern",
				"toolConfig.functionCallingConfig.allowedFunctionNames[2] tool-renamed " +
					"gemini/function-name-pattern",
			},
		},
	})
}
