package spec

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestHooksSayWhatTheyDid: each message that a hook changed, made, removed or moved is one warning,
// at its place in the caller's history, and what it left alone is the caller's own.
func TestHooksSayWhatTheyDid(t *testing.T) {
	in := history(userMsg(says("q"), says("and")), userMsg(says("c")), botMsg(says("a")),
		botMsg(says("b")), userMsg(says("r")))
	text := func(p preflight.Part) *preflight.Text { return p.(*preflight.Text) }
	each := func(change func(m *preflight.Message)) preflight.Hook {
		return preflight.Hook{
			Name: "h",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				change(&m)
				return m, nil
			},
		}
	}
	all := func(change func(h []preflight.Message) []preflight.Message) preflight.Hook {
		return preflight.Hook{
			Name: "h",
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				return change(h), nil
			},
		}
	}
	for _, c := range []struct {
		name    string
		hook    preflight.Hook
		want    []string
		whole   []string
		origins [][]int
		first   int
	}{
		{"nothing of a message", each(func(*preflight.Message) {}), lines(in), nil, nil, -1},
		{"nothing of the history",
			all(func(h []preflight.Message) []preflight.Message { return h }), lines(in), nil, nil,
			-1},
		{"a part",
			each(func(m *preflight.Message) {
				if len(m.Parts) == 2 {
					text(m.Parts[1]).Text = "redacted"
				}
			}),
			[]string{
				`user: "q" | "redacted"`, `user: "c"`, `assistant: "a"`, `assistant: "b"`,
				`user: "r"`,
			}, []string{"hook  messages[0] -2 text -4 byte +2 text +9 byte"},
			[][]int{{0}, {1}, {2}, {3}, {4}}, 0},
		{"a new part before an old one",
			each(func(m *preflight.Message) {
				if len(m.Parts) == 1 && text(m.Parts[0]).Text == "a" {
					m.Parts = []preflight.Part{says("new"), m.Parts[0]}
				}
			}),
			[]string{
				`user: "q" | "and"`, `user: "c"`, `assistant: "new" | "a"`, `assistant: "b"`,
				`user: "r"`,
			}, []string{"hook  messages[2] -1 text -1 byte +2 text +4 byte"},
			[][]int{{0}, {1}, {2}, {3}, {4}}, 2},
		{"a message that is removed",
			each(func(m *preflight.Message) {
				if len(m.Parts) == 1 && text(m.Parts[0]).Text == "a" {
					*m = preflight.Message{}
				}
			}), []string{`user: "q" | "and"`, `user: "c"`, `assistant: "b"`, `user: "r"`},
			[]string{"hook  messages[2] -1 text -1 byte"}, [][]int{{0}, {1}, {3}, {4}}, 2},
		{"two that go, and one after them that changes",
			each(func(m *preflight.Message) {
				switch s := text(m.Parts[0]).Text; s {
				case "c", "b":
					*m = preflight.Message{}
				case "r":
					m.Parts = append(m.Parts, says("new"))
				}
			}), []string{`user: "q" | "and"`, `assistant: "a"`, `user: "r" | "new"`},
			[]string{
				"hook  messages[1] -1 text -1 byte",
				"hook  messages[3] -1 text -1 byte",
				"hook  messages[4] -1 text -1 byte +2 text +4 byte",
			}, [][]int{{0}, {2}, {4}}, 1},
		{"the last message is removed",
			all(func(h []preflight.Message) []preflight.Message { return h[:4] }), lines(in[:4]),
			[]string{"hook  messages[4] -1 text -1 byte"}, [][]int{{0}, {1}, {2}, {3}}, 4},
		{"a part in the history",
			all(func(h []preflight.Message) []preflight.Message {
				text(h[3].Parts[0]).Text = "changed"
				return h
			}),
			[]string{
				`user: "q" | "and"`, `user: "c"`, `assistant: "a"`, `assistant: "changed"`,
				`user: "r"`,
			}, []string{"hook  messages[3] -1 text -1 byte +1 text +7 byte"},
			[][]int{{0}, {1}, {2}, {3}, {4}}, 3},
		{"a message of its own in the place of another",
			all(func(h []preflight.Message) []preflight.Message {
				h[2] = botMsg(says("other"))
				return h
			}),
			[]string{
				`user: "q" | "and"`, `user: "c"`, `assistant: "other"`, `assistant: "b"`,
				`user: "r"`,
			}, []string{"hook  messages[2] -1 text -1 byte +1 text +5 byte"},
			[][]int{{0}, {1}, {2}, {3}, {4}}, 2},
		{"a message of its own between others",
			all(func(h []preflight.Message) []preflight.Message {
				return []preflight.Message{
					h[0],
					h[2],
					botMsg(says("new")),
					h[3],
					h[4],
					userMsg(says("end")),
				}
			}),
			[]string{
				`user: "q" | "and"`, `assistant: "a"`, `assistant: "new"`, `assistant: "b"`,
				`user: "r"`, `user: "end"`,
			},
			[]string{
				"hook  messages[3] +1 text +3 byte",
				"hook  messages[4] +1 text +3 byte",
				"hook  messages[1] -1 text -1 byte",
			}, [][]int{{0}, {2}, nil, {3}, {4}, nil}, 1},
		{"a message of its own first, and the last is removed",
			all(func(h []preflight.Message) []preflight.Message {
				return append(history(userMsg(says("new"))), h[:4]...)
			}),
			[]string{
				`user: "new"`, `user: "q" | "and"`, `user: "c"`, `assistant: "a"`,
				`assistant: "b"`,
			},
			[]string{
				"hook  messages[0] +1 text +3 byte", "hook  messages[4] -1 text -1 byte",
			}, [][]int{nil, {0}, {1}, {2}, {3}}, 0},
		{"another order",
			all(func(h []preflight.Message) []preflight.Message {
				h[2], h[3] = h[3], h[2]
				return h
			}),
			[]string{
				`user: "q" | "and"`, `user: "c"`, `assistant: "b"`, `assistant: "a"`, `user: "r"`,
			}, []string{"hook  messages[0]"}, [][]int{{0}, {1}, {3}, {2}, {4}}, 2},
		{"a message twice",
			all(func(h []preflight.Message) []preflight.Message {
				return []preflight.Message{h[0], h[1], h[2], h[2], h[4]}
			}),
			[]string{
				`user: "q" | "and"`, `user: "c"`, `assistant: "a"`, `assistant: "a"`, `user: "r"`,
			}, []string{"hook  messages[3] +1 text +1 byte", "hook  messages[3] -1 text -1 byte"},
			[][]int{{0}, {1}, {2}, {2}, {4}}, 3},
		{"parts of two messages in one",
			all(func(h []preflight.Message) []preflight.Message {
				h[2].Parts = append(h[2].Parts, h[3].Parts...)
				return append(h[:3], h[4])
			}), []string{`user: "q" | "and"`, `user: "c"`, `assistant: "a" | "b"`, `user: "r"`},
			[]string{
				"hook  messages[2] -1 text -1 byte +2 text +2 byte",
				"hook  messages[3] -1 text -1 byte",
			}, [][]int{{0}, {1}, {2, 3}, {4}}, 2},
		{"everything",
			all(func([]preflight.Message) []preflight.Message {
				return history(userMsg(says("new")))
			}), []string{`user: "new"`},
			[]string{
				"hook  messages[0] +1 text +3 byte",
				"hook  messages[0] -2 text -4 byte",
				"hook  messages[1] -1 text -1 byte",
				"hook  messages[2] -1 text -1 byte",
				"hook  messages[3] -1 text -1 byte",
				"hook  messages[4] -1 text -1 byte",
			}, [][]int{nil}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
				&preflight.Options{Hooks: []preflight.Hook{c.hook}})
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, lines(res.Messages)))
			require.Empty(t, cmp.Diff(c.whole, wholly(res.Warnings)))
			require.Equal(t, c.origins, res.Origins)
			require.Equal(t, c.first, res.FirstChanged)
			given := pointers(in)
			for _, m := range res.Messages {
				for _, p := range m.Parts {
					s := text(p).Text
					require.Equal(t, len(s) == 1 || s == "and", given[p] > 0,
						"%s is not the caller's own, or is what a hook made", s)
				}
			}
		})
	}
}

// TestFormatIsPartOfAMessage: a message whose native format alone changed is a changed one.
func TestFormatIsPartOfAMessage(t *testing.T) {
	hook := messageHook("h", func(m *preflight.Message) { m.Native.Format = "x" })
	res, err := preflight.Sanitize(context.Background(), history(userMsg(says("q"))), nil,
		&preflight.Options{Hooks: []preflight.Hook{hook}})
	require.NoError(t, err)
	require.True(t, res.Changed)
	require.Zero(t, res.FirstChanged)
}
