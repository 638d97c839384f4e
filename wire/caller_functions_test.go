package wire_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/wire"
)

// This file lets functions of the caller, and the context, fail at any of their calls, and then
// holds what shares memory with the failed call (the pool, and a Sanitizer) to what new memory
// gives.

// failingContext is a context that fails in one of its calls.
type failingContext struct {
	context.Context
	called func()
}

func (c failingContext) Err() error            { c.called(); return nil }
func (c failingContext) Value(k any) any       { c.called(); return c.Context.Value(k) }
func (c failingContext) Done() <-chan struct{} { c.called(); return c.Context.Done() }

func TestFailingFunctions(t *testing.T) { rapid.Check(t, failingFunctions) }

func FuzzFailingFunctions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(failingFunctions)) }

func failingFunctions(t *rapid.T) {
	provider := rapid.SampledFrom(wire.Providers()).Draw(t, "provider")
	in := body(provider).Draw(t, "body")
	next := rapid.SampledFrom(wire.Providers()).Draw(t, "next provider")
	other := body(next).Draw(t, "next body")
	plain := &wire.Options{Provider: next}
	want, wantErr := new(wire.Sanitizer).Sanitize(context.Background(), other, plain)
	var shared wire.Sanitizer
	again := func() {
		for name, sanitize := range map[string]func(
			context.Context, []byte, *wire.Options,
		) (*wire.Result, error){"the pool": wire.Sanitize, "the Sanitizer": shared.Sanitize} {
			got, err := sanitize(context.Background(), other, plain)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Fatalf("%s: %+v %v, want %+v %v", name, got, err, want, wantErr)
			}
		}
	}

	nth := rapid.IntRange(1, 40).Draw(t, "nth")
	fault := rapid.SampledFrom([]func(){
		func() { panic(errors.New(canary)) }, runtime.Goexit,
		func() {
			got, err := wire.Sanitize(context.Background(), other, plain)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Fatalf("in a callback: %+v %v, want %+v %v", got, err, want, wantErr)
			}
		},
	}).Draw(t, "fault")
	calls := 0
	called := func() {
		if calls++; calls == nth {
			fault()
		}
	}
	options := &wire.Options{Provider: provider, Options: drawCallbacks(t, called)}
	ctx := context.Background()
	if rapid.Bool().Draw(t, "context fails") {
		ctx = failingContext{ctx, called}
	}
	for _, run := range []func(){
		func() { _, _ = wire.Sanitize(ctx, in, options) },
		func() { _, _ = shared.Sanitize(ctx, in, options) },
		func() { _, _ = wire.Check(in, options) },
	} {
		calls = 0
		kept := string(in)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() { _ = recover() }() // a context's own
			run()
		}()
		<-ended
		if string(in) != kept {
			t.Fatalf("the input was written to\n was %s\n is  %s", kept, in)
		}
		again()
	}
}

// drawCallbacks draws options with functions that call called first.
func drawCallbacks(t *rapid.T, called func()) (o preflight.Options) {
	if rapid.Bool().Draw(t, "open call") {
		part := rapid.SampledFrom([]preflight.Part{nil, &preflight.ToolResult{}}).Draw(t, "part")
		o.OpenCall = func(*preflight.ToolCall) preflight.Part { called(); return part }
	}
	if rapid.Bool().Draw(t, "boundary") {
		o.Fixers = []preflight.Fixer{fixer.Truncate{
			MaxString: 20, Boundary: func(_ string, n int) int { called(); return n },
		}.Fixer()}
	}
	if rapid.Bool().Draw(t, "hook") {
		o.Hooks = []preflight.Hook{{Name: "h", Message: func(
			_ context.Context, m preflight.Message,
		) (preflight.Message, error) {
			called()
			return redact.Message(m, func(s string) string { called(); return s + "x" }), nil
		}}}
	}
	return o
}
