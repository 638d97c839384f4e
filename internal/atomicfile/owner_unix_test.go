//go:build unix

package atomicfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

func TestKeepOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give a file to another user")
	}
	dir := t.TempDir()
	theirs, ours := filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
	require.NoError(t, os.WriteFile(theirs, nil, 0o600))
	require.NoError(t, os.Chown(theirs, 1234, 2345))
	info, err := os.Stat(theirs)
	require.NoError(t, err)
	file, err := os.Create(ours)
	require.NoError(t, err)
	atomicfile.KeepOwner(file, info)
	require.NoError(t, file.Close())
	info, err = os.Stat(ours)
	require.NoError(t, err)
	is := info.Sys().(*syscall.Stat_t)
	require.Equal(t, [2]uint32{1234, 2345}, [2]uint32{is.Uid, is.Gid})
}
