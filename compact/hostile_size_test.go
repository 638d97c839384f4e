package compact_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/provider"
)

// TestHostileSizes: long runs of everything end in good time, with a history or a typed error.
func TestHostileSizes(t *testing.T) {
	n := rapidseed.Size(10_000, 2_000)
	shapes := map[string][]preflight.Message{
		"a chat":         chatter(n),
		"one agent loop": agentLoop(n/4, 30),
	}
	run := make([]preflight.Message, n)
	for i := range run {
		run[i] = say("assistant", "hello")
	}
	shapes["one run of the assistant's"] = run
	profile := provider.Anthropic("")
	for shape, h := range shapes {
		for name, s := range map[string]compact.Strategy{
			"flat":       compact.Flat{},
			"masking":    compact.Masking{},
			"union-find": unionfind.Strategy{},
		} {
			t.Run(shape+" "+name, func(t *testing.T) {
				res, err := s.Compact(context.Background(), h,
					compact.Limits{Budget: 2000, Profile: profile})
				if err != nil {
					require.True(t, isBudget(err))
					return
				}
				require.LessOrEqual(t, res.Tokens, 2000)
			})
		}
	}
}
