package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the orchestration: what a pipeline refuses, custom fixers, hooks, strict mode,
// and the last resort.

var anthropic = *provider.Anthropic("claude-sonnet-4-5")

func TestNewPipelineRefuses(t *testing.T) {
	work := func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
		return h, nil
	}
	for want, fixers := range map[string][]preflight.Fixer{
		"fixer 1 has no name":          {{Name: "a", Fix: work}, {Fix: work}},
		`fixer "idle" has no Fix func`: {{Name: "idle"}},
		`two fixers are named "a"`: {
			{Name: "a", Fix: work},
			{Name: "b", Fix: work},
			{Name: "a", Fix: work},
		},
	} {
		p, err := preflight.NewPipeline(fixers...)
		require.ErrorIs(t, err, preflight.ErrPipeline)
		require.EqualError(t, err, preflight.ErrPipeline.Error()+": "+want)
		require.Nil(t, p)
	}
	p, err := preflight.NewPipeline()
	require.NoError(t, err)
	require.Empty(t, p.Fixers())
}

// TestPipelineIsImmutable: neither the slice it was made of nor the one it hands out is its own.
func TestPipelineIsImmutable(t *testing.T) {
	fixers := preflight.DefaultFixers()
	p, err := preflight.NewPipeline(fixers...)
	require.NoError(t, err)
	first := fixers[0].Name
	fixers[0].Name = "changed"
	p.Fixers()[0].Name = "changed"
	require.Equal(t, first, p.Fixers()[0].Name)
}

