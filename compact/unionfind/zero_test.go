package unionfind_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/internal/zerovalues"
)

// TestZeroValues: nothing exported panics, whatever of its arguments and receiver is nil or zero.
func TestZeroValues(t *testing.T) {
	noNil := []reflect.Type{
		reflect.TypeFor[unionfind.Forest](), // has no place for texts, as a nil map has none
		reflect.TypeFor[unionfind.TFIDF](),  // has no place for what it learns
	}
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		t.Run(name, func(t *testing.T) { zerovalues.Call(t, name, exports[name], noNil...) })
	}
}
