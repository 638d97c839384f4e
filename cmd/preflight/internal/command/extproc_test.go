//go:build unix

package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExtproc: the processor is found by its name, gets the arguments, and its exit code is that of
// the command.
func TestExtproc(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	code, _, stderr := call(t, "", "extproc", "--listen", "x")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "go install github.com/go-preflight/preflight/adapter/extproc/cmd/")
	require.NoError(t, os.WriteFile(filepath.Join(dir, extprocProgram),
		[]byte("#!/bin/sh\necho \"$@\"\nexit 7\n"), 0o700))
	code, stdout, _ := call(t, "", "extproc", "--listen", "x")
	require.Equal(t, 7, code)
	require.Equal(t, "--listen x\n", stdout)
}