func TestErrorsGiveTheInputBack(t *testing.T) {
	boom := errors.New("boom")
	failing := preflight.Hook{
		Name: "h",
		Message: func(context.Context, preflight.Message) (preflight.Message, error) {
			return preflight.Message{}, boom
		},
	}
	budget := preflight.Request{Thinking: provider.ThinkingBudget}
	for _, c := range []struct {
		name    string
		reason  string
		profile preflight.Profile
		options preflight.Options
		in      []preflight.Message
		want    error
	}{
		{"empty history", "making a message up would send a request nobody meant", anthropic,
			preflight.Options{}, nil, preflight.ErrEmptyHistory},
		{"no reasoning to start with",
			"a token budget demands reasoning at the head of the tool loop, and it cannot be " +
				"made up", anthropic, preflight.Options{Request: budget},
			[]preflight.Message{userMsg(says("q")), botMsg(calls("a")), userMsg(answers("a", "x"))},
			preflight.ErrUnfixable},
		{"strict", "two different results: somebody has to choose", anthropic,
			preflight.Options{Strict: true},
			[]preflight.Message{
				userMsg(says("q")), botMsg(calls("a")),
				userMsg(answers("a", "x"), answers("a", "y")),
			}, preflight.ErrAmbiguous},
		{"strict, unknown role", "nobody knows who the narrator is", anthropic,
			preflight.Options{Strict: true},
			[]preflight.Message{{Role: "narrator", Parts: []preflight.Part{says("q")}}},
			preflight.ErrAmbiguous},
		{"hook", "its own error is there to unwrap", anthropic,
			preflight.Options{Hooks: []preflight.Hook{failing}},
			[]preflight.Message{userMsg(says("q"))}, boom},
		{"hook without a func", "exactly one of the two has to be set", anthropic,
			preflight.Options{Hooks: []preflight.Hook{{Name: "h"}}},
			[]preflight.Message{userMsg(says("q"))}, preflight.ErrPipeline},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := given{&c.profile, &c.options, c.in}.sanitize(c.in)
			require.ErrorIs(t, err, c.want, c.reason)
			require.True(t, sameArray(res.Messages, c.in))
			require.False(t, res.Changed)
			require.Nil(t, res.Warnings)
			require.Equal(t, -1, res.FirstChanged)
		})
	}
}

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
	var failed *preflight.HookError
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
		codes []preflight.Code
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
			}, []preflight.Code{codes.Hook}},
		{"remove a message with calls",
			message(func(m *preflight.Message) {
				if _, ok := m.Parts[0].(*preflight.ToolCall); ok {
					*m = preflight.Message{}
				}
			}), []string{`user: "q"`, `user: "thanks"`, `assistant: "bye"`, `user: "ok"`},
			[]preflight.Code{codes.Hook, codes.OrphanRemoved}},
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
			}, []preflight.Code{codes.Hook}},
		{"remove a message",
			history(func(h []preflight.Message) []preflight.Message { return h[:4] }),
			[]string{
				`user: "q"`,
				`assistant: call a`,
				`user: result a "one" | "thanks"`,
				`assistant: "bye"`,
			}, []preflight.Code{codes.Hook}},
		{"put the call behind its result",
			history(func(h []preflight.Message) []preflight.Message {
				h[1], h[2] = h[2], h[1]
				return h
			}),
			[]string{
				`user: "q"`, `user: "thanks"`, `assistant: call a`, `assistant: "bye"`,
				`user: result a "one" | "ok"`,
			}, []preflight.Code{codes.Hook, codes.ResultMoved}},
		{"leave nothing", history(func([]preflight.Message) []preflight.Message { return nil }),
			[]string{`user: "(conversation resumed)"`},
			[]preflight.Code{
				codes.Hook, codes.Hook, codes.Hook, codes.Hook, codes.Hook, codes.TurnInserted,
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := runHooks(t, in, c.hook)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, lines(res.Messages)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var codes []preflight.Code
			for _, w := range res.Warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff(c.codes, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			require.Equal(t, preflight.TallyOf(in...),
				preflight.TallyOf(res.Messages...).Plus(res.Removed).Minus(res.Added))
			require.Empty(t, preflight.Check(res.Messages, &anthropic))
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
		{"two that go, and one behind them that changes",
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
	require.Equal(t, 2, res.Rounds, "one before them and one behind")

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

// TestOwnFixerOrigins: a message whose parts a caller's fixer made anew is taken for the one in its
// place as long as none came or went, and afterwards for one of its own making.
func TestOwnFixerOrigins(t *testing.T) {
	in := []preflight.Message{userMsg(says("q")), botMsg(says("a")), userMsg(says("r"))}
	for name, c := range map[string]struct {
		drop int
		want [][]int
	}{
		"none came or went": {0, [][]int{{0}, {1}, {2}}},
		"one went":          {1, [][]int{nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := preflight.NewPipeline(preflight.Fixer{
				Name: "shout",
				Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
					if len(h) < len(in) ||
						strings.HasSuffix(h[0].Parts[0].(*preflight.Text).Text, "!") {
						return h, nil
					}
					var out []preflight.Message
					var said []preflight.Warning
					for i, m := range h {
						at := preflight.Position{Message: i, Part: -1, Inner: -1}
						if i < c.drop {
							said = append(said, preflight.Warning{
								Code: "dropped", At: at,
								Removed: preflight.TallyOf(m),
							})
							continue
						}
						m.Parts = []preflight.Part{says(m.Parts[0].(*preflight.Text).Text + "!")}
						out = append(out, m)
						said = append(said, preflight.Warning{
							Code: "shouted", At: at,
							Removed: preflight.TallyOf(h[i]),
							Added:   preflight.TallyOf(m),
						})
					}
					return out, said
				},
			})
			require.NoError(t, err)
			res, err := p.Run(context.Background(), in, &preflight.Profile{}, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, res.Origins)
		})
	}
}

// TestOwnFixer: a caller's fixer runs where it was put, its warnings count in the caller's history,
// a panic is an error, and one that never comes to rest is stopped.
func TestOwnFixer(t *testing.T) {
	own := func(fix func(h messages) (messages, []preflight.Warning)) *preflight.Pipeline {
		p, err := preflight.NewPipeline(append(preflight.DefaultFixers(), preflight.Fixer{
			Name: "own",
			Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
				return fix(h)
			},
		})...)
		require.NoError(t, err)
		return p
	}
	in := []preflight.Message{userMsg(says(" ")), userMsg(says("q")), botMsg(says("a"))}

	dropLast := own(func(h []preflight.Message) ([]preflight.Message, []preflight.Warning) {
		last := len(h) - 1
		if h[last].Role != preflight.RoleAssistant {
			return h, nil
		}
		return h[:last], []preflight.Warning{
			{
				Code:    "mine",
				At:      preflight.Position{Message: last, Part: -1, Inner: -1},
				Detail:  "dropped the answer",
				Removed: preflight.TallyOf(h[last]),
			},
		}
	})
	res, err := dropLast.Run(context.Background(), in, &anthropic, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q"`}, lines(res.Messages))
	mine := res.Warnings[len(res.Warnings)-1]
	require.Equal(t, preflight.Code("mine"), mine.Code)
	require.Equal(t, 2, mine.At.Message)
	require.Equal(t, preflight.TallyOf(in...), preflight.TallyOf(res.Messages...).Plus(res.Removed))

	res, err = own(
		func([]preflight.Message) ([]preflight.Message, []preflight.Warning) { panic("no") }).Run(
		context.Background(), in, &anthropic, nil)
	var failed *preflight.HookError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "own", failed.Hook)
	require.True(t, sameArray(res.Messages, in))

	restless := own(func(h []preflight.Message) ([]preflight.Message, []preflight.Warning) {
		return append(h[:len(h):len(h)], userMsg(says("more"))), []preflight.Warning{
			{Code: "mine", Detail: "added a message"},
		}
	})
	res, err = restless.Run(context.Background(), in, &anthropic, nil)
	require.ErrorIs(t, err, preflight.ErrNoFixpoint)
	require.True(t, sameArray(res.Messages, in))
}

// TestFallback: the last resort keeps the system messages and what the user said last, and accounts
// for the rest.
func TestFallback(t *testing.T) {
	budget := preflight.Request{Thinking: provider.ThinkingBudget}
	in := []preflight.Message{
		sysMsg(says("s")), userMsg(says("first")), botMsg(says("a")),
		userMsg(says(" "), says("second")), botMsg(calls("a")), userMsg(answers("a", "x")),
	}
	res, err := preflight.Sanitize(context.Background(), in, &anthropic,
		&preflight.Options{Request: budget, FallbackToLastUser: true})
	require.NoError(t, err)
	require.True(t, res.Fallback)
	require.Equal(t, []string{`system: "s"`, `user: "second"`}, lines(res.Messages))
	require.Equal(t, [][]int{{0}, {3}}, res.Origins)
	require.Equal(t, codes.Fallback, res.Warnings[0].Code)
	require.Equal(t, preflight.TallyOf(in...),
		preflight.TallyOf(res.Messages...).Plus(res.Removed).Minus(res.Added))
}

// TestApplyChangesNothing: what has nothing to repair comes back as it is, clipped, whoever looked
// at it.
func TestApplyChangesNothing(t *testing.T) {
	idle := preflight.Fixer{
		Name: "idle",
		Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
			return h, nil
		},
	}
	for _, f := range []preflight.Fixer{idle, preflight.DropEmpty, preflight.MergeRoles} {
		for n := range 3 {
			in := history(userMsg(says("q")), botMsg(says("a")), userMsg(says("r")))[:n]
			out, warnings := f.Apply(in, nil, nil)
			require.Empty(t, warnings)
			require.True(t, sameArray(out, in))
			require.Equal(t, n, cap(out), "an append must not reach the caller's array")
		}
		out, warnings := f.Apply(nil, nil, nil)
		require.Empty(t, out)
		require.Empty(t, warnings)
	}
}

// TestOwnFixersPositions: what a caller's fixer says of the history it was given is translated to
// the caller's, whose messages and parts were moved before; a place that is none is the end of it.
func TestOwnFixersPositions(t *testing.T) {
	at := func(message, part, inner int) preflight.Position {
		return preflight.Position{Message: message, Part: part, Inner: inner}
	}
	in := history(userMsg(nil, says("q")), botMsg(nil), userMsg(says("r"), nil, says("s")))
	for _, c := range []struct{ said, want preflight.Position }{
		{at(0, -1, -1), at(0, -1, -1)},
		{at(0, 0, -1), at(0, 1, -1)},
		{at(1, -1, -1), at(2, -1, -1)},
		{at(1, 0, -1), at(2, 0, -1)},
		{at(1, 1, -1), at(2, 2, -1)},
		{at(1, 1, 0), at(2, 2, 0)},
		{at(1, 1, 3), at(2, 2, 3)},
		{at(1, -1, 3), at(2, -1, -1)},
		{at(1, 2, -1), at(2, -1, -1)},
		{at(0, 1, 2), at(2, -1, -1)},
		{at(2, -1, -1), at(2, -1, -1)},
		{at(9, 9, 9), at(2, -1, -1)},
		{at(-1, -1, -1), at(2, -1, -1)},
		{at(-1, 0, 0), at(2, -1, -1)},
	} {
		own := preflight.Fixer{
			Name: "own",
			Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
				return h[:1], []preflight.Warning{
					{At: c.said},
					{At: c.said, Code: "mine"},
					{At: c.said, Code: "mine", Rule: "a/b"},
				}
			},
		}
		out, warnings := own.Apply(in, nil, nil)
		require.Equal(t, []string{`user: "q"`}, lines(out))
		require.Len(t, warnings, 3+3, "three nil parts went before")
		for k, code := range []preflight.Code{codes.Hook, "mine", "mine"} {
			require.Equal(t, code, warnings[3+k].Code)
			require.Equal(t, c.want, warnings[3+k].At, "%v", c.said)
		}
	}
}

