package preflight_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
)

// TestValidAllocates: a valid history costs no allocation for each message, let alone part. There are none at all while the
// pools are full; the race detector empties them now and then, which costs some for every few calls.
func TestValidAllocates(t *testing.T) {
	profile := preflight.Anthropic()
	for _, shape := range []benchdata.Shape{benchdata.Clean, benchdata.Parallel, benchdata.Payloads} {
		history := benchdata.History(shape, 2000)
		require.True(t, preflight.Valid(history, &profile, nil), shape)
		allocations := testing.AllocsPerRun(20, func() {
			if _, err := preflight.Sanitize(context.Background(), history, &profile, nil); err != nil {
				t.Error(err)
			}
		})
		require.Less(t, allocations, 1000.0, shape)
	}
}
