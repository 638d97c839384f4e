package wire_test

import "pgregory.net/rapid"

// The kinds of Anthropic blocks, the usual ones several times.
func (g gen) block() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch rapid.IntRange(0, 15).Draw(g.t, "block") {
	case 0, 1, 2:
		return g.cached(obj("type", str("text"), "text", g.of(texts, "text")))
	case 3, 4, 5:
		return g.cached(
			obj("type", str("tool_use"), "id", g.of(ids, "id"), "name", g.of(names, "name"),
				"input", g.of(inputs, "input")),
		)
	case 6, 7, 8:
		o := obj("type", str("tool_result"), "tool_use_id", g.of(ids, "id"))
		if g.one(2, "listed") {
			o = append(o, field{str("content"), g.list(3, "nested", g.nested)})
		} else {
			o = append(o, field{str("content"), g.of(texts, "text")})
		}
		if g.one(3, "error") {
			o = append(o, field{str("is_error"), literal("true")})
		}
		return g.cached(o)
	case 9:
		return g.cached(
			obj("type", str("thinking"), "thinking", g.of(texts, "text"),
				"signature", g.of([]string{`"QUJD"`, `""`, `"not base64!"`, `null`}, "signature")),
		)
	case 10:
		return g.cached(
			obj("type", str("redacted_thinking"), "data", g.of([]string{`"QUJD"`, `""`}, "data")),
		)
	case 11:
		return g.cached(
			obj("type", str("server_tool_use"), "id", g.of(ids, "id"), "name", str("web_search"),
				"input", g.of(inputs, "input")),
		)
	case 12:
		return g.cached(
			obj(
				"type",
				str("web_search_tool_result"),
				"tool_use_id",
				g.of(ids, "id"),
				"content",
				array{
					obj("type", str("web_search_result"), "url", str("u"),
						"encrypted_content", g.of([]string{`"QUJD"`, `""`}, "sealed")),
				},
			),
		)
	case 13:
		return g.cached(
			obj("type", g.of([]string{`"mcp_tool_use"`, `"mcp_tool_result"`}, "mcp"),
				"id", str("mcptoolu_1"), "tool_use_id", str("mcptoolu_1"), "name", str("m"),
				"server_name", str("s"), "input", literal("{}"), "content", array{}),
		)
	case 14:
		return g.spoil(
			obj(
				"type",
				g.of(
					[]string{`"fallback"`, `"container_upload"`, `"search_result"`, `"compaction"`},
					"kind",
				),
				"content",
				literal("1.50"),
			),
		)
	}
	return g.media()
}

func (g gen) media() any {
	return g.cached(
		obj("type", g.of([]string{`"image"`, `"document"`}, "media"), "source", g.anySource(),
			"title", g.of([]string{`"a.pdf"`, `"A title"`, `null`}, "title")),
	)
}

func (g gen) anySource() any {
	return []any{
		obj("type", str("base64"), "media_type", str("image/png"), "data",
			str("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ")),
		obj("type", str("base64"), "media_type", str("image/png"), "data", str("/9j/4AAQ")),
		obj("type", str("url"), "url", str("https://e/x.png")),
		obj("type", str("file"), "file_id", str("file_1")),
		obj("type", str("text"), "media_type", str("text/plain"), "data", str("plain")),
		literal("null"),
	}[rapid.IntRange(0, 5).Draw(g.t, "source")]
}

func (g gen) nested() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch rapid.IntRange(0, 4).Draw(g.t, "inner") {
	case 0, 1, 2:
		return g.cached(obj("type", str("text"), "text", g.of(texts, "text")))
	case 3:
		return g.media()
	}
	return g.block()
}

// anthropic draws an Anthropic body, or its messages alone.
func (g gen) anthropic() any {
	messages := g.list(7, "messages", func() any {
		role := g.of(
			[]string{`"user"`, `"assistant"`, `"user"`, `"assistant"`, `"user"`, `"assistant"`,
				`"system"`, `"human"`, `"tool"`, `null`, `"what"`},
			"role",
		)
		var content any = g.of(texts, "text")
		if !g.one(3, "plain") {
			content = g.list(4, "blocks", g.block)
		}
		o := obj("role", role, "content", content)
		if g.one(10, "extra") {
			o = append(
				o,
				field{
					g.of([]string{`"id"`, `"usage"`, `"x"`, `"output_config"`}, "extra key"),
					g.of(scalars, "scalar"),
				},
			)
		}
		return g.spoil(o)
	})
	if g.one(5, "bare") {
		return messages
	}
	o := obj(
		"model",
		g.of(
			[]string{`"claude-sonnet-4-5"`, `"claude-opus-4-6"`, `"claude-opus-5-5"`,
				`"claude-opus-4-8"`, `7`},
			"model",
		),
		"max_tokens",
		literal("1024.0"),
	)
	if g.one(2, "system") {
		var system any = g.of(append(texts, `null`), "text")
		if g.one(2, "blocks") {
			system = g.list(3, "system", g.nested)
		}
		o = append(o, field{str("system"), system})
	}
	o = append(o, field{str("messages"), messages})
	if !g.one(3, "no tools") {
		o = append(o, field{str("tools"), g.list(3, "tools", func() any {
			return g.cached(
				obj("name", g.of(names, "name"), "input_schema", obj("type", str("object"))),
			)
		})})
	}
	if g.one(3, "thinking") {
		o = append(
			o,
			field{
				str("thinking"),
				obj("type", g.of([]string{`"enabled"`, `"adaptive"`, `"disabled"`}, "mode"),
					"budget_tokens", literal("1024")),
			},
		)
	}
	if g.one(6, "container") {
		o = append(o, field{str("container"), str("container_1")})
	}
	if g.one(6, "choice") {
		o = append(o,
			field{str("tool_choice"), obj("type", str("tool"), "name", g.of(names, "name"))})
	}
	return g.around(o)
}
