package wire_test

// This file makes up Responses bodies.

// of2 draws a key.
func (g gen) of2(keys ...string) string { return string(g.of(keys, "key")) }

// responses draws a Responses body, or its items alone.
func (g gen) responses() any {
	items := g.list(8, "items", g.responsesItem)
	if g.one(5, "bare") {
		return items
	}
	o := obj("model", g.of([]string{`"gpt-5.4"`, `"gpt-4o"`, `"o3"`, `7`}, "model"))
	if g.one(12, "plain") {
		o = append(o, field{str("input"), g.of(texts, "text")})
	} else {
		o = append(o, field{str("input"), items})
	}
	if g.one(2, "storage") {
		o = append(o,
			field{str("store"), g.of([]string{`true`, `false`, `false`, `null`}, "store")})
	}
	if g.one(5, "chained") {
		o = append(
			o,
			field{
				g.of([]string{`"previous_response_id"`, `"conversation"`}, "chain"),
				g.of([]string{`"resp_1"`, `{"id":"conv_1"}`, `null`, `""`}, "past"),
			},
		)
	}
	if g.one(3, "tools") {
		o = append(o, field{str("tools"), g.list(3, "tools", func() any {
			return g.spoil(
				obj("type", str("function"), "name", g.of(names, "name"),
					"parameters", literal("{}")),
			)
		})}, field{str("tool_choice"), obj("type", str("function"), "name", g.of(names, "name"))})
	}
	return g.around(o)
}
