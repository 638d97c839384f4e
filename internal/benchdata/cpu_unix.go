//go:build unix

package benchdata

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used, on all threads: on a machine that does
// other work, too, it is much steadier than the time that passed.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
