package stored_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
)

// This file tests that a change of a part also changes the JSON it was decoded from.

// TestPersistRedactsNativeJSON: what a hook redacts is not stored in the JSON a part was decoded
// from either.
func TestPersistRedactsNativeJSON(t *testing.T) {
	block := json.RawMessage(`{"type":"text","text":"the password is hunter2","citations":[1.0]}`)
	whole := json.RawMessage(`{"id":"m1","role":"user","content":[` + string(block) + `]}`)
	in := []preflight.Message{
		{
			Role:   preflight.RoleUser,
			Native: preflight.Native{Format: "anthropic", JSON: whole},
			Parts: []preflight.Part{
				&preflight.Text{
					Text: "the password is hunter2",
					Carried: preflight.Carried{
						Native: preflight.Native{Format: "anthropic", JSON: block},
					},
				},
			},
		},
	}
	o := stored.PersistOptions()
	o.Options.Hooks = []preflight.Hook{
		messageHook("redact", func(m *preflight.Message) {
			for _, p := range m.Parts {
				if t, ok := p.(*preflight.Text); ok {
					t.Text = strings.ReplaceAll(t.Text, "hunter2", "[redacted]")
				}
			}
		}),
	}
	out := runSystem(t, in, persisting(o))
	body, err := json.Marshal(out.Messages)
	require.NoError(t, err)
	require.NotContains(t, string(body), "hunter2")
	require.Equal(t, `{"type":"text","text":"the password is [redacted]","citations":[1.0]}`,
		string(msgtest.Only[*preflight.Text](t, out.Messages).Native.JSON))
	require.Contains(t, string(out.Messages[0].Native.JSON), `"id":"m1"`,
		"unknown fields survive")

	o.Options.Hooks = []preflight.Hook{
		messageHook("drop", func(m *preflight.Message) {
			m.Parts = []preflight.Part{says("nothing to see")}
		}),
	}
	out = runSystem(t, in, persisting(o))
	body, err = json.Marshal(out.Messages)
	require.NoError(t, err)
	require.NotContains(t, string(body), "hunter2")
}

// TestPersistRedactsNativeReasoning: unsigned reasoning is redacted like text.
func TestPersistRedactsNativeReasoning(t *testing.T) {
	native := func(raw string) preflight.Native {
		return preflight.Native{Format: "anthropic", JSON: json.RawMessage(raw)}
	}
	const block = `{"type":"thinking","thinking":"the password is hunter2","x":1.0}`
	in := []preflight.Message{
		{
			Role:   preflight.RoleAssistant,
			Native: native(`{"role":"assistant","content":[` + block + `]}`),
			Parts: []preflight.Part{
				&preflight.Reasoning{
					Text:    "the password is hunter2",
					Carried: preflight.Carried{Native: native(block)},
				},
			},
		},
	}
	o := stored.PersistOptions()
	o.Options.Hooks = []preflight.Hook{
		messageHook("redact", func(m *preflight.Message) {
			m.Parts[0].(*preflight.Reasoning).Text = "the password is [redacted]"
		}),
	}
	out := runSystem(t, in, persisting(o))
	const want = `{"type":"thinking","thinking":"the password is [redacted]","x":1.0}`
	require.Equal(t, want, string(msgtest.Only[*preflight.Reasoning](t, out.Messages).Native.JSON))
	require.Equal(t, `{"role":"assistant","content":[`+want+`]}`,
		string(out.Messages[0].Native.JSON))
}

