//go:build workcount

package work

import "sync/atomic"

var steps atomic.Int64

// Done counts one step.
func Done() { steps.Add(1) }

// Count returns the number of steps that do takes.
func Count(do func()) int64 {
	before := steps.Load()
	do()
	return steps.Load() - before
}
