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
	functions.Set("fix", js.FuncOf(func(_ js.Value, args []js.Value) any {
		fixed, report, status := bindings.Fix(given(args, 0), given(args, 1))
		return []any{status, taken(fixed), taken(report)}
	}))
	functions.Set("check", js.FuncOf(func(_ js.Value, args []js.Value) any {
		report, status := bindings.Check(given(args, 0), given(args, 1))
		return []any{status, taken(report)}
	}))
	functions.Set("explain", js.FuncOf(func(_ js.Value, args []js.Value) any {
		report, status := bindings.Explain(given(args, 0))
		return []any{status, taken(report)}
	}))
	js.Global().Set("preflightFunctions", functions)
	select {} // it serves until the page or the program ends
}

// given copies the bytes of an argument.
func given(args []js.Value, k int) []byte {
	if k >= len(args) || args[k].IsUndefined() {
		return nil
	}
	out := make([]byte, args[k].Get("length").Int())
	js.CopyBytesToGo(out, args[k])
	return out
}

// taken copies bytes to a Uint8Array.
func taken(data []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(out, data)
	return out
}
