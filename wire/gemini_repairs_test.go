package wire_test

import (
	"strings"
	"testing"
)

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
