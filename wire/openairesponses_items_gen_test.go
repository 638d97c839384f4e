package wire_test

import "strings"

var itemIDs = []string{
	`"msg_1"`,
	`"msg_2"`,
	`"rs_1"`,
	`"rs_2"`,
	`"fc_1"`,
	`"fc_2"`,
	`"ctc_1"`,
	`"ws_1"`,
	`"call_1"`,
	`"msg:1"`,
	`""`,
	`null`,
	`7`,
	`"fc_"`,
	`"` + "fc_" + strings.Repeat("c", 80) + `"`,
}

var callIDs = []string{
	`"c1"`,
	`"c2"`,
	`"c1"`,
	`"c2"`,
	`"c3"`,
	`""`,
	`null`,
	`" c1"`,
	`"c1|fc_1"`,
	`"C1"`,
	`"` + strings.Repeat("c", 70) + `"`,
	`7`,
}

// identified gives an item an id now and then: mostly one of its own kind.
func (g gen) identified(prefix string, o object) object {
	switch {
	case g.one(3, "own id"):
		o = append(
			o,
			field{
				str("id"),
				g.of([]string{`"` + prefix + `_1"`, `"` + prefix + `_2"`, `"` + prefix + `_3"`},
					"id"),
			},
		)
	case g.one(6, "any id"):
		o = append(o, field{str("id"), g.of(itemIDs, "id")})
	}
	return g.spoil(o)
}

func (g gen) inputPart() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch g.of([]string{"0", "0", "0", "1", "2", "3", "4", "5"}, "part") {
	case "0":
		return g.cached(
			obj(
				"type",
				g.of(
					[]string{`"input_text"`, `"output_text"`, `"input_text"`, `"output_text"`,
						`"text"`},
					"text type",
				),
				"text",
				g.of(texts, "text"),
			),
		)
	case "1":
		return g.spoil(
			obj(
				"type",
				str("input_image"),
				"image_url",
				g.of(
					[]string{
						`"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"`,
						`"https://e/x"`,
						`{"url":"u"}`,
						`""`,
					},
					"address",
				),
				"detail",
				str("low"),
			),
		)
	case "2":
		return g.spoil(
			obj("type", str("input_file"), "filename", str("a"),
				"file_data", str("data:a/b;base64,QQ==")),
		)
	case "3":
		return g.spoil(obj("type", str("refusal"), "refusal", g.of(texts, "text")))
	case "4":
		return g.spoil(obj("type", str("image_url"), "image_url", obj("url", str("u"))))
	}
	return g.spoil(obj("type", g.of([]string{`"input_audio"`, `"x"`}, "kind"), "n", literal("1.0")))
}

func (g gen) output() any {
	if g.one(3, "listed") {
		return g.list(3, "output", g.inputPart)
	}
	return g.of(append(texts, `null`, `{}`, `7`), "output")
}

