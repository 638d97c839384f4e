package wire_test

import "pgregory.net/rapid"

func (g gen) chatCall() any {
	arguments := g.of(
		[]string{`"{}"`, `"{\"q\": 1.0}"`, `""`, `"{cut"`, `"null"`, `"\"{}\""`, `{}`, `null`,
			`"{\"s\":\"\\ud83d\"}"`},
		"arguments",
	)
	o := obj("id", g.of(ids, "id"), "type", str("function"),
		"function", g.spoil(obj("name", g.of(names, "name"), "arguments", arguments)))
	if g.one(10, "custom") {
		o = obj("id", g.of(ids, "id"), "type", str("custom"),
			"custom", obj("name", g.of(names, "name"), "input", g.of(texts, "text")))
	}
	return g.spoil(o)
}

func (g gen) chatPart() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch rapid.IntRange(0, 7).Draw(g.t, "part") {
	case 0, 1, 2, 3:
		return g.cached(obj("type", str("text"), "text", g.of(texts, "text")))
	case 4:
		return g.spoil(
			obj(
				"type",
				str("image_url"),
				"image_url",
				g.spoil(
					obj(
						"url",
						str("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"),
						"detail",
						str("low"),
					),
				),
			),
		)
	case 5:
		return g.spoil(
			obj(
				"type",
				str("file"),
				"file",
				g.spoil(
					obj("file_data", str("data:application/pdf;base64,JVBERi0="),
						"filename", g.of([]string{`"a.pdf"`, `""`}, "filename")),
				),
			),
		)
	case 6:
		return g.spoil(
			obj("type", str("input_audio"),
				"input_audio", obj("data", str("UklGRg=="), "format", str("wav"))),
		)
	}
	return g.spoil(obj("type", g.of([]string{`"refusal"`, `"x"`}, "kind"), "refusal", str("no")))
}

// chat draws an OpenAI Chat body, or its messages alone.
func (g gen) chat() any {
	messages := g.list(7, "messages", func() any {
		role := g.of(
			[]string{`"user"`, `"assistant"`, `"assistant"`, `"tool"`, `"tool"`, `"system"`,
				`"developer"`, `"function"`, `"model"`, `null`, `"what"`},
			"role",
		)
		var content any = g.of(append(texts, `null`, `null`, `7`), "text")
		if g.one(3, "list") {
			content = g.list(3, "parts", g.chatPart)
		}
		o := obj("role", role, "content", content)
		switch role {
		case `"tool"`:
			o = append(o, field{str("tool_call_id"), g.of(ids, "id")})
		case `"assistant"`, `"model"`, `"what"`:
			if g.one(2, "calls") {
				o = append(o, field{str("tool_calls"), g.list(3, "calls", g.chatCall)})
			}
			if g.one(4, "reasoning") {
				o = append(
					o,
					field{
						g.of([]string{`"reasoning_content"`, `"reasoning"`}, "reasoning key"),
						g.of(texts, "text"),
					},
				)
			}
			if g.one(6, "member") {
				o = append(
					o,
					field{
						g.of([]string{`"refusal"`, `"audio"`, `"function_call"`}, "member"),
						g.of(scalars, "scalar"),
					},
				)
			}
		}
		if g.one(8, "named") {
			o = append(o,
				field{str("name"), g.of([]string{`"Jane Doe"`, `"jane"`, `7`, `""`}, "name")})
		}
		return g.spoil(o)
	})
	if g.one(5, "bare") {
		return messages
	}
	o := obj("model", g.of([]string{`"gpt-4o"`, `"o1-mini"`, `"claude-3"`}, "model"),
		"messages", messages)
	if g.one(2, "tools") {
		o = append(o, field{str("tools"), g.list(3, "tools", func() any {
			return g.spoil(
				obj(
					"type",
					str("function"),
					"function",
					g.spoil(obj("name", g.of(names, "name"), "parameters", literal("{}"))),
				),
			)
		})})
		o = append(
			o,
			field{
				str("tool_choice"),
				obj("type", str("function"), "function", obj("name", g.of(names, "name"))),
			},
		)
	}
	return g.around(o)
}
