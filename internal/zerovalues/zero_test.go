package zerovalues_test

import (
	"maps"
	"path"
	"slices"
	"testing"

	"github.com/go-preflight/preflight/internal/zerovalues"
)

// exports_test.go lists everything that the packages of the root module export; make api writes it.

// notCalled are functions and types that are not called, with the reason.
var notCalled = map[string]string{
	"fixer.Editor":         "panics for an index that is out of range, as a slice does",
	"preflighttest.New":    "reports what is wrong to the test that it is given",
	"preflighttest.Server": "is made by New and Start alone, in tests",
}

// TestZeroValues: nothing exported panics, whatever of its arguments and receiver is nil or zero.
func TestZeroValues(t *testing.T) {
	for _, dir := range slices.Sorted(maps.Keys(exports)) {
		for _, name := range slices.Sorted(maps.Keys(exports[dir])) {
			full := path.Base(dir) + "." + name
			if notCalled[full] == "" {
				t.Run(full, func(t *testing.T) { zerovalues.Call(t, name, exports[dir][name]) })
			}
		}
	}
}
