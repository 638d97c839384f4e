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
	const block, blocks = 512 << 10, 12
	all := benchdata.Peak(func() {
		held = nil
		for range blocks {
			held = append(held, make([]byte, block))
			runtime.GC()
		}
	})
	held = nil
	one := benchdata.Peak(func() {
		for range blocks {
			held = [][]byte{make([]byte, block)}
			runtime.GC()
		}
	})
	held = nil
	require.InEpsilon(t, block*blocks, all, 0.1)
	require.Less(t, one, 0.2*block*blocks)
}
