package benchdata_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
)

var held [][]byte

// TestPeak: what is held at once counts, and what was dropped before does not.
func TestPeak(t *testing.T) {
	const block, blocks = 64 << 10, 64
	all := benchdata.Peak(func() bool {
		held = nil
		for range blocks {
			held = append(held, make([]byte, block))
			runtime.GC()
		}
		return true
	})
	held = nil
	one := benchdata.Peak(func() bool {
		for range blocks {
			held = [][]byte{make([]byte, block)}
			runtime.GC()
		}
		return true
	})
	held = nil
	require.InEpsilon(t, block*blocks, all, 0.1)
	require.Less(t, one, 0.1*block*blocks)
}
