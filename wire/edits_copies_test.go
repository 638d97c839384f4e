package wire_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestCopiedPartsKeepTheirPlace: parts and messages whose JSON a hook copied are written where they
// stood, like those it was not copied of, with everything around them.
func TestCopiedPartsKeepTheirPlace(t *testing.T) {
	lists := [][]int{
		{},
		{0},
		{1},
		{2},
		{0, 1},
		{0, 2},
		{1, 2},
		{0, 1, 2},
		{2, 1, 0},
		{1, 0},
		{2, 0, 1},
		{1, 2, 0},
		{0, 2, 1},
	}
	copied := func(n preflight.Native) preflight.Native {
		return preflight.Native{Format: n.Format, JSON: slices.Clone(n.JSON)}
	}
	const parts = `[{"role":"user","content":[ {"type":"text","text":"a"},` +
		`  {"type":"text","text":"b"}   ,{"type":"text","text":"c"}    ]}]`
	const messages = `[ {"role":"user","content":"a"},` +
		`  {"role":"assistant","content":"b"}   ,{"role":"user","content":"c"}    ]`
	for _, list := range lists {
		chosen := func(m []preflight.Message, clone bool) []preflight.Message {
			var out []preflight.Part
			for _, k := range list {
				p := m[0].Parts[k]
				if clone {
					p = edited(p, func(t *preflight.Text) { t.Native = copied(t.Native) })
				}
				out = append(out, p)
			}
			m[0].Parts = out
			return m
		}
		want := encode(t, "anthropic", parts,
			func(m []preflight.Message) []preflight.Message { return chosen(m, false) })
		got := encode(t, "anthropic", parts,
			func(m []preflight.Message) []preflight.Message { return chosen(m, true) })
		require.Equal(t, want, got, "parts %v", list)

		some := func(m []preflight.Message, clone bool) []preflight.Message {
			var out []preflight.Message
			for _, k := range list {
				out = append(out, m[k])
				if clone {
					out[len(out)-1].Native = copied(m[k].Native)
				}
			}
			return out
		}
		want = encode(t, "anthropic", messages,
			func(m []preflight.Message) []preflight.Message { return some(m, false) })
		got = encode(t, "anthropic", messages,
			func(m []preflight.Message) []preflight.Message { return some(m, true) })
		require.Equal(t, want, got, "messages %v", list)
	}
	// Of several that are the same each finds its own, in order.
	const twins = `[{"role":"user","content":[ {"type":"text","text":"a"},` +
		`  {"type":"text","text":"b"}   ,{"type":"text","text":"a"}    , {"type":"text",` +
		`"text":"a"}]}]`
	for _, kept := range [][]int{{}, {0}, {1}, {2}, {3}, {0, 1, 2, 3}} {
		require.Equal(
			t,
			twins,
			encode(t, "anthropic", twins, func(m []preflight.Message) []preflight.Message {
				m[0].Parts = slices.Clone(m[0].Parts)
				for k, p := range m[0].Parts {
					if !slices.Contains(kept, k) {
						m[0].Parts[k] = edited(p,
							func(t *preflight.Text) { t.Native = copied(t.Native) })
					}
				}
				return m
			}),
		)
	}
}

