package preflight_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestNilIsTheZeroValue: what is nil, or zero, is answered and does not panic.
func TestNilIsTheZeroValue(t *testing.T) {
	var profile *preflight.Profile
	ctx := context.Background()
	history := brokenHistory()
	for name, f := range map[string]func(){
		"Check":        func() { require.NotEmpty(t, preflight.Check(history, nil, nil)) },
		"Check of nil": func() { preflight.Check(nil, nil, nil) },
		"Pairs":        func() { require.NotEmpty(t, preflight.Pairs(history, nil)) },
		"Sanitize": func() {
			_, err := preflight.Sanitize(ctx, history, nil, nil)
			require.NoError(t, err)
		},
		"without a ctx": func() {
			_, err := preflight.Sanitize(nil, history, nil, nil) //nolint:staticcheck // the case
			require.NoError(t, err)
		},
		"Fixer": func() {
			out, warnings := preflight.Fixer{}.Apply(history, nil, nil)
			require.Len(t, out, len(history))
			require.Empty(t, warnings)
		},
		"PairToolCalls": func() { preflight.PairToolCalls.Apply(history, nil, nil) },
		"RepairToolName": func() {
			require.Equal(t, "a_b", profile.RepairToolName("a_b"))
			profile.RepairToolName("a b\x00")
		},
		"Pipeline": func() {
			result, err := new(preflight.Pipeline).Run(ctx, history, nil, nil)
			require.NoError(t, err)
			require.NotEmpty(t, result.Open)
			var none *preflight.Pipeline
			_, err = none.Run(ctx, history, nil, nil)
			require.ErrorIs(t, err, preflight.ErrPipeline)
		},
		"wire.Request": func() {
			for _, r := range []*wire.Request{nil, {}} {
				_, err := r.Encode(history)
				require.ErrorIs(t, err, wire.ErrNotARequest)
				require.Empty(t, r.Path(preflight.Position{}))
			}
		},
		"wire.Sanitize": func() {
			_, err := wire.Sanitize(ctx, nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Check": func() {
			_, err := wire.Check(nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Decode": func() {
			_, err := wire.Decode(nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Convert": func() { _, err := wire.Convert(ctx, nil, nil); require.Error(t, err) },
	} {
		t.Run(name, func(t *testing.T) { require.NotPanics(t, f) })
	}
}
