// Package contain makes panics of the caller's functions errors.
package contain

import (
	"fmt"

	"github.com/go-preflight/preflight"
)

// fault is a panic of a function of the caller, on its way to the method that returns it as an
// error.
type fault struct{ err error }

// Panicked returns the error for a panic of a function. It names the type of the value and does not
// quote it, since the value may quote a message.
func Panicked(what string, value any) error {
	if f, ok := value.(fault); ok {
		return f.err
	}
	return failed(what, fmt.Errorf("the %s panicked with a value of type %T", what, value))
}

// Ended returns the error of a function that ended its goroutine.
func Ended(what string) error {
	return failed(what, fmt.Errorf("the %s ended its goroutine", what))
}

func failed(what string, err error) error {
	return &preflight.Error{Reason: preflight.ErrHook, Hook: what, Message: -1, Err: err}
}

// Guard makes a panic of a function of the caller a fault. It has to be deferred around the call.
func Guard(what string) {
	if p := recover(); p != nil {
		panic(fault{Panicked(what, p)})
	}
}

// Into makes a fault the error of a method. It has to be deferred.
func Into(err *error) {
	if p := recover(); p != nil {
		*err = Fault(p)
	}
}

// Fault returns the error of a fault. Other panics are not the caller's, and continue.
func Fault(p any) error {
	f, ok := p.(fault)
	if !ok {
		panic(p)
	}
	return f.err
}
