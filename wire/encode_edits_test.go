package wire_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

func TestEncodeEdits(t *testing.T) {
	text := func(change func(*preflight.Text)) edit {
		return first(func(m *preflight.Message) {
			edited := *m.Parts[0].(*preflight.Text)
			change(&edited)
			m.Parts = append([]preflight.Part{&edited}, m.Parts[1:]...)
		})
	}
	cached := text(func(t *preflight.Text) { t.Cache = json.RawMessage(`{"type":"ephemeral"}`) })
	for _, c := range []struct {
		reason, provider, in, want string
		change                     edit
	}{
		{"a string stays a string", "anthropic", `[{"role":"user","x":1.0,"content":"a"}]`,
			`[{"role":"user","x":1.0,"content":"b"}]`,
			text(func(t *preflight.Text) { t.Text = "b" })},
		{"a block stays a block, with its unknown members", "anthropic",
			`[{"role":"user","content":[ {"x":1.0,"text":"a","type":"text"} ]}]`,
			`[{"role":"user","content":[ {"x":1.0,"text":"b","type":"text"} ]}]`,
			text(func(t *preflight.Text) { t.Text = "b" })},
		{"no HTML escaping", "anthropic", `[{"role":"user","content":"a"}]`,
			"[{\"role\":\"user\",\"content\":\"<b>&\u2028é\\n\\\"\"}]",
			text(func(t *preflight.Text) { t.Text = "<b>&\u2028é\n\"" })},
		{"a breakpoint makes a block of a string", "anthropic",
			`[{"role":"user","content":"\u0061"}]`,
			`[{"role":"user","content":[{"type":"text","text":"\u0061",` +
				`"cache_control":{"type":"ephemeral"}}]}]`,
			cached},
		{"a breakpoint is added to a block", "anthropic",
			`[{"role":"user","content":[{"type":"text","text":"\u0061"}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"\u0061",` +
				`"cache_control":{"type":"ephemeral"}}]}]`,
			cached},
		{"a breakpoint is taken away", "anthropic",
			`[{"role":"user","content":[{"type":"text","cache_control":{"type":"ephemeral"},` +
				`"text":"a"}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"a"}]}]`,
			text(func(t *preflight.Text) { t.Cache = nil })},
		{"a second part makes a list of a string", "openai-chat",
			`[{"role":"user","content":"\u0061"}]`,
			`[{"role":"user","content":[{"type":"text","text":"\u0061"},` +
				`{"type":"text","text":"b"}]}]`,
			first(func(m *preflight.Message) {
				m.Parts = append(slices.Clip(m.Parts), &preflight.Text{Text: "b"})
			})},
		{"a role is edited", "anthropic", `[{"content":"a","role":"user"}]`,
			`[{"content":"a","role":"assistant"}]`,
			first(func(m *preflight.Message) { m.Role = preflight.RoleAssistant })},
		{"a role where there is not a content object", "anthropic", `[{"x":1.0,"role":"user"}]`,
			`[{"x":1.0,"role":"assistant"}]`,
			first(func(m *preflight.Message) { m.Role = preflight.RoleAssistant })},
		{"nor any but null", "anthropic", `[{"content":null,"role":"user"}]`,
			`[{"content":null,"role":"assistant"}]`,
			first(func(m *preflight.Message) { m.Role = preflight.RoleAssistant })},
		{"a name is edited", "openai-chat", `[{"name":"a","content":"a","role":"user"}]`,
			`[{"name":"b","content":"a","role":"user"}]`,
			first(func(m *preflight.Message) { m.Name = "b" })},
		{"a name goes", "openai-chat", `[{"name":"a","content":"a","role":"user"}]`,
			`[{"content":"a","role":"user"}]`,
			first(func(m *preflight.Message) { m.Name = "" })},
		{"the system field, a string", "anthropic",
			`{"system":"s","messages":[{"role":"user","content":"q"}]}`,
			`{"system":"t","messages":[{"role":"user","content":"q"}]}`,
			text(func(t *preflight.Text) { t.Text = "t" })},
		{"the system field, blocks", "anthropic",
			`{"system":[ {"type":"text","text":"s","x":1.0} ],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"system":[ {"type":"text","text":"t","x":1.0} ],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			text(func(t *preflight.Text) { t.Text = "t" })},
		{"the system field gets a breakpoint", "anthropic",
			`{"system":"s","messages":[{"role":"user","content":"q"}]}`,
			`{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			cached},
		{"the system field goes", "anthropic",
			`{"system":"s","messages":[{"role":"user","content":"q"}]}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			func(m []preflight.Message) []preflight.Message { return m[1:] }},
		{"a system field is made", "anthropic", `{"messages":[{"role":"user","content":"q"}]}`,
			`{"messages":[{"role":"user","content":"q"}],"system":"s"}`,
			func(m []preflight.Message) []preflight.Message {
				return append([]preflight.Message{{Role: preflight.RoleSystem,
					Parts: []preflight.Part{&preflight.Text{Text: "s"}}}}, m...)
			}},
		{"new parts, in the usual order of their members", "anthropic", `[]`,
			`[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},` +
				`{"type":"redacted_thinking","data":"o"},` +
				`{"type":"tool_use","id":"1","name":"f","input":{"a":1.0}},` +
				`{"type":"server_tool_use","id":"2","name":"w","input":{}},` +
				`{"type":"w_tool_result","tool_use_id":"2","content":[1.0]},` +
				`{"type":"mcp_tool_use","id":"3","name":"m","server_name":"s","input":{}},` +
				`{"type":"mcp_tool_result","tool_use_id":"3","content":"r","is_error":true}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1",` +
				`"content":"r","is_error":true},{"type":"tool_result","tool_use_id":"1"},` +
				`{"type":"tool_result","tool_use_id":"1","content":"{}"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"x"}},{"type":"image","source":{"type":"url","url":"u"}},` +
				`{"type":"document","source":{"type":"file","file_id":"f"},"title":"n"}]}]`,
			func([]preflight.Message) []preflight.Message {
				return []preflight.Message{
					{Role: preflight.RoleAssistant, Parts: []preflight.Part{
						&preflight.Reasoning{Text: "t", Signature: "s"},
						&preflight.Reasoning{Opaque: "o"},
						&preflight.ToolCall{
							ID: "1", Name: "f", Input: json.RawMessage(`{"a":1.0}`),
						},
						&preflight.ToolCall{
							ID: "2", Name: "w", ProviderExecuted: true, Variant: "server",
						},
						&preflight.ToolResult{
							CallID: "2", Name: "w", Output: json.RawMessage(`[1.0]`),
							ProviderExecuted: true,
						},
						&preflight.ToolCall{
							ID: "3", Name: "m", ProviderExecuted: true, Variant: "mcp",
							Carried: preflight.Carried{Native: preflight.Native{
								Format: "anthropic",
								JSON: json.RawMessage(`{"type":"mcp_tool_use","id":"","name":"",` +
									`"server_name":"s","input":{}}`),
							}},
						},
						&preflight.ToolResult{
							CallID: "3", Content: []preflight.Part{&preflight.Text{Text: "r"}},
							ProviderExecuted: true, Variant: "mcp", IsError: true,
						},
					}},
					{Role: preflight.RoleUser, Parts: []preflight.Part{
						&preflight.ToolResult{
							CallID: "1", Content: []preflight.Part{&preflight.Text{Text: "r"}},
							IsError: true,
						},
						&preflight.ToolResult{CallID: "1"},
						&preflight.ToolResult{CallID: "1", Output: json.RawMessage(`{}`)},
						&preflight.Media{Kind: "image", MediaType: "image/png", Data: "x"},
						&preflight.Media{Kind: "image", URL: "u"},
						&preflight.Media{Kind: "document", FileID: "f", Name: "n"},
					}},
				}
			}},
		{"new parts, in the usual order of their members", "openai-chat", `[]`,
			`[{"role":"assistant","content":null,"reasoning_content":"r",` +
				`"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{\"a\":1.0}"}},` +
				`{"id":"2","type":"custom","custom":{"name":"g","input":"free"}}]},` +
				`{"role":"tool","tool_call_id":"1","content":"r"},` +
				`{"role":"tool","tool_call_id":"2","content":[{"type":"text","text":"a"},` +
				`{"type":"text","text":"b"}]},{"role":"tool","tool_call_id":"3","content":""},` +
				`{"role":"user","content":[{"type":"image_url",` +
				`"image_url":{"url":"data:image/png;base64,x"}},` +
				`{"type":"input_audio","input_audio":{"data":"x","format":"wav"}},` +
				`{"type":"file","file":{"filename":"n","file_data":"data:application/pdf;base64,` +
				`x"}}]}]`,
			func([]preflight.Message) []preflight.Message {
				tool := func(id string, parts ...preflight.Part) preflight.Message {
					return preflight.Message{
						Role:  preflight.RoleTool,
						Parts: []preflight.Part{&preflight.ToolResult{CallID: id, Content: parts}},
					}
				}
				return []preflight.Message{
					{Role: preflight.RoleAssistant, Parts: []preflight.Part{
						&preflight.Reasoning{Text: "r"},
						&preflight.ToolCall{
							ID: "1", Name: "f", Input: json.RawMessage(`{"a":1.0}`),
						},
						&preflight.ToolCall{
							ID: "2", Name: "g", Input: json.RawMessage(`free`), Variant: "custom",
						},
					}},
					tool("1", &preflight.Text{Text: "r"}),
					tool("2", &preflight.Text{Text: "a"}, &preflight.Text{Text: "b"}),
					tool("3"),
					{Role: preflight.RoleUser, Parts: []preflight.Part{
						&preflight.Media{Kind: "image", MediaType: "image/png", Data: "x"},
						&preflight.Media{Kind: "audio", MediaType: "audio/wav", Data: "x"},
						&preflight.Media{
							Kind: "document", Name: "n", Data: "x", MediaType: "application/pdf",
						},
					}},
				}
			}},
		{"input that is not JSON is written as a string", "anthropic", `[]`,
			`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f",` +
				`"input":"{cut"}]}]`,
			func([]preflight.Message) []preflight.Message {
				return []preflight.Message{{Role: preflight.RoleAssistant, Parts: []preflight.Part{
					&preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage(`{cut`)},
				}}}
			}},
		{"reasoning, calls and members go", "openai-chat",
			`[{"role":"assistant","content":"a","reasoning":"r","refusal":"no",` +
				`"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}],"x":1.0}]`,
			`[{"role":"assistant","content":"a","x":1.0}]`,
			first(func(m *preflight.Message) { m.Parts = m.Parts[1:2] })},
		{"the text beside calls goes", "openai-chat",
			`[{"role":"assistant","content":"a","tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}]`,
			`[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}]`,
			first(func(m *preflight.Message) { m.Parts = m.Parts[1:] })},
		{"calls go from a message without content", "openai-chat",
			`[{"role":"assistant","content":null,"reasoning_content":"r",` +
				`"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]}]`,
			`[{"role":"assistant","content":"","reasoning_content":"r"}]`,
			first(func(m *preflight.Message) { m.Parts = m.Parts[:1] })},
		{"reasoning goes back under its key", "openai-chat",
			`[{"role":"assistant","content":"a","reasoning":"r"}]`,
			`[{"role":"assistant","content":"a","reasoning":"s"}]`,
			first(func(m *preflight.Message) {
				m.Parts = []preflight.Part{&preflight.Reasoning{Text: "s"}, m.Parts[1]}
			})},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			require.Empty(t, cmp.Diff(c.want, encode(t, c.provider, c.in, c.change)))
		})
	}
}
