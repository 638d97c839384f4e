package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// What Mistral and Cohere have of their own in the Chat format keeps its bytes where it is edited.

func TestMistralEdits(t *testing.T) {
	user := func(block string) string { return `{"role":"user","content":[` + block + `]}` }
	thought := part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" })
	runEdits(t, "mistral", []edits{
		{
			"thinking",
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"a"}],"closed":true},{"type":"text","text":"c"}]}`,
			thought,
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"b"}],"closed":true},{"type":"text","text":"c"}]}`,
		},
		{
			"thinking that stays beside a text that does not",
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"\u0061"},{"type":"text","text":"b"}]},{"type":"text","text":"c"}]}`,
			part(0, 1, func(t *preflight.Text) { t.Text = "d" }),
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"\u0061"},{"type":"text","text":"b"}]},{"type":"text","text":"d"}]}`,
		},
		{
			"a document",
			user(`{"type":"document_url","document_url":"u","document_name":"n","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"document_url","document_url":"v",` +
				`"document_name":"n","x":1.0}]}`,
		},
		{"a document's name goes",
			user(`{"type":"document_url","document_url":"u","document_name":"n"}`),
			part(0, 0, func(m *preflight.Media) { m.Name = "" }),
			`{"role":"user","content":[{"type":"document_url","document_url":"u"}]}`},
		{
			"a document without its address",
			user(`{"type":"document_url","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.Name = "n" }),
			`{"role":"user","content":[{"type":"document_url","x":1.0,"document_url":"",` +
				`"document_name":"n"}]}`,
		},
		{"an image that is a string", user(`{"type":"image_url","image_url":"u","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"image_url","image_url":"v","x":1.0}]}`},
		{
			"an image that is an object",
			user(`{"type":"image_url","image_url":{"url":"u","detail":"low"}}`),
			part(0, 0, func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"v",` +
				`"detail":"low"}}]}`,
		},
		{"audio that is a string", user(`{"type":"input_audio","input_audio":"aa","x":1.0}`),
			part(0, 0, func(m *preflight.Media) { m.Data = "bb" }),
			`{"role":"user","content":[{"type":"input_audio","input_audio":"bb","x":1.0}]}`},
		{
			"audio that is an object",
			user(`{"type":"input_audio","input_audio":{"data":"aa","format":"wav"}}`),
			part(0, 0, func(m *preflight.Media) { m.Data = "bb" }),
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"bb",` +
				`"format":"wav"}}]}`,
		},
		{
			"arguments that are an object",
			`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":{ "a":1.0 }}}]}`,
			part(0, 1, func(c *preflight.ToolCall) { c.ID = "2" }),
			`{"role":"assistant","content":"","tool_calls":[{"id":"2","function":{"name":"f",` +
				`"arguments":{ "a":1.0 }}}]}`,
		},
		{
			"other arguments",
			`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":{"a":1.0}}}]}`,
			part(0, 1, func(c *preflight.ToolCall) { c.Input = []byte(`{"b":2}`) }),
			`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":"{\"b\":2}"}}]}`,
		},
		{"a prefix", `{"role":"assistant","content":"a","prefix":true}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","prefix":true}`},
		{"a prefix that says nothing any more", `{"role":"assistant","content":"a","prefix":true}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "" }),
			`{"role":"assistant","content":""}`},
		{
			"a prefix of another's",
			`{"role":"assistant","content":"a","prefix":true}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Role = preflight.RoleUser
				return m
			},
			`{"role":"user","content":"a"}`,
		},
		{"a mark that says no", `{"role":"assistant","content":"a","prefix":false}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","prefix":false}`},
		{
			"a text that becomes a prefix",
			`{"role":"assistant","content":"a"}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Meta = preflight.Metadata{provider.MetaPrefix: []byte("true")}
				return m
			},
			`{"role":"assistant","content":"a","prefix":true}`,
		},
	})
	runEdits(t, "cohere", []edits{
		{"a plan is not a block",
			`{"role":"assistant","tool_plan":"a","content":[{"type":"text","text":"c"}]}`, thought,
			`{"role":"assistant","tool_plan":"b","content":[{"type":"text","text":"c"}]}`},
		{
			"a block is no plan",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"a"},` +
				`{"type":"text","text":"c"}]}`,
			thought,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"b"},` +
				`{"type":"text","text":"c"}]}`,
		},
		{"thinking without a text",
			`{"role":"assistant","content":[{"type":"thinking"},{"type":"text","text":"c"}]}`,
			part(0, 1, func(t *preflight.Text) { t.Text = "d" }),
			`{"role":"assistant","content":[{"type":"thinking"},{"type":"text","text":"d"}]}`},
	})
}
