package stored_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/stored"
)

// TestNilIsZero: nil options are the zero value, and an option that has nothing to do with it does
// not change what becomes of an open call.
func TestNilIsZero(t *testing.T) {
	steps := map[string]func(*preflight.Options) msgtest.Step{
		"RepairInterrupted": interrupting,
		"Abort": func(o *preflight.Options) msgtest.Step {
			return func(h []preflight.Message) (preflight.Result, error) {
				return stored.Abort(h, "so far", o)
			}
		},
		"Resume": func(o *preflight.Options) msgtest.Step {
			return func(h []preflight.Message) (preflight.Result, error) {
				return stored.Resume(context.Background(), h, nil, o)
			}
		},
	}
	for name, step := range steps {
		rapid.Check(t, func(t *rapid.T) {
			in := histgen.Any(persistProfile(), nil).Draw(t, "history")
			want, err := step(nil)(in)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := step(&preflight.Options{})(in)
			if err != nil || dump(got.Messages) != dump(want.Messages) {
				t.Fatalf("%s: %v\nnil:\n%s\nzero:\n%s", name, err, dump(want.Messages),
					dump(got.Messages))
			}
		})
	}
	open := history(user("go"), call("a"))
	for name, step := range steps {
		plain, err := step(nil)(open)
		require.NoError(t, err)
		strict, err := step(&preflight.Options{Strict: true})(open)
		require.NoError(t, err)
		require.Equal(t, dump(plain.Messages), dump(strict.Messages), name)
		require.Equal(t, name != "Resume", plain.CallIDs(codes.DanglingAnswered) != nil, name)
	}
}
