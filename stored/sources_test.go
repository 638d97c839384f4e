package stored_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/stored"
)

// This file tests that the sources of parts are found whatever a hook does with the messages, and
// in linear time.

// inNative is a message whose native JSON, and that of its parts, holds these texts.
func inNative(role preflight.Role, texts ...string) preflight.Message {
	m := preflight.Message{Role: role}
	var blocks []string
	for _, text := range texts {
		block := `{"type":"text","text":"` + text + `"}`
		blocks = append(blocks, block)
		m.Parts = append(m.Parts, &preflight.Text{Text: text, Carried: preflight.Carried{
			Native: preflight.Native{Format: "anthropic", JSON: json.RawMessage(block)},
		}})
	}
	m.Native = preflight.Native{Format: "anthropic", JSON: json.RawMessage(
		`{"role":"` + string(role) + `","content":[` + strings.Join(blocks, ",") + `]}`)}
	return m
}

// redacted returns parts with new values for its texts, and with what they carry.
func redacted(parts ...preflight.Part) []preflight.Part {
	out := make([]preflight.Part, len(parts))
	for j, p := range parts {
		t := *p.(*preflight.Text)
		t.Text = strings.ReplaceAll(t.Text, "hunter2", "…")
		out[j] = &t
	}
	return out
}

// TestPersistRedactsWhatAHookMoves: native JSON does not keep what a hook redacted, also where the
// hook removed, split, joined, repeated or reordered messages and parts.
func TestPersistRedactsWhatAHookMoves(t *testing.T) {
	in := history(inNative("user", "hunter2", "of hunter2"), inNative("assistant", "x"),
		inNative("user", "hunter2"), inNative("assistant", "a hunter2", "a hunter2"))
	with := func(m preflight.Message, parts ...preflight.Part) preflight.Message {
		m.Parts = redacted(parts...)
		return m
	}
	for name, each := range map[string]func(i int, m preflight.Message) []preflight.Message{
		"remove": func(i int, m preflight.Message) []preflight.Message {
			if i == 1 {
				return nil
			}
			return []preflight.Message{with(m, m.Parts...)}
		},
		"split": func(_ int, m preflight.Message) (out []preflight.Message) {
			for _, p := range m.Parts {
				out = append(out, with(m, p))
			}
			return out
		},
		"repeat parts": func(_ int, m preflight.Message) []preflight.Message {
			return []preflight.Message{with(m, append(m.Parts, m.Parts...)...)}
		},
		"repeat messages": func(_ int, m preflight.Message) []preflight.Message {
			return []preflight.Message{with(m, m.Parts...), with(m, m.Parts...)}
		},
		"join": func(i int, m preflight.Message) []preflight.Message {
			if i > 0 {
				return nil
			}
			return []preflight.Message{with(m, append(m.Parts, in[3].Parts...)...)}
		},
		"reorder": func(i int, _ preflight.Message) []preflight.Message {
			m := in[len(in)-1-i]
			return []preflight.Message{with(m, m.Parts...)}
		},
		"another kind": func(_ int, m preflight.Message) []preflight.Message {
			m = with(m, m.Parts...)
			for j, p := range m.Parts {
				text := p.(*preflight.Text)
				m.Parts[j] = &preflight.Reasoning{Text: text.Text, Carried: text.Carried}
			}
			return []preflight.Message{m}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := stored.PersistOptions()
			o.Options.Hooks = []preflight.Hook{{Name: "redact", History: func(
				_ context.Context, h []preflight.Message,
			) (out []preflight.Message, err error) {
				for i, m := range h {
					out = append(out, each(i, m)...)
				}
				return out, nil
			}}}
			out, err := stored.Persist(context.Background(), in, o)
			require.NoError(t, err)
			body, err := json.Marshal(out.Messages)
			require.NoError(t, err)
			require.NotContains(t, string(body), "hunter2")
		})
	}
}

// embeds is no part, although the compiler takes it for one. It cannot be compared.
type embeds struct {
	*preflight.Text
	list []int
}

// TestPartsOfOtherTypes: a value that embeds a part is removed as a nil part is.
func TestPartsOfOtherTypes(t *testing.T) {
	for _, p := range []preflight.Part{embeds{says("x").(*preflight.Text), []int{1}}, embeds{}} {
		in := history(userMsg(says("a"), p), botMsg(says("b")))
		res, err := stored.Persist(context.Background(), in, stored.Options{MaxBytes: 1000})
		require.NoError(t, err)
		require.Equal(t, []string{`user: "a"`, `assistant: "b"`}, lines(res.Messages))
		out, warnings := stored.Older{Keep: 1}.Fixer().Fix(in, &preflight.Profile{},
			preflight.Request{})
		require.True(t, sameArray(in, out))
		require.Empty(t, warnings)
	}
}

