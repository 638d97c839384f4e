package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNotReplaced: a file that cannot be replaced, here because it changed, stays as it is, and
// nothing is left beside it.
func TestNotReplaced(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(name, []byte("changed"), 0o600))
	info, err := os.Stat(name)
	require.NoError(t, err)
	backup, err := replaceFile(name, info, []byte("was"), []byte("repaired"))
	require.Error(t, err)
	require.Empty(t, backup)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "changed", string(data))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}
