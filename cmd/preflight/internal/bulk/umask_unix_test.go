//go:build unix

package bulk_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/bulk"
)

// TestPrivate: what is written has the permissions that the user gives to new files. No other test
// runs meanwhile.
func TestPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	dir := t.TempDir()
	files := shards(t, t.TempDir(), 1, 5)
	run := bulk.Run{Dir: dir, DeadLetters: filepath.Join(dir, "dead")}
	_, err := run.Files(context.Background(), files)
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 5)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), e.Name())
	}
}
