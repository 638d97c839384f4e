//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// flock is syscall.Flock, except in tests.
var flock = syscall.Flock

// lockFile opens a file and locks it, if its file system has locks.
func lockFile(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return file, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return nil, errLocked
	}
	return nil, err
}
