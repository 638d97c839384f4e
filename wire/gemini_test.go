package wire_test

import (
	"testing"
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
