package command

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLossIsTold: without a terminal, and without -v, one line says that content was lost.
func TestLossIsTold(t *testing.T) {
	code, stdout, stderr := call(t, dangling, "fix")
	require.Zero(t, code)
	require.NotContains(t, stdout, "tool_use")
	require.Regexp(t, `^preflight fix: content was lost in 1 change `+
		`\(messages\[\d\]\S* dangling-removed\); -v lists all changes\n$`, stderr)

	for _, quiet := range [][]string{
		{"fix", "--dangling", "answer"}, {"fix", "--diff"}, {"fix", "--check"},
	} {
		_, _, stderr = call(t, dangling, quiet...)
		require.Empty(t, stderr, quiet)
	}
	_, _, stderr = call(t, dangling, "fix", "--report", "-")
	require.NotContains(t, stderr, "preflight fix")
	_, _, stderr = call(t, healthy, "fix")
	require.Empty(t, stderr)
}

// TestNotJSON: what is not JSON is named by its first bytes.
func TestNotJSON(t *testing.T) {
	for input, want := range map[string]string{
		"\xff\xfe{\x00}\x00":     "UTF-16",
		"\xfe\xff\x00{\x00}":     "UTF-16",
		"{\x00}\x00":             "UTF-16",
		"\x1f\x8b\x08\x00":       "gunzip",
		"\x28\xb5\x2f\xfd\x04":   "unzstd",
		healthy + "\n" + healthy: "--jsonl",
	} {
		for _, command := range []string{"fix", "check"} {
			code, stdout, stderr := call(t, input, command)
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, want)
		}
	}
	for _, input := range []string{"", "{", "[1,", healthy + "}", healthy + "x", "1 2"} {
		require.Empty(t, notJSON([]byte(input)), input)
	}
}

func TestMisspelled(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"fix", "--reprot", "x"}, "(did you mean --report?)"},
		{[]string{"fix", "--danglign=answer"}, "(did you mean --dangling?)"},
		{[]string{"convert", "--to", "claude"}, `(did you mean "anthropic"?)`},
		{[]string{"fix", "--provider", "Google"}, `(did you mean "gemini"?)`},
	} {
		code, _, stderr := call(t, healthy, test.args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, test.want)
	}
	_, _, stderr := call(t, healthy, "fix", "--zzzzzz")
	require.NotContains(t, stderr, "did you mean")
}

// TestReadingIsTold: a command that waits for its input at a terminal says so.
func TestReadingIsTold(t *testing.T) {
	terminal, err := os.Open("/dev/ptmx")
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	var told bytes.Buffer
	stdio{in: terminal, err: &told}.input()
	require.Equal(t, "reading standard input\n", told.String())

	told.Reset()
	stdio{in: &bytes.Buffer{}, err: &told}.input()
	require.Empty(t, told.String())
}
