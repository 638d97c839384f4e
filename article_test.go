package preflight_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// This file holds the cases of the ContextSanitizer article and of the libraries it is derived from.

// article runs the article's pipeline.
func article() step {
	return sanitizing(preflight.ContextSanitizer(), preflight.Portable(), preflight.ContextSanitizerOptions())
}

// articleChat runs it for a provider that has OpenAI's messages and takes no empty ones, as the libraries assume.
func articleChat(hooks ...preflight.Hook) step {
	profile := preflight.OpenAIChat()
	profile.RefuseEmptyText, profile.RefuseBlankText = true, true
	options := preflight.ContextSanitizerOptions()
	options.Hooks = hooks
	return sanitizing(preflight.ContextSanitizer(), profile, options)
}

// merging is articleChat with the library's collapse option.
func merging(hooks ...preflight.Hook) step {
	profile := preflight.OpenAIChat()
	profile.Merge, profile.JoinTurns = true, true
	options := preflight.ContextSanitizerOptions()
	options.Hooks = hooks
	return sanitizing(preflight.ContextSanitizer(), profile, options)
}

// joinTexts is the library's separator: it makes one text of the texts of a message.
func joinTexts(separator string) preflight.Hook {
	return preflight.Hook{Name: "join-texts", Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
		all := texts([]preflight.Message{m})
		if len(all) == len(m.Parts) && len(all) > 1 {
			m.Parts = []preflight.Part{&preflight.Text{Text: strings.Join(all, separator)}}
		}
		return m, nil
	}}
}

