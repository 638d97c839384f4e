//go:build !race

package spec

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/provider"
)

// TestRepairAllocates: a broken history costs the slices of its result and little else, whatever
// its length: the messages, the parts of those that changed, the origins in two pieces, the
// warnings. What the work takes is kept from call to call; where it is not, because the garbage
// collector took it, memory doubles, so that ten times the history takes some pieces more, not ten
// times as many. The race detector empties pools, and makes slices.Grow allocate twice: it can
// count nothing.
func TestRepairAllocates(t *testing.T) {
	profile := provider.Anthropic("")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector empties pools, too
	for _, shape := range []benchdata.Shape{benchdata.Dirty20, benchdata.Run} {
		sanitize := func(n int) func() {
			history := benchdata.History(shape, n)
			return func() {
				if _, err := preflight.Sanitize(context.Background(), history, profile, nil); err !=
					nil {
					t.Error(err)
				}
			}
		}
		few, many := sanitize(1000), sanitize(10_000)
		require.LessOrEqual(t, testing.AllocsPerRun(5, few), 8.0, shape)
		require.LessOrEqual(t, testing.AllocsPerRun(5, many), 8.0, shape)

		withoutPools := func(f func()) float64 {
			return testing.AllocsPerRun(2, func() {
				runtime.GC()
				runtime.GC() // two empty them
				f()
			})
		}
		require.Less(t, withoutPools(many), 2*withoutPools(few), shape) // 243 and 167; 90 and 60
	}
}
