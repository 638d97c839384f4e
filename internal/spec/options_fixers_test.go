package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
)

// shout is a fixer that appends an exclamation mark to texts without one, with a code of its own,
// if the request thinks.
var shout = preflight.Fixer{
	Name: "shout",
	Fix: func(
		h []preflight.Message, _ *preflight.Profile, request preflight.Request,
	) ([]preflight.Message, []preflight.Warning) {
		if request.Thinking != provider.ThinkingBudget {
			return h, nil
		}
		var warnings []preflight.Warning
		out := append([]preflight.Message(nil), h...)
		for i := range out {
			m := redact.Message(out[i], func(s string) string {
				if s == "" || s[len(s)-1] == '!' {
					return s
				}
				return s + "!"
			})
			if len(m.Parts) > 0 && m.Parts[0] != out[i].Parts[0] {
				out[i] = m
				warnings = append(warnings, preflight.Warning{
					Code: "app-shout", At: preflight.At(i),
				})
			}
		}
		if len(warnings) == 0 {
			return h, nil
		}
		return out, warnings
	},
}

// TestOptionsFixers: the caller's fixers run in every function that takes options, and see the
// request.
func TestOptionsFixers(t *testing.T) {
	ctx, in := context.Background(), history(userMsg(says("hi")))
	o := preflight.Options{Fixers: []preflight.Fixer{shout}}
	p := provider.OpenAIChat("")
	res, err := preflight.Sanitize(ctx, in, p, &o)
	require.NoError(t, err)
	require.False(t, res.Changed)

	o.Request.Thinking = provider.ThinkingBudget
	for name, run := range map[string]func() (preflight.Result, error){
		"Sanitize": func() (preflight.Result, error) { return preflight.Sanitize(ctx, in, p, &o) },
		"Persist": func() (preflight.Result, error) {
			return stored.Persist(ctx, in, stored.Options{Options: o})
		},
		"Resume": func() (preflight.Result, error) { return stored.Resume(ctx, in, nil, &o) },
		"Abort":  func() (preflight.Result, error) { return stored.Abort(in, "", &o) },
	} {
		res, err := run()
		require.NoError(t, err, name)
		require.Equal(t, []string{`user: "hi!"`}, lines(res.Messages), name)
		require.Len(t, res.Warnings, 1, name)
		require.Equal(t, codes.Code("app-shout"), res.Warnings[0].Code, name)
	}

	for _, bad := range []preflight.Fixer{
		{}, {Name: "x"}, {Name: "merge-roles", Fix: shout.Fix}, preflight.Fixers.MergeRoles, // with no work to do
	} {
		_, err := preflight.Sanitize(ctx, in, p, &preflight.Options{Fixers: []preflight.Fixer{bad}})
		require.ErrorIs(t, err, preflight.ErrPipeline)
	}
}

// TestFixOfACopy: a copy of a built-in fixer with a Fix is the caller's fixer, wherever it runs,
// and has none of the built-in one's ways.
func TestFixOfACopy(t *testing.T) {
	ctx := context.Background()
	in := []preflight.Message{preflight.UserText("hi")}
	mine := preflight.Fixers.StripSystem // would run early, and only where there is a system message
	mine.Fix = shout.Fix
	pipeline, err := preflight.NewPipeline(mine)
	require.NoError(t, err)
	o := preflight.Options{Request: preflight.Request{Thinking: provider.ThinkingBudget}}
	res, err := pipeline.Sanitize(ctx, in, nil, &o)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "hi!"`}, lines(res.Messages))
	out, _ := mine.Apply(in, nil, &o)
	require.Equal(t, []string{`user: "hi!"`}, lines(out))
	o.Fixers = []preflight.Fixer{mine}
	res, err = preflight.Sanitize(ctx, in, nil, &o)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "hi!"`}, lines(res.Messages))
}

// TestHookTarget: a hook finds out what the history is repaired for, and a func can be a hook.
func TestHookTarget(t *testing.T) {
	p := provider.Gemini("gemini-2.5-pro")
	request := preflight.Request{Thinking: provider.ThinkingOff}
	calls := 0
	hook := preflight.Hook{Name: "see", Message: func(
		ctx context.Context, m preflight.Message,
	) (preflight.Message, error) {
		calls++
		profile, r := preflight.Target(ctx)
		require.Equal(t, p.Provider, profile.Provider)
		require.Equal(t, p.Model, profile.Model)
		require.Equal(t, request, r)
		return m, nil
	}}
	_, err := preflight.Sanitize(context.Background(), history(userMsg(says("hi"))), p,
		&preflight.Options{Hooks: []preflight.Hook{hook}, Request: request})
	require.NoError(t, err)
	require.Equal(t, 1, calls)
	profile, _ := preflight.Target(context.Background())
	require.Nil(t, profile)
}
