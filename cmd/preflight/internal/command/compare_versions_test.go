package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompareVersions: two programs that stand for versions, of which one repairs the second body.
func TestCompareVersions(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the programs are scripts of the shell")
	}
	dir := t.TempDir()
	program := func(name, script string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
		return path
	}
	// $4 is where the report is written
	old := program("old", `cat; printf '{"warnings":[]}\n{"warnings":[]}\n' > "$4"; exit 1`)
	now := program("new", `sed 's/broken/mended/'; printf '{"warnings":[]}\n{"warnings":[{"code":"c",`+
		`"rule":"anthropic/x"}]}\n' > "$4"`)
	fails := program("fails", `echo no disk >&2; exit 3`)
	bodies := filepath.Join(dir, "bodies.jsonl")
	require.NoError(t, os.WriteFile(bodies, []byte("{\"valid\":1}\n{\"broken\":1}\n"), 0o600))

	code, out, stderr := call(t, "", "compare-versions", old, now, "--bodies", bodies)
	require.Equal(t, exitWrong, code, stderr)
	require.Equal(t, "line 2\told: \tnew: anthropic/x\n", out)
	require.Contains(t, stderr, "1 of 2 bodies")
	code, out, _ = call(t, "", "compare-versions", old, old, "--bodies", bodies)
	require.Zero(t, code)
	require.Empty(t, out)
	code, _, stderr = call(t, "", "compare-versions", old, fails, "--bodies", bodies)
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "no disk")
	code, _, _ = call(t, "", "compare-versions", old, "--bodies", bodies)
	require.Equal(t, exitUsage, code)
}
