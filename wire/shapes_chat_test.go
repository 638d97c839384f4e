package wire_test

import (
	"testing"
)

// TestChatShapes: what is wrong with the form of messages of the Chat wire, what they become, and
// what is said where, under which rule.
func TestChatShapes(t *testing.T) {
	const call = `{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}`
	const asks = `{"role":"assistant","content":"a","tool_calls":[` + call + `]}`
	for _, c := range []struct {
		reason, provider, in, out string
		said                      []string
	}{
		{"a result of a function that says nothing", "openai-chat",
			`{"role":"function","name":"f","content":[]},{"role":"user","content":"q"}`,
			`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-null",
				"messages[0] message-removed openai-chat/content-null",
			}},
		{"nor does one without content", "openai-chat",
			`{"role":"function","name":"f"},{"role":"user","content":"q"}`,
			`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-null",
				"messages[0] message-removed openai-chat/content-null",
			}},
		{"one that is a number", "openai-chat",
			`{"role":"function","name":"f","content":7},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":"7"},{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-type",
				"messages[0].content shape-repaired openai-chat/content-type",
			}},
		{"one that is a list of texts", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			nil},
		{"one whose text is none", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":7}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"text","text":"7"}]},` +
				`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-type",
				"messages[0].content[0].text shape-repaired preflight/shape",
			}},
		{"one that holds an image", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png"}}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png"}}]},` +
				`{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/tool-message-image"}},
		{"one that holds who knows what", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"thing"},` +
				`{"type":"text","text":"a"}]},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"thing"},{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/content-type"}},
		{"one of a name that is refused", "openai-chat",
			`{"role":"function","name":"a b","content":"x"},{"role":"user","content":"q"}`,
			`{"role":"user","name":"a_b_c8687a08","content":"x"},{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/message-name-pattern",
				"messages[0] name-repaired openai-chat/message-name-pattern",
			}},
		{"one where nobody knows them any more", "deepseek",
			`{"role":"function","name":"f","content":"x"},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":"x"},{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/role-unknown"}},
		{"names that are refused", "openai-chat", asks +
			`,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"},` +
			`{"role":"user","name":"","content":"x"},{"role":"user","name":7,"content":"x"}`,
			asks +
				`,{"role":"tool","tool_call_id":"c1","content":"x"},` +
				`{"role":"user","content":"x"},{"role":"user","name":"7","content":"x"}`,
			[]string{
				"messages[1].name field-removed openai-chat/message-name-pattern",
				"messages[2].name field-removed openai-chat/message-name-pattern",
				"messages[3].name shape-repaired preflight/shape",
			}},
		{"names that another host takes", "cohere", `{"role":"user","name":"","content":"x"},` +
			asks + `,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"}`,
			`{"role":"user","name":"","content":"x"},` + asks +
				`,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"}`, nil},
		{"lists of calls that are none", "openai-chat",
			`{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[]},` +
				`{"role":"assistant","content":"a","tool_calls":{}},` +
				`{"role":"assistant","content":"a","tool_calls":7},` +
				`{"role":"assistant","content":"a","tool_calls":[7]}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"assistant","content":"a"},{"role":"assistant","content":"a"},` +
				`{"role":"assistant","content":"a"}`,
			[]string{
				"messages[1].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[2].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[3].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[4].tool_calls[0] shape-repaired preflight/shape",
			}},
		{"texts that are none", "openai-chat",
			`{"role":"user","content":[{"type":"text"}]},` +
				`{"role":"user","content":[{"type":"text","text":7},{"type":"text","text":null}]}`,
			`{"role":"user","content":[{"type":"text","text":""}]},` +
				`{"role":"user","content":[{"type":"text","text":"7"},{"type":"text","text":""}]}`,
			[]string{
				"messages[0].content[0].text shape-repaired preflight/shape",
				"messages[1].content[0].text shape-repaired preflight/shape",
				"messages[1].content[1].text shape-repaired preflight/shape",
			}},
		{"calls that are not the assistant's are none", "openai-chat",
			`{"role":"user","content":"q","tool_calls":[` + call + `]}`,
			`{"role":"user","content":"q","tool_calls":[` + call + `]}`, nil},
		{"roles that are none", "openai-chat",
			`{"role":"","content":"q"},{"role":7,"content":"q"},{"role":"agent","content":"x"},` +
				`{"role":" User ","content":"x"}`,
			`{"role":"user","content":"q"},{"role":"user","content":"q"},` +
				`{"role":"user","content":"x"},{"role":"user","content":"x"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/role-missing",
				"messages[1].role shape-repaired openai-chat/role-missing",
				"messages[2] role-mapped openai-chat/role-unknown",
				"messages[3] role-mapped openai-chat/role-unknown",
			}},
		{"reasoning alone", "openai-chat",
			`{"role":"user","content":"q"},{"role":"assistant","reasoning":"r"},` +
				`{"role":"assistant","reasoning":"r","refusal":"no"},` +
				`{"role":"assistant","content":"","reasoning":"r"}`,
			`{"role":"user","content":"q"},{"role":"assistant","reasoning":"r","content":""},` +
				`{"role":"assistant","reasoning":"r","refusal":"no"},` +
				`{"role":"assistant","content":"","reasoning":"r"}`,
			[]string{"messages[1].content shape-repaired openai-chat/content-null"}},
		{"members of calls that are no texts", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":7,"type":"function",` +
				`"function":{"name":"f","arguments":null}},` +
				`{"id":"c2","type":7,"function":{"name":8}}]},` +
				`{"role":"tool","tool_call_id":7,"content":"x"},` +
				`{"role":"tool","tool_call_id":"c2","content":"x"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"7","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}},` +
				`{"id":"c2","type":"function","function":{"name":"8","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"7","content":"x"},` +
				`{"role":"tool","tool_call_id":"c2","content":"x"}`,
			[]string{"messages[0].tool_calls[0].id shape-repaired preflight/shape",
				"messages[0].tool_calls[0].function.arguments shape-repaired " +
					"openai-chat/arguments-not-json",
				"messages[0].tool_calls[1].type shape-repaired preflight/shape",
				"messages[0].tool_calls[1].function.name shape-repaired preflight/shape",
				"messages[0].tool_calls[1].function.arguments shape-repaired " +
					"openai-chat/arguments-not-json",
				"messages[1].tool_call_id shape-repaired preflight/shape"}},
		{"what a strict host does not know", "groq",
			`{"role":"developer","content":"s","name":"n","x":1},` +
				`{"role":"user","content":"q","tool_calls":[]},` +
				`{"role":"assistant","content":"a","tool_calls":[` +
				call + `],"refusal":null},{"role":"tool","tool_call_id":"c1","content":"x","x":1}`,
			`{"role":"developer","content":"s","name":"n"},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[` +
				call + `]},{"role":"tool","tool_call_id":"c1","content":"x"}`,
			[]string{
				"messages[0][#3] field-removed groq/unknown-property",
				"messages[1].tool_calls field-removed groq/unknown-property",
				"messages[2].refusal field-removed groq/unknown-property",
				"messages[3][#3] field-removed groq/unknown-property",
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			requireSaid(t, c.provider, `{"messages":[`+c.in+`]}`, `{"messages":[`+c.out+`]}`,
				c.said)
			requireFound(t, c.provider, `{"messages":[`+c.in+`]}`, c.said)
		})
	}
}