// TestOwnFixersMoveAnything: messages and parts that a caller's fixer kept are known again wherever
// it put them, so that the origins, and what later fixers say of them, are those of the caller's.
func TestOwnFixersMoveAnything(t *testing.T) {
	in := history(sysMsg(says("s")), userMsg(says("q"), says("")), botMsg(says("a"), says("b")),
		userMsg(says("r")))
	own := preflight.Fixer{
		Name: "own",
		Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
			if len(h) == 3 {
				return h, nil
			}
			return history(userMsg(says("made"), h[3].Parts[0], h[1].Parts[0], h[1].Parts[1]),
					botMsg(says("made too")), userMsg(h[2].Parts[1])), []preflight.Warning{
					{
						Code: "mine", Detail: "sorted it",
						At: preflight.Position{Message: 2, Part: 1, Inner: -1},
					},
				}
		},
	}
	p, err := preflight.NewPipeline(own, preflight.DropEmpty)
	require.NoError(t, err)
	res, err := p.Run(context.Background(), in,
		&preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "made" | "r" | "q"`, `assistant: "made too"`, `user: "b"`},
		lines(res.Messages))
	require.Equal(t, [][]int{{1, 3}, nil, {2}}, res.Origins)
	require.Equal(t,
		[]string{
			"mine  messages[2].parts[1]",
			"empty-part-removed preflight/empty-text messages[1].parts[1] -1 text",
		}, wholly(res.Warnings))
	require.Equal(t, 0, res.FirstChanged)
	require.Equal(t, 2, res.Rounds)
}

// TestOwnFixersCopy: a copy is the same message as long as it says the same, however often its JSON
// was copied.
func TestOwnFixersCopy(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(says("a")), userMsg(says("r")))
	in[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
	in[0].Native = preflight.Native{Format: "x", JSON: json.RawMessage(`{"a":1}`)}
	for changed := range in {
		own := preflight.Fixer{
			Name: "own",
			Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
				if h[changed].Name == "n" {
					return h, nil
				}
				out := slices.Clone(h)
				for i := range out {
					out[i].Parts = slices.Clone(h[i].Parts)
				}
				out[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
				out[0].Native.JSON = json.RawMessage(`{"a":1}`)
				out[changed].Name = "n"
				return out, []preflight.Warning{
					{Code: "mine", At: preflight.Position{Message: changed, Part: -1, Inner: -1}},
				}
			},
		}
		p, err := preflight.NewPipeline(own)
		require.NoError(t, err)
		res, err := p.Run(context.Background(), in, nil, nil)
		require.NoError(t, err)
		require.Equal(t, changed, res.FirstChanged)
		require.Equal(t, [][]int{{0}, {1}, {2}}, res.Origins)
		require.Len(t, res.Warnings, 1)
	}
}

// TestOwnFixersKeepOrigins: a message that a caller's own fixer made anew, in a history of the same
// length, still comes from the message in its place.
func TestOwnFixersKeepOrigins(t *testing.T) {
	shout := preflight.Fixer{
		Name: "shout", Doc: "writes text in capitals",
		Fix: func(in messages, _ *preflight.Profile) (messages, []preflight.Warning) {
			out, warnings := slices.Clone(in), []preflight.Warning(nil)
			for i, m := range in {
				if text := m.Parts[0].(*preflight.Text).Text; text != strings.ToUpper(text) {
					out[i].Parts = []preflight.Part{says(strings.ToUpper(text))}
					warnings = append(warnings, preflight.Warning{
						Code: codes.Hook,
						At:   preflight.Position{Message: i, Part: -1, Inner: -1},
					})
				}
			}
			return out, warnings
		},
	}
	p, err := preflight.NewPipeline(shout)
	require.NoError(t, err)
	in := history(userMsg(says("Q")), botMsg(says("a")), userMsg(says("b")))
	res, err := p.Run(context.Background(), in, nil, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "Q"`, `assistant: "A"`, `user: "B"`}, lines(res.Messages))
	require.Equal(t, [][]int{{0}, {1}, {2}}, res.Origins)
}

