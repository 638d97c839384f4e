package wire_test

import "fmt"

// This file makes up generateContent bodies.

var geminiSignatures = []string{
	`"QUJD"`,
	`"skip_thought_signature_validator"`,
	`""`,
	`"not base64!"`,
	`null`,
	`7`,
	`"\ud83d"`,
}

var geminiIDs = []string{`"1"`, `"2"`, `"call_1"`, `""`, `" "`, `null`, `7`, `"\ud83d"`, `"1|2"`}

var geminiNames = []string{`"f"`, `"f"`, `"f"`, `"g"`, `"a.b:c"`, `"9f"`, `"a b"`, `""`, `null`,
	`" f"`, `"f\u0000"`}

var geminiResponses = []string{
	`{"output":"ok"}`,
	`{"error":"no"}`,
	`{"output":""}`,
	`{}`,
	`{"a":1.0}`,
	`{"output":"ok","error":null}`,
	`{"error":{"code":1}}`,
	`["a"]`,
	`"plain"`,
	`null`,
	`7`,
	`{"output":"half \ud83d"}`,
	`{"error":"Tool call was interrupted before a result was recorded."}`,
}

// spelled draws one of two spellings of a key.
func (g gen) spelled(camel, snake string) string {
	if g.one(3, "snake") {
		return snake
	}
	return camel
}

// data is a part with data of one kind, spoiled inside and out, and now and then a signature or a
// second kind beside it.
func (g gen) data(key string, value any) any {
	o := object{{str(key), value}}
	if g.one(4, "signed") {
		o = append(
			o,
			field{
				str(g.spelled("thoughtSignature", "thought_signature")),
				g.of(geminiSignatures, "signature"),
			},
		)
	}
	if g.one(12, "twofold") {
		o = append(
			o,
			field{
				str(g.spelled("functionCall", "text")),
				g.of([]string{`{"name":"f"}`, `"also"`, `""`, `null`}, "second"),
			},
		)
	}
	return g.spoil(o)
}

// contentPart draws a part.
func (g gen) contentPart() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch g.of(
		[]string{"0", "0", "0", "1", "1", "1", "1", "2", "2", "2", "2", "3", "4", "5", "6", "7"},
		"part",
	) {
	case "0":
		return g.data("text", g.of(texts, "text"))
	case "1":
		o := obj("name", g.of(geminiNames, "name"))
		if g.one(2, "arguments") {
			o = append(o, field{str("args"), g.of(inputs, "args")})
		}
		if g.one(2, "identified") {
			o = append(o, field{str("id"), g.of(geminiIDs, "id")})
		}
		if g.one(12, "signed inside") {
			o = append(o, field{str("thoughtSignature"), g.of(geminiSignatures, "signature")})
		}
		return g.data(g.spelled("functionCall", "function_call"), g.spoil(o))
	case "2":
		o := obj("name", g.of(geminiNames, "name"), "response", g.of(geminiResponses, "response"))
		if g.one(2, "identified") {
			o = append(o, field{str("id"), g.of(geminiIDs, "id")})
		}
		if g.one(6, "media") {
			o = append(o, field{str("parts"), g.list(2, "media", g.geminiMedia)})
		}
		return g.data(g.spelled("functionResponse", "function_response"), g.spoil(o))
	case "3":
		return g.spoil(
			obj(
				"text",
				g.of(texts, "text"),
				"thought",
				literal("true"),
				g.spelled("thoughtSignature", "thought_signature"),
				g.of(geminiSignatures, "signature"),
			),
		)
	case "4":
		return g.geminiMedia()
	case "5":
		return g.data(
			string(
				g.of(
					[]string{"executableCode", "codeExecutionResult", "toolCall", "tool_response",
						"somethingNew"},
					"kind",
				),
			),
			g.of(scalars, "scalar"),
		)
	case "6":
		return g.spoil(
			obj("thoughtSignature", g.of(geminiSignatures, "signature"),
				"text", g.of([]string{`""`, `null`, `"x"`}, "text")),
		)
	}
	return []any{
		obj(), obj("thought", literal("true")), obj("x_unknown", literal("1.50")),
		obj("videoMetadata", obj()),
	}[len(g.of([]string{"", "1", "12", "123"}, "hollow"))]
}

