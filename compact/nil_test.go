package compact_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// TestWithoutContext: a context that is nil is context.Background, also for what preflight calls.
func TestWithoutContext(t *testing.T) {
	var calls int
	hook := preflight.Hook{Name: "counts", Message: func(
		ctx context.Context, m preflight.Message,
	) (preflight.Message, error) {
		require.NoError(t, ctx.Err())
		calls++
		return m, nil
	}}
	history := []preflight.Message{preflight.UserText("q"), preflight.AssistantText("a")}
	limits := compact.Limits{
		Budget: 1000, Options: &preflight.Options{Hooks: []preflight.Hook{hook}},
	}
	generate := compact.Generate(func(ctx context.Context, _ string) (string, error) {
		calls++
		return "summary", ctx.Err()
	})
	var none context.Context
	for name, f := range map[string]func() error{
		"Flat": func() error {
			_, err := compact.Flat{}.Compact(none, history, limits)
			return err
		},
		"Masking": func() error {
			_, err := compact.Masking{}.Compact(none, history, limits)
			return err
		},
		"Session": func() error {
			s, err := compact.NewSession(compact.SessionConfig{Limits: limits})
			require.NoError(t, err)
			require.NoError(t, s.Append(none, history...))
			require.NoError(t, s.Resolve(none))
			_, err = s.Expand(none, []int{0})
			require.NoError(t, err)
			_, err = s.Render(none)
			return err
		},
		"Summarizer": func() error {
			s, err := compact.NewSession(compact.SessionConfig{
				Limits:   compact.Limits{Budget: 100},
				Strategy: compact.Flat{Summarizer: generate},
			})
			require.NoError(t, err)
			for range 30 {
				require.NoError(t, s.Append(none, history...))
			}
			_, err = s.Render(none)
			require.NoError(t, err)
			return s.Resolve(none)
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls = 0
			require.NoError(t, f())
			require.Positive(t, calls, "nothing was called with the context")
		})
	}
}
