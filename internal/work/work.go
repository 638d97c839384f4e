// Package work counts the steps that preflight takes: the calls of functions, and the turns of
// loops. A test that counts sees quadratic work that a clock misses. The sources call nothing here:
// command everywhere writes copies that do.
package work

import "sync/atomic"

var steps atomic.Int64

// Done counts one step.
func Done() { steps.Add(1) }

// Count returns the number of steps that do takes. It panics if there are none, because then the
// sources are not those that count.
func Count(do func()) int64 {
	before := steps.Load()
	do()
	n := steps.Load() - before
	if n == 0 {
		panic("work: no step was counted: see the target work in the Makefile")
	}
	return n
}