// TestOwnFixersChangeAnything: a change of any field of a message, of the same size or not, is
// taken over.
func TestOwnFixersChangeAnything(t *testing.T) {
	native := func(s string) preflight.Native {
		return preflight.Native{Format: "x", JSON: json.RawMessage(s)}
	}
	for name, change := range map[string]func(*preflight.Message){
		"role": func(m *preflight.Message) { m.Role = preflight.RoleAssistant },
		"id":   func(m *preflight.Message) { m.ID = "n" },
		"name": func(m *preflight.Message) { m.Name = "n" },
		"metadata": func(m *preflight.Message) {
			m.Meta = preflight.Metadata{"k": json.RawMessage(`2`)}
		},
		"a key": func(m *preflight.Message) {
			m.Meta = preflight.Metadata{"l": json.RawMessage(`1`)}
		},
		"no metadata":    func(m *preflight.Message) { m.Meta = nil },
		"native JSON":    func(m *preflight.Message) { m.Native = native(`{"a":2}`) },
		"no native JSON": func(m *preflight.Message) { m.Native = preflight.Native{} },
		"parts":          func(m *preflight.Message) { m.Parts = []preflight.Part{says("r")} },
		"fewer parts":    func(m *preflight.Message) { m.Parts = m.Parts[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			in := history(userMsg(says("q"), says("p")))
			in[0].ID = "m"
			in[0].Name = "o"
			in[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
			in[0].Native = native(`{"a":1}`)
			want := slices.Clone(in)
			change(&want[0])
			own := preflight.Fixer{
				Name: "own", Doc: "changes a field",
				Fix: func(messages, *preflight.Profile) (messages, []preflight.Warning) {
					return want, []preflight.Warning{{Code: codes.Hook}}
				},
			}
			out, warnings := own.Apply(in, nil, nil)
			require.Len(t, warnings, 1)
			require.Empty(t, cmp.Diff(want, out))
		})
	}
}

// TestOwnFixersMayReturnNil: what a caller's fixer returns is made well formed before the next
// fixer sees it, in a pipeline and alone.
func TestOwnFixersMayReturnNil(t *testing.T) {
	bare := userMsg(nil, (*preflight.Text)(nil), says("q"))
	nested := toolMsg(&preflight.ToolResult{
		CallID:  "a",
		Content: []preflight.Part{nil, (*preflight.Text)(nil), says("r")},
	})
	own := preflight.Fixer{
		Name: "own", Doc: "adds nil parts once",
		Fix: func(h messages, _ *preflight.Profile) (messages, []preflight.Warning) {
			if len(h) > 1 {
				return h, nil
			}
			return history(bare, botMsg(calls("a"), nil), nested), []preflight.Warning{
				{Code: codes.Hook},
			}
		},
	}
	want := []string{`user: "q"`, `assistant: call a`, `tool: result a "r"`}
	out, warnings := own.Apply(history(userMsg(says("q"))), nil, nil)
	require.Equal(t, want, lines(out))
	require.Len(t, warnings, 5)
	fixers := preflight.DefaultFixers()
	for k := range fixers {
		pipeline, err := preflight.NewPipeline(slices.Insert(slices.Clone(fixers), k, own,
			preflight.HandOff("anthropic"))...)
		require.NoError(t, err)
		res, err := pipeline.Run(context.Background(), history(userMsg(says("q"))), nil, nil)
		require.NoError(t, err)
		require.Equal(t, want, lines(res.Messages), "before %s", fixers[k].Name)
	}
}

// TestResultsSayHowMuch: rounds, what went and came, and the first message that differs.
func TestResultsSayHowMuch(t *testing.T) {
	var takes preflight.Profile
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	q, a := userMsg(says("q")), botMsg(says("a"))
	for name, c := range map[string]struct {
		profile        *preflight.Profile
		options        *preflight.Options
		in             []preflight.Message
		want           []string
		rounds, first  int
		removed, added preflight.Tally
	}{
		"valid": {&takes, nil, history(q, a), lines(history(q, a)), 0, -1, preflight.Tally{},
			preflight.Tally{}},
		"a turn the caller keeps": {&refuses, &preflight.Options{Trailing: preflight.TrailingKeep},
			history(q, a), lines(history(q, a)), 0, -1, preflight.Tally{}, preflight.Tally{}},
		"a turn behind it": {&refuses, nil, history(q, a),
			[]string{`user: "q"`, `assistant: "a"`, `user: "Continue."`}, 1, 2, preflight.Tally{},
			preflight.Tally{Texts: 1, Bytes: 9}},
		"what stands last goes": {&refuses, &preflight.Options{Trailing: preflight.TrailingStrip},
			history(q, a), []string{`user: "q"`}, 1, 1, preflight.Tally{Texts: 1, Bytes: 1},
			preflight.Tally{}},
		"what stands between goes": {&takes, nil, history(q, botMsg(calls("x"), says("a")), q),
			[]string{`user: "q"`, `assistant: "a"`, `user: "q"`}, 1, 1,
			preflight.Tally{Calls: 1, Bytes: 2}, preflight.Tally{}},
		"two changes of a kind": {&takes, nil,
			history(q, botMsg(calls("x"), calls("y"), says("a")), q),
			[]string{`user: "q"`, `assistant: "a"`, `user: "q"`}, 1, 1,
			preflight.Tally{Calls: 2, Bytes: 4}, preflight.Tally{}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), c.in, c.profile, c.options)
			require.NoError(t, err)
			require.Equal(t, c.want, lines(res.Messages))
			require.Equal(t, c.first, res.FirstChanged)
			require.Equal(t, c.rounds, res.Rounds)
			require.Equal(t, c.removed, res.Removed)
			require.Equal(t, c.added, res.Added)
			require.Equal(t, c.first >= 0, res.Changed)
			require.Equal(t, len(res.Messages), cap(res.Messages))
		})
	}
	require.True(t, refuses.Prefill.Refused, "the caller's profile was written to")
}