// TestPersistRedactsNativeArguments: arguments are in the native JSON as an object, or as a
// string that holds one.
func TestPersistRedactsNativeArguments(t *testing.T) {
	for name, c := range map[string]struct{ block, want string }{
		"an object": {`{"type":"tool_use","id":"c1","name":"login",` +
			`"input":{"password":"hunter2"},"extra":1.0}`,
			`{"type":"tool_use","id":"c1","name":"login","input":{"password":"[redacted]"},` +
				`"extra":1.0}`},
		"a string": {`{"id":"c1","function":{"name":"login",` +
			`"arguments":"{\"password\":\"hunter2\"}"},"extra":1.0}`,
			`{"id":"c1","function":{"name":"login","arguments":"{\"password\":\"[redacted]\"}"},` +
				`"extra":1.0}`},
	} {
		t.Run(name, func(t *testing.T) {
			native := func(raw string) preflight.Carried {
				return preflight.Carried{
					Native: preflight.Native{Format: "x", JSON: json.RawMessage(raw)},
				}
			}
			call := &preflight.ToolCall{
				ID:      "c1",
				Name:    "login",
				Input:   json.RawMessage(`{"password":"hunter2"}`),
				Carried: native(c.block),
			}
			in := []preflight.Message{
				{
					Role:   preflight.RoleAssistant,
					Native: native(`{"parts":[` + c.block + `],"n":2.0}`).Native,
					Parts:  []preflight.Part{call},
				},
				answered("c1", `"ok"`),
			}
			o := stored.PersistOptions()
			o.Options.Hooks = []preflight.Hook{
				messageHook("redact", func(m *preflight.Message) {
					if call, ok := m.Parts[0].(*preflight.ToolCall); ok {
						call.Input = json.RawMessage(`{"password":"[redacted]"}`)
					}
				}),
			}
			out := runSystem(t, in, persisting(o))
			mapped := msgtest.Only[*preflight.ToolCall](t, out.Messages)
			require.Equal(t, c.want, string(mapped.Native.JSON))
			require.Equal(t, `{"parts":[`+c.want+`],"n":2.0}`, string(out.Messages[0].Native.JSON))
		})
	}
}

