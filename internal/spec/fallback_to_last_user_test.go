package spec

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the fallback options.

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
	require.Equal(t, []string{`system: "s"`, `user: "second"`}, lines(res.Messages))
	require.Equal(t, [][]int{{0}, {3}}, res.Origins)
	require.Equal(t, codes.Fallback, res.Warnings[0].Code)
	require.Equal(t, preflight.TallyOf(in...),
		minus(preflight.TallyOf(res.Messages...).Plus(res.Removed), res.Added))
}

// TestFallbackSaysWhere: the last resort keeps what a user said last, after the system messages
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
		first   int
		report  []string
	}{
		{"parts and messages before it went", last,
			append(history(sysMsg(says("s")), userMsg(says("first")), botMsg(says("a")),
				userMsg(says(" "), says("b\x00"), image(), &preflight.Other{Kind: "x"})),
				exchange...), history(sysMsg(says("s")), userMsg(says("b"), image())),
			[][]int{{0}, {3}}, 1, []string{lost, "text-repaired 3.1 chat-template/nul-truncation"}},
		{"it is first", last, append(history(userMsg(image())), exchange...),
			history(userMsg(image())), [][]int{{0}}, 1, []string{lost}},
		{"a later system message is removed", last,
			append(history(userMsg(says("q")), sysMsg(says("s"))), exchange...),
			history(userMsg(says("q"))), [][]int{{0}}, 1, []string{lost}},
		{"under another name of its role", last, append(history(human), exchange...),
			history(userMsg(says("q"))), [][]int{{0}}, 0,
			[]string{lost, "role-mapped 0 preflight/role-unknown"}},
		{"a choice that a strict caller will not have made",
			preflight.Options{Request: budget, FallbackToLastUser: true, Strict: true},
			history(narrator, userMsg(says("q"))), history(userMsg(says("q"))), [][]int{{1}}, 0,
			[]string{"fallback 0"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), c.in, &anthropic, &c.options)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, res.Messages))
			require.Equal(t, c.origins, res.Origins)
			require.Equal(t, c.report, reported(res.Warnings))
			require.True(t, res.Changed)
			require.Equal(t, c.first, res.FirstChanged)
			requireAccounts(t, c.in, res)
		})
	}
	for reason, in := range map[string][]preflight.Message{
		"no user message": exchange,
		"nor in words":    append(history(userMsg(says(" "))), exchange...),
	} {
		res, err := preflight.Sanitize(context.Background(), in, &anthropic, &last)
		require.ErrorIs(t, err, preflight.ErrUnfixable, reason)
		require.True(t, sameArray(res.Messages, in), reason)
	}
}

// TestFallbackWithFixers: the last resort runs the fixers of the options, too.
func TestFallbackWithFixers(t *testing.T) {
	in := history(sysMsg(says("s")), userMsg(says("q")), botMsg(calls("a")), userMsg(answers("a", "x")))
	res, err := preflight.Sanitize(context.Background(), in, &anthropic, &preflight.Options{
		Request:            preflight.Request{Thinking: provider.ThinkingBudget},
		FallbackToLastUser: true,
		Fixers:             []preflight.Fixer{preflight.Fixers.StripSystem},
	})
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q"`}, lines(res.Messages))
	require.Equal(t, []string{"fallback 0 anthropic/thinking-must-lead", "system-removed 0"},
		reported(res.Warnings))
	requireAccounts(t, in, res)
}

// TestFallbackEndsWithItsContext: a context that is done in the second repair is the error.
func TestFallbackEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ran, in := 0, history(
		preflight.Message{Role: "narrator", Parts: []preflight.Part{says("a")}}, userMsg(says("q")))
	res, err := preflight.Sanitize(ctx, in, nil, &preflight.Options{
		Strict: true, FallbackToLastUser: true,
		Hooks: []preflight.Hook{historyHook("h", func(h messages) messages {
			if ran++; ran == 2 {
				cancel()
			}
			return h
		})},
	})
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, sameArray(res.Messages, in))
}

// TestFallbackReportsPanics: a function that panics in the second repair is an error, and not a
// result that was made without it.
func TestFallbackReportsPanics(t *testing.T) {
	ran, in := 0, history(
		preflight.Message{Role: "narrator", Parts: []preflight.Part{says("a")}}, userMsg(says("q")))
	options := &preflight.Options{
		Strict: true, FallbackToLastUser: true,
		OpenCall: func(*preflight.ToolCall) preflight.Part { panic("here") },
		Hooks: []preflight.Hook{historyHook("h", func(h messages) messages {
			if ran++; ran == 2 {
				h = append(h, botMsg(calls("a")))
			}
			return h
		})},
	}
	res, err := preflight.Sanitize(context.Background(), in, nil, options)
	require.ErrorIs(t, err, preflight.ErrHook)
	require.True(t, sameArray(res.Messages, in))
	require.Equal(t, 2, ran)
}
