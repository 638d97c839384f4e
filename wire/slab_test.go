package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sizesOf are the sizes of a slab's blocks.
func sizesOf[T any](s *slab[T]) []int {
	var out []int
	for _, b := range s.blocks {
		out = append(out, len(b))
	}
	return out
}

// TestSlabBlocks: blocks begin small and double, and a block is used up before the next is made;
// one that many values are taken of at once is as large as they need.
func TestSlabBlocks(t *testing.T) {
	var s slab[int]
	for range 4 {
		s.one(7)
	}
	require.Equal(t, []int{4}, sizesOf(&s))
	for range 8 + 16 + 32 + 64 + 128 + 128 {
		s.one(7)
	}
	require.Equal(t, []int{4, 8, 16, 32, 64, 128, 128}, sizesOf(&s))
	s.take(1000)
	require.Equal(t, []int{4, 8, 16, 32, 64, 128, 128, 1000}, sizesOf(&s))
	s.take(100)
	s.take(100) // does not fit
	require.Equal(t, []int{4, 8, 16, 32, 64, 128, 128, 1000, 128, 128}, sizesOf(&s))

	var many slab[int]
	for range 20_000 {
		many.one(7)
	}
	require.Less(t, len(many.blocks), 6+20_000/128, "a long body, too, gets its values in blocks")
}

// TestSlabValues: no one else gets what was handed out, until all of it is taken back; then it is
// zero, and the same memory.
func TestSlabValues(t *testing.T) {
	var s slab[int]
	for round := range 3 {
		var held []*int
		for k := range 300 {
			held = append(held, s.one(k))
			list := s.take(k % 7)
			for _, v := range list {
				require.Zero(t, v, "round %d", round)
			}
			require.Len(t, list, k%7)
			for i := range list {
				list[i] = -1
			}
			_ = append(list, -2) // reaches no other value
		}
		for k, p := range held {
			require.Equal(t, k, *p)
		}
		blocks := len(s.blocks)
		s.reset()
		require.Zero(t, testing.AllocsPerRun(5, func() {
			for k := range 300 {
				s.one(k)
				s.take(k % 7)
			}
			s.reset()
		}))
		require.Len(t, s.blocks, blocks)
	}
}
