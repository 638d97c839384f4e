package spec

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file tests pipelines of a few fixers, and what they leave open.

// TestPipelineComposes: a pipeline makes the repairs of its fixers, and lists what they leave; only
// Sanitize makes an error of that.
func TestPipelineComposes(t *testing.T) {
	in := history(userMsg(says("q")), userMsg(says("")), userMsg(says("more")), botMsg(calls("a")),
		userMsg(says("r")))
	p, err := preflight.NewPipeline(preflight.Fixers.MergeRoles, preflight.Fixers.DropEmpty)
	require.NoError(t, err)
	profile := provider.Portable()

	res, err := msgtest.LeaveOpen(p, in, profile, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q" | "more"`, `assistant: call a`, `user: "r"`},
		lines(res.Messages))
	require.Equal(t, []codes.Code{"empty-part-removed", "messages-merged", "messages-merged"},
		sortedCodes(res))
	require.Equal(t, preflight.Check(res.Messages, profile, nil), res.Open)
	require.Len(t, res.Open, 1)
	require.Equal(t, problems.Dangling, res.Open[0].Problem)
	require.Equal(t, 1, res.Open[0].At.Message(), "the position is that of the result")

	same, err := msgtest.LeaveOpen(p, res.Messages, profile, nil)
	require.NoError(t, err)
	require.False(t, same.Changed)
	require.Equal(t, res.Open, same.Open)

	res, err = p.Sanitize(context.Background(), in, profile, nil)
	var unfixable *preflight.Error
	require.ErrorAs(t, err, &unfixable)
	require.Equal(t, same.Open, unfixable.Violations)
	require.Equal(t, lines(in), lines(res.Messages))
	require.Nil(t, res.Open)
}

func sortedCodes(res preflight.Result) (out []codes.Code) {
	for _, w := range res.Warnings {
		out = append(out, w.Code)
	}
	slices.Sort(out)
	return out
}

// TestNothingOpen: a pipeline whose fixers cure everything leaves Open nil.
func TestNothingOpen(t *testing.T) {
	p, err := preflight.NewPipeline(preflight.Fixers.Defaults()...)
	require.NoError(t, err)
	in := history(userMsg(says("q")), botMsg(calls("a")), userMsg(says("r")))
	res, err := msgtest.LeaveOpen(p, in, nil, nil)
	require.NoError(t, err)
	require.True(t, res.Changed)
	require.Nil(t, res.Open)
}

// TestSilentFixer: a caller's fixer that changes messages without a warning is an error that names
// it.
func TestSilentFixer(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("a")), userMsg(says("r")))
	for name, fixers := range map[string][]preflight.Fixer{
		"alone":             {},
		"after another":     {preflight.Fixers.PairToolCalls},
		"after the default": preflight.Fixers.Defaults(),
	} {
		t.Run(name, func(t *testing.T) {
			silent := preflight.Fixer{
				Name: "shorten",
				Fix: func(
					h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
				) ([]preflight.Message, []preflight.Warning) {
					return h[:len(h)-1], nil
				},
			}
			p, err := preflight.NewPipeline(append(fixers, silent)...)
			require.NoError(t, err)
			res, err := msgtest.LeaveOpen(p, in, nil, nil)
			var failed *preflight.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, "shorten", failed.Hook)
			require.Equal(t, lines(in), lines(res.Messages))
			require.Nil(t, res.Warnings)
		})
	}
}
