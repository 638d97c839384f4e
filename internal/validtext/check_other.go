//go:build !amd64 || purego

package validtext

// Check returns the fault of a text.
func Check(s string) Fault { return check(s) }
