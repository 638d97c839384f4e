package command

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWriteReplacesInOneStep: --write puts a new file in the place of the old one. Who reads the
// old one at that moment reads it to its end, permissions stay, links are followed and stay links,
// and nothing else is left in the folder.
func TestWriteReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	body, soft := filepath.Join(dir, "body.json"), filepath.Join(dir, "soft.json")
	require.NoError(t, os.WriteFile(body, []byte(reportBody), 0o640))
	require.NoError(t, os.Chmod(body, 0o640))
	require.NoError(t, os.Symlink(body, soft))
	before, err := os.Stat(body)
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // which replaces no file that is open
		reader, err := os.Open(body)
		require.NoError(t, err)
		defer func() {
			was, err := io.ReadAll(reader)
			require.NoError(t, err)
			require.Equal(t, reportBody, string(was))
			require.NoError(t, reader.Close())
		}()
	}
	code, stdout, stderr := call(t, "", "fix", "--provider", "anthropic", "--write", soft)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stdout)
	after, err := os.Stat(body)
	require.NoError(t, err)
	require.False(t, os.SameFile(before, after), "the old file was written to")
	require.Equal(t, before.Mode(), after.Mode())
	link, err := os.Lstat(soft)
	require.NoError(t, err)
	require.NotZero(t, link.Mode()&os.ModeSymlink)
	repaired := readFile(t, body)
	require.NotEqual(t, reportBody, repaired)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{body, soft}, left)

	code, _, _ = call(t, "", "fix", "--provider", "anthropic", "--write", body)
	require.Equal(t, 0, code)
	again, err := os.Stat(body)
	require.NoError(t, err)
	require.True(t, os.SameFile(after, again), "a valid file is not written")

	for _, broken := range []string{`{"messages":`, `{"messages":[]}`} {
		require.NoError(t, os.WriteFile(body, []byte(broken), 0o640))
		code, _, _ = call(t, "", "fix", "--provider", "anthropic", "--write", body)
		require.NotZero(t, code)
		require.Equal(t, broken, readFile(t, body))
	}
	code, _, stderr = call(t, "", "fix", "--provider", "anthropic", "--write", dir)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "regular files")
}