// TestPersistRedactsNativeJSONOfEveryKind: native JSON follows what a hook did to a part where it
// shows that, keeping unknown fields, and is removed where it does not.
func TestPersistRedactsNativeJSONOfEveryKind(t *testing.T) {
	native := func(raw string) preflight.Carried {
		return preflight.Carried{Native: preflight.Native{Format: "x", JSON: json.RawMessage(raw)}}
	}
	type change = func(preflight.Part) preflight.Part
	text := func(p preflight.Part) preflight.Part { p.(*preflight.Text).Text = "[gone]"; return p }
	think := func(p preflight.Part) preflight.Part {
		p.(*preflight.Reasoning).Text = "[gone]"
		return p
	}
	within := func(p preflight.Part) preflight.Part {
		p.(*preflight.ToolResult).Content[0].(*preflight.Text).Text = "[gone]"
		return p
	}
	of := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: parts}
	}
	for _, c := range []struct {
		name   string
		part   preflight.Part
		native string // of the part
		change change
		want   string // "" for none
	}{
		{"text", &preflight.Text{Text: "secret"}, `{"text":"secret","x":1.0}`, text,
			`{"text":"[gone]","x":1.0}`},
		{"text of one byte", &preflight.Text{Text: "s"}, `{"text":"s","x":1.0}`, text,
			`{"text":"[gone]","x":1.0}`},
		{"text that its JSON does not show", &preflight.Text{Text: "secret"},
			`{"text":"a secret","x":1.0}`, text, ""},
		{"reasoning", &preflight.Reasoning{Text: "secret"}, `{"thinking":"secret","x":1.0}`, think,
			`{"thinking":"[gone]","x":1.0}`},
		{"reasoning that loses its signature", &preflight.Reasoning{Text: "secret", Signature: "s"},
			`{"thinking":"secret","signature":"s"}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Reasoning).Signature = ""
				return think(p)
			}, ""},
		{"reasoning that loses its payload", &preflight.Reasoning{Text: "secret", Opaque: "s"},
			`{"thinking":"secret","data":"s"}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Reasoning).Opaque = ""
				return think(p)
			}, ""},
		{"an output", &preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"k":"secret"}`)},
			`{"output":{"k":"secret"},"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.ToolResult).Output = json.RawMessage(`{"k":0}`)
				return p
			}, `{"output":{"k":0},"x":1.0}`},
		{"an output that is removed",
			&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"k":"secret"}`)},
			`{"output":{"k":"secret"},"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.ToolResult).Output = nil
				return p
			}, `{"output":null,"x":1.0}`},
		{"text in a result", of(&preflight.Text{Text: "secret"}, image()),
			`{"content":[{"text":"secret"},{"image":1}],"x":1.0}`, within,
			`{"content":[{"text":"[gone]"},{"image":1}],"x":1.0}`},
		{"media in a result", of(image(), says("x")),
			`{"content":[{"url":"https://example.com/a.png"},{"text":"x"}],"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				m := p.(*preflight.ToolResult).Content[0].(*preflight.Media)
				m.URL = "https://example.com/b.png"
				return p
			}, ""},
		{"a part of a result that is removed", of(says("secret"), says("x")),
			`{"content":[{"text":"secret"},{"text":"x"}],"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				r := p.(*preflight.ToolResult)
				r.Content = r.Content[1:]
				return r
			}, `{"content":[{"text":""},{"text":"x"}],"x":1.0}`},
		{"media", image(), `{"url":"https://example.com/a.png","x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Media).URL = "https://example.com/b.png"
				return p
			}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			part := histgen.Clone(history(userMsg(c.part)))[0].Parts[0]
			*preflight.CarriedBy(part) = native(c.native)
			m := userMsg(part, says("more"))
			m.Native = native(`{"id":"m1","content":[` + c.native + `]}`).Native
			o := stored.PersistOptions()
			o.Options.Hooks = []preflight.Hook{
				messageHook("redact", func(m *preflight.Message) {
					m.Parts[0] = c.change(m.Parts[0])
				}),
			}
			res, err := stored.Persist(context.Background(), history(m), o)
			require.NoError(t, err)
			message := `{"id":"m1","content":[` + c.want + `]}`
			require.Equal(t, message, string(res.Messages[0].Native.JSON))
			require.Equal(t, c.want, string(preflight.CarriedBy(res.Messages[0].Parts[0]).Native.JSON))
		})
	}
	t.Run("a part without content is removed", func(t *testing.T) {
		m := userMsg(says(""), says("more"))
		m.Native = native(`{"id":"m1","content":["","more"]}`).Native
		o := stored.PersistOptions()
		o.Options.Hooks = []preflight.Hook{
			messageHook("drop", func(m *preflight.Message) {
				if len(m.Parts) > 1 {
					m.Parts = m.Parts[1:]
				}
			}),
		}
		res, err := stored.Persist(context.Background(), history(m), o)
		require.NoError(t, err)
		require.Equal(t, `{"id":"m1","content":["","more"]}`, string(res.Messages[0].Native.JSON))
	})
	t.Run("a part of a result that has JSON of its own", func(t *testing.T) {
		text, other := says("secret"), says("more")
		preflight.CarriedBy(text).Native = native(`{"text":"secret","x":1.0}`).Native
		preflight.CarriedBy(other).Native = native(`{"text":"more"}`).Native
		m := toolMsg(&preflight.ToolResult{
			CallID:  "a",
			Content: []preflight.Part{text, image(), other},
		})
		o := stored.PersistOptions()
		o.Options.Hooks = []preflight.Hook{
			messageHook("redact", func(m *preflight.Message) {
				m.Parts[0] = within(m.Parts[0])
			}),
		}
		given := histgen.Clone(history(m))
		res, err := stored.Persist(context.Background(), history(m), o)
		require.NoError(t, err)
		content := res.Messages[0].Parts[0].(*preflight.ToolResult).Content
		require.Equal(t, `{"text":"[gone]","x":1.0}`,
			string(preflight.CarriedBy(content[0]).Native.JSON))
		require.Equal(t, `{"text":"more"}`, string(preflight.CarriedBy(content[2]).Native.JSON))
		require.Empty(t, cmp.Diff(given, history(m)), "the input was written to")
	})
	t.Run("a part with little content is removed", func(t *testing.T) {
		m := userMsg(says("s"), says("more"))
		m.Native = native(`{"id":"m1","content":["s","more"]}`).Native
		o := stored.PersistOptions()
		o.Options.Hooks = []preflight.Hook{
			messageHook("drop", func(m *preflight.Message) {
				m.Parts = m.Parts[1:]
			}),
		}
		res, err := stored.Persist(context.Background(), history(m), o)
		require.NoError(t, err)
		require.Equal(t, `{"id":"m1","content":["more"]}`, string(res.Messages[0].Native.JSON))
	})
}

// TestNativeJSONOfPartsWithoutTheirOwn: the JSON of the message follows edited parts; and what is
// removed goes from it.
func TestNativeJSONOfPartsWithoutTheirOwn(t *testing.T) {
	const native = `{"id":"m1","content":["a","b",{"f":"x"}]}`
	set := func(p preflight.Part, text string) { p.(*preflight.Text).Text = text }
	for name, c := range map[string]struct {
		hook func(m *preflight.Message)
		want string
	}{
		"both texts are edited": {func(m *preflight.Message) {
			set(m.Parts[0], "1")
			set(m.Parts[1], "2")
		}, `{"id":"m1","content":["1","2",{"f":"x"}]}`},
		"one is edited": {func(m *preflight.Message) { set(m.Parts[1], "2") },
			`{"id":"m1","content":["a","2",{"f":"x"}]}`},
		"all parts are new": {func(m *preflight.Message) {
			*m = redact.Message(*m, strings.ToUpper)
		}, `{"id":"m1","content":["A","B",{"f":"X"}]}`},
		"one is edited, and a text is inserted": {func(m *preflight.Message) {
			set(m.Parts[1], "2")
			m.Parts = append([]preflight.Part{says("note")}, m.Parts...)
		}, `{"id":"m1","content":["a","2",{"f":"x"}]}`},
		"one is edited, and one removed": {func(m *preflight.Message) {
			set(m.Parts[1], "2")
			m.Parts = m.Parts[1:]
		}, `{"id":"m1","content":["2",{"f":"x"}]}`},
		"a part of another kind is inserted": {func(m *preflight.Message) {
			set(m.Parts[0], "1")
			m.Parts = append(m.Parts, image())
		}, `{"id":"m1","content":["1","b",{"f":"x"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			m := botMsg(says("a"), says("b"), callsWith("c", `{"f":"x"}`))
			m.Native = preflight.Native{Format: "x", JSON: json.RawMessage(native)}
			o := stored.PersistOptions()
			o.Options.Hooks = []preflight.Hook{messageHook("edit", c.hook)}
			res, err := stored.Persist(context.Background(), history(m), o)
			require.NoError(t, err)
			require.Equal(t, c.want, string(res.Messages[0].Native.JSON))
		})
	}
}

// TestNilBesideEmpty: a result that held nothing at a place, and an empty text, is told from what a
// hook makes of it.
func TestNilBesideEmpty(t *testing.T) {
	var gone *preflight.Text
	for _, content := range [][]preflight.Part{
		{nil, &preflight.Text{}}, {&preflight.Text{}, nil}, {nil, nil, &preflight.Text{}}, {gone, nil},
	} {
		history := []preflight.Message{
			{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage(`{}`)},
			}},
			{Role: preflight.RoleTool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Name: "f", Content: content},
			}},
		}
		options := stored.Options{Options: preflight.Options{Hooks: []preflight.Hook{{
			Name: "first", Message: func(
				_ context.Context, m preflight.Message,
			) (preflight.Message, error) {
				if r, ok := m.Parts[0].(*preflight.ToolResult); ok && len(r.Content) > 0 {
					r.Content = r.Content[:1]
				}
				return m, nil
			},
		}}}}
		_, err := stored.Persist(context.Background(), history, options)
		require.NoError(t, err)
	}
}
