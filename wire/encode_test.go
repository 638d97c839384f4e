package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// encode decodes a body, lets change work on its messages, and encodes it again.
func encode(
	t *testing.T,
	provider, body string,
	change func([]preflight.Message) []preflight.Message,
) string {
	t.Helper()
	r, err := wire.Decode([]byte(body), &wire.Options{Provider: provider})
	require.NoError(t, err)
	out, err := r.Encode(change(slices.Clone(r.Messages)))
	require.NoError(t, err)
	require.True(t, json.Valid(out), "%s", out)
	return string(out)
}

func say(text string) preflight.Message {
	return preflight.Message{
		Role:  preflight.RoleUser,
		Parts: []preflight.Part{&preflight.Text{Text: text}},
	}
}

func TestSplice(t *testing.T) {
	const one = `{"role":"user","content":"1"}`
	const two = `{"role":"assistant","content":"2"}`
	const three = `{"role":"user","content":"3"}`
	const fresh = `{"role":"user","content":"new"}`
	for _, c := range []struct {
		reason string
		change func([]preflight.Message) []preflight.Message
		want   []string
	}{
		{"insert first", func(m []preflight.Message) []preflight.Message {
			return slices.Insert(m, 0, say("new"))
		}, []string{fresh, one, two, three}},
		{"insert in the middle", func(m []preflight.Message) []preflight.Message {
			return slices.Insert(m, 1, say("new"))
		}, []string{one, fresh, two, three}},
		{"insert last",
			func(m []preflight.Message) []preflight.Message { return append(m, say("new")) },
			[]string{one, two, three, fresh}},
		{"insert everywhere", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{
				say("new"), m[0], say("new"), m[1], say("new"), m[2], say("new"),
			}
		}, []string{fresh, one, fresh, two, fresh, three, fresh}},
		{"delete first", func(m []preflight.Message) []preflight.Message { return m[1:] },
			[]string{two, three}},
		{"delete in the middle",
			func(m []preflight.Message) []preflight.Message { return slices.Delete(m, 1, 2) },
			[]string{one, three}},
		{"delete last", func(m []preflight.Message) []preflight.Message { return m[:2] },
			[]string{one, two}},
		{"keep the first", func(m []preflight.Message) []preflight.Message { return m[:1] },
			[]string{one}},
		{"keep the middle", func(m []preflight.Message) []preflight.Message { return m[1:2] },
			[]string{two}},
		{"keep the last", func(m []preflight.Message) []preflight.Message { return m[2:] },
			[]string{three}},
		{"replace the middle", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{m[0], say("new"), m[2]}
		}, []string{one, fresh, three}},
		{"replace the last", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{m[0], m[1], say("new")}
		}, []string{one, two, fresh}},
		{"replace all", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{say("new")}
		}, []string{fresh}},
		{"swap", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{m[2], m[1], m[0]}
		}, []string{three, two, one}},
		{"double", func(m []preflight.Message) []preflight.Message {
			return []preflight.Message{m[0], m[0], m[1], m[2], m[2]}
		}, []string{one, one, two, three, three}},
		{"nothing left", func(m []preflight.Message) []preflight.Message { return nil }, nil},
	} {
		for _, s := range []struct{ name, head, between, tail string }{
			{"compact", `{"messages":[`, `,`, `],"x":1.0}`},
			{"python", `{"messages": [`, `, `, `], "x": 1.0}`},
			{"pretty", "{\n  \"x\": 1.0,\n  \"messages\": [\n    ", ",\n    ", "\n  ]\n}\n"},
			{"windows", "{\r\n\t\"messages\": [\r\n\t\t", ",\r\n\t\t", "\r\n\t]\r\n}"},
			{"comma first", "[ ", "\n, ", " ]"},
		} {
			t.Run(c.reason+" "+s.name, func(t *testing.T) {
				in := s.head + strings.Join([]string{one, two, three}, s.between) + s.tail
				want := s.head + strings.Join(c.want, s.between) + s.tail
				if len(c.want) == 0 {
					want = strings.TrimRight(
						s.head,
						" \r\n\t",
					) + strings.TrimLeft(
						s.tail,
						" \r\n\t",
					)
				}
				require.Empty(t, cmp.Diff(want, encode(t, "openai-chat", in, c.change)))
			})
		}
	}
}

