package wire_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// encode decodes a body, lets change work on its messages, and encodes it again.
func encode(
	t *testing.T,
	provider, body string,
	change edit,
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
		change edit
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
					want = strings.TrimRight(s.head, " \r\n\t") + strings.TrimLeft(s.tail,
						" \r\n\t")
				}
				require.Empty(t, cmp.Diff(want, encode(t, "openai-chat", in, c.change)))
			})
		}
	}
}

func TestSpliceShortLists(t *testing.T) {
	appended := func(m []preflight.Message) []preflight.Message { return append(m, say("new")) }
	require.Equal(t, `[{"role":"user","content":"new"}]`, encode(t, "openai-chat", `[ ]`, appended))
	require.Equal(t,
		"[\n  {\"role\":\"user\",\"content\":\"1\"},\n  {\"role\":\"user\",\"content\":\"new\"}\n]",
		encode(t, "openai-chat", "[\n  {\"role\":\"user\",\"content\":\"1\"}\n]", appended))
}

// TestSpliceUnevenLists: the white space after an element that stays is that of its own, not that
// after the first one.
func TestSpliceUnevenLists(t *testing.T) {
	const one, two = `{"role":"user","content":"1"}`, `{"role":"assistant","content":"2"}`
	const three, fresh = `{"role":"user","content":"3"}`, `{"role":"user","content":"new"}`
	in := "[" + one + "," + two + "\n ,\t" + three + " ]"
	for want, change := range map[string]edit{
		"[" + one + "," + two + "\n ,\t" + fresh + " ]": func(
			m []preflight.Message,
		) []preflight.Message {
			return append(m[:2:2], say("new"))
		},
		"[" + two + "\n ,\t" + three + " ]": func(m []preflight.Message) []preflight.Message {
			return m[1:]
		},
		"[" + one + "," + two + "\n ,\t" + three + "," + fresh + " ]": func(
			m []preflight.Message,
		) []preflight.Message {
			return append(m, say("new"))
		},
	} {
		require.Equal(t, want, encode(t, "openai-chat", in, change))
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
	anthropic := encode(t, "anthropic", `[]`,
		func([]preflight.Message) []preflight.Message { return chat.Messages })
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
			encode(t, "openai-chat", `[]`,
				func([]preflight.Message) []preflight.Message { return back.Messages }),
		),
	)
}

func TestEncodeError(t *testing.T) {
	for _, provider := range wire.Providers() {
		r, err := wire.Decode([]byte(`[{"role":"user","content":"q"}]`),
			&wire.Options{Provider: provider})
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
		var e *wire.Error
		require.True(t, errors.As(err, &e))
		require.Equal(t, "thing", e.Detail)
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
