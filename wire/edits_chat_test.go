package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestEditsOfChatParts: what becomes of the JSON of one message of the Chat wire, after an edit of
// one of its parts.
func TestEditsOfChatParts(t *testing.T) {
	part := func(k int, change func(preflight.Part) preflight.Part) func(*preflight.Message) {
		return func(m *preflight.Message) { m.Parts[k] = change(m.Parts[k]) }
	}
	call := func(k int, change func(*preflight.ToolCall)) func(*preflight.Message) {
		return part(k, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	media := func(change func(*preflight.Media)) func(*preflight.Message) {
		return part(0, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	result := func(change func(*preflight.ToolResult)) func(*preflight.Message) {
		return part(0, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	text := func(m *preflight.Message) {
		for k, p := range m.Parts {
			if _, ok := p.(*preflight.Text); ok {
				m.Parts[k] = edited(p, func(t *preflight.Text) { t.Text = "b" })
			}
		}
	}
	only := func(keep ...int) func(*preflight.Message) {
		return func(m *preflight.Message) {
			var parts []preflight.Part
			for _, k := range keep {
				parts = append(parts, m.Parts[k])
			}
			m.Parts = parts
		}
	}
	become := func(parts ...preflight.Part) func(*preflight.Message) {
		return func(m *preflight.Message) { m.Parts = parts }
	}
	newID := call(0, func(c *preflight.ToolCall) { c.ID = "z" })
	function := `"type":"function","function":{"name":"f","arguments":"{}"}`
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	for _, c := range []struct {
		reason, provider, in, want string
		change                     func(*preflight.Message)
	}{
		{"arguments that are an object stay", "mistral",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{ "n":1.0 }},"x":1.0}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","function":{"name":"f",` +
				`"arguments":{ "n":1.0 }},"x":1.0}]}`,
			newID},
		{"others are a string", "mistral",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{"n":1.0}}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":"{\"n\":2}"}}]}`,
			call(0, func(c *preflight.ToolCall) { c.Input = json.RawMessage(`{"n":2}`) })},
		{"the second of two calls", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` +
				function + `},{"id":"b",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function +
				`},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}`, call(1,
				func(c *preflight.ToolCall) {
					c.Name = "g"
				})},
		{"a custom call", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","x":1.0,"type":"custom",` +
				`"custom":{"name":"f","input":"i","y":1.0}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","x":1.0,"type":"custom",` +
				`"custom":{"name":"g","input":"j","y":1.0}}]}`,
			call(0, func(c *preflight.ToolCall) {
				c.ID, c.Name, c.Input = "z", "g", json.RawMessage("j")
			})},
		{"a function becomes custom", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"{}"}}]}`,
			call(0, func(c *preflight.ToolCall) { c.Variant = "custom" })},
		{"a breakpoint on a call stays", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` +
				function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"b","tool_calls":[{"id":"a",` + function +
				`,"cache_control":{"type":"ephemeral"}}]}`, text},
		{"a breakpoint on a call goes", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` +
				function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from one whose arguments are an object", "mistral",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{}},"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{}}}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from one without a function", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function",` +
				`"name":"f","arguments":"{}","cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from a custom one", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"i"},"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"i"}}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"the list of calls comes", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":null}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			func(m *preflight.Message) {
				m.Parts = append(m.Parts,
					&preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage("{}")})
			}},
		{"no calls stay none", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":null,"refusal":null,"audio":null}`,
			`{"role":"assistant","content":"b","tool_calls":null,"refusal":null,"audio":null}`,
			text},
		{"an empty refusal stays empty", "openai-chat",
			`{"role":"assistant","content":"a","refusal":""}`,
			`{"role":"assistant","content":"b","refusal":""}`, text},
		{"a refusal goes", "openai-chat", `{"role":"assistant","content":"a","refusal":"no"}`,
			`{"role":"assistant","content":"a"}`, only(0)},
		{"text goes and a refusal stays", "openai-chat",
			`{"role":"assistant","content":"a","refusal":"no"}`,
			`{"role":"assistant","content":null,"refusal":"no"}`, only(1)},
		{"two refusals are one text", "openai-chat", `{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":null,"refusal":"x\ny"}`,
			become(
				&preflight.Other{
					Kind:    "refusal",
					Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"x"`)}},
				},
				&preflight.Other{
					Kind:    "refusal",
					Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"y"`)}},
				},
			)},
		{"of two that are no text the first stays", "openai-chat",
			`{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":null,"audio":{"id":"1"}}`,
			become(
				&preflight.Other{
					Kind: "audio",
					Carried: preflight.Carried{
						Native: preflight.Native{JSON: []byte(`{"id":"1"}`)},
					},
				},
				&preflight.Other{
					Kind: "audio",
					Carried: preflight.Carried{
						Native: preflight.Native{JSON: []byte(`{"id":"2"}`)},
					},
				},
			)},
		{"calls need no content", "openai-chat",
			`{"role":"assistant","tool_calls":[{"id":"a",` + function + `}]}`,
			`{"role":"assistant","tool_calls":[{"id":"z",` + function + `}]}`, newID},
		{"nothing is left", "openai-chat", `{"role":"user","content":"a","name":"n"}`,
			`{"role":"user","content":"","name":"n"}`, become()},
		{"an empty list stays one", "openai-chat", `{"role":"user","content":[],"name":"n"}`,
			`{"role":"user","content":[],"name":"m"}`, func(m *preflight.Message) { m.Name = "m" }},
		{"null stays", "openai-chat", `{"role":"human","content" : null,"name":"n"}`,
			`{"role":"user","content" : null,"name":"n"}`,
			func(m *preflight.Message) { m.Role = preflight.RoleUser }},
		{"missing content stays missing", "openai-chat", `{"role":"human","name":"n"}`,
			`{"role":"user","name":"n"}`,
			func(m *preflight.Message) { m.Role = preflight.RoleUser }},
		{"reasoning alone needs content", "openai-chat",
			`{"role":"ai","content":null,"reasoning_content":"r"}`,
			`{"role":"assistant","content":"","reasoning_content":"r"}`,
			func(m *preflight.Message) { m.Role = preflight.RoleAssistant }},
		{"made audio of no known kind", "openai-chat", `{"role":"user","content":[]}`,
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA"}}]}`,
			become(&preflight.Media{Kind: "audio", Data: "AAAA"})},
		{"an image's detail stays", "openai-chat",
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u",` +
				`"detail":"low"}}]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"v",` +
				`"detail":"low"}}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image in short form", "mistral",
			`{"role":"user","content":[{"type":"image_url","image_url":"u"}]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":"v"}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image by address and bytes", "openai-chat", `{"role":"user","content":[]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"},` +
				`"cache_control":{"type":"ephemeral"}},` +
				`{"type":"image_url","image_url":{"url":""}}]}`,
			become(&preflight.Media{
				Kind: "image", URL: "u", Data: "QUJD", Carried: preflight.Carried{Cache: marker},
			}, &preflight.Media{Kind: "image"})},
		{"audio", "openai-chat",
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==",` +
				`"format":"wav","x":1.0}}]}`,
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA",` +
				`"format":"mp3","x":1.0},"cache_control":{"type":"ephemeral"}}]}`,
			media(func(m *preflight.Media) {
				m.Data, m.MediaType, m.Cache = "AAAA", "audio/mp3", marker
			})},
		{"audio of no known kind", "openai-chat",
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==",` +
				`"format":"wav"}}]}`,
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg=="}}]}`,
			media(func(m *preflight.Media) { m.MediaType = "" })},
		{"a file by id", "openai-chat", `{"role":"user","content":[]}`,
			`{"role":"user","content":[{"type":"file","file":{"file_id":"f"},` +
				`"cache_control":{"type":"ephemeral"}}]}`,
			become(&preflight.Media{
				Kind: "document", FileID: "f", Carried: preflight.Carried{Cache: marker},
			})},
		{"a file's bytes keep their form", "openai-chat",
			`{"role":"user","content":[{"type":"file","file":{"filename":"a",` +
				`"file_data":"JVBERi0="}}]}`,
			`{"role":"user","content":[{"type":"file","file":{"filename":"b",` +
				`"file_data":"JVBERi0="}}]}`,
			media(func(m *preflight.Media) { m.Name = "b" })},
		{"a file's name and bytes go", "openai-chat",
			`{"role":"user","content":[{"type":"file","file":{"filename":"a",` +
				`"file_data":"JVBERi0=","file_id":"f"}}]}`,
			`{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}`,
			media(func(m *preflight.Media) { m.Name, m.Data = "", "" })},
		{"a part nobody knows gets a breakpoint", "openai-chat",
			`{"role":"user","content":[{"type":"hologram","x":1.0}]}`,
			`{"role":"user","content":[{"type":"hologram","x":1.0,` +
				`"cache_control":{"type":"ephemeral"}}]}`,
			part(0, func(p preflight.Part) preflight.Part {
				return edited(p, func(o *preflight.Other) { o.Cache = marker })
			})},
		{"a result loses its content", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`,
			`{"role":"tool","tool_call_id":"a","content":"","x":1.0}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"a result had none", "openai-chat", `{"role":"tool","tool_call_id":"a","content":null}`,
			`{"role":"tool","tool_call_id":"b","content":""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"nor had this", "openai-chat", `{"role":"tool","tool_call_id":"a"}`,
			`{"role":"tool","tool_call_id":"b","content":""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"an empty result keeps its spelling", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content" : ""}`,
			`{"role":"tool","tool_call_id":"b","content" : ""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"so does an empty list", "openai-chat", `{"role":"tool","tool_call_id":"a","content":[ ]}`,
			`{"role":"tool","tool_call_id":"b","content":[ ]}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"a made result in a read message", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`,
			`{"role":"tool","tool_call_id":"a","content":"s","x":1.0}`,
			become(&preflight.ToolResult{
				CallID: "a", Content: []preflight.Part{&preflight.Text{Text: "s"}},
			})},
		{"output of another format", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r"}`,
			`{"role":"tool","tool_call_id":"a","content":"{\"n\":1.0}"}`,
			become(&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"n":1.0}`)})},
		{"reasoning comes", "openai-chat", `{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":"a","reasoning_content":"x\ny"}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{
					&preflight.Reasoning{Text: "x"}, &preflight.Reasoning{Text: "y"},
				}, m.Parts...)
			}},
		{"reasoning that nobody can read, in one list", "openrouter",
			`{"role":"assistant","content":"a","reasoning":"r"}`,
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"a":1.0}]}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{&preflight.Reasoning{Opaque: `[{"a":1.0}]`}},
					m.Parts...)
			}},
		{"a block of reasoning gets a text beside it", "mistral",
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"t","x":1.0}]},{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"t","x":1.0}]},{"type":"text","text":"b"}]}`,
			text},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			require.Equal(t, `[`+c.want+`]`, encodeOne(t, c.provider, c.in, c.change))
		})
	}
}
