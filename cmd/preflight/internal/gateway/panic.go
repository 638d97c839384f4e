package gateway

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
)

// This file tells of faults of the gateway itself, which net/http would end a request for without a
// word.

// landedOn accounts for a request that has ended, in a panic or not. The proxy panics with
// http.ErrAbortHandler to break off an answer. It is deferred.
func (g *Gateway) landedOn(r *http.Request, f *flight, sample func()) {
	fault := recover()
	if fault != nil && fault != http.ErrAbortHandler {
		f.result = resultPanic
		g.panicked(fault)
	}
	sample()
	g.tellUnkept()
	g.landed(r, f)
	if fault != nil {
		panic(http.ErrAbortHandler)
	}
}

// panicked counts a fault, and tells where it is. What a panic says may be content, unless the
// runtime says it.
func (g *Gateway) panicked(fault any) {
	g.stats.add(&g.stats.Panics, 1)
	text := fmt.Sprintf("%T", fault)
	if err, ok := fault.(runtime.Error); ok {
		text = err.Error()
	}
	g.warn("a request ended in a fault, please report it: " + text + "\n" + string(debug.Stack()))
}
