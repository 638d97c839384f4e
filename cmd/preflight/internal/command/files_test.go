package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFixWrite(t *testing.T) {
	dir := t.TempDir()
	broken := writeOld(t, filepath.Join(dir, "broken.json"), dangling)
	whole := writeOld(t, filepath.Join(dir, "whole.json"), healthy)
	info, err := os.Stat(whole)
	require.NoError(t, err)
	code, stdout, stderr := call(t, "", "fix", "--write", broken, whole)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	require.Equal(t, repaired, readFile(t, broken))
	require.Equal(t, healthy, readFile(t, whole))
	after, err := os.Stat(whole)
	require.NoError(t, err)
	require.Equal(t, info.ModTime(), after.ModTime(), "a healthy file was written")
	changed, err := os.Stat(broken)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), changed.Mode().Perm())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "nothing is left beside the files")
}

func TestFixFile(t *testing.T) {
	dir := t.TempDir()
	broken := writeOld(t, filepath.Join(dir, "broken.json"), dangling)
	code, stdout, _ := call(t, "", "fix", broken)
	require.Zero(t, code)
	require.Equal(t, repaired, stdout)

	code, stdout, _ = call(t, "", "fix", "--diff", broken, broken)
	require.Equal(t, 1, code, "there are differences")
	require.Equal(t, 2, strings.Count(stdout, broken+"\n"))
	require.Contains(t, stdout, "    1 message unchanged\n  - assistant\n      text: hm\n"+
		"  -   tool call f: {}\n  + assistant\n      text: hm\n    1 message unchanged\n")
	require.Equal(t, dangling, readFile(t, broken))

	code, stdout, _ = call(t, dangling, "fix", "--diff")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "tool call f")
	for _, args := range [][]string{{broken, broken}, {"--write"}, {"--jsonl", "--write", broken},
		{"--output", dir, broken}, {"--check", "--write", broken}, {"--diff", "--check", broken}} {
		code, _, stderr := call(t, "", append([]string{"fix"}, args...)...)
		require.Equal(t, 2, code, "%v %s", args, stderr)
	}
}

// TestFixCheck: the names of what would change, and an exit code for scripts; nothing is written.
func TestFixCheck(t *testing.T) {
	dir := t.TempDir()
	broken := writeOld(t, filepath.Join(dir, "broken.json"), dangling)
	sound := writeOld(t, filepath.Join(dir, "sound.json"), healthy)
	code, stdout, _ := call(t, "", "fix", "--check", broken, sound)
	require.Equal(t, 1, code)
	require.Equal(t, broken+"\n", stdout)
	require.Equal(t, dangling, readFile(t, broken))
	for _, flag := range []string{"--check", "--diff"} {
		code, stdout, _ = call(t, "", "fix", flag, sound)
		require.Zero(t, code)
		require.Empty(t, stdout)
	}
	code, stdout, _ = call(t, dangling, "fix", "--check")
	require.Equal(t, 1, code)
	require.Empty(t, stdout)
}

// TestFixVerbose: each change is a line of standard error, with the name of the file.
func TestFixVerbose(t *testing.T) {
	broken := writeOld(t, filepath.Join(t.TempDir(), "broken.json"), dangling)
	code, stdout, stderr := call(t, "", "fix", "-v", broken)
	require.Zero(t, code)
	require.Equal(t, repaired, stdout)
	require.Regexp(t, `^`+regexp.QuoteMeta(broken)+`: messages\S+\tdangling-removed\tremoved [^\n]+\n$`,
		stderr)
}

// TestBodyFile: convert and compact read a file, too.
func TestBodyFile(t *testing.T) {
	file := writeOld(t, filepath.Join(t.TempDir(), "body.json"), healthy)
	for _, args := range [][]string{
		{"convert", "--to", "openai-chat"}, {"compact", "--budget", "100000"},
	} {
		code, want, stderr := call(t, healthy, args...)
		require.Zero(t, code, stderr)
		code, stdout, _ := call(t, "", append(args, file)...)
		require.Zero(t, code)
		require.Equal(t, want, stdout)
		code, _, stderr = call(t, "", append(args, file+".none")...)
		require.Equal(t, 2, code)
		require.Contains(t, stderr, "no such file")
	}
	_, _, stderr := call(t, healthy, "compact")
	require.Equal(t, "preflight compact: --budget N is needed: the most tokens the messages may "+
		"cost\n", stderr)
}