var articleCases = map[string]func(*testing.T, string){
	"ams-01-none-content-dropped": func(t *testing.T, name string) {
		_, out := runCase(t, name, articleChat())
		require.Equal(t, []string{"valid"}, texts(out.Messages))
		require.Len(t, out.Messages, 1)
		require.Equal(t, 1, out.Count(preflight.CodeMessageRemoved))
	},
	"ams-02-empty-string-whitespace-list-dropped": func(t *testing.T, name string) {
		_, out := runCase(t, name, articleChat())
		require.Equal(t, []string{"x"}, texts(out.Messages))
		require.Len(t, out.Messages, 1)
	},
	"ams-04-empty-text-block-removed": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, []string{"real content"}, texts(out.Messages))
	},
	"ams-05-all-blocks-removed-drops-message": func(t *testing.T, name string) {
		_, out := runCase(t, name, resuming(nil))
		require.Empty(t, out.Messages)
		_, out = runCase(t, name, article())
		require.Equal(t, []string{preflight.DefaultPlaceholder}, texts(out.Messages), "a request needs a message")
	},
	"ams-07-allowed-block-types": func(t *testing.T, name string) {
		textOnly := preflight.Hook{Name: "text-only", Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
				_, ok := p.(*preflight.Text)
				return !ok
			})
			return m, nil
		}}
		o := preflight.PersistOptions()
		o.Hooks = []preflight.Hook{textOnly}
		_, out := runCase(t, name, persisting(&o))
		require.Len(t, out.Messages[0].Parts, 1)
		require.Equal(t, []string{"hello"}, texts(out.Messages))
	},
	"ams-08-non-object-message-dropped": func(t *testing.T, name string) {
		_, out := runCase(t, name, articleChat())
		require.Equal(t, []string{"ok"}, texts(out.Messages))
		require.Len(t, out.Messages, 1)
	},
	"ams-10-collapse-strings": func(t *testing.T, name string) {
		_, out := runCase(t, name, merging(joinTexts("\n\n")))
		require.Equal(t, []string{"a\n\nb\n\nc"}, texts(out.Messages))
		_, out = runCase(t, name, merging())
		require.Len(t, out.Messages, 1)
		require.Equal(t, []string{"a", "b", "c"}, texts(out.Messages), "without the hook the parts stay apart")
	},
	"ams-11-collapse-mixed-string-and-list": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Len(t, out.Messages, 1)
		require.Equal(t, []string{"s", "l", "t"}, texts(out.Messages))
	},
	"ams-20-system-first": func(t *testing.T, name string) {
		systemFirst := preflight.Hook{Name: "system-first", History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			slices.SortStableFunc(h, func(a, b preflight.Message) int {
				return rank(a.Role) - rank(b.Role)
			})
			return h, nil
		}}
		_, out := runCase(t, name, articleChat(systemFirst))
		require.Equal(t, preflight.RoleSystem, out.Messages[0].Role)
		require.Equal(t, []string{"Be helpful.", "Hello"}, texts(out.Messages))
		in, out := runCase(t, name, articleChat())
		requireUntouched(t, in, out)
	},
	"ams-22-max-messages-system-exceeds": func(t *testing.T, name string) {
		const most = 2
		newest := preflight.Hook{Name: "max-messages", History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			for len(h) > most { // the oldest that is not a system message, else the oldest
				at := max(slices.IndexFunc(h, func(m preflight.Message) bool { return m.Role != preflight.RoleSystem }), 0)
				h = slices.Delete(h, at, at+1)
			}
			return h, nil
		}}
		in, out := runCase(t, name, articleChat(newest))
		require.Equal(t, []string{"s2", "s3"}, texts(out.Messages))
		require.Equal(t, len(in)-most, out.Count(preflight.CodeHook))
	},
	"ams-23-alternation-keeps-last": func(t *testing.T, name string) {
		_, out := runCase(t, name, merging())
		require.Equal(t, []string{"first", "second", "reply"}, texts(out.Messages))
		require.Len(t, out.Messages, 2)
	},
	"ams-25-normalize-content-trims": func(t *testing.T, name string) {
		trim := preflight.Hook{Name: "trim", Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			for _, p := range m.Parts {
				if t, ok := p.(*preflight.Text); ok {
					t.Text = strings.TrimSpace(t.Text)
				}
			}
			return m, nil
		}}
		_, out := runCase(t, name, articleChat(trim))
		require.Equal(t, []string{"hello", "world"}, texts(out.Messages))
		in, out := runCase(t, name, articleChat())
		requireUntouched(t, in, out) // what a user wrote is nobody's to trim, unless asked
	},
	"art-01-merge-consecutive-user": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Len(t, out.Messages, 3)
		require.Equal(t, []string{"first", "second"}, texts(out.Messages[:1]))
		require.Len(t, out.Warnings, 1)
		require.Equal(t, preflight.CodeMerged, out.Warnings[0].Code)
		require.Equal(t, "messages[1]", out.Warnings[0].At.String())
	},
	"art-02-merge-consecutive-assistant": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, []string{"a1", "a2"}, texts(out.Messages[1:2]))
		require.Len(t, out.Warnings, 1)
	},
	"art-04-empty-block-inside-nonempty-message": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, []string{"q", "real", "z"}, texts(out.Messages))
	},
	"art-05-unpaired-tool-use-removed": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, []string{"q", "let me", "never mind"}, texts(out.Messages))
		require.Equal(t, []string{"t1"}, out.CallIDs(preflight.CodeDanglingRemoved))

		answer := preflight.ContextSanitizerOptions()
		answer.Dangling = preflight.DanglingAnswer
		_, out = runCase(t, name, sanitizing(preflight.ContextSanitizer(), preflight.Portable(), answer))
		require.Equal(t, map[string]string{"t1": preflight.DefaultDanglingText}, results(out.Messages))
	},
	"art-07-orphan-tool-result": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Empty(t, results(out.Messages))
		require.Equal(t, 1, out.Count(preflight.CodeOrphanRemoved))
		require.Equal(t, preflight.RoleUser, out.Messages[0].Role)
		require.NotEmpty(t, out.Messages[0].Parts)

		text := preflight.ContextSanitizerOptions()
		text.Orphans = preflight.OrphanText
		_, out = runCase(t, name, sanitizing(preflight.ContextSanitizer(), preflight.Portable(), text))
		require.Contains(t, texts(out.Messages)[0], "cut by trimming")
	},
	"art-08-result-not-in-next-message": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, "t1", out.Messages[2].Parts[0].(*preflight.ToolResult).CallID)
		require.Equal(t, map[string]string{"t1": "late"}, results(out.Messages))
		require.Equal(t, []string{"q", "interrupt"}, texts(out.Messages), "the turn that is last then is stripped, as the policy says")

		_, out = runCase(t, name, sanitizing(preflight.ContextSanitizer(), preflight.Portable(), preflight.Options{}))
		require.Equal(t, []string{"q", "interrupt", "hm", preflight.DefaultContinueText}, texts(out.Messages), "by default it is not")
	},
	"art-10-clean-history-noop": func(t *testing.T, name string) {
		in, out := runCase(t, name, article())
		requireUntouched(t, in, out)
	},
	"art-11-starts-with-assistant": func(t *testing.T, name string) {
		_, out := runCase(t, name, article())
		require.Equal(t, preflight.RoleUser, out.Messages[0].Role)
		require.Equal(t, []string{preflight.DefaultPlaceholder, "hello, how can I help?", "q"}, texts(out.Messages))
	},
}

