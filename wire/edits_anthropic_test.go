package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestEditsOfAnthropicParts: the same for the Messages format.
func TestEditsOfAnthropicParts(t *testing.T) {
	type message = preflight.Message
	media := func(change func(*preflight.Media)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	result := func(change func(*preflight.ToolResult)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	call := func(change func(*preflight.ToolCall)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	thought := func(change func(*preflight.Reasoning)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	text := func(change func(*preflight.Text)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	become := func(parts ...preflight.Part) func(*message) {
		return func(m *message) { m.Parts = parts }
	}
	own := func(format, raw string) preflight.Carried {
		return preflight.Carried{Native: preflight.Native{Format: format, JSON: []byte(raw)}}
	}
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	for _, c := range []struct {
		reason, in, want string // what is in the list of content
		change           func(*message)
	}{
		{"bytes take the place of an address",
			`{"type":"image","source":{"type":"url","url":"u","x":1.0}}`,
			`{"type":"image","source":{"type":"base64","x":1.0,"media_type":"image/png",` +
				`"data":"QUJD"}}`,
			media(func(m *preflight.Media) {
				m.URL, m.MediaType, m.Data = "", "image/png", "QUJD"
			})},
		{"and of a file", `{"type":"image","source":{"type":"file","file_id":"f"}}`,
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`,
			media(func(m *preflight.Media) {
				m.FileID, m.MediaType, m.Data = "", "image/png", "QUJD"
			})},
		{"an address takes the place of bytes",
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`,
			`{"type":"image","source":{"type":"url","url":"u"}}`,
			media(func(m *preflight.Media) { m.URL, m.Data = "u", "" })},
		{"and of a file's",
			`{"type":"document","source":{"type":"file","file_id":"f"},"title":"t"}`,
			`{"type":"document","source":{"type":"url","url":"u"}}`,
			media(func(m *preflight.Media) { m.URL, m.FileID, m.Name = "u", "", "" })},
		{"a file takes the place of bytes",
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"QUJD"},"context":"c"}`,
			`{"type":"document","source":{"type":"file","file_id":"f"},"context":"c","title":"t"}`,
			media(func(m *preflight.Media) { m.FileID, m.Data, m.Name = "f", "", "t" })},
		{"and of an address", `{"type":"document","source":{"type":"url","url":"u"}}`,
			`{"type":"document","source":{"type":"file","file_id":"f"}}`,
			media(func(m *preflight.Media) { m.FileID, m.URL = "f", "" })},
		{"another source stays as it is",
			`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},` +
				`"title":"t"}`,
			`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},` +
				`"title":"u","cache_control":{"type":"ephemeral"}}`,
			media(func(m *preflight.Media) { m.Name, m.Cache = "u", marker })},
		{"an image has no title",
			`{"type":"image","source":{"type":"url","url":"u"},"title":"t","index":0}`,
			`{"type":"image","source":{"type":"url","url":"v"},"title":"t"}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"a data URL tells its type", `{"type":"text","text":"a"}`,
			`{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"QUJD"}},` +
				` {"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"QUJD"}}, {"type":"document","source":{"type":"base64",` +
				`"media_type":"a/b","data":"x;base64,y"}}`,
			become(&preflight.Media{Kind: "image", URL: "data:image/gif;base64,QUJD"},
				&preflight.Media{Kind: "image", MediaType: "image/png", Data: "data:;base64,QUJD"},
				&preflight.Media{Kind: "document", MediaType: "a/b", Data: "x;base64,y"})},
		{"media of other kinds are documents", `{"type":"text","text":"a"}`,
			`{"type":"document","source":{"type":"base64","media_type":"audio/wav","data":"QUJD"}}`,
			become(&preflight.Media{Kind: "audio", MediaType: "audio/wav", Data: "QUJD"})},
		{"an unknown type is not written", `{"type":"text","text":"a"}`,
			`{"type":"document","source":{"type":"base64","data":"QUJD"}}`,
			become(&preflight.Media{Kind: "document", Data: "QUJD"})},
		{"nor added",
			`{"type":"document","source":{"type":"base64","data":"QUJD"},"title":"t"}`,
			`{"type":"document","source":{"type":"base64","data":"QUJD"},"title":"u"}`,
			media(func(m *preflight.Media) { m.Name = "u" })},
		{"a result becomes an error, and is one no more",
			`{"type":"tool_result","tool_use_id":"a","content":"r","index":0}`,
			`{"type":"tool_result","tool_use_id":"a","content":"r","is_error":true}`,
			result(func(r *preflight.ToolResult) { r.IsError = true })},
		{"an error is one no more", `{"type":"tool_result","tool_use_id":"a","is_error":true}`,
			`{"type":"tool_result","tool_use_id":"a","is_error":false}`,
			result(func(r *preflight.ToolResult) { r.IsError = false })},
		{"a result of blocks loses them",
			`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"}]}`,
			`{"type":"tool_result","tool_use_id":"a"}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"a result of a number loses it", `{"type":"tool_result","tool_use_id":"a","content":7}`,
			`{"type":"tool_result","tool_use_id":"a"}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"none stays none", `{"type":"tool_result","tool_use_id":"a","content":null}`,
			`{"type":"tool_result","tool_use_id":"b","content":null,` +
				`"cache_control":{"type":"ephemeral"}}`,
			result(func(r *preflight.ToolResult) { r.CallID, r.Cache = "b", marker })},
		{"an empty list stays one", `{"type":"tool_result","tool_use_id":"a","content":[ ]}`,
			`{"type":"tool_result","tool_use_id":"b","content":[ ]}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"a block of a result",
			`{"type":"tool_result","tool_use_id":"a","content":[ {"type":"text","text":"r",` +
				`"x":1.0} ]}`,
			`{"type":"tool_result","tool_use_id":"a","content":[ {"type":"text","text":"s",` +
				`"x":1.0} ]}`,
			result(func(r *preflight.ToolResult) {
				r.Content = []preflight.Part{
					edited(r.Content[0], func(t *preflight.Text) { t.Text = "s" }),
				}
			})},
		{"a call", `{"type":"tool_use","id":"a","name":"f","input":{"n":1.0},"x":1.0,"index":0}`,
			`{"type":"tool_use","id":"b","name":"g","input":{"n":2},` +
				`"x":1.0,"cache_control":{"type":"ephemeral"}}`,
			call(func(c *preflight.ToolCall) {
				c.ID, c.Name, c.Input, c.Cache = "b", "g", json.RawMessage(`{"n":2}`), marker
			})},
		{"a call without arguments", `{"type":"tool_use","id":"a","name":"f"}`,
			`{"type":"tool_use","id":"b","name":"f","input":{}}`,
			call(func(c *preflight.ToolCall) { c.ID = "b" })},
		{"a call that loses its arguments keeps some",
			`{"type":"tool_use","id":"a","name":"f","input":{"n":1.0}}`,
			`{"type":"tool_use","id":"a","name":"f","input":{"n":1.0}}`,
			call(func(c *preflight.ToolCall) { c.Input = nil })},
		{"a call of the provider's keeps what it holds",
			`{"type":"server_tool_use","id":"a","name":"f","input":{},"index":0}`,
			`{"type":"server_tool_use","id":"b","name":"f","input":{},"index":0}`,
			call(func(c *preflight.ToolCall) { c.ID = "b" })},
		{"one of the caller's becomes one of the provider's",
			`{"type":"tool_use","id":"a","name":"f","input":{},"x":1.0}`,
			`{"type":"server_tool_use","id":"a","name":"f","input":{}}`,
			call(func(c *preflight.ToolCall) { c.ProviderExecuted = true })},
		{"a result of the provider's",
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[1.0],"x":1.0}`,
			`{"type":"web_search_tool_result","tool_use_id":"b","content":[2.0],` +
				`"x":1.0,"cache_control":{"type":"ephemeral"}}`,
			result(func(r *preflight.ToolResult) {
				r.CallID, r.Output, r.Cache = "b", json.RawMessage("[2.0]"), marker
			})},
		{"only some of them tell of errors",
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`,
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`,
			result(func(r *preflight.ToolResult) { r.IsError = true })},
		{"these do", `{"type":"mcp_tool_result","tool_use_id":"a","content":[],"is_error":true}`,
			`{"type":"mcp_tool_result","tool_use_id":"a","content":[],"is_error":false}`,
			result(func(r *preflight.ToolResult) { r.IsError = false })},
		{"one without output keeps its content",
			`{"type":"mcp_tool_result","tool_use_id":"a","content":[1.0]}`,
			`{"type":"mcp_tool_result","tool_use_id":"b","content":[1.0]}`,
			result(func(r *preflight.ToolResult) { r.CallID, r.Output = "b", nil })},
		{"thinking", `{"type":"thinking","thinking":"t","signature":"QUJD","x":1.0}`,
			`{"type":"thinking","thinking":"u","x":1.0}`,
			thought(func(r *preflight.Reasoning) { r.Text, r.Signature = "u", "" })},
		{"thinking signed by a number", `{"type":"thinking","thinking":"t","signature":7}`,
			`{"type":"thinking","thinking":"t"}`,
			thought(func(r *preflight.Reasoning) { r.Signature = "" })},
		{"thinking gets a signature", `{"type":"thinking","thinking":"t"}`,
			`{"type":"thinking","thinking":"t","signature":"QUJD",` +
				`"cache_control":{"type":"ephemeral"}}`,
			thought(func(r *preflight.Reasoning) { r.Signature, r.Cache = "QUJD", marker })},
		{"sealed thinking", `{"type":"redacted_thinking","data":"QUJD","x":1.0}`,
			`{"type":"redacted_thinking","data":"REVG","x":1.0,` +
				`"cache_control":{"type":"ephemeral"}}`,
			thought(func(r *preflight.Reasoning) { r.Opaque, r.Cache = "REVG", marker })},
		{"text that was a string", `"\u0061"`,
			`{"type":"text","text":"\u0061","cache_control":{"type":"ephemeral"}}`,
			text(func(t *preflight.Text) { t.Cache = marker })},
		{"another breakpoint",
			`{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}}`,
			`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`,
			text(func(t *preflight.Text) { t.Cache = marker })},
		{"no breakpoint", `{"type":"text","text":"a","cache_control":null,"index":0}`,
			`{"type":"text","text":"b","cache_control":null}`,
			text(func(t *preflight.Text) { t.Text = "b" })},
		{"a block nobody knows", `{"type":"search_result","x":1.0}`,
			`{"type":"search_result","x":1.0,"cache_control":{"type":"ephemeral"}}`,
			func(m *message) {
				m.Parts[0] = edited(m.Parts[0], func(o *preflight.Other) { o.Cache = marker })
			}},
		{"text of another format", `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`,
			become(&preflight.Text{Text: "b", Carried: own("bedrock", `{"text":"b","x":1.0}`)})},
		{
			"the JSON of another kind of block", `{"type":"text","text":"a"}`,
			`{"type":"text","text":"b"}`,
			become(&preflight.Text{
				Text: "b", Carried: own("anthropic", `{"type":"image","x":1.0}`),
			}),
		},
		{"JSON without a type", `{"type":"text","text":"a"}`,
			`{"text":"a","x":1.0,"type":"text"}, {"source":{"type":"url","url":"u"},` +
				`"x":1.0,"type":"image"}, {"tool_use_id":"c","x":1.0,"type":"tool_result"},` +
				` {"id":"c","name":"f","input":{},"x":1.0,"type":"tool_use"}`,
			become(&preflight.Text{Text: "a", Carried: own("anthropic", `{"text":"a","x":1.0}`)},
				&preflight.Media{
					Kind: "image", URL: "u",
					Carried: own("anthropic", `{"source":{"type":"url","url":"u"},"x":1.0}`),
				},
				&preflight.ToolResult{
					CallID: "c", Carried: own("anthropic", `{"tool_use_id":"c","x":1.0}`),
				}, &preflight.ToolCall{
					ID: "c", Name: "f",
					Carried: own("anthropic", `{"id":"c","name":"f","input":{},"x":1.0}`),
				})},
		{"JSON that is none", `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`,
			become(&preflight.Text{Text: "b", Carried: own("anthropic", `{"type":"text",`)})},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out := encodeOne(t, "anthropic", `{"role":"user","content":[ `+c.in+` ]}`, c.change)
			require.Equal(t, `[{"role":"user","content":[ `+c.want+` ]}]`, out)
		})
	}
}