func (g gen) geminiMedia() any {
	if g.one(3, "file") {
		return g.data(
			g.spelled("fileData", "file_data"),
			g.spoil(
				obj(
					g.spelled("fileUri", "file_uri"),
					g.of([]string{`"https://e/x.png"`, `""`, `null`}, "uri"),
					"mimeType",
					str("image/png"),
				),
			),
		)
	}
	return g.data(
		g.spelled("inlineData", "inline_data"),
		g.spoil(
			obj(
				g.spelled("mimeType", "mime_type"),
				g.of([]string{`"image/png"`, `"audio/wav"`, `"application/pdf"`, `null`}, "type"),
				"data",
				g.of(
					[]string{
						`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"`,
						`"/9j/4AAQ"`,
						`""`,
						`null`,
					},
					"data",
				),
			),
		),
	)
}

// generateContent draws a generateContent body, or its contents alone.
func (g gen) generateContent() any {
	contents := g.list(7, "contents", func() any {
		role := g.of(
			[]string{`"user"`, `"model"`, `"user"`, `"model"`, `"user"`, `"model"`, `"system"`,
				`"function"`, `"assistant"`, `null`, `"Model"`, `"what"`},
			"role",
		)
		key := "parts"
		if g.one(20, "content") {
			key = "content"
		}
		var parts any = g.list(4, "parts", g.contentPart)
		if g.one(12, "single") {
			parts = g.contentPart()
		} else if g.one(20, "plain") {
			parts = g.of(texts, "text")
		}
		return g.spoil(obj("role", role, key, parts))
	})
	if g.one(5, "bare") {
		return contents
	}
	o := object{}
	if g.one(2, "model") {
		o = append(
			o,
			field{
				str("model"),
				g.of(
					[]string{
						`"gemini-2.5-flash"`,
						`"models/gemini-3.1-pro-preview"`,
						`"gemini-3.7-flash"`,
						`"gemini-pro"`,
						`7`,
					},
					"model",
				),
			},
		)
	}
	if g.one(3, "system") {
		o = append(
			o,
			field{
				str(g.spelled("systemInstruction", "system_instruction")),
				[]any{
					g.contentPart(), obj("parts", g.list(2, "system parts", g.contentPart)),
					obj("parts", g.contentPart()), g.of(texts, "system"),
				}[len(g.of([]string{"", "1", "1", "12", "123"}, "system kind"))],
			},
		)
	}
	if g.one(3, "tools") {
		o = append(
			o,
			field{
				str("tools"),
				array{
					obj(
						g.spelled("functionDeclarations", "function_declarations"),
						array{obj("name", g.of(geminiNames, "declared"))},
					),
					obj("googleSearch", obj()),
				},
			},
		)
		o = append(
			o,
			field{
				str("toolConfig"),
				obj(
					"functionCallingConfig",
					obj("allowedFunctionNames", array{g.of(geminiNames, "allowed")}),
				),
			},
		)
	}
	return g.spoil(append(o, field{str("contents"), contents}))
}

// longContent is message k of a long body.
func longContent(k int, text string) string {
	switch k % 4 {
	case 0:
		return fmt.Sprintf(`{"role":"user","parts":[{"text":"%s"}]}`, text)
	case 1:
		return fmt.Sprintf(
			`{"role":"model","parts":[{"text":"%s"},`+
				`{"functionCall":{"id":"call_%d","name":"f","args":{"n":1.0}},`+
				`"thoughtSignature":"QUJD"}]}`,
			text,
			k,
		)
	case 2:
		return fmt.Sprintf(
			`{"role":"user","parts":[{"functionResponse":{"id":"call_%d","name":"f",`+
				`"response":{"output":"%s"}}}]}`,
			k-1,
			text,
		)
	}
	return fmt.Sprintf(`{"role":"model","parts":[{"text":"%s"}]}`, text)
}
