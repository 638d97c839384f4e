package wire_test

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file is what Mistral and Cohere have of their own on the Chat wire: what is read, written,
// kept and repaired of it, a row for each thing.

func TestMistralReads(t *testing.T) {
	runReads(t, "mistral", []reads{
		{
			"thinking",
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"a"},{"type":"reference","text":7},{"type":"text","text":"b"}]},` +
				`{"type":"thinking","thinking":"c"},{"type":"thinking"},` +
				`{"type":"text","text":"d"}]}`,
			`{"parts":[{"text":"ab","type":"reasoning"},{"text":"c","type":"reasoning"},` +
				`{"type":"reasoning"},{"text":"d","type":"text"}],"role":"assistant"}`,
		},
		{
			"media",
			`{"role":"user","content":[{"type":"image_url","image_url":"u"},` +
				`{"type":"image_url","image_url":{"url":"v"}},` +
				`{"type":"document_url","document_url":"w","document_name":"n"},` +
				`{"type":"document_url"},{"type":"input_audio","input_audio":"aa"},` +
				`{"type":"input_audio","input_audio":{"data":"aa","format":"wav"}},` +
				`{"type":"reference","reference":"x"}]}`,
			`{"parts":[{"kind":"image","type":"media","url":"u"},` +
				`{"kind":"image","type":"media","url":"v"},` +
				`{"kind":"document","name":"n","type":"media","url":"w"},` +
				`{"kind":"document","type":"media"},{"data":"aa","kind":"audio","type":"media"},` +
				`{"data":"aa","kind":"audio","media_type":"audio/wav","type":"media"},` +
				`{"kind":"reference","type":"other"}],"role":"user"}`,
		},
		{
			"arguments",
			`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":{"a":1.0}}},{"id":"2","function":{"name":"f",` +
				`"arguments":"{\"a\":1.0}"}}]}`,
			`{"parts":[{"type":"text"},{"id":"1","input":{"a":1.0},` +
				`"name":"f","type":"tool_call"},` +
				`{"id":"2","input":{"a":1.0},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"the mark of a prefix",
			`{"role":"assistant","content":"a","prefix":true},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"t"},` +
				`{"type":"text","text":"b"}],"prefix":true}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"assistant"}
{"parts":[{"text":"q","type":"text"}],"role":"user"}
{"meta":{"prefix":true},"parts":[{"text":"t","type":"reasoning"},` +
				`{"text":"b","type":"text"}],"role":"assistant"}`,
		},
		{
			"the mark on what cannot be one",
			`{"role":"assistant","content":"","prefix":true}`,
			`{"parts":[{"type":"text"}],"role":"assistant"}`,
		},
		{
			"the mark on calls",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":"{}"}}],"prefix":true}`,
			`{"parts":[{"text":"a","type":"text"},` +
				`{"id":"1","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"a mark that says no",
			`{"role":"assistant","content":"a","prefix":false}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"assistant"}`,
		},
	})
}

func TestMistralWrites(t *testing.T) {
	const user, model = preflight.RoleUser, preflight.RoleAssistant
	runWrites(t, "mistral", []writes{
		{
			"thinking",
			model,
			`{"type":"reasoning","text":"t"},{"type":"text","text":"a"}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"t"}]},{"type":"text","text":"a"}]}`,
		},
		{
			"thinking that nobody can read",
			model,
			`{"type":"reasoning","opaque":"x"}`,
			`error: the part has no form in this format: opaque reasoning`,
		},
		{
			"documents",
			user,
			`{"type":"media","kind":"document","url":"u","name":"n"},` +
				`{"type":"media","kind":"document","media_type":"application/pdf","data":"aa"},` +
				`{"type":"media","kind":"document","data":"data:text/plain;base64,aa"},` +
				`{"type":"media","kind":"document","file_id":"f"}`,
			`{"role":"user","content":[{"type":"document_url","document_url":"u",` +
				`"document_name":"n"},{"type":"document_url",` +
				`"document_url":"data:application/pdf;base64,aa"},` +
				`{"type":"document_url","document_url":"data:text/plain;base64,aa"},` +
				`{"type":"file","file":{"file_id":"f"}}]}`,
		},
		{
			"other media",
			user,
			`{"type":"media","kind":"image","url":"u"},` +
				`{"type":"media","kind":"image","media_type":"image/png","data":"aa"},` +
				`{"type":"media","kind":"audio","media_type":"audio/wav","data":"aa"}`,
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,aa"}},` +
				`{"type":"input_audio","input_audio":{"data":"aa","format":"wav"}}]}`,
		},
	})
	runWrites(t, "cohere", []writes{
		{
			"thinking of Cohere's",
			model,
			`{"type":"reasoning","text":"t"},{"type":"text","text":"a"}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t"},` +
				`{"type":"text","text":"a"}]}`,
		},
		{
			"thinking of Cohere's that nobody can read",
			model,
			`{"type":"reasoning","opaque":"x"}`,
			`error: the part has no form in this format: opaque reasoning`,
		},
	})
}

