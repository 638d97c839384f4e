package wire_test

// This file makes up Responses bodies, and holds the ones the other tests use.

func init() {
	samples["openai-responses"] = `{"model":"gpt-5.4","store":true,"tools":[{"type":"function",` +
		`"name":"a.b"}],"tool_choice":{"type":"function","name":"a.b"},` +
		`"input":[{"role":"user","content":[{"type":"input_text","text":"q"},` +
		`{"type":"input_image","image_url":"u"},` +
		`{"type":"input_file","filename":"a","file_data":"data:a/b;base64,QQ=="}]},` +
		`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],` +
		`"encrypted_content":"QUJD","status":"completed"},` +
		`{"type":"message","role":"assistant","id":"msg_1","content":[{"type":"input_text",` +
		`"text":"a"}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f",` +
		`"arguments":"{\"a\":1.0}"},{"type":"function_call_output","call_id":"c1",` +
		`"output":[{"type":"input_text","text":"r"}]},` +
		`{"type":"custom_tool_call","call_id":"c2","name":"g","input":"x"},` +
		`{"type":"custom_tool_call_output","call_id":"c2","output":"y"},` +
		`{"type":"local_shell_call","id":"lsh_1","call_id":"c3","status":"completed",` +
		`"action":{"type":"exec"}},{"type":"local_shell_call_output","id":"lsh_1","output":"z"},` +
		`{"type":"web_search_call","id":"ws_1","action":{"sources":[]}},` +
		`{"type":"item_reference","id":"msg_2"}]}`
	for _, c := range []struct{ reason, body string }{
		{"everything an input can hold",
			`{"zeta":1.0,"model":"gpt-5.4","instructions":"be \u0062rief",` +
				`"input":[ {"role":"developer","content":"d"},
 {"type":"message","role":"user","content":[{"type":"input_text","text":"\u0068i\/ <b>&\u2028"},` +
				`{"type":"input_image","image_url":"data:image/png;base64,` +
				`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","detail":"low"},` +
				`{"type":"input_image","file_id":"file_1"},` +
				`{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="},` +
				`{"type":"input_file","file_url":"https://e/a.pdf"},` +
				`{"type":"x_new","n":1e2}],"y":12345678901234567890},
 {"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[{"n":1.0}]},
 {"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"s"}],` +
				`"encrypted_content":"gAAA","content":[]},
 {"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}},
 {"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary",` +
				`"content":[{"type":"output_text","text":"a","annotations":[{"n":1.0}],` +
				`"logprobs":[]},{"type":"refusal","refusal":"no"}]},
 {"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"f",` +
				`"arguments":"{ \"a\" : 1.0,\n\"b\":\"\\ud83d\\ude00\" }"},
 {"id":"ctc_1","type":"custom_tool_call","call_id":"call_2","name":"g","input":"free text \u2028"},
 {"type":"function_call_output","call_id":"call_1","output":"r"},
 {"type":"local_shell_call","id":"lsh_1","call_id":"call_3","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},
 {"type":"shell_call","call_id":"call_4","action":{"commands":["ls"],"timeout_ms":1.0}},
 {"type":"apply_patch_call","call_id":"call_5","status":"completed",` +
				`"operation":{"type":"delete_file","path":"p"}},
 {"type":"computer_call","id":"cu_1","call_id":"call_6","action":{"type":"click","x":1.0},` +
				`"pending_safety_checks":[],"status":"completed"},
 {"type":"computer_call","call_id":"call_7","actions":[{"type":"wait"}]},
 {"type":"apply_patch_call_output","call_id":"call_5","status":"failed","output":"no"},
 {"type":"shell_call_output","call_id":"call_4","max_output_length":10,"output":[{"stdout":"a",` +
				`"stderr":"","outcome":{"type":"exit","exit_code":0}}]},
 {"role":"user","content":"in between"},
 {"type":"computer_call_output","call_id":"call_6","output":{"type":"computer_screenshot",` +
				`"image_url":"u"}},
 {"type":"computer_call_output","call_id":"call_7","output":{"type":"computer_screenshot",` +
				`"file_id":"f"}},
 {"type":"function_call_output","call_id":"call_3","output":"of the shell"},
 {"type":"custom_tool_call_output","call_id":"call_2","output":[{"type":"input_text",` +
				`"text":"y"},{"type":"input_image","image_url":"u"}]},
 {"type":"mcp_approval_request","id":"mcpr_1","arguments":"{}","name":"m","server_label":"s"},` +
				`{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true},
 {"type":"image_generation_call","id":"ig_1","result":"iVBO","status":"completed"},` +
				`{"type":"compaction","encrypted_content":"QUJD"},` +
				`{"type":"something_new","x":[1.0]},
 {"role":"assistant","content":"done"},` +
				`{"role":"system","content":[{"type":"input_text","text":"s"}]} ],"store":true}`},
		{"a string", `{"model":"gpt-5.4","input" : "\u0068i\/"}`},
		{"an empty string", `{"input":"","model":"gpt-5.4"}`},
		{
			"nothing stored",
			`{"model":"gpt-5.4","store":false,"include":["reasoning.encrypted_content"],` +
				`"input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","id":"rs_1","summary":[],` +
				`"encrypted_content":"gAAA","content":null},` +
				`{"type":"function_call","id":"fc_1","call_id":"c1","name":"f",` +
				`"arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"r",` +
				`"id":null},{"type":"message","id":"msg_1","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]}`,
		},
		{
			"ids without reasoning, where none is stored",
			`{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},` +
				`{"type":"message","id":"msg_1","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]}`,
		},
		{
			"ids of a model that does not reason",
			`{"model":"gpt-4.1","input":[{"role":"user","content":"q"},` +
				`{"type":"message","id":"msg_1","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]}`,
		},
		{
			"reasoning the server holds",
			`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","id":"rs_1","summary":[]},` +
				`{"type":"function_call","id":"fc_1","call_id":"c1","name":"f",` +
				`"arguments":"{}"},{"type":"function_call","id":"fc_2","call_id":"c2",` +
				`"name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c2","output":"r"},` +
				`{"type":"function_call_output","call_id":"c1","output":""},` +
				`{"type":"message","id":"msg_1","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]}`,
		},
		{
			"a past that the server holds",
			`{"previous_response_id":"resp_1","model":"gpt-5.4",` +
				`"input":[{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
		},
		{
			"a conversation that the server holds",
			`{"conversation":{"id":"conv_1"},` +
				`"model":"gpt-5.4","input":[{"type":"function_call_output","call_id":"c1",` +
				`"output":"r"},{"type":"message","id":"msg_1","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]}`,
		},
		{
			"references",
			`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"item_reference","id":"rs_1"},{"id":"fc_1"},` +
				`{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
		},
		{
			"one id for calls of each round",
			`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"1"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"custom_tool_call","call_id":"c","name":"g","input":""},` +
				`{"type":"custom_tool_call_output","call_id":"c","output":"2"},` +
				`{"type":"function_call_output","call_id":"c","output":"3"}]}`,
		},
		{
			"escaped keys and types",
			`{"model":"gpt-5.4","inp\u0075t":[{"typ\u0065":"mess\u0061ge",` +
				`"r\u006fle":"us\u0065r","content":[{"typ\u0065":"input_te\u0078t","text":"q"}]}]}`,
		},
		{
			"white space in every place",
			" \r\n{ \"model\" :\t\"gpt-5.4\" ,\r\n\"input\" : [ {\r\n \"role\" : \"user\" ," +
				" \"content\" : [ { \"type\" : \"input_text\" , \"text\" : \"q\" } ] } ] } \n",
		},
		{"a bare list",
			"[\n\t{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"q\"}]}\n]"},
	} {
		sound = append(
			sound,
			struct{ reason, provider, body string }{c.reason, "openai-responses", c.body},
		)
	}
}

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
		o = append(
			o,
			field{str("store"), g.of([]string{`true`, `false`, `false`, `null`}, "store")},
		)
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
				obj(
					"type",
					str("function"),
					"name",
					g.of(names, "name"),
					"parameters",
					literal("{}"),
				),
			)
		})}, field{str("tool_choice"), obj("type", str("function"), "name", g.of(names, "name"))})
	}
	return g.around(o)
}
