package preflighttest_test

// pairDisagreements are bodies of disagreements about what answers a call.
var pairDisagreements = []disagreed{
	{"a block that nobody knows may be the result that the fake missed", "anthropic",
		"anthropic/output-only-blocks",
		`{"model":"claude-sonnet-4-5","max_tokens":64,
			"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[
			{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"tool_use","id":"toolu_1","name":"f","input":{}},
				{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},
			{"role":"user","content":[{"type":"x","tool_use_id":"toolu_1","content":"ok"},
				{"type":"tool_result","tool_use_id":"toolu_2","content":"ok"}]}]}`},
	{"the fake paired the id of a local shell's item with no call there", "deepseek-responses", "",
		`{"model":"deepseek-v4-flash","store":false,"input":[
			{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",
				"action":{"type":"exec","command":["ls"],"env":{}}},
			{"type":"local_shell_call_output","id":"lsh_1","output":"x"},
			{"role":"user","content":"n"}]}`},
	{"for the fake one output answered two calls with one id", "deepseek-responses",
		"openai-responses/tool-output-missing",
		`{"model":"deepseek-v4-flash","input":[{"role":"user","content":"q"},
			{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
			{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
			{"type":"function_call_output","call_id":"c","output":"x"},
			{"role":"assistant","content":"a"},
			{"type":"function_call_output","call_id":"c","output":"y"},
			{"role":"user","content":"n"}]}`},
	{"a reference may be to the output that the fake missed", "openai-responses", "",
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},
			{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
			{"role":"user","content":"n"},{"type":"item_reference","id":"c"}]}`},
	{"nobody knows what a search of the server answers that has the id of a call",
		"azure-responses", "",
		`{"model":"gpt-5.4","store":false,"input":[
			{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",
				"action":{"type":"exec","command":["ls"],"env":{}}},
			{"role":"user","content":"n"},
			{"type":"tool_search_call","call_id":"c","arguments":{}}]}`},
	{"the check took the output of what may be a call for a second one of a call before",
		"xai-responses", "",
		`{"model":"grok-4.3","store":false,"input":[{"role":"user","content":"q"},
			{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
			{"type":"function_call_output","call_id":"c","output":"x"},
			{"role":"user","content":"n"},
			{"type":"a b","call_id":"c","name":"f","arguments":"{}"},
			{"type":"function_call_output","call_id":"c","output":"y"},
			{"role":"user","content":"n"}]}`},
	{"nothing is known of a further response to a call that the API ran", "vertex-gemini", "",
		`{"model":"publishers/google/models/gemini-2.5-flash","contents":[
			{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","id":"1","args":{}}},
				{"functionResponse":{"name":"f","id":"1","response":{}}}]},
			{"role":"user","parts":[
				{"functionResponse":{"name":"f","id":"1","response":{}}}]}]}`},
	{"a call id in a message that is no tool's was not seen to be refused", "groq", "",
		`{"model":"openai/gpt-oss-120b","messages":[
			{"role":"system","content":"s","tool_call_id":"c"},
			{"role":"user","content":"q"}]}`},
}
