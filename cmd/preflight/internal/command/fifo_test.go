//go:build unix

package command

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipes: a named pipe is read as a body and written as a report; --write and repair refuse it
// at once, without waiting for another program to open it.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.json")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	code, _, stderr := call(t, "", "fix", "--provider", "anthropic", "--write", pipe)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "regular files")
	code, _, _ = call(t, "", "repair", "--write", pipe)
	require.NotZero(t, code)
	code, _, _ = call(t, "", "repair", dir)
	require.Zero(t, code)

	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte(reportBody), 0o600) }()
	code, stdout, stderr := call(t, "", "fix", "--provider", "anthropic", pipe)
	require.NoError(t, <-written)
	require.Equal(t, 0, code, stderr)
	require.NotEmpty(t, stdout)

	report := make(chan []byte, 1)
	go func() {
		data, _ := os.ReadFile(pipe)
		report <- data
	}()
	code, _, stderr = call(t, reportBody, "fix", "--provider", "anthropic", "--report", pipe)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, string(<-report), `"changed":true`)
	info, err := os.Lstat(pipe)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeNamedPipe, "it is still a pipe")
}
