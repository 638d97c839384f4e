package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// errLocked is that another process has the lock.
var errLocked = errors.New("another process has its lock")

// Lock waits until no other process holds the lock of a file, and takes it, so that a file can be
// read and replaced by one process at a time. The lock is a second file, .NAME.lock, which stays.
// The system releases it when the process ends, however it ends. Where the system or the file
// system has no locks, Lock does not wait. The error is that it took longer than patience, or that
// the folder cannot be written.
func Lock(name string, patience time.Duration) (unlock func(), err error) {
	dir, base := filepath.Split(name)
	lock := fmt.Sprintf("%s.%s.lock", dir, base)
	end := time.Now().Add(patience)
	for {
		file, err := lockFile(lock)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, errLocked) || time.Now().After(end) {
			return nil, &os.PathError{Op: "lock", Path: lock, Err: err}
		}
		time.Sleep(5 * time.Millisecond)
	}
}
