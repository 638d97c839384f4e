// Package zerovalues calls everything that a package exports with nil and zero values, in tests.
package zerovalues

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
)

// Call calls a function, or the methods of a type, given as its reflect.Type, with nil and zero
// values as arguments and receivers. It reports a panic to t. A type in noNil has no methods that
// its nil pointer can be called with.
func Call(t *testing.T, name string, export any, noNil ...reflect.Type) {
	t.Helper()
	if typ, ok := export.(reflect.Type); ok {
		callMethods(t, typ, noNil)
		return
	}
	callWithZeros(t, name, reflect.ValueOf(export), nil)
}

// hasNil reports whether the methods of a type can be called with nil. An error that is nil is no
// error; fmt prints it as <nil>.
func hasNil(typ reflect.Type, noNil []reflect.Type) bool {
	isError := reflect.PointerTo(typ).Implements(reflect.TypeFor[error]())
	return !isError && !slices.Contains(noNil, typ)
}

// callMethods calls every method of a type and of its pointer.
func callMethods(t *testing.T, typ reflect.Type, noNil []reflect.Type) {
	if typ.Kind() == reflect.Interface {
		return // a method of the caller's
	}
	pointer := reflect.PointerTo(typ)
	for k := range pointer.NumMethod() {
		m := pointer.Method(k)
		receivers := []reflect.Value{reflect.New(typ)}
		if _, ofValue := typ.MethodByName(m.Name); !ofValue && hasNil(typ, noNil) {
			receivers = append(receivers, reflect.Zero(pointer))
		}
		for _, r := range receivers {
			callWithZeros(t, fmt.Sprintf("(%s).%s", kindOf(r), m.Name), m.Func, &r)
		}
	}
}

// callWithZeros calls f with all combinations of the zero values of its parameters.
func callWithZeros(t *testing.T, name string, f reflect.Value, receiver *reflect.Value) {
	calls := [][]reflect.Value{nil}
	for k := range f.Type().NumIn() {
		values := zeros(f.Type().In(k))
		if k == 0 && receiver != nil {
			values = []reflect.Value{*receiver}
		}
		var longer [][]reflect.Value
		for _, c := range calls {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(c), v))
			}
		}
		calls = longer
	}
	for _, arguments := range calls {
		if stack := panicOf(f, arguments); stack != "" {
			var in []string
			for _, a := range arguments {
				in = append(in, kindOf(a))
			}
			t.Errorf("%s(%s) panics: %s", name, strings.Join(in, ", "), stack)
			return
		}
	}
}

// panicOf calls f and returns what it panicked with and where, "" if it did not.
func panicOf(f reflect.Value, arguments []reflect.Value) (where string) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 1<<13)
			where = fmt.Sprintf("%v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	if f.Type().IsVariadic() {
		f.CallSlice(arguments)
	} else {
		f.Call(arguments)
	}
	return ""
}

// kindOf names an argument by its type, and whether it is nil.
func kindOf(v reflect.Value) string {
	if v.Kind() != reflect.Struct && v.IsZero() {
		return fmt.Sprintf("zero %s", v.Type())
	}
	return v.Type().String()
}

// zeros returns the values of a type that callers pass by mistake: its zero value, a pointer to
// one, a list with one.
func zeros(typ reflect.Type) []reflect.Value {
	out := []reflect.Value{reflect.Zero(typ)}
	switch typ {
	case reflect.TypeFor[context.Context]():
		return append(out, reflect.ValueOf(context.Background()))
	case reflect.TypeFor[preflight.Part]():
		for _, p := range zeroParts {
			out = append(out, reflect.ValueOf(p))
		}
		return out
	case reflect.TypeFor[[]preflight.Message]():
		return append(out, reflect.ValueOf(zeroHistory))
	}
	switch typ.Kind() {
	case reflect.Pointer:
		out = append(out, reflect.New(typ.Elem()))
	case reflect.Slice:
		out = append(out, reflect.MakeSlice(typ, 1, 1))
	}
	return out
}

// zeroParts are parts without content, and no parts.
var zeroParts = []preflight.Part{
	(*preflight.Text)(nil), (*preflight.Reasoning)(nil), (*preflight.ToolCall)(nil),
	(*preflight.ToolResult)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil),
	&preflight.Text{}, &preflight.Reasoning{}, &preflight.ToolCall{}, &preflight.ToolResult{},
	&preflight.Media{}, &preflight.Other{},
}

var zeroHistory = []preflight.Message{
	{}, {Role: preflight.RoleUser, Parts: append([]preflight.Part{nil}, zeroParts...)},
	{Role: preflight.RoleAssistant, Parts: zeroParts}, {Role: preflight.RoleTool, Parts: zeroParts},
	{Role: preflight.RoleSystem, Parts: zeroParts},
}
