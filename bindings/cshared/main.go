// Command cshared is preflight as a C library:
//
//	go build -buildmode=c-shared -o libpreflight.so ./cshared
//
// Every function takes bytes with their length and returns a status (see package bindings). What it
// writes to the out parameters is the caller's, who frees it with preflight_free. A function may be
// called on any thread, by several at once.
package main

/*
#include <stdlib.h>
#include <string.h>
*/
import "C"

import (
	"unsafe"

	"github.com/go-preflight/preflight/bindings"
)

func main() {}

//export preflight_fix
func preflight_fix(
	body *C.char, bodyLen C.size_t, options *C.char, optionsLen C.size_t,
	out **C.char, outLen *C.size_t, report **C.char, reportLen *C.size_t,
) C.int {
	fixed, text, status := bindings.Fix(given(body, bodyLen), given(options, optionsLen))
	*out, *outLen = taken(fixed)
	*report, *reportLen = taken(text)
	return C.int(status)
}

//export preflight_check
func preflight_check(
	body *C.char, bodyLen C.size_t, options *C.char, optionsLen C.size_t,
	report **C.char, reportLen *C.size_t,
) C.int {
	text, status := bindings.Check(given(body, bodyLen), given(options, optionsLen))
	*report, *reportLen = taken(text)
	return C.int(status)
}

//export preflight_explain
func preflight_explain(
	text *C.char, textLen C.size_t, report **C.char, reportLen *C.size_t,
) C.int {
	out, status := bindings.Explain(given(text, textLen))
	*report, *reportLen = taken(out)
	return C.int(status)
}

//export preflight_free
func preflight_free(p *C.char) { C.free(unsafe.Pointer(p)) }

// given are the caller's bytes, which are read during the call alone.
func given(p *C.char, n C.size_t) []byte {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n))
}

// taken is a copy that the caller owns.
func taken(data []byte) (*C.char, C.size_t) {
	p := C.malloc(C.size_t(len(data) + 1))
	if len(data) > 0 {
		C.memcpy(p, unsafe.Pointer(&data[0]), C.size_t(len(data)))
	}
	unsafe.Slice((*byte)(p), len(data)+1)[len(data)] = 0
	return (*C.char)(p), C.size_t(len(data))
}
