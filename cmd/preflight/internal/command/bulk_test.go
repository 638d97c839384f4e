//go:build unix

package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBulkExitCodes: lines that cannot be repaired and a run that failed have codes of their own,
// and standard error is bounded.
func TestBulkExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(reportBody+"\n"), 0o600))
	code, _, stderr := call(t, strings.Repeat("{\n", 1000), "fix", "--jsonl")
	require.Equal(t, exitWrong, code)
	require.Equal(t, 21, strings.Count(stderr, "\n"))
	require.Contains(t, stderr, "and 980 more lines")
	out := filepath.Join(dir, "out")
	code, _, _ = call(t, "", "fix", "--jsonl", "--provider", "anthropic", "--output", out, file)
	require.Equal(t, exitOK, code)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.gz"), []byte(reportBody), 0o600))
	code, _, stderr = call(t, "", "fix", "--jsonl", "--output", out, filepath.Join(dir, "b.gz"))
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "gzip")
	code, _, _ = call(t, "", "fix", "--jsonl", file)
	require.Equal(t, exitUsage, code)
}

// TestBulkPipe: a named pipe is a shard, and is read again in the next run.
func TestBulkPipe(t *testing.T) {
	dir := t.TempDir()
	pipe, out := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "out")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for k := range 2 {
		text := fmt.Sprintf("%s\n", strings.Repeat(reportBody+"\n", k+1))
		written := make(chan error, 1)
		go func() { written <- os.WriteFile(pipe, []byte(text), 0o600) }()
		code, _, stderr := call(t, "", "fix", "--jsonl", "--provider", "anthropic", "--output", out,
			pipe)
		require.NoError(t, <-written)
		require.Equal(t, exitOK, code, stderr)
		require.Contains(t, stderr, fmt.Sprint(k+1, " bodies"))
		require.NoFileExists(t, filepath.Join(out, "p.jsonl.done"))
	}
}

// TestBulkCollectsSeldom: a run sets the garbage collector for throughput, unless the environment
// says how often it runs.
func TestBulkCollectsSeldom(t *testing.T) {
	was := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	for _, c := range []struct {
		said string
		want int
	}{{"", 400}, {"70", 100}} {
		debug.SetGCPercent(100)
		t.Setenv("GOGC", c.said)
		code, _, stderr := call(t, reportBody+"\n", "fix", "--jsonl", "--provider", "anthropic")
		require.Equal(t, exitOK, code, stderr)
		require.Equal(t, c.want, debug.SetGCPercent(100))
	}
}
