package zerovalues_test

import (
	"context"
	"fmt"
	"maps"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// This file calls everything that is exported with nil and zero values: as arguments and as
// receivers. exports_test.go lists it; make api writes that list.

// notCalled are functions and types that are not called, with the reason.
var notCalled = map[string]string{
	"..Editor":                 "panics for an index that is out of range, as a slice does",
	"preflighttest.New":        "reports what is wrong to the test that it is given",
	"preflighttest.Server":     "is made by New and Start alone, in tests",
	"session.RegisterDatabase": "changes what the package knows, for good",
}

// noNil are types whose nil pointer has no methods, with the reason.
var noNil = map[reflect.Type]string{
	reflect.TypeFor[compact.Forest](): "has no place for texts, as a nil map has none",
	reflect.TypeFor[compact.TFIDF]():  "has no place for what it learns",
}

// hasNil reports whether the methods of a type can be called with nil. An error that is nil is no
// error; fmt prints it as <nil>.
func hasNil(typ reflect.Type) bool {
	isError := reflect.PointerTo(typ).Implements(reflect.TypeFor[error]())
	return !isError && noNil[typ] == ""
}

// TestZeroValues: nothing exported panics, whatever of its arguments and receiver is nil or zero.
func TestZeroValues(t *testing.T) {
	for _, dir := range slices.Sorted(maps.Keys(exports)) {
		names := exports[dir]
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if notCalled[path.Base(dir)+"."+name] != "" {
				continue
			}
			t.Run(path.Base(dir)+"."+name, func(t *testing.T) {
				switch v := names[name].(type) {
				case reflect.Type:
					callMethods(t, v)
				default:
					callWithZeros(t, name, reflect.ValueOf(v), nil)
				}
			})
		}
	}
}

// callMethods calls every method of a type and of its pointer.
func callMethods(t *testing.T, typ reflect.Type) {
	if typ.Kind() == reflect.Interface {
		return // a method of the caller's
	}
	pointer := reflect.PointerTo(typ)
	for k := range pointer.NumMethod() {
		m := pointer.Method(k)
		receivers := []reflect.Value{reflect.New(typ)}
		if _, ofValue := typ.MethodByName(m.Name); !ofValue && hasNil(typ) {
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

// zeros are the values of a type that callers pass by mistake: its zero value, a pointer to one, a
// list with one.
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