// TestFlagsAfterFiles: flags may follow the names of files, as in preflight's usage. After "--" all
// arguments are names.
func TestFlagsAfterFiles(t *testing.T) {
	dir := t.TempDir()
	broken := writeOld(t, filepath.Join(dir, "broken.json"), dangling)
	code, stdout, _ := call(t, "", "check", broken, "--json", "--provider", "anthropic", broken)
	require.Equal(t, 1, code)
	require.Equal(t, 2, strings.Count(stdout, `{"file":`))
	_, stdout, _ = call(t, "", "repair", broken, "--json")
	require.Equal(t, 1, strings.Count(stdout, `"file":`), stdout)
	code, _, stderr := call(t, "", "fix", broken, "--write", "--provider", "anthropic")
	require.Zero(t, code, stderr)
	require.Equal(t, repaired, readFile(t, broken))
	code, _, stderr = call(t, "", "fix", "--write", broken, "--", "--provider")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--provider")
}

func TestCheckFiles(t *testing.T) {
	dir := t.TempDir()
	broken := writeOld(t, filepath.Join(dir, "broken.json"), dangling)
	whole := writeOld(t, filepath.Join(dir, "whole.json"), healthy)
	code, stdout, stderr := call(t, "", "check", whole, broken)
	require.Equal(t, 1, code, stderr)
	require.True(t, strings.HasPrefix(stdout,
		broken+":messages[1].content[1]\tanthropic/tool-result-missing\t"), stdout)
	code, stdout, _ = call(t, "", "check", "--json", whole, broken)
	require.Equal(t, 1, code)
	require.Equal(t, 2, strings.Count(stdout, `{"file":`))
	code, _, stderr = call(t, "", "check", broken, filepath.Join(dir, "none"))
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "none")
}

// A stored session is no request, and the error says what to do.
func TestStoredHint(t *testing.T) {
	for _, command := range []string{"fix", "check"} {
		for stored, want := range map[string]string{
			brokenSession:                     "this is stored by Qwen Code: use preflight repair",
			`[{"kind":"request","parts":[]}]`: "this is stored by pydantic-ai: use preflight repair",
		} {
			code, _, stderr := call(t, stored, command)
			require.Equal(t, 2, code)
			require.Contains(t, stderr, want)
			name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), stored)
			code, _, stderr = call(t, "", command, name)
			require.Equal(t, 2, code)
			require.Contains(t, stderr, want)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, c := range commands() {
		code, stdout, stderr := call(t, "", "help", c.name)
		require.Zero(t, code)
		require.Contains(t, stdout, "preflight "+c.name)
		require.Empty(t, stderr)
	}
	_, overview, _ := call(t, "", "help")
	for _, name := range []string{"fix", "version", "completion"} {
		require.Contains(t, overview, "\n  preflight "+name+" ")
		code, stdout, _ := call(t, "", "help", name)
		require.Zero(t, code)
		require.Contains(t, stdout, "preflight "+name)
	}
	code, _, stderr := call(t, "", "help", "nothing")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "nothing")
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, stdout, _ := call(t, "", "completion", shell)
		require.Zero(t, code)
		require.Contains(t, stdout, "fix check")
		require.NotContains(t, stdout, "COMMANDS")
	}
	code, _, _ := call(t, "", "completion", "tcsh")
	require.Equal(t, 2, code)
}

// TestDeadLettersSpareOutputs: the file of dead letters is never that of the repaired bodies.
func TestDeadLettersSpareOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("y.jsonl", []byte(healthy+"not json\n"+healthy), 0o600))
	for _, dead := range []string{"o/y.jsonl", "./o//y.jsonl", "o/y.jsonl.report"} {
		code, _, stderr := call(t, "", "fix", "--jsonl", "--output", "o", "--dead-letter", dead,
			"y.jsonl")
		require.Equal(t, exitFailed, code)
		require.Contains(t, stderr, "would replace the output o/y.jsonl")
	}
	code, _, stderr := call(t, "", "fix", "--jsonl", "--output", "o", "--dead-letter", "o/dead",
		"y.jsonl")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "3 bodies: 0 repaired, 1 cannot be repaired")
	require.Equal(t, healthy+healthy, readFile(t, "o/y.jsonl"))
	require.Equal(t, "not json\n", readFile(t, "o/dead"))
}
