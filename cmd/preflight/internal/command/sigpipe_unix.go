//go:build unix

package command

import (
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE makes writing to a standard output that has no reader an error.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }
