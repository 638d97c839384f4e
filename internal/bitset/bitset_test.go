package bitset_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/internal/bitset"
)

// TestSet: a set behaves as a map of its numbers, also when its memory is used again.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s bitset.Set
		require.Equal(t, 0, s.Next(0))
		for range 3 {
			size := rapid.IntRange(0, 200).Draw(t, "size")
			s.Reset(size)
			want := make(map[int]bool)
			if size > 0 {
				for _, i := range rapid.SliceOf(rapid.IntRange(0, size-1)).Draw(t, "members") {
					s.Add(i)
					want[i] = true
				}
			}
			next := size
			for i := size + 70; i >= 0; i-- {
				if want[i] {
					next = i
				}
				require.Equal(t, want[i], s.Has(i), "Has(%d)", i)
				require.Equal(t, next, s.Next(i), "Next(%d)", i)
			}
		}
	})
}
