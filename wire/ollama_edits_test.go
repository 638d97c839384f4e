package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

func TestOllamaEdits(t *testing.T) {
	const call = `{"role":"assistant","content":"a","tool_calls":[{"x":1.0,"id":"1",` +
		`"function":{"index":0,"name":"f","arguments":{ "a":1.0 }}}]}`
	rename := func(j int) edit {
		return part(0, j, func(c *preflight.ToolCall) { c.Name = "g" })
	}
	only := func(keep ...int) edit {
		return parts(func(was []preflight.Part) []preflight.Part {
			var kept []preflight.Part
			for _, k := range keep {
				kept = append(kept, was[k])
			}
			return kept
		})
	}
	runEdits(t, "ollama", []edits{
		{
			"a call's name",
			call,
			rename(1),
			`{"role":"assistant","content":"a","tool_calls":[{"x":1.0,"id":"1",` +
				`"function":{"index":0,"name":"g","arguments":{ "a":1.0 }}}]}`,
		},
		{
			"a call's arguments",
			call,
			part(0, 1, func(c *preflight.ToolCall) { c.Input = []byte(`{"b":2}`) }),
			`{"role":"assistant","content":"a","tool_calls":[{"x":1.0,"id":"1",` +
				`"function":{"index":0,"name":"f","arguments":{"b":2}}}]}`,
		},
		{
			"a call's id",
			call,
			part(0, 1, func(c *preflight.ToolCall) { c.ID = "2" }),
			`{"role":"assistant","content":"a","tool_calls":[{"x":1.0,"id":"2",` +
				`"function":{"index":0,"name":"f","arguments":{ "a":1.0 }}}]}`,
		},
		{"a call that goes", call, only(0), `{"role":"assistant","content":"a"}`},
		{
			"the text beside a call goes",
			call,
			only(1),
			`{"role":"assistant","content":"","tool_calls":[{"x":1.0,"id":"1",` +
				`"function":{"index":0,"name":"f","arguments":{ "a":1.0 }}}]}`,
		},
		{"an empty list of calls", `{"role":"assistant","content":"a","tool_calls":[]}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","tool_calls":[]}`},
		{"no calls, and no images",
			`{"role":"assistant","content":"a","tool_calls":null,"images":null}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","tool_calls":null,"images":null}`},
		{"a call without arguments",
			`{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}`, rename(0),
			`{"role":"assistant","tool_calls":[{"function":{"name":"g"}}]}`},
		{"a call with arguments that are null",
			`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":null}}]}`,
			rename(0),
			`{"role":"assistant","tool_calls":[{"function":{"name":"g","arguments":null}}]}`},
		{"one that gets some", `{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}`,
			part(0, 0, func(c *preflight.ToolCall) { c.Input = []byte(`{"b":2}`) }),
			`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"b":2}}}]}`},
		{
			"calls that name no function",
			`{"role":"assistant","tool_calls":[{"id":"1","name":"f","arguments":{ "a":1.0 },` +
				`"x":1.0},{"id":"2","arguments":7},` +
				`{"function":"f","name":"g","arguments":"{\"a\":1.0}"}]}`,
			same,
			`{"role":"assistant","tool_calls":[{"id":"1","x":1.0,"function":{"name":"f",` +
				`"arguments":{ "a":1.0 }}},` +
				`{"id":"2","arguments":7,"function":{"name":"","arguments":{}}},` +
				`{"function":{"name":"g","arguments":{"a":1.0}}}]}`,
		},
		{"thinking", `{"role":"assistant","thinking":"t","content":"a","x":1.0}`,
			part(0, 0, func(r *preflight.Reasoning) { r.Text = "u" }),
			`{"role":"assistant","thinking":"u","content":"a","x":1.0}`},
		{"thinking that goes", `{"role":"assistant","thinking":"t","content":"a"}`, only(1),
			`{"role":"assistant","thinking":"","content":"a"}`},
		{"thinking that is empty stays", `{"role":"assistant","thinking":"","content":"a"}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","thinking":"","content":"b"}`},
		{
			"what only an assistant has, beside a user's text",
			`{"role":"user","content":"a","thinking":"t","tool_calls":[{"function":{"name":"f"}}]}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"user","content":"b","thinking":"t","tool_calls":[{"function":{"name":"f"}}]}`,
		},
		{"images keep their spelling",
			`{"role":"user","content":"a","images":[ "\u0051UJD" , "QUJE" ]}`, only(0, 1),
			`{"role":"user","content":"a","images":[ "\u0051UJD" ]}`},
		{"an image that changes", `{"role":"user","content":"a","images":[ "\u0051UJD" , "QUJE" ]}`,
			part(0, 1, func(m *preflight.Media) { m.Data = "QUJF" }),
			`{"role":"user","content":"a","images":[ "QUJF" , "QUJE" ]}`},
		{
			"an image that comes",
			`{"role":"user","content":"a"}`,
			parts(func(p []preflight.Part) []preflight.Part {
				return append(p, &preflight.Media{Kind: "image", Data: "QUJD"})
			}),
			`{"role":"user","content":"a","images":["QUJD"]}`,
		},
		{
			"text where there was none",
			`{"role":"user","content":null,"images":["QUJD"]}`,
			parts(func(p []preflight.Part) []preflight.Part {
				return append(p, &preflight.Text{Text: "b"})
			}),
			`{"role":"user","content":"b","images":["QUJD"]}`,
		},
		{"no text where there was none", `{"role":"user","content":null,"images":["QUJD","QUJE"]}`,
			only(1), `{"role":"user","content":null,"images":["QUJE"]}`},
		{
			"a list becomes a string",
			`{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}`,
			same,
			`{"role":"user","content":"a","images":["QUJD"]}`,
		},
		{
			"a result",
			`{"role":"tool","tool_name":"f","tool_call_id":"1","content":"a","x":1.0}`,
			part(0, 0, func(r *preflight.ToolResult) {
				r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
			}),
			`{"role":"tool","tool_name":"f","tool_call_id":"1","content":"b","x":1.0}`,
		},
		{"a result that forgets its name",
			`{"role":"tool","tool_name":"f","tool_call_id":"1","content":"a"}`,
			part(0, 0, func(r *preflight.ToolResult) { r.Name = "" }),
			`{"role":"tool","tool_call_id":"1","content":"a"}`},
		{
			"a result that is found by name, and one that is not",
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},` +
				`{"id":"2","function":{"name":"g"}}]},` +
				`{"role":"tool","tool_name":"g","content":"a"},` +
				`{"role":"tool","tool_name":"f","content":"b"}`,
			part(0, 0, func(c *preflight.ToolCall) { c.Name = "h" }),
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"h"}},` +
				`{"id":"2","function":{"name":"g"}}]},` +
				`{"role":"tool","tool_name":"g","content":"a"},` +
				`{"role":"tool","tool_name":"h","content":"b","tool_call_id":"1"}`,
		},
		{
			"results that are found by name, of calls that change theirs",
			`{"role":"assistant","tool_calls":[{"function":{"name":"f"}},` +
				`{"function":{"name":"g"}}]},{"role":"tool","tool_name":"f","content":"a"},` +
				`{"role":"tool","tool_name":"g","content":"b"}`,
			func(m []preflight.Message) []preflight.Message {
				return part(
					0,
					1,
					func(c *preflight.ToolCall) { c.Name = "k" },
				)(part(0, 0, func(c *preflight.ToolCall) { c.Name = "h" })(m))
			},
			`{"role":"assistant","tool_calls":[{"function":{"name":"h"}},` +
				`{"function":{"name":"k"}}]},{"role":"tool","tool_name":"h","content":"a"},` +
				`{"role":"tool","tool_name":"k","content":"b"}`,
		},
		{
			"a result that answers another call",
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},` +
				`{"id":"2","function":{"name":"f"}}]},` +
				`{"role":"tool","tool_name":"f","content":"a"}`,
			part(1, 0, func(r *preflight.ToolResult) { r.CallID = "2" }),
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},` +
				`{"id":"2","function":{"name":"f"}}]},` +
				`{"role":"tool","tool_name":"f","content":"a","tool_call_id":"2"}`,
		},
		{
			"results that change places",
			`{"role":"assistant","tool_calls":[{"function":{"name":"f"}},` +
				`{"function":{"name":"g"}}]},{"role":"tool","content":"a"},` +
				`{"role":"tool","content":"b"}`,
			func(m []preflight.Message) []preflight.Message {
				return []preflight.Message{m[0], m[2], m[1]}
			},
			`{"role":"assistant","tool_calls":[{"function":{"name":"f"}},` +
				`{"function":{"name":"g"}}]},{"role":"tool","content":"b","tool_name":"g"},` +
				`{"role":"tool","content":"a","tool_name":"f"}`,
		},
	})
}
