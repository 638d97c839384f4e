package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheckLines: each line is a body, and a line that is none stops nothing.
func TestCheckLines(t *testing.T) {
	lines := strings.TrimSpace(healthy) + "\n\nnot JSON\n" + dangling
	const at = "messages[1].content[1]\tanthropic/tool-result-missing\t"
	code, stdout, stderr := call(t, lines, "check", "--jsonl")
	require.Equal(t, 1, code)
	require.True(t, strings.HasPrefix(stdout, "4:"+at), stdout)
	require.Equal(t, 1, strings.Count(stdout, "\n"))
	require.True(t, strings.HasPrefix(stderr, "preflight check: 3: "), stderr)

	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), lines)
	code, stdout, stderr = call(t, "", "check", "--jsonl", name)
	require.Equal(t, 1, code)
	require.True(t, strings.HasPrefix(stdout, name+":4:"+at), stdout)
	require.True(t, strings.HasPrefix(stderr, "preflight check: "+name+":3: "), stderr)

	code, stdout, _ = call(t, lines, "check", "--jsonl", "--json")
	require.Equal(t, 1, code)
	var found []checked
	for line := range strings.Lines(stdout) {
		var one checked
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		found = append(found, one)
	}
	require.Len(t, found, 3)
	require.Equal(t, checked{Line: 1, Provider: "anthropic", Model: found[0].Model,
		Violations: found[0].Violations}, found[0])
	require.Empty(t, found[0].Violations)
	require.NotEmpty(t, found[1].Error)
	require.Len(t, found[2].Violations, 1)

	code, _, _ = call(t, healthy, "check", "--jsonl")
	require.Zero(t, code)
	code, _, _ = call(t, "", "check", "--jsonl", name+"-missing")
	require.Equal(t, 2, code)
}

// TestStandardInputByName: "-" is standard input wherever the name of a body may be.
func TestStandardInputByName(t *testing.T) {
	t.Chdir(t.TempDir())
	const refusal = "messages.1: `tool_use` ids were found without `tool_result` blocks " +
		"immediately after: toolu_1."
	for _, args := range [][]string{
		{"fix", "-"}, {"fix", "--diff", "-"}, {"check", "-"}, {"check", "--jsonl", "-"},
		{"convert", "--to", "gemini", "-"}, {"compact", "--budget", "100", "-"},
		{"explain", refusal, "--body", "-"},
	} {
		_, stdout, stderr := call(t, dangling, args...)
		require.NotEmpty(t, stdout, "%v %s", args, stderr)
	}
	code, _, stderr := call(t, dangling, "fix", "--write", "-")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "regular files")
}

// TestCheckLeft: -v, --json and reports say what is left because of a member that is not known;
// without them nothing else than violations is printed.
func TestCheckLeft(t *testing.T) {
	const body = `{"model":"claude-opus-9","max_tokens":9,"resume":{"from":"msg_1"},"messages":[` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}]}]}`
	code, stdout, _ := call(t, body, "check", "--provider", "anthropic")
	require.Zero(t, code)
	require.Empty(t, stdout)
	const line = "messages[0].content[0]\tanthropic/tool-result-orphan\t" +
		"left because of the member \"resume\""
	code, stdout, _ = call(t, body, "check", "-v", "--provider", "anthropic")
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(stdout, line), stdout)
	code, stdout, _ = call(t, body, "check", "--json", "--provider", "anthropic")
	require.Zero(t, code)
	require.Contains(t, stdout, `"violations":[],"left":[{"rule":"anthropic/tool-result-orphan",`)
	require.Contains(t, stdout, `"member":"resume"`)
	code, stdout, stderr := call(t, body, "fix", "-v", "--provider", "anthropic")
	require.Zero(t, code)
	require.Equal(t, body, stdout)
	require.True(t, strings.HasPrefix(stderr, line), stderr)
	code, _, stderr = call(t, body, "fix", "--report", "-", "--provider", "anthropic")
	require.Zero(t, code)
	require.Contains(t, stderr, `"changed":false,"warnings":[],"left":[{`)
}

// TestCheckEnvelopes: a line of a batch API is checked for the body in it, and what is for no chat
// is not.
func TestCheckEnvelopes(t *testing.T) {
	lines := `{"custom_id":"a","method":"POST","url":"/v1/messages","body":` +
		strings.TrimSpace(dangling) + "}\n" +
		`{"custom_id":"b","params":` + strings.TrimSpace(dangling) + "}\n" +
		`{"custom_id":"c","url":"/v1/embeddings","body":{"model":"e","input":["a",""]}}` + "\n" +
		`{"custom_id":"d","url":"/v1/messages","body":` + strings.TrimSpace(healthy) + "}\n"
	code, stdout, stderr := call(t, lines, "check", "--jsonl")
	require.Equal(t, exitWrong, code)
	require.Empty(t, stderr)
	require.Equal(t, 2, strings.Count(stdout, "\n"), stdout)
	require.Contains(t, stdout, "1:body.messages[1].content[1]\tanthropic/tool-result-missing")
	require.Contains(t, stdout, "2:params.messages[1].content[1]\tanthropic/tool-result-missing")
}
