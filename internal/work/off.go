//go:build !workcount

package work

// Done counts one step.
func Done() {}