func rank(r preflight.Role) int {
	if r == preflight.RoleSystem {
		return 0
	}
	return 1
}

func TestArticleStripsTrailingAssistant(t *testing.T) {
	said := func(role preflight.Role, text string) preflight.Message {
		return preflight.Message{Role: role, Parts: []preflight.Part{&preflight.Text{Text: text}}}
	}
	in := []preflight.Message{said(preflight.RoleUser, "q"), said(preflight.RoleAssistant, "a")}
	out := runSystem(t, in, article())
	require.Empty(t, cmp.Diff(in[:1], out.Messages))
	require.Equal(t, 1, out.Count(preflight.CodeTrailingStripped))

	takes := preflight.Portable()
	takes.RefusePrefill = false
	out = runSystem(t, in, sanitizing(preflight.ContextSanitizer(), takes, preflight.ContextSanitizerOptions()))
	requireUntouched(t, in, out) // a prefill is no mistake where the model takes it
}

func TestArticleNamesItsSteps(t *testing.T) {
	var names []string
	for _, f := range preflight.ContextSanitizer().Fixers() {
		names = append(names, f.Name)
	}
	last := -1
	for _, step := range []string{preflight.StepPair, preflight.StepEmpties, preflight.StepMerge, preflight.StepAlternate, preflight.StepTrailing} {
		at := slices.Index(names, step)
		require.Greater(t, at, last, step)
		last = at
	}
	require.Len(t, names, len(preflight.DefaultFixers()))
}

// TestArticleStrictModeAndFallback: two different answers to one call are ambiguous.
func TestArticleStrictModeAndFallback(t *testing.T) {
	answer := func(text string) preflight.Part {
		return &preflight.ToolResult{CallID: "c1", Content: []preflight.Part{&preflight.Text{Text: text}}}
	}
	in := []preflight.Message{user("first"), call("c1"), {Role: preflight.RoleUser, Parts: []preflight.Part{answer("yes"), answer("no"), &preflight.Text{Text: "last"}}}}
	options := preflight.ContextSanitizerOptions()
	options.Strict = true
	out := runSystem(t, in, sanitizing(preflight.ContextSanitizer(), preflight.Portable(), options))
	require.True(t, out.Fallback)
	require.Equal(t, []string{"last"}, texts(out.Messages))

	options.Fallback = preflight.FallbackError
	profile := preflight.Portable()
	out, err := preflight.ContextSanitizer().Run(context.Background(), in, &profile, &options)
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
	var ambiguous *preflight.AmbiguousError
	require.True(t, errors.As(err, &ambiguous))
	require.Len(t, ambiguous.Choices, 1)
	require.Empty(t, cmp.Diff(in, out.Messages), "on error the input comes back")
}