// TestStrictRefusesChoices: strict mode refuses what has another reading, all of it and nothing
// else.
func TestStrictRefusesChoices(t *testing.T) {
	q, strict := userMsg(says("q")), &preflight.Options{Strict: true}
	plain := history(q, botMsg(calls("a"), says("x")), q)
	res, err := preflight.Sanitize(context.Background(), plain, nil, strict)
	require.NoError(t, err)
	require.Equal(t, 1, res.Count(codes.DanglingRemoved))

	both := history(q, botMsg(calls("a"), calls("b")),
		toolMsg(answers("A", "1"), answers("b", "2"), answers("b", "3")),
		botMsg(calls("c"), says("x")), q)
	for name, run := range map[string]step{
		"Sanitize": func(h []preflight.Message) (preflight.Result, error) {
			return preflight.Sanitize(context.Background(), h, &preflight.Profile{}, strict)
		},
		"RepairInterrupted": interrupting(strict),
		"Abort": func(h []preflight.Message) (preflight.Result, error) {
			return preflight.Abort(h, "x", strict)
		},
	} {
		res, err = run(both)
		var ambiguous *preflight.AmbiguousError
		require.ErrorAs(t, err, &ambiguous, name)
		require.Equal(t,
			[]string{
				"duplicates-merged preflight/duplicate-result messages[2].parts[2] b ? -1 result",
				"result-rebound preflight/orphan messages[2].parts[0] A ? -1 text -1 result -1 " +
					"byte +1 text +1 result +1 byte",
			}, wholly(ambiguous.Choices), name)
		require.True(t, sameArray(res.Messages, both))
		require.Equal(t, -1, res.FirstChanged)
	}
}

