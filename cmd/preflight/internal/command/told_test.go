package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
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
		"\xef\xbb\xbf{}":         "byte order mark: save it as UTF-8 without one",
		"\xff\xfe{\x00}\x00":     "UTF-16",
		"\xfe\xff\x00{\x00}":     "UTF-16",
		"{\x00}\x00":             "UTF-16",
		"\x1f\x8b\x08\x00":       "gunzip",
		"\x28\xb5\x2f\xfd\x04":   "unzstd",
		" \n":                    "the input is empty",
		healthy + "\n" + healthy: "--jsonl",
	} {
		for _, args := range [][]string{
			{"fix"}, {"check"}, {"compact", "--budget", "9"}, {"convert", "--to", "gemini"},
		} {
			code, stdout, stderr := call(t, input, args...)
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, want)
		}
	}
	for _, input := range []string{"{", "[1,", healthy + "}", healthy + "x", "1 2"} {
		require.Empty(t, notJSON([]byte(input)), input)
	}
}

// TestExplainRequest: who asks for the meaning of a request is told which command says it.
func TestExplainRequest(t *testing.T) {
	code, stdout, stderr := call(t, dangling, "explain")
	require.Equal(t, exitWrong, code)
	require.Empty(t, stdout)
	require.Equal(t, "preflight explain: this is a request, not an error; "+
		"preflight check says what its provider would refuse\n", stderr)
}

// TestMisspelled: a name that is nearly a known one is told.
func TestMisspelled(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"fix", "--reprot", "x"}, "not defined: --reprot (did you mean --report?)"},
		{[]string{"fix", "--jobs", "x"}, `invalid value "x" for flag --jobs: parse error; `},
		{[]string{"fix", "--model"}, "flag needs an argument: --model; "},
		{[]string{"fxi"}, "(did you mean fix?)"},
		{[]string{"fix", "--danglign=answer"}, "(did you mean --dangling?)"},
		{[]string{"convert", "--to", "claude"}, `(did you mean "anthropic"?)`},
		{[]string{"fix", "--provider", "Google"}, `(did you mean "gemini"?)`},
		{[]string{"rules", "--provider", "antropic"}, `"antropic" (did you mean anthropic?)`},
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

// TestTwoHyphens: names of flags are written as the documentation writes them.
func TestTwoHyphens(t *testing.T) {
	_, stdout, _ := call(t, "", "help", "fix")
	require.Contains(t, stdout, "\n  --dead-letter FILE\n")
	require.Contains(t, stdout, "\n  -v\t")
	require.NotRegexp(t, `(?m)^  -\w\w`, stdout)
}

// TestListRules: on a terminal, rules fit 80 columns.
func TestListRules(t *testing.T) {
	var list strings.Builder
	listRules(&list, rule.All())
	for line := range strings.Lines(list.String()) {
		require.LessOrEqual(t, len(line), 81, line)
	}
	require.Contains(t, list.String(), "\n    Only the last message can be marked as a prefix.\n")
}

// TestDiffMoved: what a repair moved has no colour, which is for what was lost or added.
func TestDiffMoved(t *testing.T) {
	call, other := `{"role":"assistant","content":[{"text":"a"}]}`, `{"role":"user","content":"b"}`
	var out bytes.Buffer
	p := &repairPrinter{std: stdio{out: &out}, colors: true}
	pairs := pairsOf(viewOf([]byte(`[`+call+`,`+other+`]`)), viewOf([]byte(`[`+other+`,`+call+`]`)))
	markMoved(pairs)
	p.diff(pairs)
	require.Contains(t, out.String(), "(moved)")
	require.NotContains(t, out.String(), p.colors.red("- assistant"))
	require.NotContains(t, out.String(), p.colors.green("+ assistant"))

	out.Reset()
	diffBodies(&out, "", []byte(`[`+call+`,`+other+`]`), []byte(`[`+other+`,`+call+`]`))
	require.Contains(t, out.String(), "(moved)")
}
