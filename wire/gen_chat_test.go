package wire_test

import "pgregory.net/rapid"

// This file makes up bodies of the formats close to OpenAI Chat.

// ollama draws an Ollama body, or its messages alone.
func (g gen) ollama() any {
	messages := g.list(7, "messages", func() any {
		role := g.of(
			[]string{`"user"`, `"assistant"`, `"assistant"`, `"tool"`, `"tool"`, `"system"`,
				`"Tool"`, `"function"`, `null`, `"what"`},
			"role",
		)
		var content any = g.of(append(texts, `null`, `7`), "text")
		if g.one(6, "list") {
			content = g.list(3, "parts", g.chatPart)
		}
		o := obj("role", role, "content", content)
		if g.one(5, "images") {
			o = append(o, field{str("images"), g.list(2, "images", func() any {
				return g.of(
					[]string{`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"`, `""`, `"x\ud83d"`},
					"image",
				)
			})})
		}
		switch role {
		case `"tool"`, `"Tool"`, `"function"`:
			o = append(o, field{str("tool_name"), g.of(names, "name")})
			if g.one(3, "identified") {
				o = append(o, field{str("tool_call_id"), g.of(ids, "id")})
			}
		case `"assistant"`, `"what"`:
			o = append(o, field{str("tool_calls"), g.list(3, "calls", g.ollamaCall)})
			if g.one(3, "thinking") {
				o = append(o, field{str("thinking"), g.of(texts, "text")})
			}
		}
		return g.spoil(o)
	})
	if g.one(5, "bare") {
		return messages
	}
	return g.around(obj("model", str("qwen3"), "messages", messages, "keep_alive", str("5m")))
}

func (g gen) ollamaCall() any {
	o := obj(
		"function",
		g.spoil(obj("name", g.of(names, "name"), "arguments", g.of(inputs, "arguments"))),
	)
	if g.one(3, "identified") {
		o = append(object{{str("id"), g.of(ids, "id")}}, o...)
	}
	return g.spoil(o)
}

// near draws a body of a format that is OpenAI Chat with blocks and members of its own.
func (g gen) near() any {
	body, _ := g.chat().(object)
	for _, f := range body {
		if f.key == str("messages") {
			list, _ := f.value.(array)
			for k := range list {
				list[k] = g.ownWords(list[k])
			}
		}
	}
	if body == nil {
		return array{}
	}
	return body
}

// ownWords gives a message blocks and members that OpenAI does not have.
func (g gen) ownWords(message any) any {
	o, ok := message.(object)
	if !ok || !g.one(3, "own words") {
		return message
	}
	switch rapid.IntRange(0, 3).Draw(g.t, "own") {
	case 0:
		return append(o, field{str("prefix"), g.of([]string{`true`, `false`, `null`}, "prefix")})
	case 1:
		return append(o, field{str("tool_plan"), g.of(texts, "plan")})
	case 2:
		return append(
			o,
			field{
				str("reasoning_details"),
				literal(`[{"type":"reasoning.encrypted","data":"QUJD","n":1.0}]`),
			},
		)
	}
	return append(o, field{str("content"), g.list(3, "own blocks", func() any {
		return g.spoil([]object{
			obj("type", str("thinking"), "thinking",
				array{obj("type", str("text"), "text", g.of(texts, "text"))}),
			obj("type", str("thinking"), "thinking", g.of(texts, "text")),
			obj("type", str("image_url"), "image_url", str("https://e/x.png")),
			obj("type", str("document_url"), "document_url", str("https://e/x.pdf"),
				"document_name", str("x")),
			obj("type", str("input_audio"), "input_audio", str("UklGRg==")),
			obj("type", str("document"), "document", obj("data", str("d"))),
			obj("type", str("text"), "text", g.of(texts, "text")),
		}[rapid.IntRange(0, 6).Draw(g.t, "own block")])
	})})
}
