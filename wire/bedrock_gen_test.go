package wire_test

// This file makes up Converse bodies.

var conversePoints = []string{
	`{"type":"default"}`,
	`{"type":"default","ttl":"1h"}`,
	`{"ttl":"5m","type":"default"}`,
	`7`,
}

var converseFormats = []string{`"png"`, `"jpeg"`, `"pdf"`, `"txt"`, `null`, `"x/y"`}

var converseTitles = []string{`"a"`, `"a"`, `"a (2)"`, `"a_b.txt"`, `"two  spaces"`, `""`, `null`}

// held is a block of one kind, spoiled inside and out.
func (g gen) held(key string, o object) any { return g.spoil(obj(key, g.spoil(o))) }

// converseBlock draws a block of a message.
func (g gen) converseBlock() any {
	if foreign := g.bareForeignBlock(); foreign != nil {
		return foreign
	}
	switch g.of([]string{"0", "0", "0", "1", "1", "1", "2", "2", "2", "3", "4", "5", "5", "6", "7"},
		"block") {
	case "0":
		return g.spoil(obj("text", g.of(texts, "text")))
	case "1":
		o := obj("toolUseId", g.of(ids, "id"), "name", g.of(names, "name"),
			"input", g.of(inputs, "input"))
		if g.one(10, "server") {
			o = append(o, field{str("type"), str("server_tool_use")})
		}
		return g.held("toolUse", o)
	case "2":
		o := obj("toolUseId", g.of(ids, "id"), "content", g.list(3, "nested", g.converseNested))
		if g.one(3, "marked") {
			o = append(o,
				field{str("status"), g.of([]string{`"error"`, `"success"`, `null`}, "status")})
		}
		if g.one(10, "server") {
			o = append(o, field{str("type"), str("nova_code_interpreter_result")})
		}
		return g.held("toolResult", o)
	case "3":
		return g.held(
			"reasoningContent",
			obj(
				"reasoningText",
				g.spoil(
					obj(
						"text",
						g.of(texts, "text"),
						"signature",
						g.of([]string{`"QUJD"`, `""`, `"not base64!"`, `null`}, "signature"),
					),
				),
			),
		)
	case "4":
		return g.held("reasoningContent",
			obj("redactedContent", g.of([]string{`"QUJD"`, `""`}, "data")))
	case "5":
		return g.spoil(obj("cachePoint", g.of(conversePoints, "point")))
	case "6":
		return g.spoil(
			obj(
				string(
					g.of([]string{"guardContent", "citationsContent", "toolAddition", "newBlock"},
						"kind"),
				),
				literal("1.50"),
			),
		)
	}
	return g.converseMedia()
}

func (g gen) converseMedia() any {
	key := string(g.of([]string{"image", "document", "document", "video"}, "media"))
	source := []any{
		obj("bytes", str("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ")),
		obj("bytes", str("/9j/4AAQ")),
		obj("s3Location", obj("uri", str("s3://b/k"), "bucketOwner", str("o"))),
		obj("text", str("t")),
		obj("bytes", str("")),
	}
	o := obj("format", g.of(converseFormats, "format"),
		"source", source[len(g.of([]string{"", "1", "12", "123", "1234"}, "source"))])
	if key == "document" {
		o = append(o, field{str("name"), g.of(converseTitles, "title")})
	}
	return g.held(key, o)
}

func (g gen) converseNested() any {
	if foreign := g.bareForeignBlock(); foreign != nil {
		return foreign
	}
	switch g.of([]string{"0", "0", "1", "1", "2", "3"}, "inner") {
	case "0":
		return g.spoil(obj("text", g.of(texts, "text")))
	case "1":
		return g.spoil(obj("json", g.of(append(inputs, scalars...), "json")))
	case "2":
		return g.converseMedia()
	}
	return g.converseBlock()
}

// converse draws a Converse body, or its messages alone.
func (g gen) converse() any {
	messages := g.list(7, "messages", func() any {
		role := g.of(
			[]string{`"user"`, `"assistant"`, `"user"`, `"assistant"`, `"user"`, `"assistant"`,
				`"system"`, `"tool"`, `null`, `"what"`},
			"role",
		)
		var content any = g.of(texts, "text")
		if !g.one(8, "plain") {
			content = g.list(5, "blocks", g.converseBlock)
		}
		return g.spoil(obj("role", role, "content", content))
	})
	if g.one(5, "bare") {
		return messages
	}
	o := obj(
		"modelId",
		g.of(
			[]string{
				`"anthropic.claude-sonnet-4-5-20250929-v1:0"`,
				`"us.anthropic.claude-opus-5-5-v1:0"`,
				`"meta.llama3-1-70b-instruct-v1:0"`,
				`"us.deepseek.r1-v1:0"`,
				`7`,
			},
			"model",
		),
		"inferenceConfig",
		obj("maxTokens", literal("1024.0")),
	)
	if g.one(2, "system") {
		var system any = g.of(append(texts, `null`), "text")
		if !g.one(4, "string") {
			system = g.list(3, "system", g.converseBlock)
		}
		o = append(o, field{str("system"), system})
	}
	o = append(o, field{str("messages"), messages})
	if !g.one(3, "no tools") {
		config := obj("tools", g.list(4, "tools", func() any {
			if g.one(4, "point") {
				return g.spoil(obj("cachePoint", g.of(conversePoints, "point")))
			}
			return g.held(
				"toolSpec",
				obj("name", g.of(names, "name"),
					"inputSchema", obj("json", obj("type", str("object")))),
			)
		}))
		if g.one(3, "choice") {
			config = append(config,
				field{str("toolChoice"), obj("tool", obj("name", g.of(names, "name")))})
		}
		o = append(o, field{str("toolConfig"), g.spoil(config)})
	}
	if g.one(3, "thinking") {
		key := string(g.of([]string{"thinking", "reasoning_config"}, "key"))
		o = append(
			o,
			field{
				str("additionalModelRequestFields"),
				g.spoil(
					obj(
						key,
						obj(
							"type",
							g.of([]string{`"enabled"`, `"adaptive"`, `"disabled"`}, "mode"),
						),
					),
				),
			},
		)
	}
	return g.around(o)
}
