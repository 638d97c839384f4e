// Package contain turns panics of the caller's functions into errors.
package contain

import (
	"fmt"

	"github.com/go-preflight/preflight"
)

// Panic stores a panic as an error. It has to be deferred:
//
//	defer contain.Panic("Transport.Report", &err)
//
// name is that of the function that was called. Without a panic, err is left as it is.
func Panic(name string, err *error) {
	if p := recover(); p != nil {
		*err = Error(name, "function", p)
	}
}

// Error returns the error for a value that the function of this name panicked with. what says what
// kind of function it is. The error wraps preflight.ErrHook; it has the type of the value and does
// not quote it, since the value may quote a message.
func Error(name, what string, value any) error {
	return &preflight.Error{
		Reason: preflight.ErrHook, Hook: name, Message: -1,
		Err: fmt.Errorf("the %s panicked with a value of type %T", what, value),
	}
}
