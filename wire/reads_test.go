package wire_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestReads: what a message is read as, all of it.
func TestReads(t *testing.T) {
	type message = preflight.Message
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	thought := func(s string) preflight.Part { return &preflight.Reasoning{Text: s} }
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	user, assistant, tool := preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool
	for _, c := range []struct {
		reason, provider, in string
		want                 message
	}{
		{"blocks", "anthropic",
			`{"role":"user","content":[{"type":"text","text":"\u0061",` +
				`"cache_control":{"type":"ephemeral"}},{"type":"thing"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"QUJD"}},{"type":"image","source":{"type":"url","url":"u"},"title":"t"},` +
				`{"type":"document","source":{"type":"file","file_id":"f"},"title":"t"},` +
				`{"type":"image","source":{"type":"new"}},` +
				`{"type":"document","source":{"type":"text","data":"x"}}]}`,
			message{Role: user, Parts: []preflight.Part{
				&preflight.Text{Text: "a", Carried: preflight.Carried{Cache: marker}},
				&preflight.Other{Kind: "thing"},
				&preflight.Media{Kind: "image", MediaType: "image/png", Data: "QUJD"},
				&preflight.Media{Kind: "image", URL: "u"},
				&preflight.Media{Kind: "document", FileID: "f", Name: "t"},
				&preflight.Other{Kind: "image"}, &preflight.Media{Kind: "document"},
			}}},
		{"calls and thoughts", "anthropic",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},` +
				`{"type":"redacted_thinking","data":"d"},` +
				`{"type":"tool_use","id":"1","name":"f","input":{"n":1.0}},` +
				`{"type":"server_tool_use","id":"2","name":"w","input":{}},` +
				`{"type":"mcp_tool_use","id":"3","name":"m","input":{}},` +
				`{"type":"web_search_tool_result","tool_use_id":"2","content":[1.0],"is_error":true},` +
				`{"type":"mcp_tool_result","tool_use_id":"3","content":"r"}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				&preflight.Reasoning{Text: "t", Signature: "s"}, &preflight.Reasoning{Opaque: "d"},
				&preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage(`{"n":1.0}`)},
				&preflight.ToolCall{
					ID: "2", Name: "w", Input: json.RawMessage(`{}`), ProviderExecuted: true,
					Variant: "server",
				},
				&preflight.ToolCall{
					ID: "3", Name: "m", Input: json.RawMessage(`{}`), ProviderExecuted: true,
					Variant: "mcp",
				},
				&preflight.ToolResult{
					CallID: "2", Output: json.RawMessage(`[1.0]`), IsError: true,
					ProviderExecuted: true, Variant: "web_search_tool_result",
				},
				&preflight.ToolResult{
					CallID: "3", Output: json.RawMessage(`"r"`), ProviderExecuted: true,
					Variant: "mcp",
				},
			}}},
		{"results", "anthropic",
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r",` +
				`"is_error":true},{"type":"tool_result","tool_use_id":"2","content":""},` +
				`{"type":"tool_result","tool_use_id":"3","content":[]},` +
				`{"type":"tool_result","tool_use_id":"4","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"5","name":"f","input":{}},` +
				`{"type":"thinking","thinking":"t"},{"type":"tool_result","tool_use_id":"6"},` +
				`{"type":"thing"}]}]}`,
			message{Role: user, Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID: "1", Content: []preflight.Part{text("r")}, IsError: true,
				}, &preflight.ToolResult{CallID: "2"}, &preflight.ToolResult{CallID: "3"},
				&preflight.ToolResult{CallID: "4", Content: []preflight.Part{
					text("a"),
					&preflight.ToolCall{ID: "5", Name: "f", Input: json.RawMessage("{}")},
					thought("t"), &preflight.ToolResult{CallID: "6"},
					&preflight.Other{Kind: "thing"},
				}},
			}}},
		{"settings", "anthropic",
			`{"role":" System ","content":"s","output_config":{"effort":"low"}}`, message{
				Role:  " System ",
				Parts: []preflight.Part{text("s"), &preflight.Other{Kind: "output_config"}},
			}},
		{"a developer's settings", "anthropic",
			`{"role":"developer","content":"s","output_config":{}}`, message{
				Role:  "developer",
				Parts: []preflight.Part{text("s"), &preflight.Other{Kind: "output_config"}},
			}},
		{"settings that are none", "anthropic", `{"role":"system","content":"s","output_config":7}`,
			message{Role: "system", Parts: []preflight.Part{text("s")}}},
		{"nobody's settings", "anthropic", `{"role":"user","content":"","output_config":{}}`,
			message{Role: user}},

		{"parts", "openai-chat",
			`{"role":"user","name":"n","content":[{"type":"text","text":"a",` +
				`"cache_control":{"type":"ephemeral"}},` +
				`{"type":"image_url","image_url":{"url":"u"}},` +
				`{"type":"image_url","image_url":"v"},` +
				`{"type":"input_audio","input_audio":{"data":"d","format":"wav"}},` +
				`{"type":"input_audio","input_audio":{"data":"d"}},` +
				`{"type":"file","file":{"filename":"n","file_data":"data:application/pdf;base64,` +
				`QUJD"}},{"type":"file","file":{"file_id":"f","file_data":"data:x"}},` +
				`{"type":"file","file":{"file_data":"data:a/b,x"}},{"type":"thing"}]}`,
			message{Role: user, Name: "n", Parts: []preflight.Part{
				&preflight.Text{Text: "a", Carried: preflight.Carried{Cache: marker}},
				&preflight.Media{Kind: "image", URL: "u"},
				&preflight.Media{Kind: "image", URL: "v"},
				&preflight.Media{Kind: "audio", MediaType: "audio/wav", Data: "d"},
				&preflight.Media{Kind: "audio", Data: "d"},
				&preflight.Media{
					Kind: "document", Name: "n", MediaType: "application/pdf",
					Data: "data:application/pdf;base64,QUJD",
				}, &preflight.Media{Kind: "document", FileID: "f", Data: "data:x"},
				&preflight.Media{Kind: "document", MediaType: "a/b", Data: "data:a/b,x"},
				&preflight.Other{Kind: "thing"},
			}}},
		{"all that an answer holds", "openai-chat",
			`{"role":"assistant","content":"a","audio":{"id":"x"},` +
				`"refusal":"no","reasoning":"r","function_call":{},` +
				`"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{}"},"cache_control":{"type":"ephemeral"}},` +
				`{"id":"2","type":"custom","custom":{"name":"g","input":"i"}}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				thought("r"), text("a"), &preflight.Other{Kind: "refusal"},
				&preflight.Other{Kind: "audio"}, &preflight.Other{Kind: "function_call"},
				&preflight.ToolCall{
					ID: "1", Name: "f", Input: json.RawMessage("{}"),
					Carried: preflight.Carried{Cache: marker},
				}, &preflight.ToolCall{
					ID: "2", Name: "g", Input: json.RawMessage("i"), Variant: "custom",
				},
			}}},
		{"an answer without most of it", "openai-chat",
			`{"role":"assistant","content":"a","audio":null,"refusal":"","reasoning":"",` +
				`"reasoning_content":7,"tool_calls":null}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"reasoning under two names", "openai-chat",
			`{"role":"assistant","content":"a","reasoning_content":"","reasoning":"r"}`,
			message{Role: assistant, Parts: []preflight.Part{thought("r"), text("a")}}},
		{"the usual name first", "openai-chat",
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_content":"s"}`,
			message{Role: assistant, Parts: []preflight.Part{thought("s"), text("a")}}},
		{"empty reasoning, where it counts", "deepseek",
			`{"role":"assistant","content":"a","reasoning_content":"","reasoning":"r"}`,
			message{Role: assistant, Parts: []preflight.Part{thought(""), text("a")}}},
		{"but only under the usual name", "deepseek",
			`{"role":"assistant","content":"a","reasoning":""}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{
			"reasoning that nobody can read", "openrouter",
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"n":1.0}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				thought("r"), &preflight.Reasoning{Opaque: `[{"n":1.0}]`}, text("a"),
			}},
		},
		{"of which there is none", "openrouter",
			`{"role":"assistant","content":"a","reasoning_details":[]}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"or which is not a list", "openrouter",
			`{"role":"assistant","content":"a","reasoning_details":{"a":1}}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"which only one host has", "openai-chat",
			`{"role":"assistant","content":"a","reasoning_details":[{"n":1.0}]}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{
			"a result", "openai-chat",
			`{"role":"tool","tool_call_id":"c","name":"n","content":[{"type":"text","text":"a"}]}`,
			message{Role: tool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("a")}},
			}},
		},
		{"an empty result", "openai-chat", `{"role":"tool","tool_call_id":"c","content":[]}`,
			message{Role: tool, Parts: []preflight.Part{&preflight.ToolResult{CallID: "c"}}}},
		{
			"a result that has to be a string", "groq",
			`{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a"},` +
				`{"type":"text","text":"b"}]}`,
			message{Role: tool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("a\nb")}},
			}},
		},
		{"a question that has not", "groq",
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`,
			message{Role: user, Parts: []preflight.Part{text("a"), text("b")}}},
		{"an image that has to be a string", "chat-template",
			`{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"u"}}]}`,
			message{
				Role:  user,
				Parts: []preflight.Part{text("a"), &preflight.Media{Kind: "image", URL: "u"}},
			}},
		{"a function's result", "openai-chat", `{"role":"function","name":"f","content":"x"}`,
			message{Role: user, Parts: []preflight.Part{&preflight.Other{Kind: "function"}}}},
		{"a role from what there is", "openai-chat", `{"tool_call_id":"c","content":"x"}`, message{
			Role: tool,
			Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("x")}},
			},
		}},
		{
			"a caller's role", "openai-chat",
			`{"role":"agent","content":"x","tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			message{Role: "agent", Parts: []preflight.Part{
				text("x"), &preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
			}},
		},
		{"calls that are not quite custom", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",` +
				`"custom":{"name":"x","input":"y"},"function":{"name":"f","arguments":"{}"}},` +
				`{"id":"2","type":"custom","custom":7,"name":"g","arguments":"{}"}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				&preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
				&preflight.ToolCall{ID: "2", Name: "g", Input: json.RawMessage("{}")},
			}}},
		{
			"another's role", "openai-chat",
			`{"role":" AI ","content":"x","tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			message{Role: " AI ", Parts: []preflight.Part{
				text("x"), &preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
			}},
		},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			r, err := wire.Decode([]byte(`[`+c.in+`]`), &wire.Options{Provider: c.provider})
			require.NoError(t, err)
			got := slices.Clone(r.Messages)
			require.Len(t, got, 1)
			require.Equal(t, c.in, string(got[0].Native.JSON))
			got[0].Native = preflight.Native{}
			withoutJSON(got[0].Parts)
			if diff := cmp.Diff([]message{c.want}, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// withoutJSON takes off parts what they were decoded from.
func withoutJSON(parts []preflight.Part) {
	for _, p := range parts {
		if other, ok := p.(*preflight.Other); ok {
			other.Native = preflight.Native{}
		} else if r, ok := p.(*preflight.ToolResult); ok {
			withoutJSON(r.Content)
		}
	}
	forget(parts)
}

// TestReadsPastUnknownMembers: unknown members hide nothing that comes after them.
func TestReadsPastUnknownMembers(t *testing.T) {
	for _, c := range []struct{ provider, in string }{
		{"gemini", `{"contents":[{"role":"user","parts":[{"x":1,"text":"a"}]}]}`},
		{"bedrock", `{"messages":[{"role":"user","content":[{"x":1,"text":"a"}]}]}`},
		{
			"anthropic",
			`{"system":[],"messages":[{"x":1,"role":"user","content":[{"x":1,"type":"text",` +
				`"text":"a"}]}]}`,
		},
		{"anthropic", `{"system":"","messages":[{"role":"user","content":"a"}]}`},
	} {
		r, err := wire.Decode([]byte(c.in), &wire.Options{Provider: c.provider})
		require.NoError(t, err)
		require.Len(t, r.Messages, 1)
		require.Len(t, r.Messages[0].Parts, 1)
		text, ok := r.Messages[0].Parts[0].(*preflight.Text)
		require.True(t, ok, "%s: %T", c.provider, r.Messages[0].Parts[0])
		require.Equal(t, "a", text.Text)
	}
}

// TestReadsSignatures: every letter that base64 is written in, in both alphabets, may be in a
// thought signature.
func TestReadsSignatures(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_="
	check := func(signature string) []wire.Violation {
		report, err := wire.Check(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"text":"q"}]},`+
					`{"role":"model","parts":[{"text":"a","thoughtSignature":"`+
					signature+`"}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		return report.Violations
	}
	require.Empty(t, check(letters))
	for _, c := range "!.:@[{~\u00e9" {
		require.NotEmpty(t, check("AAA"+string(c)), "%q", c)
	}
}

// TestReadsGeminiErrors: a response with a member error, and none named output, tells of a failure,
// unless the error is none.
func TestReadsGeminiErrors(t *testing.T) {
	for response, failed := range map[string]bool{
		`{"error":"no such file"}`: true, `{"error":{"code":5}}`: true, `{"error":true}`: true,
		`{"error":""}`: false, `{"error":false}`: false, `{"error":null}`: false,
		`{"output":"x"}`: false, `{"error":"x","output":"y"}`: false, `{}`: false,
	} {
		r, err := wire.Decode(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":`+
					response+`}}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		require.Equal(t, failed, r.Messages[0].Parts[0].(*preflight.ToolResult).IsError, response)
	}
}

// TestReadsOneCallAsAList: a call that should be a list of one is read as that, whatever it lacks.
func TestReadsOneCallAsAList(t *testing.T) {
	for _, call := range []string{
		`{"function":{"name":"f","arguments":"{}"}}`,
		`{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`,
	} {
		r, err := wire.Decode(
			[]byte(`{"messages":[{"role":"assistant","content":"a","tool_calls":`+call+`}]}`),
			&wire.Options{Provider: "openai-chat"},
		)
		require.NoError(t, err)
		require.Len(t, r.Messages[0].Parts, 2)
		require.Equal(t, "f", r.Messages[0].Parts[1].(*preflight.ToolCall).Name)
	}
}
