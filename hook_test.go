package preflight_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// This file tests hooks: their order, their errors, and the repair after them.

func runHooks(
	t *testing.T,
	h []preflight.Message,
	hooks ...preflight.Hook,
) (preflight.Result, error) {
	t.Helper()
	return preflight.Sanitize(context.Background(), h, &anthropic, &preflight.Options{Hooks: hooks})
}

// TestHookErrorsSayWhere: hook and message are named, and a panic is an error.
func TestHookErrorsSayWhere(t *testing.T) {
	in := []preflight.Message{userMsg(says(" ")), userMsg(says("q")), botMsg(says("a"))}
	panics := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			if m.Role == preflight.RoleAssistant {
				panic("no")
			}
			return m, nil
		},
	}
	_, err := runHooks(t, in, panics)
	var failed *preflight.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "redact", failed.Hook)
	require.Equal(t, 2, failed.Message, "the position counts in the caller's history")

	_, err = runHooks(t, in, preflight.Hook{
		Name: "all",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			panic("no")
		},
	})
	require.ErrorAs(t, err, &failed)
	require.Equal(t, -1, failed.Message)
}

// TestHookStopsWhenCancelled: the context is looked at before every call.
func TestHookStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	hook := preflight.Hook{
		Name: "h",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			seen++
			cancel()
			return m, nil
		},
	}
	in := []preflight.Message{userMsg(says("q")), botMsg(says("a")), userMsg(says("b"))}
	res, err := preflight.Sanitize(ctx, in, &anthropic,
		&preflight.Options{Hooks: []preflight.Hook{hook}})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, preflight.ErrHook)
	require.Equal(t, 1, seen)
	require.True(t, sameArray(res.Messages, in))
}

// TestHooksAreRepaired: whatever a hook returns, what comes out is valid, and every message it
// touched is one warning.
func TestHooksAreRepaired(t *testing.T) {
	in := []preflight.Message{
		userMsg(says("q")), botMsg(calls("a")), userMsg(answers("a", "one"), says("thanks")),
		botMsg(says("bye")), userMsg(says("ok")),
	}
	message := func(change func(*preflight.Message)) preflight.Hook {
		return preflight.Hook{
			Name: "h",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				change(&m)
				return m, nil
			},
		}
	}
	history := func(change func([]preflight.Message) []preflight.Message) preflight.Hook {
		return preflight.Hook{
			Name: "h",
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				return change(h), nil
			},
		}
	}
	for _, c := range []struct {
		name  string
		hook  preflight.Hook
		want  []string
		codes []codes.Code
	}{
		{"nothing", message(func(*preflight.Message) {}), lines(in), nil},
		{"the same history", history(func(h []preflight.Message) []preflight.Message { return h }),
			lines(in), nil},
		{"redact a text",
			message(func(m *preflight.Message) {
				for _, p := range m.Parts {
					if x, ok := p.(*preflight.Text); ok && x.Text == "bye" {
						x.Text = "[redacted]"
					}
				}
			}),
			[]string{
				`user: "q"`,
				`assistant: call a`,
				`user: result a "one" | "thanks"`,
				`assistant: "[redacted]"`,
				`user: "ok"`,
			}, []codes.Code{codes.Hook}},
		{"remove a message with calls",
			message(func(m *preflight.Message) {
				if _, ok := m.Parts[0].(*preflight.ToolCall); ok {
					*m = preflight.Message{}
				}
			}), []string{`user: "q"`, `user: "thanks"`, `assistant: "bye"`, `user: "ok"`},
			[]codes.Code{codes.Hook, codes.OrphanRemoved}},
		{"insert a message",
			history(func(h []preflight.Message) []preflight.Message {
				return append([]preflight.Message{userMsg(says("memory"))}, h...)
			}),
			[]string{
				`user: "memory"`,
				`user: "q"`,
				`assistant: call a`,
				`user: result a "one" | "thanks"`,
				`assistant: "bye"`,
				`user: "ok"`,
			}, []codes.Code{codes.Hook}},
		{"remove a message",
			history(func(h []preflight.Message) []preflight.Message { return h[:4] }),
			[]string{
				`user: "q"`,
				`assistant: call a`,
				`user: result a "one" | "thanks"`,
				`assistant: "bye"`,
			}, []codes.Code{codes.Hook}},
		{"put the call after its result",
			history(func(h []preflight.Message) []preflight.Message {
				h[1], h[2] = h[2], h[1]
				return h
			}),
			[]string{
				`user: "q"`, `user: "thanks"`, `assistant: call a`, `assistant: "bye"`,
				`user: result a "one" | "ok"`,
			}, []codes.Code{codes.Hook, codes.ResultMoved}},
		{"leave nothing", history(func([]preflight.Message) []preflight.Message { return nil }),
			[]string{`user: "(conversation resumed)"`},
			[]codes.Code{
				codes.Hook, codes.Hook, codes.Hook, codes.Hook, codes.Hook, codes.TurnInserted,
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := runHooks(t, in, c.hook)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, lines(res.Messages)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var codes []codes.Code
			for _, w := range res.Warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff(c.codes, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			require.Equal(t, preflight.TallyOf(in...),
				preflight.TallyOf(res.Messages...).Plus(res.Removed).Minus(res.Added))
			require.Empty(t, preflight.Check(res.Messages, &anthropic, nil))
		})
	}
}

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
		{"a message that goes",
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
		{"the last message goes",
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

// TestHooksLeaveEmptyMessagesAlone: a message without parts is the same in a copy.
func TestHooksLeaveEmptyMessagesAlone(t *testing.T) {
	in := history(userMsg(says("q")), userMsg(), userMsg())
	for _, h := range []preflight.Hook{
		{
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return m, nil
			},
		},
		{
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				return h, nil
			},
		},
	} {
		res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
			&preflight.Options{Hooks: []preflight.Hook{h}})
		require.NoError(t, err)
		require.Empty(t, res.Warnings)
		require.True(t, sameArray(res.Messages, in))
	}
}

// TestHooksRunInOrder: each sees what those before it returned.
func TestHooksRunInOrder(t *testing.T) {
	add := func(s string) preflight.Hook {
		return preflight.Hook{
			Name: s,
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				m.Parts[0].(*preflight.Text).Text += s
				return m, nil
			},
		}
	}
	boom := errors.New("boom")
	fail := preflight.Hook{
		Name: "fail",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			return nil, boom
		},
	}
	in := history(userMsg(says("q")))
	res, err := runHooks(t, in, add("1"), add("2"))
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q12"`}, lines(res.Messages))
	require.Equal(t, 2, res.Rounds, "one before them and one after")

	res, err = runHooks(t, in, fail, add("2"))
	require.ErrorIs(t, err, boom)
	require.EqualError(t, err, `hook "fail" failed on the history: boom`)
	require.True(t, sameArray(res.Messages, in))
	require.Equal(t, "q", in[0].Parts[0].(*preflight.Text).Text)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := preflight.Hook{
		Name: "never",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			panic("called")
		},
	}
	_, err = preflight.Sanitize(ctx, in, &anthropic,
		&preflight.Options{Hooks: []preflight.Hook{never}})
	require.ErrorIs(t, err, context.Canceled)
}
