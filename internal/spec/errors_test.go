package spec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file tests the errors: the input comes back, and they name the place.

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
		{"empty history", "a made-up message would send a request that was not meant", anthropic,
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
		{"strict, unknown role", "is unknown who the narrator is", anthropic,
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

// TestErrorListsChoices: the error names the first choices and counts the others.
func TestErrorListsChoices(t *testing.T) {
	for n, more := range map[int]string{1: "", 3: "", 4: ", and 1 more", 7: ", and 4 more"} {
		in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "0")))
		for k := range n {
			in = append(in, toolMsg(answers("a", fmt.Sprint(k+1))))
		}
		_, err := preflight.Sanitize(context.Background(), in, nil,
			&preflight.Options{Strict: true})
		var ambiguous *preflight.Error
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

// TestErrorNamesTheFirstViolation: the error names the first violation and counts the others.
func TestErrorNamesTheFirstViolation(t *testing.T) {
	found := []preflight.Violation{
		{Rule: "r/1", At: preflight.At(3, 1), Detail: "first"},
		{Rule: "r/2", At: preflight.At(4), Detail: "second"},
		{Rule: "r/3", At: preflight.At(5), Detail: "third"},
	}
	first := preflight.ErrUnfixable.Error() + ": messages[3].parts[1]: first (r/1)"
	require.EqualError(t, &preflight.Error{Reason: preflight.ErrUnfixable},
		preflight.ErrUnfixable.Error())
	for text, violations := range map[string][]preflight.Violation{
		first: found[:1], first + ", and 2 more": found,
	} {
		err := &preflight.Error{Reason: preflight.ErrUnfixable, Violations: violations}
		require.EqualError(t, err, text)
	}
}

// TestErrorsAreTheirSentinels: each error is its sentinel and no other, and says what and where.
func TestErrorsAreTheirSentinels(t *testing.T) {
	boom := errors.New("boom")
	sentinels := []error{
		preflight.ErrEmptyHistory, preflight.ErrUnfixable, preflight.ErrAmbiguous,
		preflight.ErrHook, preflight.ErrNoFixpoint, stored.ErrTooLarge, preflight.ErrPipeline,
	}
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{&preflight.Error{Reason: preflight.ErrUnfixable}, preflight.ErrUnfixable,
			"the history cannot be repaired"},
		{&preflight.Error{Reason: preflight.ErrAmbiguous}, preflight.ErrAmbiguous,
			"the history is ambiguous"},
		{&preflight.Error{
			Reason: preflight.ErrAmbiguous,
			Choices: []preflight.Warning{
				{Detail: "merged it", At: preflight.At(2, 0)},
			},
		}, preflight.ErrAmbiguous,
			"the history is ambiguous; at messages[2].parts[0] preflight would have merged it"},
		{&preflight.Error{Reason: preflight.ErrHook, Hook: "h", Message: -1, Err: boom},
			preflight.ErrHook,
			`hook "h" failed on the history: boom`},
		{&preflight.Error{Reason: preflight.ErrHook, Hook: "h", Message: 0, Err: boom},
			preflight.ErrHook,
			`hook "h" failed on messages[0]: boom`},
		{&preflight.Error{Reason: preflight.ErrHook, Hook: "h", Message: 7, Err: boom},
			preflight.ErrHook,
			`hook "h" failed on messages[7]: boom`},
		{&preflight.Error{Reason: stored.ErrTooLarge, Message: 4, Err: boom},
			stored.ErrTooLarge,
			stored.ErrTooLarge.Error() +
				": messages[4] boom"},
	} {
		require.EqualError(t, c.err, c.text)
		for _, s := range sentinels {
			require.Equal(t, s == c.is, errors.Is(c.err, s), "%v, %v", c.err, s)
		}
	}
	require.ErrorIs(t, &preflight.Error{Reason: preflight.ErrHook, Err: boom}, boom)
}