// TestPersistIsLinear: ten times the parts take about ten times the memory, where a hook splits a
// message and where one message has to be shortened.
func TestPersistIsLinear(t *testing.T) {
	split := preflight.Hook{Name: "split", History: func(
		_ context.Context, h []preflight.Message,
	) (out []preflight.Message, err error) {
		for _, m := range h {
			for _, p := range m.Parts {
				out = append(out, preflight.Message{Role: m.Role, Parts: []preflight.Part{p}})
			}
		}
		return out, nil
	}}
	for name, o := range map[string]stored.Options{
		"split":     {Options: preflight.Options{Hooks: []preflight.Hook{split}}},
		"shortened": {MaxBytes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) uint64 {
				m := userMsg()
				for k := range n {
					m.Parts = append(m.Parts, says(fmt.Sprintf("%0600d", k)))
				}
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				_, err := stored.Persist(context.Background(), history(m), o)
				runtime.ReadMemStats(&after)
				if o.MaxBytes > 0 {
					require.ErrorIs(t, err, stored.ErrTooLarge)
				} else {
					require.NoError(t, err)
				}
				return after.TotalAlloc - before.TotalAlloc
			}
			const most = 20 // linear is 10, quadratic 100
			small, large := cost(300), cost(3000)
			require.LessOrEqual(t, large, most*small)
		})
	}
}

// TestPersistSparesSharedParts: a part that is in a message twice, with the native JSON of another
// part, is the caller's.
func TestPersistSparesSharedParts(t *testing.T) {
	other := inNative("user", "a").Parts[0]
	shared := *other.(*preflight.Text)
	shared.Text = "b"
	in := history(userMsg(other), userMsg(&shared, &shared), botMsg(thinks("", ""), says("c")))
	res, err := stored.Persist(context.Background(), in, stored.PersistOptions())
	require.NoError(t, err)
	require.True(t, res.Changed)
	require.Equal(t, []preflight.Part{&shared, &shared}, in[1].Parts)
	for _, m := range [][]preflight.Message{in, res.Messages} {
		require.Same(t, &shared, m[1].Parts[0])
		require.Same(t, &shared, m[1].Parts[1])
	}
}

// TestPersistKeepsUnknownParts: the native JSON of an unknown part is its content, which a hook
// keeps if it changes the kind, or what is beside the part in a result.
func TestPersistKeepsUnknownParts(t *testing.T) {
	raw := preflight.Carried{Native: preflight.Native{Format: "x", JSON: []byte(`{"a":"q"}`)}}
	result := answers("c", "q")
	result.Content = append(result.Content, &preflight.Other{Carried: raw, Kind: "x"})
	in := history(userMsg(&preflight.Other{Carried: raw, Kind: "x"}), userMsg(result),
		userMsg(&preflight.Text{Carried: raw, Text: "q"}))
	o := stored.Options{Options: preflight.Options{Hooks: []preflight.Hook{{
		Name: "h", History: func(
			_ context.Context, h []preflight.Message,
		) ([]preflight.Message, error) {
			h[0].Parts[0].(*preflight.Other).Kind = "y"
			h[1].Parts[0].(*preflight.ToolResult).Content[0] = says("r")
			h[2].Parts[0] = &preflight.Other{Carried: raw, Kind: "z"}
			return h, nil
		},
	}}}}
	res, err := stored.Persist(context.Background(), in, o)
	require.NoError(t, err)
	inner := res.Messages[1].Parts[0].(*preflight.ToolResult).Content[1]
	for _, p := range []preflight.Part{res.Messages[0].Parts[0], inner, res.Messages[2].Parts[0]} {
		require.Equal(t, raw, *preflight.CarriedBy(p))
	}
	require.Equal(t, preflight.TallyOf(in...).Plus(res.Added),
		preflight.TallyOf(res.Messages...).Plus(res.Removed))
}

// TestPersistNilInResult: a hook puts a part where a result had a nil one.
func TestPersistNilInResult(t *testing.T) {
	for _, p := range []preflight.Part{
		nil, (*preflight.Text)(nil), (*preflight.Media)(nil), embeds{},
	} {
		in := history(userMsg(&preflight.ToolResult{CallID: "c", Content: []preflight.Part{p}}))
		o := stored.Options{Options: preflight.Options{Hooks: []preflight.Hook{
			messageHook("h", func(m *preflight.Message) {
				r := m.Parts[0].(*preflight.ToolResult)
				r.Content = append(r.Content, says("a"))
			}),
		}}}
		res, err := stored.Persist(context.Background(), in, o)
		require.NoError(t, err)
		require.Equal(t, []preflight.Part{says("a")},
			msgtest.Only[*preflight.ToolResult](t, res.Messages).Content)
	}
}