// TestSystemMessages: what a leading system message becomes, in the system member and beside it.
func TestSystemMessages(t *testing.T) {
	note := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	const ask = `"messages":[{"role":"user","content":"q"}]`
	for _, c := range []struct {
		reason, in, want string
		change           edit
	}{
		{"a second one joins the first", `{"system":"\u0073",` + ask + `}`,
			`{"system":[{"type":"text","text":"\u0073"},{"type":"text","text":"t"}],` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 1, note(preflight.RoleSystem, text("t")))
			}},
		{"one before the first, too",
			`{"system":[ {"type":"text","text":"s","x":1.0} ],` + ask + `}`,
			`{"system":[ {"type":"text","text":"t"}, {"type":"text","text":"s","x":1.0} ],` +
				ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 0, note(preflight.RoleSystem, text("t")))
			}},
		{"a block nobody knows joins it", `{"system":"s",` + ask + `}`,
			`{"system":[{"type":"text","text":"s"},{"type":"thing","x":1.0}],` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				other := &preflight.Other{Kind: "thing", Carried: preflight.Carried{
					Native: preflight.Native{
						Format: "anthropic", JSON: []byte(`{"type":"thing","x":1.0}`),
					},
				}}
				return slices.Insert(m, 1, note(preflight.RoleSystem, other))
			}},
		{"one with an image stays in the list", `{"system":"s",` + ask + `}`,
			`{"system":"s","messages":[{"role":"system","content":[{"type":"image",` +
				`"source":{"type":"url","url":"u"}}]},{"role":"user","content":"q"}]}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 1,
					note(preflight.RoleSystem, &preflight.Media{Kind: "image", URL: "u"}))
			}},
		{"one further on stays in the list", `{"system":"s",` + ask + `}`,
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t"}]}`,
			func(m []preflight.Message) []preflight.Message {
				return append(m, note(preflight.RoleSystem, text("t")))
			}},
		{"the member's text goes, and another comes", `{"system":"s",` + ask + `}`,
			`{"system":"t",` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				m[0] = note(preflight.RoleSystem, text("t"))
				return m
			}},
		{"its parts go", `{"system":[{"type":"text","text":"s"}],` + ask + `}`, `{` + ask + `}`,
			func(m []preflight.Message) []preflight.Message { m[0].Parts = nil; return m }},
		{"an empty one is no message", `{"system":[],` + ask + `}`,
			`{"system":[],"messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"n"}]}`,
			func(m []preflight.Message) []preflight.Message { return append(m, say("n")) }},
		{"text leaves its settings behind",
			`{"messages":[{"role":"system","content":"s","output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]}`,
			`{"messages":[{"role":"system","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}],"system":"s"}`,
			func(m []preflight.Message) []preflight.Message { return m }},
		{"settings go",
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t","output_config":{"effort":"low"}}]}`,
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t"}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[2].Parts = m[2].Parts[:1]
				return m
			}},
		{"a member of that name elsewhere stays",
			`{"messages":[{"role":"user","content":"q","output_config":{"effort":"low"}}]}`,
			`{"messages":[{"role":"user","content":"r","output_config":{"effort":"low"}}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Parts = []preflight.Part{text("r")}
				return m
			}},
		{"settings alone",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"system","output_config":{"effort":"low"}}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"system","output_config":{"effort":"high"},"content":[]}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[1].Parts = []preflight.Part{edited(m[1].Parts[0], func(o *preflight.Other) {
					o.Native.JSON = []byte(`{"effort":"high"}`)
				})}
				return m
			}},
	} {
		t.Run(c.reason,
			func(t *testing.T) { require.Equal(t, c.want, encode(t, "anthropic", c.in, c.change)) })
	}
}

// TestNothingDiffers: what is encoded as it was decoded is the body that was given, in memory.
func TestNothingDiffers(t *testing.T) {
	for _, c := range []struct{ provider, body string }{
		{"anthropic", `{"system":"s","messages":[]}`},
		{"anthropic",
			`{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"q"}]}`},
		{"gemini", `{"systemInstruction":{"parts":{"text":"s"}},"contents":[]}`},
	} {
		body := []byte(c.body)
		r, err := wire.Decode(body, &wire.Options{Provider: c.provider})
		require.NoError(t, err)
		out, err := r.Encode(r.Messages)
		require.NoError(t, err)
		require.Equal(t, c.body, string(out))
		require.Same(t, &body[0], &out[0], c.body)
	}
}

// TestCannotSay: reasoning that only its maker can read has no form in a format of texts.
func TestCannotSay(t *testing.T) {
	for _, opaque := range []string{"QUJD", `[]`, `{"a":1}`, `[{"a":1.0}]`} {
		r, err := wire.Decode([]byte(`[{"role":"user","content":"q"}]`),
			&wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		message := preflight.Message{
			Role:  preflight.RoleAssistant,
			Parts: []preflight.Part{&preflight.Reasoning{Opaque: opaque}},
		}
		_, err = r.Encode([]preflight.Message{message})
		require.ErrorIs(t, err, wire.ErrEncode)
		require.ErrorContains(t, err, "opaque reasoning")
		message.Parts = []preflight.Part{&preflight.Reasoning{Opaque: opaque, Text: "hm"}}
		out, err := r.Encode([]preflight.Message{message})
		require.NoError(t, err)
		require.Contains(t, string(out), `"reasoning_content":"hm"`)
	}
}
