package compact

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file contains the caller's functions: summarizers, counters, embedders, scorers, stores and
// strategies of other packages. A panic in one is an error of the method that called it, and the
// number that a counter returns is brought into a range in which sums do not overflow.

// fault is a panic of a function of the caller, on its way to the method that returns it as an
// error.
type fault struct{ err error }

// panicked is the error for a panic of a function. It names the type of the value and does not
// quote it, since the value may quote a message.
func panicked(what string, value any) error {
	if f, ok := value.(fault); ok {
		return f.err
	}
	return &preflight.Error{
		Reason: preflight.ErrHook, Hook: what, Message: -1,
		Err: fmt.Errorf("the %s panicked with a value of type %T", what, value),
	}
}

// guard makes a panic of a function of the caller a fault. It has to be deferred around the call.
func guard(what string) {
	if p := recover(); p != nil {
		panic(fault{panicked(what, p)})
	}
}

// contain makes a fault the error of a method. It has to be deferred.
func contain(err *error) {
	if p := recover(); p != nil {
		*err = faultOf(p)
	}
}

// containIn is contain for a strategy, which returns the history with an error.
func containIn(res *Result, history []preflight.Message, err *error) {
	if p := recover(); p != nil {
		*res, *err = Result{Messages: slices.Clip(history)}, faultOf(p)
	}
}

// faultOf is the error of a fault. Other panics are not the caller's, and continue.
func faultOf(p any) error {
	f, ok := p.(fault)
	if !ok {
		panic(p)
	}
	return f.err
}

// mostTokens is the most that anything costs: sums of a few such numbers do not overflow.
const mostTokens = math.MaxInt / 16

// plus is the sum of two costs.
func plus(a, b int) int { return min(a+b, mostTokens) }

// pending reports whether a call waits by the options. The caller's function gets a copy.
func (l Limits) pending() func(*preflight.ToolCall) bool {
	if l.Options == nil || l.Options.Pending == nil {
		return func(*preflight.ToolCall) bool { return false }
	}
	return func(c *preflight.ToolCall) bool {
		defer guard("function Options.Pending")
		given := *c
		return l.Options.Pending(&given)
	}
}

// counted is what the caller's counter says of a message.
func (l Limits) counted(m preflight.Message) int {
	defer guard("token counter")
	return max(0, min(l.Count(m), mostTokens))
}
