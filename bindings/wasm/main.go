//go:build js && wasm

// Command wasm is preflight as a WebAssembly module for JavaScript:
//
//	GOOS=js GOARCH=wasm go build -o preflight.wasm ./wasm
//
// It sets globalThis.preflightFunctions to an object with fix, check and explain, which take and
// return Uint8Arrays: see js/preflight.mjs.
package main

import (
	"syscall/js"

	"github.com/go-preflight/preflight/bindings"
)

func main() {
	functions := js.Global().Get("Object").New()
	functions.Set("fix", function(2, func(args [][]byte) []any {
		fixed, report, status := bindings.Fix(args[0], args[1])
		return []any{status, taken(fixed), taken(report)}
	}, func(report []byte) []any { return []any{bindings.Usage, taken(nil), taken(report)} }))
	functions.Set("check", function(2, func(args [][]byte) []any {
		report, status := bindings.Check(args[0], args[1])
		return []any{status, taken(report)}
	}, refused))
	functions.Set("explain", function(1, func(args [][]byte) []any {
		report, status := bindings.Explain(args[0])
		return []any{status, taken(report)}
	}, refused))
	js.Global().Set("preflightFunctions", functions)
	select {} // it serves until the page or the program ends
}

// function is a function for JavaScript with n arguments. One of another kind than a Uint8Array is
// an error of the call: a panic here would end the module for all later callers.
func function(n int, call func([][]byte) []any, refuse func(report []byte) []any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		all := make([][]byte, n)
		for k := range all {
			var ok bool
			if all[k], ok = given(args, k); !ok {
				return refuse(bindings.WrongArgument(k))
			}
		}
		return call(all)
	})
}

func refused(report []byte) []any { return []any{bindings.Usage, taken(report)} }

// given copies the bytes of an argument, nil for one that is left out. ok is false for one that is
// no Uint8Array.
func given(args []js.Value, k int) (data []byte, ok bool) {
	if k >= len(args) || args[k].IsUndefined() {
		return nil, true
	}
	kind := js.Global().Get("Uint8Array")
	if args[k].Type() != js.TypeObject || !args[k].InstanceOf(kind) {
		return nil, false
	}
	out := make([]byte, args[k].Get("byteLength").Int())
	js.CopyBytesToGo(out, args[k])
	return out, true
}

// taken copies bytes to a Uint8Array.
func taken(data []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(out, data)
	return out
}
