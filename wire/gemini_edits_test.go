package wire_test

import (
	"slices"
	"testing"

	"github.com/go-preflight/preflight"
)

func TestGeminiEdits(t *testing.T) {
	text := part(0, 0, func(t *preflight.Text) { t.Text = "b" })
	thought := part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" })
	rename := part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" })
	arguments := func(s string) edit {
		return part(0, 0, func(c *preflight.ToolCall) { c.Input = []byte(s) })
	}
	answer := part(0, 0, func(r *preflight.ToolResult) { r.Name = "g" })
	model := func(held string) string { return `{"role":"model","parts":[{` + held + `}]}` }
	user := func(held string) string { return `{"role":"user","parts":[{` + held + `}]}` }
	runEdits(t, "gemini", []edits{
		{"a text beside what nobody knows",
			`{"x":1.0,"role":"user","parts":[ {"later":1.0,"text":"a","videoMetadata":{}} ]}`, text,
			`{"x":1.0,"role":"user","parts":[ {"later":1.0,"text":"b","videoMetadata":{}} ]}`},
		{"a string that became a part", `{"role":"user","parts":["\u0061"]}`,
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"user","parts":[{"text":"\u0061"}]}`},
		{"a text whose members are of others",
			user(`"id":"1","text":"a","cache_control":{},"type":"text","index":0`), text,
			`{"role":"user","parts":[{"text":"b"}]}`},
		{"a signed text", model(`"text":"a","thoughtSignature":"QUJD"`), text,
			`{"role":"model","parts":[{"text":"b","thoughtSignature":"QUJD"}]}`},
		{"a text with a signature that cannot be one",
			model(`"text":"a","thoughtSignature":"!","x":1`), text,
			`{"role":"model","parts":[{"text":"b","x":1}]}`},
		{"the one part in the place of a list", `{"role":"user","parts":{"text":"a"}}`,
			func(m []preflight.Message) []preflight.Message { m[0].Role = "model"; return m },
			`{"role":"model","parts":{"text":"a"}}`},
		{"one that changed becomes a list", `{"role":"user","parts":{"text":"a","x":1.0}}`, text,
			`{"role":"user","parts":[{"text":"b","x":1.0}]}`},
		{"a message whose parts go", `{"role":"user","parts":[{"text":"a"}],"x":1.0}`,
			parts(func([]preflight.Part) []preflight.Part { return nil }),
			`{"role":"user","parts":[],"x":1.0}`},
		{"a message that had none", `{"x":1.0,"role":"user"}`,
			func(m []preflight.Message) []preflight.Message { m[0].Role = "model"; return m },
			`{"x":1.0,"role":"model"}`},
		{
			"thinking",
			model(`"x":1.0,"text":"a","thought":true,"thoughtSignature":"QUJD"`),
			thought,
			`{"role":"model","parts":[{"x":1.0,"text":"b","thought":true,` +
				`"thoughtSignature":"QUJD"}]}`,
		},
		{"thinking without its signature",
			model(`"text":"a","thought":true,"thought_signature":"QUJD"`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"model","parts":[{"text":"a","thought":true}]}`},
		{"thinking with another signature, in its spelling",
			model(`"text":"a","thought":true,"thought_signature":"QUJD"`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "QUJE" }),
			`{"role":"model","parts":[{"text":"a","thought":true,"thought_signature":"QUJE"}]}`},
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
		{"a call without arguments", model(`"functionCall":{"name":"f"}`), rename,
			`{"role":"model","parts":[{"functionCall":{"name":"g"}}]}`},
		{"one that gets some", model(`"function_call":{"name":"f"}`), arguments(`{"a":1.0}`),
			`{"role":"model","parts":[{"function_call":{"name":"f","args":{"a":1.0}}}]}`},
		{"one that gets what is not an object", model(`"functionCall":{"name":"f"}`), arguments(`7`),
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":7}}]}`},
		{"one that loses them", model(`"functionCall":{"name":"f","args":{"a":1.0}}`),
			arguments(``), `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`},
		{"one with as many as none", model(`"functionCall":{"name":"f"}`), arguments(`{}`),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`},
		{"one whose arguments become none", model(`"functionCall":{"name":"f","args":{"a":1.0}}`),
			arguments(`{}`), `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`},
		{"a call's id goes", model(`"functionCall":{"id":"1","name":"f"}`),
			part(0, 0, func(c *preflight.ToolCall) { c.ID = "" }),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`},
		{"a call loses its signature",
			model(`"functionCall":{"name":"f"},"thoughtSignature":"QUJD"`),
			part(0, 0, func(c *preflight.ToolCall) { c.Signature = "" }),
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`},
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
		{"a result's name beside an output",
			user(`"functionResponse":{"name":"f","response":{ "a" : 1.0 }}`), answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ "a" : 1.0 }}}]}`},
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
		{"the signature of a result that cannot be one",
			user(`"functionResponse":{"name":"f","response":{}},"thoughtSignature":"!"`), answer,
			`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}}]}`},
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
				r.Content = append(slices.Clip(r.Content),
					&preflight.Media{Kind: "image", MediaType: "image/png", Data: "aa"})
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
		{"a file", user(`"fileData":{"file_uri":"u","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","parts":[{"fileData":{"file_uri":"v","x":1.0}}]}`},
		{"a file that had no type gets none", user(`"fileData":{"fileUri":"u.png"}`),
			part(0, 0, func(m *preflight.Media) { m.Kind, m.URL = "image", "v.png" }),
			`{"role":"user","parts":[{"fileData":{"fileUri":"v.png"}}]}`},
		{
			"a file that becomes inline data",
			user(`"fileData":{"fileUri":"u"},"x":1.0`),
			part(0, 0,
				func(m *preflight.Media) { m.Data, m.MediaType, m.URL = "aa", "image/png", "" }),
			`{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"aa"}}]}`,
		},
		{"what is not looked into, beside what is not the provider's",
			model(`"executableCode":{"code":"1"},"id":"1","thoughtSignature":"!","x":1.0`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"executableCode":{"code":"1"},"x":1.0}]}`},
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
		{"a signature beside empty data",
			model(`"thoughtSignature":"QUJD","inlineData":{"data":""}`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"thoughtSignature":"QUJD"}]}`},
		{"a signature with its text", model(`"text":"","thoughtSignature":"QUJD","index":0`),
			func(m []preflight.Message) []preflight.Message { return m },
			`{"role":"model","parts":[{"text":"","thoughtSignature":"QUJD"}]}`},
		{"members that are not the provider's go from a message that changes",
			`{"role":"user","id":"1","timestamp":7,"parts":[{"text":"a"}],"content":"b","x":1.0}`,
			text, `{"role":"user","parts":[{"text":"b"}],"x":1.0}`},
	})
}
