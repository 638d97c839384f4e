package unionfind_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
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
	var none context.Context
	for name, f := range map[string]func() error{
		"Strategy": func() error {
			_, err := unionfind.Strategy{}.Compact(none, history, limits)
			return err
		},
		"Window": func() error {
			w, err := unionfind.NewWindow(unionfind.Config{Limits: limits})
			require.NoError(t, err)
			require.NoError(t, w.Append(none, history...))
			require.NoError(t, w.Resolve(none))
			_, err = w.Render(none, unionfind.Query{Text: "q"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls = 0
			require.NoError(t, f())
			require.Positive(t, calls, "nothing was called with the context")
		})
	}
}
