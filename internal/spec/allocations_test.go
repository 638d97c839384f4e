package spec

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/provider"
)

// TestValidAllocates: a valid history costs no allocation for each message, let alone part. There
// are none at all while the pools are full; the race detector empties them now and then, which
// costs some for every few calls.
func TestValidAllocates(t *testing.T) {
	profile := provider.Anthropic("")
	for _, shape := range []benchdata.Shape{
		benchdata.Clean, benchdata.Parallel, benchdata.Payloads,
	} {
		history := benchdata.History(shape, 2000)
		require.True(t, isValid(history, profile, nil), shape)
		allocations := testing.AllocsPerRun(20, func() {
			if _, err := preflight.Sanitize(context.Background(), history, profile, nil); err !=
				nil {
				t.Error(err)
			}
		})
		require.Less(t, allocations, 1000.0, shape)
	}
}

// TestMemoryIsNotShared: what Sanitize returned stays as it is when later calls use the memory that
// it worked in.
func TestMemoryIsNotShared(t *testing.T) {
	profile := provider.Anthropic("")
	sanitize := func(history []preflight.Message) preflight.Result {
		result, err := preflight.Sanitize(context.Background(), history, profile,
			&preflight.Options{Orphans: preflight.OrphanText})
		require.NoError(t, err)
		return result
	}
	shapes := []benchdata.Shape{benchdata.Dirty20, benchdata.Run, benchdata.Dirty1}
	var first []preflight.Result
	for _, shape := range shapes {
		first = append(first, sanitize(benchdata.History(shape, 300)))
		sanitize(benchdata.History(shape, 500))
	}
	for k, shape := range shapes {
		require.Empty(t, cmp.Diff(sanitize(benchdata.History(shape, 300)), first[k]), shape)
	}
}
