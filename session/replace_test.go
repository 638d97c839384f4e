package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

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
	backup, err := replaceFile(name, info, []byte("was"), &repaired{data: []byte("repaired")})
	require.Error(t, err)
	require.Empty(t, backup)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "changed", string(data))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// TestInUse: what other processes have open is asked again, not once for the life of a program.
func TestInUse(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows which files are open")
	}
	name := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	hour := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(name, hour, hour))
	info, err := os.Stat(name)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, inUse(name, info, user{}))
		file, err := os.Open(name)
		require.NoError(t, err)
		other := exec.Command("sleep", "60")
		other.Stdin = file
		require.NoError(t, other.Start())
		require.NoError(t, file.Close())
		require.Eventually(t, func() bool { return inUse(name, info, user{}) != nil }, 20*time.Second,
			50*time.Millisecond)
		require.NoError(t, other.Process.Kill())
		require.Error(t, other.Wait())
		require.Eventually(t, func() bool { return inUse(name, info, user{}) == nil }, 20*time.Second,
			50*time.Millisecond)
	}
}

// TestUnfinished: what a killed run left is removed by the next one, and nothing else is.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
	for file, stays := range map[string]bool{
		".a.jsonl.preflight-tmp123": false, ".b.jsonl.preflight-tmp123": true,
		".a.jsonl.preflight-tmpx": true, "a.jsonl.bak": true,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
		info, err := os.Lstat(name)
		require.NoError(t, err)
		old, err := os.ReadFile(name)
		require.NoError(t, err)
		_, err = replaceFile(name, info, old, &repaired{data: []byte("new")})
		require.NoError(t, err)
		_, err = os.Lstat(filepath.Join(dir, file))
		require.Equal(t, stays, err == nil, file)
	}
}
