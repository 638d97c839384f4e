//go:build !amd64 || purego

package validtext

// checkLong returns the fault of a text of 16 bytes or more.
func checkLong(s string) Fault { return check(s) }