// responsesItem draws an item of the input.
func (g gen) responsesItem() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	kinds := []string{"message", "message", "message", "call", "call", "output", "output", "output",
		"reasoning", "reasoning", "custom", "customOutput", "shell", "shellOutput", "search",
		"searchOutput", "other", "reference", "odd"}
	switch g.of(kinds, "item") {
	case "message":
		o := obj(
			"role",
			g.of(
				[]string{`"user"`, `"assistant"`, `"assistant"`, `"system"`, `"developer"`,
					`"tool"`, `"what"`, `null`},
				"role",
			),
		)
		if g.one(2, "typed") {
			o = append(object{{str("type"), str("message")}}, o...)
		}
		if g.one(2, "listed") {
			o = append(o, field{str("content"), g.list(3, "parts", g.inputPart)})
		} else {
			o = append(o, field{str("content"), g.of(texts, "text")})
		}
		if g.one(8, "status") {
			o = append(
				o,
				field{
					g.of([]string{`"status"`, `"tool_calls"`, `"phase"`}, "extra key"),
					g.of(scalars, "scalar"),
				},
			)
		}
		return g.identified("msg", o)
	case "call":
		return g.identified(
			"fc",
			obj(
				"type",
				str("function_call"),
				"call_id",
				g.of(callIDs, "call id"),
				"name",
				g.of(names, "name"),
				"arguments",
				g.of([]string{`"{}"`, `"{\"q\": 1.0}"`, `""`, `"{cut"`, `{}`, `null`}, "arguments"),
			),
		)
	case "output":
		return g.identified(
			"fco",
			obj("type", str("function_call_output"), "call_id", g.of(callIDs, "call id"),
				"output", g.output()),
		)
	case "reasoning":
		o := obj(
			"type",
			str("reasoning"),
			"summary",
			g.of([]string{`[]`, `[{"type":"summary_text","text":"s"}]`, `null`}, "summary"),
		)
		if g.one(2, "sealed") {
			o = append(
				o,
				field{
					str("encrypted_content"),
					g.of([]string{`"QUJD"`, `"QUJE"`, `""`, `null`, `"\ud83d"`}, "payload"),
				},
			)
		}
		if g.one(6, "content") {
			o = append(
				o,
				field{
					g.of([]string{`"content"`, `"status"`}, "extra key"),
					g.of([]string{`[]`, `null`, `[{"type":"reasoning_text","text":"x"}]`},
						"content"),
				},
			)
		}
		return g.identified("rs", o)
	case "custom":
		return g.identified(
			"ctc",
			obj("type", str("custom_tool_call"), "call_id", g.of(callIDs, "call id"),
				"name", g.of(names, "name"), "input", g.of(texts, "text")),
		)
	case "customOutput":
		return g.identified(
			"ctco",
			obj("type", str("custom_tool_call_output"), "call_id", g.of(callIDs, "call id"),
				"output", g.output()),
		)
	case "shell":
		kind := g.of([]string{`"local_shell_call"`, `"shell_call"`, `"computer_call"`}, "shell")
		return g.identified(
			"lsh",
			obj("type", kind, "call_id", g.of(callIDs, "call id"),
				"action", g.of([]string{`{"type":"exec"}`, `{ "a":1.0 }`, `null`, `"x"`}, "action"),
				"operation", literal(`{}`)),
		)
	case "shellOutput":
		kind := g.of(
			[]string{
				`"local_shell_call_output"`,
				`"shell_call_output"`,
				`"computer_call_output"`,
				`"apply_patch_call_output"`,
				`"apply_patch_call"`,
			},
			"shell",
		)
		return g.identified(
			"lsh",
			obj(
				"type",
				kind,
				"call_id",
				g.of(callIDs, "call id"),
				"output",
				g.of(
					[]string{
						`"x"`,
						`[]`,
						`{"type":"computer_screenshot"}`,
						`null`,
						`[{"stdout":"s\ud83d"}]`,
					},
					"output",
				),
				"status",
				g.of([]string{`"completed"`, `"failed"`, `null`}, "status"),
				"operation",
				literal(`{"type":"x"}`),
			),
		)
	case "search":
		return g.identified(
			"tsc",
			obj(
				"type",
				str("tool_search_call"),
				"call_id",
				g.of(callIDs, "call id"),
				"execution",
				g.of([]string{`"client"`, `"client"`, `"server"`, `null`}, "execution"),
				"arguments",
				g.of([]string{`{"queries":[]}`, `{ "a":1.0 }`, `null`}, "arguments"),
			),
		)
	case "searchOutput":
		return g.identified(
			"tso",
			obj("type", str("tool_search_output"), "call_id", g.of(callIDs, "call id"),
				"execution", g.of([]string{`"client"`, `"client"`, `"server"`}, "execution"),
				"tools", g.of([]string{`[]`, `[{"type":"function","name":"f"}]`, `null`}, "tools")),
		)
	case "other":
		return g.identified(
			"ws",
			obj(
				"type",
				g.of(
					[]string{
						`"web_search_call"`,
						`"mcp_list_tools"`,
						`"tool_search_output"`,
						`"mcp_approval_response"`,
						`"refusal"`,
					},
					"kind",
				),
				"action",
				g.of([]string{`{"type":"search"}`, `{"sources":[]}`, `null`}, "action"),
			),
		)
	case "reference":
		return g.spoil(obj("type", str("item_reference"), "id", g.of(itemIDs, "id")))
	}
	return g.spoil(
		obj("call_id", g.of(callIDs, "call id"),
			g.of2("output", "arguments", "summary", "id", "content"), g.of(scalars, "scalar")),
	)
}