// TestCallIDs: each id once, in the order of the changes, of the codes that are asked for.
func TestCallIDs(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("b"), calls("a")), toolMsg(answers("a", "1")),
		toolMsg(answers("a", "2")), toolMsg(answers("a", "3")), userMsg(says("r")))
	res, err := preflight.Sanitize(context.Background(), in, nil,
		&preflight.Options{Duplicates: preflight.DuplicateFirst})
	require.NoError(t, err)
	require.Equal(t, 2, res.Count(codes.DuplicateRemoved))
	require.Equal(t, 3, res.Count())
	require.Equal(t, []string{"a"}, res.CallIDs(codes.DuplicateRemoved))
	require.Equal(t, []string{"a", "b"}, res.CallIDs())
	require.Equal(t, []string{"b"}, res.Pruned())
}

// TestAmbiguousErrorSaysWhere: the error names the first choices and counts the others.
func TestAmbiguousErrorSaysWhere(t *testing.T) {
	for n, more := range map[int]string{1: "", 3: "", 4: ", and 1 more", 7: ", and 4 more"} {
		in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "0")))
		for k := range n {
			in = append(in, toolMsg(answers("a", fmt.Sprint(k+1))))
		}
		_, err := preflight.Sanitize(context.Background(), in, nil,
			&preflight.Options{Strict: true})
		var ambiguous *preflight.AmbiguousError
		require.ErrorAs(t, err, &ambiguous)
		require.Len(t, ambiguous.Choices, n)
		require.Equal(t, min(n, 3), strings.Count(err.Error(), "; at messages["), err.Error())
		if more == "" {
			require.NotContains(t, err.Error(), "more")
		} else {
			require.True(t, strings.HasSuffix(err.Error(), more), err.Error())
		}
		require.Contains(t, err.Error(),
			"; at messages[3].parts[0] preflight would have merged a further result")
	}
}