func TestSpliceShortLists(t *testing.T) {
	appended := func(m []preflight.Message) []preflight.Message { return append(m, say("new")) }
	require.Equal(t, `[{"role":"user","content":"new"}]`, encode(t, "openai-chat", `[ ]`, appended))
	require.Equal(
		t,
		"[\n  {\"role\":\"user\",\"content\":\"1\"},\n  {\"role\":\"user\",\"content\":\"new\"}\n]",
		encode(t, "openai-chat", "[\n  {\"role\":\"user\",\"content\":\"1\"}\n]", appended),
	)
}

func TestEncodeEdits(t *testing.T) {
	first := func(change func(*preflight.Message)) func([]preflight.Message) []preflight.Message {
		return func(m []preflight.Message) []preflight.Message {
			change(&m[0])
			return m
		}
	}
	text := func(change func(*preflight.Text)) func([]preflight.Message) []preflight.Message {
		return first(func(m *preflight.Message) {
			edited := *m.Parts[0].(*preflight.Text)
			change(&edited)
			m.Parts = append([]preflight.Part{&edited}, m.Parts[1:]...)
		})
	}
	cached := text(func(t *preflight.Text) { t.Cache = json.RawMessage(`{"type":"ephemeral"}`) })
	for _, c := range []struct {
		reason, provider, in, want string
		change                     func([]preflight.Message) []preflight.Message
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
		{"a role where there is no content", "anthropic", `[{"x":1.0,"role":"user"}]`,
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
				`{"type":"mcp_tool_use","id":"3","name":"m","input":{}},` +
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

// TestArgumentsKeepTheirSpelling: the token of arguments that did not change stays, whatever else
// does in the call.
func TestArgumentsKeepTheirSpelling(t *testing.T) {
	const arguments = `"{ \"a\" : 1.0,\u0020\"b\":\"\\ud83d\\ude00\\/\" }"`
	in := `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",` +
		`"function":{"arguments":` +
		arguments + `,"name":"f"}}]}]`
	out := encode(t, "openai-chat", in, func(m []preflight.Message) []preflight.Message {
		c := *m[0].Parts[0].(*preflight.ToolCall)
		c.Name = "g"
		m[0].Parts = []preflight.Part{&c}
		return m
	})
	require.Equal(t, strings.Replace(in, `"name":"f"`, `"name":"g"`, 1), out)
}

// TestOtherFormat writes the messages of one format into a body of the other.
func TestOtherFormat(t *testing.T) {
	chat, err := wire.Decode(
		[]byte(
			`[{"role":"user","content":[{"type":"text","text":"q"},`+
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},`+
				`{"type":"file","file":{"filename":"n","file_data":"data:application/pdf;base64,`+
				`QUJD"}}]},
 {"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",`+
				`"function":{"name":"f","arguments":"{\"n\":1.0}"}},`+
				`{"id":"c2","type":"custom","custom":{"name":"g","input":"free"}}]}]`,
		),
		&wire.Options{Provider: "openai-chat"},
	)
	require.NoError(t, err)
	anthropic := encode(
		t,
		"anthropic",
		`[]`,
		func([]preflight.Message) []preflight.Message { return chat.Messages },
	)
	require.Empty(
		t,
		cmp.Diff(
			`[{"role":"user","content":[{"type":"text","text":"q"},`+
				`{"type":"image","source":{"type":"base64","media_type":"image/png",`+
				`"data":"QUJD"}},{"type":"document","source":{"type":"base64",`+
				`"media_type":"application/pdf","data":"QUJD"},"title":"n"}]},`+
				`{"role":"assistant","content":[{"type":"text","text":"a"},`+
				`{"type":"tool_use","id":"c1","name":"f","input":{"n":1.0}},`+
				`{"type":"tool_use","id":"c2","name":"g","input":{"input":"free"}}]}]`,
			anthropic,
		),
	)

	back, err := wire.Decode([]byte(anthropic), &wire.Options{Provider: "anthropic"})
	require.NoError(t, err)
	require.Empty(
		t,
		cmp.Diff(
			`[{"role":"user","content":[{"type":"text","text":"q"},`+
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},`+
				`{"type":"file","file":{"filename":"n","file_data":"data:application/pdf;base64,`+
				`QUJD"}}]},{"role":"assistant","content":[{"type":"text","text":"a"}],`+
				`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",`+
				`"arguments":"{\"n\":1.0}"}},`+
				`{"id":"c2","type":"function","function":{"name":"g",`+
				`"arguments":"{\"input\":\"free\"}"}}]}]`,
			encode(
				t,
				"openai-chat",
				`[]`,
				func([]preflight.Message) []preflight.Message { return back.Messages },
			),
		),
	)
}

func TestEncodeError(t *testing.T) {
	for _, provider := range wire.Providers() {
		r, err := wire.Decode(
			[]byte(`[{"role":"user","content":"q"}]`),
			&wire.Options{Provider: provider},
		)
		require.NoError(t, err)
		stranger := &preflight.Other{
			Kind: "thing",
			Carried: preflight.Carried{
				Native: preflight.Native{Format: "elsewhere", JSON: json.RawMessage(`{"thing":1}`)},
			},
		}
		_, err = r.Encode(
			[]preflight.Message{{Role: preflight.RoleUser, Parts: []preflight.Part{stranger}}},
		)
		require.ErrorIs(t, err, wire.ErrEncode)
		var e *wire.EncodeError
		require.True(t, errors.As(err, &e))
		require.Equal(t, "thing", e.Kind)
		require.ErrorContains(t, err, "thing")
	}
	// Nor has it one in the system member.
	for provider, body := range map[string]string{
		"anthropic": `{"system":"s","messages":[]}`,
		"bedrock":   `{"system":[{"text":"s"}],"messages":[]}`,
		"gemini":    `{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[]}`,
	} {
		r, err := wire.Decode([]byte(body), &wire.Options{Provider: provider})
		require.NoError(t, err)
		messages := slices.Clone(r.Messages)
		messages[0].Parts = append(
			slices.Clone(messages[0].Parts),
			&preflight.Other{
				Kind: "thing",
				Carried: preflight.Carried{
					Native: preflight.Native{
						Format: "elsewhere",
						JSON:   json.RawMessage(`{"thing":1}`),
					},
				},
			},
		)
		out, err := r.Encode(messages)
		require.ErrorIs(t, err, wire.ErrEncode, provider)
		require.Nil(t, out)
	}
	// What is a member of its message cannot be in another one.
	for provider, body := range map[string]string{
		"anthropic":   `[{"role":"system","content":[],"output_config":{"effort":"low"}}]`,
		"openai-chat": `[{"role":"function","name":"f","content":"x"}]`,
	} {
		r, err := wire.Decode([]byte(body), &wire.Options{Provider: provider})
		require.NoError(t, err)
		moved := preflight.Message{
			Role:  preflight.RoleUser,
			Parts: []preflight.Part{r.Messages[0].Parts[0], &preflight.Text{Text: "x"}},
		}
		_, err = r.Encode([]preflight.Message{moved})
		require.ErrorIs(t, err, wire.ErrEncode)
	}
	// Nil parts are no parts.
	require.Equal(
		t,
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x"}]}]`,
		encode(t, "anthropic", `[]`, func([]preflight.Message) []preflight.Message {
			result := &preflight.ToolResult{
				CallID:  "1",
				Content: []preflight.Part{nil, (*preflight.Media)(nil), &preflight.Text{Text: "x"}},
			}
			return []preflight.Message{
				{
					Role:  preflight.RoleUser,
					Parts: []preflight.Part{(*preflight.Text)(nil), result, nil},
				},
			}
		}),
	)
}

// hooked sanitizes with a message hook.
func hooked(
	t *testing.T,
	provider, body string,
	hook func(preflight.Message) preflight.Message,
) *wire.Result {
	t.Helper()
	options := &wire.Options{Provider: provider}
	options.Sanitize.Hooks = []preflight.Hook{
		{
			Name: "test",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return hook(m), nil
			},
		},
	}
	result, err := wire.Sanitize(context.Background(), []byte(body), options)
	require.NoError(t, err)
	return result
}

func TestHooks(t *testing.T) {
	const in = `{"model":"claude-sonnet-4-5", "messages":[
  {"role":"user","content":"\u0071", "x":1.0},
  {"role":"assistant","content":[ {"type":"text","text":"\u0061"},` +
		` {"type":"text","text":"secret", "y":1.0}, {"type":"text","text":"\u0063"} ]},
  {"role":"user","content":"r"}
]}`
	none := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message { return m })
	require.Equal(t, in, string(none.Body))
	require.False(t, none.Changed)

	edited := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message {
		for _, p := range m.Parts {
			if text, ok := p.(*preflight.Text); ok && text.Text == "secret" {
				text.Text = "***"
			}
		}
		return m
	})
	require.Equal(t, strings.Replace(in, "secret", "***", 1), string(edited.Body))
	require.Len(t, edited.Warnings, 1)
	require.Equal(t, codes.Hook, edited.Warnings[0].Code)
	require.Equal(t, "messages[1]", edited.Warnings[0].Path)

	removed := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message {
		if len(m.Parts) == 3 {
			m.Parts = slices.Delete(m.Parts, 1, 2)
		}
		return m
	})
	require.Equal(
		t,
		strings.Replace(in, `{"type":"text","text":"secret", "y":1.0}, `, "", 1),
		string(removed.Body),
	)

	whole := &wire.Options{}
	whole.Sanitize.Hooks = []preflight.Hook{
		{
			Name: "whole",
			History: func(
				_ context.Context, history []preflight.Message,
			) ([]preflight.Message, error) {
				return append(
					history[1:],
					preflight.Message{
						Role:  preflight.RoleAssistant,
						Parts: []preflight.Part{&preflight.Text{Text: "end"}},
					},
				), nil
			},
		},
	}
	result, err := wire.Sanitize(
		context.Background(),
		[]byte(
			`{"model":"gpt-4o","messages":[ {"role":"user","content":"a"},`+
				` {"role":"user","content":"b", "x":1.0} ]}`,
		),
		whole,
	)
	require.NoError(t, err)
	require.Equal(
		t,
		`{"model":"gpt-4o","messages":[ {"role":"user","content":"b", "x":1.0},`+
			` {"role":"assistant","content":"end"} ]}`,
		string(result.Body),
	)

	gone := hooked(
		t,
		"openai-chat",
		`[ {"role":"user","content":"a"}, {"role":"user","content":"b"} ]`,
		func(m preflight.Message) preflight.Message {
			if m.Parts[0].(*preflight.Text).Text == "a" {
				return preflight.Message{}
			}
			return m
		},
	)
	require.Equal(t, `[ {"role":"user","content":"b"} ]`, string(gone.Body))
}

// TestHooksForget: what a format's rules depend on is written although a hook took the JSON off
// that it was read from. Each case was found by TestHooksCannotBreakTheWire; what comes out has to
// be a fixed point.
func TestHooksForget(t *testing.T) {
	forgetAll := func(m preflight.Message) preflight.Message {
		m.Native = preflight.Native{}
		forget(m.Parts)
		return m
	}
	for _, c := range []struct {
		reason, provider, in, want string
		hook                       func(preflight.Message) preflight.Message
	}{
		{"the mark of a prefix", "mistral",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			forgetAll},
		{"a mark of the hook's own", "mistral",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once "}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			func(m preflight.Message) preflight.Message {
				switch {
				case m.Parts[0].(*preflight.Text).Text == "Continue.":
					return preflight.Message{}
				case m.Role == preflight.RoleAssistant:
					m.Meta = preflight.Metadata{provider.MetaPrefix: json.RawMessage("true")}
				}
				return m
			}},
		{"settings beside text", "anthropic",
			`{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user",` +
				`"content":"q"},{"role":"system","content":[],"output_config":{"effort":"low"}}]}`,
			`{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user",` +
				`"content":"q"},{"role":"user","content":[{"type":"text","text":"and"}]},` +
				`{"role":"system","output_config":{"effort":"low"},"content":[]}]}`,
			func(m preflight.Message) preflight.Message {
				if _, ok := m.Parts[0].(*preflight.Other); ok {
					m.Parts = append(m.Parts, &preflight.Text{Text: "and"})
				}
				return m
			}},
		{"a name that is none", "openai-chat", `[{"role":"user","content":"q","name":7}]`,
			`[{"role":"user","content":"q"}]`,
			func(m preflight.Message) preflight.Message { m.Name = ""; return m }},
		{"reasoning that nobody can read", "openrouter",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","reasoning_details":[{"data":"QUJD","n":1.0}]}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","reasoning_details":[{"data":"QUJD","n":1.0}],"content":"a"}]`,
			forgetAll},
		{"the call of a result", "ollama",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1",` +
				`"function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"f","content":"x"}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1",` +
				`"function":{"name":"g","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"g","content":"x","tool_call_id":"c1"}]`,
			func(m preflight.Message) preflight.Message {
				if c, ok := m.Parts[len(m.Parts)-1].(*preflight.ToolCall); ok {
					c.Name = "g"
				}
				return m
			}},
		{"the call of a result, where there are no ids", "ollama",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"x"}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"g",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"g","content":"x"}]`,
			func(m preflight.Message) preflight.Message {
				if c, ok := m.Parts[len(m.Parts)-1].(*preflight.ToolCall); ok {
					c.Name = "g"
				}
				return m
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out := hooked(t, c.provider, c.in, c.hook)
			require.Equal(t, c.want, string(out.Body))
			again, err := wire.Sanitize(
				context.Background(),
				out.Body,
				&wire.Options{Provider: c.provider},
			)
			require.NoError(t, err)
			require.False(t, again.Changed, "%v", again.Warnings)
		})
	}
}
