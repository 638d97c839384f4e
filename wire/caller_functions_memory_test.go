package wire

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestBodiesForCallersFunctions: whatever function of the caller's the options may hold, a body is
// decoded into memory that it may keep.
func TestBodiesForCallersFunctions(t *testing.T) {
	require.False(t, hasCallbacks(&preflight.Options{}))
	for k := range reflect.TypeFor[preflight.Options]().NumField() {
		var o preflight.Options
		field := reflect.ValueOf(&o).Elem().Field(k)
		switch field.Kind() {
		case reflect.Func:
			field.Set(reflect.MakeFunc(field.Type(), nil))
		case reflect.Interface:
			t.Fatalf("say whether a value in %s gets to see messages", field.Type())
		case reflect.Slice:
			if field.Type().Elem().Kind() != reflect.Struct {
				continue
			}
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		default:
			continue
		}
		require.True(t, hasCallbacks(&o), reflect.TypeFor[preflight.Options]().Field(k).Name)
	}
}