// TestUnfixableErrorSaysWhere: the error names the first violation and counts the others.
func TestUnfixableErrorSaysWhere(t *testing.T) {
	found := []preflight.Violation{
		{Rule: "r/1", At: preflight.Position{Message: 3, Part: 1, Inner: -1}, Detail: "first"},
		{Rule: "r/2", At: preflight.Position{Message: 4, Part: -1, Inner: -1}, Detail: "second"},
		{Rule: "r/3", At: preflight.Position{Message: 5, Part: -1, Inner: -1}, Detail: "third"},
	}
	first := preflight.ErrUnfixable.Error() + ": messages[3].parts[1]: first (r/1)"
	require.EqualError(t, &preflight.UnfixableError{}, preflight.ErrUnfixable.Error())
	require.EqualError(t, &preflight.UnfixableError{Violations: found[:1]}, first)
	require.EqualError(t, &preflight.UnfixableError{Violations: found}, first+", and 2 more")
}

// TestErrorsAreTheirSentinels: each error is the sentinel it stands for and no other, and says
// what, where and how much.
func TestErrorsAreTheirSentinels(t *testing.T) {
	boom := errors.New("boom")
	sentinels := []error{
		preflight.ErrEmptyHistory, preflight.ErrUnfixable, preflight.ErrAmbiguous,
		preflight.ErrHook, preflight.ErrNoFixpoint, preflight.ErrTooLarge, preflight.ErrPipeline,
	}
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{&preflight.UnfixableError{}, preflight.ErrUnfixable, "the history cannot be repaired"},
		{&preflight.AmbiguousError{}, preflight.ErrAmbiguous, "the history is ambiguous"},
		{&preflight.AmbiguousError{
			Choices: []preflight.Warning{
				{Detail: "merged it", At: preflight.Position{Message: 2, Part: 0, Inner: -1}},
			},
		}, preflight.ErrAmbiguous,
			"the history is ambiguous; at messages[2].parts[0] preflight would have merged it"},
		{&preflight.HookError{Hook: "h", Message: -1, Err: boom}, preflight.ErrHook,
			`hook "h" failed on the history: boom`},
		{&preflight.HookError{Hook: "h", Message: 0, Err: boom}, preflight.ErrHook,
			`hook "h" failed on messages[0]: boom`},
		{&preflight.HookError{Hook: "h", Message: 7, Err: boom}, preflight.ErrHook,
			`hook "h" failed on messages[7]: boom`},
		{&preflight.SizeError{Message: 4, Size: 900, Limit: 800}, preflight.ErrTooLarge,
			preflight.ErrTooLarge.Error() +
				": messages[4] takes 900 bytes with everything shortened that may be, and the " +
				"limit is 800"},
	} {
		require.EqualError(t, c.err, c.text)
		for _, s := range sentinels {
			require.Equal(t, s == c.is, errors.Is(c.err, s), "%v, %v", c.err, s)
		}
	}
	require.ErrorIs(t, &preflight.HookError{Err: boom}, boom)
}

