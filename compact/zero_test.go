package compact_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/go-preflight/preflight/internal/zerovalues"
)

// TestZeroValues: nothing exported panics, whatever of its arguments and receiver is nil or zero.
func TestZeroValues(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		t.Run(name, func(t *testing.T) { zerovalues.Call(t, name, exports[name]) })
	}
}
