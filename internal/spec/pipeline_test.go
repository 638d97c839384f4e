package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file tests what a pipeline refuses, strict mode, and the counts of a result.

var anthropic = *provider.Anthropic("claude-sonnet-4-5")

func TestNewPipelineRefuses(t *testing.T) {
	work := func(
		h messages, _ *preflight.Profile, _ preflight.Request,
	) (messages, []preflight.Warning) {
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
	in := history(userMsg(says("")))
	res, err := msgtest.LeaveOpen(p, in, nil, nil)
	require.NoError(t, err)
	require.False(t, res.Changed, "a pipeline without fixers changes nothing")
}

// TestPipelineIsImmutable: the slice that a pipeline was made of is not its own.
func TestPipelineIsImmutable(t *testing.T) {
	fixers := preflight.Fixers.Defaults()
	p, err := preflight.NewPipeline(fixers...)
	require.NoError(t, err)
	want, err := msgtest.LeaveOpen(p, history(botMsg(calls("a"))), nil, nil)
	require.NoError(t, err)
	clear(fixers)
	got, err := msgtest.LeaveOpen(p, history(botMsg(calls("a"))), nil, nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestResultsSayHowMuch: what went and came, and the first message that differs.
func TestResultsSayHowMuch(t *testing.T) {
	var takes preflight.Profile
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	q, a := userMsg(says("q")), botMsg(says("a"))
	for name, c := range map[string]struct {
		profile        *preflight.Profile
		options        *preflight.Options
		in             []preflight.Message
		want           []string
		first          int
		removed, added preflight.Tally
	}{
		"valid": {&takes, nil, history(q, a), lines(history(q, a)), -1, preflight.Tally{},
			preflight.Tally{}},
		"a turn the caller keeps": {&refuses, &preflight.Options{Trailing: preflight.TrailingKeep},
			history(q, a), lines(history(q, a)), -1, preflight.Tally{}, preflight.Tally{}},
		"a turn after it": {&refuses, nil, history(q, a),
			[]string{`user: "q"`, `assistant: "a"`, `user: "Continue."`}, 2, preflight.Tally{},
			preflight.Tally{Texts: 1, Bytes: 9}},
		"the last turn is removed": {&refuses, &preflight.Options{Trailing: preflight.TrailingStrip},
			history(q, a), []string{`user: "q"`}, 1, preflight.Tally{Texts: 1, Bytes: 1},
			preflight.Tally{}},
		"a call between is removed": {&takes, nil, history(q, botMsg(calls("x"), says("a")), q),
			[]string{`user: "q"`, `assistant: "a"`, `user: "q"`}, 1,
			preflight.Tally{Calls: 1, Bytes: 2}, preflight.Tally{}},
		"two changes of a kind": {&takes, nil,
			history(q, botMsg(calls("x"), calls("y"), says("a")), q),
			[]string{`user: "q"`, `assistant: "a"`, `user: "q"`}, 1,
			preflight.Tally{Calls: 2, Bytes: 4}, preflight.Tally{}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), c.in, c.profile, c.options)
			require.NoError(t, err)
			require.Equal(t, c.want, lines(res.Messages))
			require.Equal(t, c.first, res.FirstChanged)
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
	require.Equal(t, 1, countWarnings(res.Warnings, codes.DanglingRemoved))

	both := history(q, botMsg(calls("a"), calls("b")),
		toolMsg(answers("A", "1"), answers("b", "2"), answers("b", "3")),
		botMsg(calls("c"), says("x")), q)
	for name, run := range map[string]step{
		"Sanitize": func(h []preflight.Message) (preflight.Result, error) {
			return preflight.Sanitize(context.Background(), h, &preflight.Profile{}, strict)
		},
		"RepairInterrupted": interrupting(strict),
		"Abort": func(h []preflight.Message) (preflight.Result, error) {
			return stored.Abort(h, "x", strict)
		},
	} {
		res, err = run(both)
		var ambiguous *preflight.Error
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

// TestStrictTakesResultsWithoutName: a call that is repeated for a result with its id is no choice,
// although the provider's results have names and it has none; with another tool's name it is.
func TestStrictTakesResultsWithoutName(t *testing.T) {
	for name, want := range map[string]error{"": nil, "other": preflight.ErrAmbiguous} {
		late := &preflight.ToolResult{CallID: "a", Name: name, Output: []byte(`"1"`)}
		in := history(userMsg(says("q")), botMsg(calls("a")), userMsg(says("r")), botMsg(says("s")),
			userMsg(late))
		res, err := preflight.Sanitize(context.Background(), in, provider.Gemini("gemini-2.5-pro"),
			&preflight.Options{Strict: true})
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Equal(t, 1, countWarnings(res.Warnings, codes.CallRepeated))
		}
	}
}

// TestCallIDs: each id once, in the order of the changes, of the codes that are asked for.
func TestCallIDs(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("b"), calls("a")), toolMsg(answers("a", "1")),
		toolMsg(answers("a", "2")), toolMsg(answers("a", "3")), userMsg(says("r")))
	res, err := preflight.Sanitize(context.Background(), in, nil,
		&preflight.Options{Duplicates: preflight.DuplicateFirst})
	require.NoError(t, err)
	require.Equal(t, 2, countWarnings(res.Warnings, codes.ResultRemoved))
	require.Equal(t, 3, len(res.Warnings))
	require.Equal(t, []string{"a"}, res.CallIDs(codes.ResultRemoved))
	require.Equal(t, []string{"a", "b"}, res.CallIDs())
	require.Equal(t, []string{"b"}, res.CallIDs(codes.DanglingRemoved))
}
