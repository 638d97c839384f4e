//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLockUnsupported: on a file system without locks, a file can be written all the same.
func TestLockUnsupported(t *testing.T) {
	defer func() { flock = syscall.Flock }()
	file := filepath.Join(t.TempDir(), "a.json")
	for _, none := range []error{
		syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOLCK,
	} {
		flock = func(int, int) error { return none }
		unlock, err := Lock(file, 0)
		require.NoError(t, err)
		unlock()
	}
	flock = func(int, int) error { return syscall.EIO }
	_, err := Lock(file, 0)
	require.ErrorIs(t, err, syscall.EIO)
}