func TestMistralEdits(t *testing.T) {
	user := func(block string) string { return `{"role":"user","content":[` + block + `]}` }
	thought := part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" })
	media := func(change func(*preflight.Media)) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
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
			media(func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"document_url","document_url":"v",` +
				`"document_name":"n","x":1.0}]}`,
		},
		{
			"a document's name goes",
			user(`{"type":"document_url","document_url":"u","document_name":"n"}`),
			media(func(m *preflight.Media) { m.Name = "" }),
			`{"role":"user","content":[{"type":"document_url","document_url":"u"}]}`,
		},
		{
			"a document without its address",
			user(`{"type":"document_url","x":1.0}`),
			media(func(m *preflight.Media) { m.Name = "n" }),
			`{"role":"user","content":[{"type":"document_url","x":1.0,"document_url":"",` +
				`"document_name":"n"}]}`,
		},
		{
			"an image that is a string",
			user(`{"type":"image_url","image_url":"u","x":1.0}`),
			media(func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"image_url","image_url":"v","x":1.0}]}`,
		},
		{
			"an image that is an object",
			user(`{"type":"image_url","image_url":{"url":"u","detail":"low"}}`),
			media(func(m *preflight.Media) { m.URL = "v" }),
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"v",` +
				`"detail":"low"}}]}`,
		},
		{
			"audio that is a string",
			user(`{"type":"input_audio","input_audio":"aa","x":1.0}`),
			media(func(m *preflight.Media) { m.Data = "bb" }),
			`{"role":"user","content":[{"type":"input_audio","input_audio":"bb","x":1.0}]}`,
		},
		{
			"audio that is an object",
			user(`{"type":"input_audio","input_audio":{"data":"aa","format":"wav"}}`),
			media(func(m *preflight.Media) { m.Data = "bb" }),
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
		{
			"a prefix",
			`{"role":"assistant","content":"a","prefix":true}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","prefix":true}`,
		},
		{
			"a prefix that says nothing any more",
			`{"role":"assistant","content":"a","prefix":true}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "" }),
			`{"role":"assistant","content":""}`,
		},
		{
			"a prefix of another's",
			`{"role":"assistant","content":"a","prefix":true}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Role = preflight.RoleUser
				return m
			},
			`{"role":"user","content":"a"}`,
		},
		{
			"a mark that says no",
			`{"role":"assistant","content":"a","prefix":false}`,
			part(0, 0, func(t *preflight.Text) { t.Text = "b" }),
			`{"role":"assistant","content":"b","prefix":false}`,
		},
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
		{
			"a plan is no block",
			`{"role":"assistant","tool_plan":"a","content":[{"type":"text","text":"c"}]}`,
			thought,
			`{"role":"assistant","tool_plan":"b","content":[{"type":"text","text":"c"}]}`,
		},
		{
			"a block is no plan",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"a"},` +
				`{"type":"text","text":"c"}]}`,
			thought,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"b"},` +
				`{"type":"text","text":"c"}]}`,
		},
		{
			"thinking without a text",
			`{"role":"assistant","content":[{"type":"thinking"},{"type":"text","text":"c"}]}`,
			part(0, 1, func(t *preflight.Text) { t.Text = "d" }),
			`{"role":"assistant","content":[{"type":"thinking"},{"type":"text","text":"d"}]}`,
		},
	})
}

func TestMistralRepairs(t *testing.T) {
	runRepairs(t, "mistral", []repairs{
		{
			"members that the provider does not know",
			`{"messages":[{"role":"system","content":"s","name":"n"},` +
				`{"role":"user","content":"q","name":"n"},` +
				`{"role":"assistant","content":"","refusal":null,` +
				`"tool_calls":[{"id":"abcdefgh1","function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_call_id":"abcdefgh1","name":"f","content":"x","id":"1"}]}`,
			`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"abcdefgh1",` +
				`"function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_call_id":"abcdefgh1","name":"f","content":"x"}]}`,
			[]string{
				"messages[0].name field-removed mistral/unknown-fields",
				"messages[1].name field-removed mistral/unknown-fields",
				"messages[2].refusal field-removed mistral/unknown-fields",
				"messages[3].id field-removed mistral/unknown-fields",
			},
		},
		{
			"a mark of a prefix on what cannot be one",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","prefix":true},{"role":"user","content":"r"},` +
				`{"role":"assistant","content":"b","prefix":true}]}`,
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"r"},{"role":"assistant","content":"b","prefix":true}]}`,
			[]string{"messages[1].prefix shape-repaired mistral/prefix-not-last"},
		},
	})
}
