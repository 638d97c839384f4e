//go:build !unix

package command

// ignoreSIGPIPE does nothing: elsewhere, writing to a standard output that has no reader is an
// error anyway.
func ignoreSIGPIPE() {}