// TestTallyTakesNil: parts that are nil count as nothing.
func TestTallyTakesNil(t *testing.T) {
	parts := []preflight.Part{
		nil, (*preflight.Text)(nil), (*preflight.Reasoning)(nil), (*preflight.ToolCall)(nil),
		(*preflight.ToolResult)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil),
	}
	require.Zero(t, preflight.TallyOf(userMsg(parts...)))
}

// TestFallbackSaysWhere: the last resort keeps what a user said last, behind the system messages
// that lead, and every warning has the place that its subject has in the caller's history.
func TestFallbackSaysWhere(t *testing.T) {
	budget := preflight.Request{Thinking: provider.ThinkingBudget}
	exchange := []preflight.Message{botMsg(calls("a")), userMsg(answers("a", "x"))}
	human := preflight.Message{Role: "human", Parts: []preflight.Part{says("q")}}
	narrator := preflight.Message{Role: "narrator", Parts: []preflight.Part{says("once")}}
	last := preflight.Options{Request: budget, FallbackToLastUser: true}
	const lost = "fallback 0 anthropic/thinking-must-lead"
	for _, c := range []struct {
		reason  string
		options preflight.Options
		in      []preflight.Message
		want    []preflight.Message
		origins [][]int
		report  []string
	}{
		{"parts and messages before it went", last,
			append(history(sysMsg(says("s")), userMsg(says("first")), botMsg(says("a")),
				userMsg(says(" "), says("b\x00"), image(), &preflight.Other{Kind: "x"})),
				exchange...), history(sysMsg(says("s")), userMsg(says("b"), image())),
			[][]int{{0}, {3}}, []string{lost, "text-repaired 3.1 chat-template/nul-truncation"}},
		{"it stands first", last, append(history(userMsg(image())), exchange...),
			history(userMsg(image())), [][]int{{0}}, []string{lost}},
		{"a system message that does not lead goes", last,
			append(history(userMsg(says("q")), sysMsg(says("s"))), exchange...),
			history(userMsg(says("q"))), [][]int{{0}}, []string{lost}},
		{"under another name of its role", last, append(history(human), exchange...),
			history(userMsg(says("q"))), [][]int{{0}},
			[]string{lost, "role-mapped 0 preflight/role-unknown"}},
		{"a choice that a strict caller will not have made",
			preflight.Options{Request: budget, FallbackToLastUser: true, Strict: true},
			history(narrator, userMsg(says("q"))), history(userMsg(says("q"))), [][]int{{1}},
			[]string{"fallback 0"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), c.in, &anthropic, &c.options)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, res.Messages))
			require.Equal(t, c.origins, res.Origins)
			require.Equal(t, c.report, reported(res.Warnings))
			require.True(t, res.Changed && res.Fallback && res.FirstChanged == 0)
			requireAccounts(t, c.in, res)
		})
	}
	for reason, in := range map[string][]preflight.Message{
		"nobody said anything": exchange,
		"nor in words":         append(history(userMsg(says(" "))), exchange...),
	} {
		res, err := preflight.Sanitize(context.Background(), in, &anthropic, &last)
		require.ErrorIs(t, err, preflight.ErrUnfixable, reason)
		require.True(t, sameArray(res.Messages, in), reason)
	}
}
