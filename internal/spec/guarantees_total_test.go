package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file proves G8: no input panics, hangs or overflows the stack, and the cost is linear. Work
// is counted in bytes allocated, not in time, so that a busy machine cannot fail a test.

func policies() map[string]*preflight.Options {
	return map[string]*preflight.Options{
		"defaults": {},
		"keep it": {
			Dangling: preflight.DanglingAnswer, Orphans: preflight.OrphanText,
			Duplicates: preflight.DuplicateLast,
		},
		"merge, cut": {
			Duplicates: preflight.DuplicateMerge, Trailing: preflight.TrailingStrip,
			Fixers: []preflight.Fixer{fixer.Truncate{MaxString: 80, Inputs: true}.Fixer()},
		},
	}
}

// allocated is how many bytes a run of f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func sized(
	t *testing.T,
	policies map[string]*preflight.Options,
	each func(*testing.T, histgen.Shape, *preflight.Profile, *preflight.Options),
) {
	bound := *provider.Anthropic("claude-opus-5-5")
	for name, profile := range map[string]preflight.Profile{
		"anthropic":   *provider.Anthropic(""),
		"opus-5-5":    bound,
		"openai-chat": *provider.OpenAIChat(""),
	} {
		for _, shape := range histgen.Shapes(profile.Pairing.ResultRole) {
			for policy, options := range policies {
				t.Run(fmt.Sprintf("%s/%s/%s", name, shape.Name, policy),
					func(t *testing.T) { each(t, shape, &profile, options) })
			}
		}
	}
}

// TestLinear: ten times the history costs about ten times as much, whatever its shape.
func TestLinear(t *testing.T) {
	// linear is 10, but a map or slice may be caught right before it grows; quadratic is 100
	const most = 20
	sized(t, policies(),
		func(t *testing.T, shape histgen.Shape, profile *preflight.Profile, o *preflight.Options) {
			cost := func(n int) uint64 {
				history := shape.Make(n)
				return allocated(func() {
					_, err := preflight.Sanitize(context.Background(), history, profile, o)
					mayFail(t, shape, err)
				})
			}
			n := rapidseed.Size(1000, 150)
			var small, large uint64
			for range 4 { // the race detector empties pools at random
				runtime.GC()
				runtime.GC() // a pool is empty after two collections
				// what the small one leaves in pools is little beside what the large one takes
				if small, large = cost(n), cost(10*n); large <= most*small {
					break
				}
			}
			if large > most*small {
				t.Errorf("%d parts take %d bytes, ten times as many take %d: %.1f times as much", n,
					small, large, float64(large)/float64(small))
			}
		})
}

// mayFail: a shape without anything but empty messages has nothing to send; nothing else may fail.
func mayFail(t *testing.T, shape histgen.Shape, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, preflight.ErrEmptyHistory) {
		t.Errorf("%s: %v", shape.Name, err)
	}
}

// TestHugeHistories sanitizes every hostile shape at a size that quadratic work would not finish:
// with make soak, the 100,000 messages that a provider takes at most. What comes out is valid.
func TestHugeHistories(t *testing.T) {
	keep := map[string]*preflight.Options{"keep it": policies()["keep it"]}
	sized(t, keep,
		func(t *testing.T, shape histgen.Shape, profile *preflight.Profile, o *preflight.Options) {
			history := shape.Make(rapidseed.Size(100_000, 5_000))
			res, err := preflight.Sanitize(context.Background(), history, profile, o)
			mayFail(t, shape, err)
			require.Empty(t, preflight.Check(res.Messages, profile, nil))
		})
}
