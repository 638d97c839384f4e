package spec

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

// TestHookStopsWhenCancelled: the context is checked before every call.
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
			}), []string{`user: "q" | "thanks"`, `assistant: "bye"`, `user: "ok"`},
			[]codes.Code{codes.Hook, codes.OrphanRemoved, codes.Merged}},
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
				`user: "q" | "thanks"`, `assistant: call a`, `assistant: "bye"`,
				`user: result a "one" | "ok"`,
			}, []codes.Code{codes.Hook, codes.ResultMoved, codes.Merged}},
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
				minus(preflight.TallyOf(res.Messages...).Plus(res.Removed), res.Added))
			require.Empty(t, preflight.Check(res.Messages, &anthropic, nil))
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
