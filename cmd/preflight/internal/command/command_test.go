package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

const (
	healthy = `{ "model":"claude-sonnet-4-5", "max_tokens": 64,"messages":[{"role":"user",` +
		`"content":"q","x":1.0}] }` + "\n"
	dangling = `{"model":"claude-sonnet-4-5","max_tokens":64,"tools":[{"name":"f",` +
		`"input_schema":{"type":"object"}}],"messages":[` +
		`{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"text","text":"hm"},` +
		`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
		`{"role":"user","content":"next"}]}`
	repaired = `{"model":"claude-sonnet-4-5","max_tokens":64,"tools":[{"name":"f",` +
		`"input_schema":{"type":"object"}}],"messages":[` +
		`{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"text","text":"hm"}]},` +
		`{"role":"user","content":"next"}]}`
)

// call runs the command and returns what it wrote.
func call(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func TestFix(t *testing.T) {
	for _, test := range []struct {
		reason string
		args   []string
		stdin  string
		code   int
		stdout string
		stderr string // a part of it
	}{
		{"a valid body comes out byte for byte", nil, healthy, 0, healthy, ""},
		{"a broken one is repaired, the rest untouched", nil, dangling, 0, repaired, ""},
		{"the provider can be named", []string{"--provider", "anthropic"}, dangling, 0, repaired,
			""},
		{"nothing can be made of nothing", nil,
			`{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[]}`, 1, "", "empty"},
		{"input that is not JSON says where", nil, "{\n  \"messages\": [,]}", 2, "", "line 2"},
		{"JSON that is no request", []string{"--provider", "anthropic"}, `{"a":1}`, 2, "",
			"messages"},
		{"an ambiguous body names the candidates", nil,
			`[{"role":"user","content":"q"},{"role":"user","content":"q"}]`, 2, "", "openai-chat"},
		{"an unknown provider", []string{"--provider", "nobody"}, healthy, 2, "", "nobody"},
		{"a body in another format than the one named", []string{"--provider", "anthropic"},
			`{"model":"gpt-4o","messages":[` +
				`{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c",` +
				`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"r"}]}`, 2, "",
			"messages[1] shows the format of openai-chat"},
		{"a vendor, whose dialect the body's format tells", []string{"--provider", "deepseek"},
			healthy, 0, healthy, ""},
		{"a stored session", nil,
			`{"type":"user","sessionId":"s","message":{"role":"user","content":"q"}}`, 2, "",
			"a session of Claude Code"},
		{"messages of another library", nil,
			`[{"role":"user","parts":[{"type":"text","text":"q"}]}]`, 2, "",
			"preflight's own messages"},
		{"an unknown flag", []string{"--nonsense"}, healthy, 2, "", "nonsense"},
		{"a file that is not there", []string{"body.json"}, healthy, 2, "", "body.json"},
		{"an unknown policy", []string{"--dangling", "hide"}, healthy, 2, "", "--dangling"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			code, stdout, stderr := call(t, test.stdin, append([]string{"fix"}, test.args...)...)
			require.Equal(t, test.code, code, stderr)
			if diff := cmp.Diff(test.stdout, stdout); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			require.Contains(t, stderr, test.stderr)
		})
	}
}

func TestFixPolicies(t *testing.T) {
	code, stdout, stderr := call(t, dangling, "fix", "--dangling", "answer")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"tool_use_id":"toolu_1"`)
	require.Contains(t, stdout, `"is_error":true`)

	orphan := `{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
		`{"role":"tool","tool_call_id":"c","content":"kept words"}]}`
	code, stdout, stderr = call(t, orphan, "fix", "--orphans", "text")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "kept words")

	twice := `{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
		`"arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"one"},` +
		`{"role":"tool","tool_call_id":"c","content":"two"}]}`
	for policy, want := range map[string][2]bool{
		"merge": {true, true},
		"first": {true, false},
		"last":  {false, true},
	} {
		code, stdout, stderr = call(t, twice, "fix", "--duplicates", policy)
		require.Zero(t, code, stderr)
		require.Equal(t, want,
			[2]bool{strings.Contains(stdout, "one"), strings.Contains(stdout, "two")}, policy)
	}
	code, _, stderr = call(t, twice, "fix", "--duplicates", "none")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--duplicates is merge, first or last")

	code, stdout, stderr = call(t,
		`{"model":"gpt-5.4","messages":[{"role":"system","content":"s"},`+
			`{"role":"user","content":"q"}]}`,
		"fix", "--resume")
	require.Zero(t, code, stderr)
	require.Equal(t, `{"model":"gpt-5.4","messages":[{"role":"user","content":"q"}]}`, stdout)

	code, stdout, stderr = call(t, strings.Replace(twice, `"messages":[`,
		`"messages":[{"role":"system","content":"obey"},`, 1), "fix", "--untrusted")
	require.Zero(t, code, stderr)
	require.NotContains(t, stdout, "obey")
	require.NotContains(t, stdout, "tool_calls")
	require.NotContains(t, stdout, `"tool"`)
}

type testReport struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Changed  bool   `json:"changed"`
	Warnings []struct {
		Code       string `json:"code"`
		Rule       string `json:"rule"`
		Path       string `json:"path"`
		ToolCallID string `json:"tool_call_id"`
		Detail     string `json:"detail"`
	} `json:"warnings"`
	Error string `json:"error"`
}

func TestFixReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	code, _, stderr := call(t, dangling, "fix", "--report", file)
	require.Zero(t, code, stderr)
	var got testReport
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, "anthropic", got.Provider)
	require.Equal(t, "claude-sonnet-4-5", got.Model)
	require.True(t, got.Changed)
	require.Len(t, got.Warnings, 1)
	w := got.Warnings[0]
	require.Equal(t, "dangling-removed", w.Code)
	require.Equal(t, "anthropic/tool-result-missing", w.Rule)
	require.Equal(t, "messages[1].content[1]", w.Path)
	require.Equal(t, "toolu_1", w.ToolCallID)
	require.NotEmpty(t, w.Detail)

	code, _, stderr = call(t, healthy, "fix", "--report", file)
	require.Zero(t, code, stderr)
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t,
		`{"provider":"anthropic","model":"claude-sonnet-4-5","changed":false,"warnings":[]}`,
		string(data))
}

func TestFixLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reports.jsonl")
	lines := strings.TrimSuffix(healthy, "\n") + "\r\n" + dangling + "\n" + "{broken\n" + "\n" +
		strings.TrimSuffix(healthy, "\n")
	code, stdout, stderr := call(t, lines, "fix", "--jsonl", "--report", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "line 3")
	want := strings.TrimSuffix(healthy, "\n") + "\r\n" + repaired + "\n" + "{broken\n" + "\n" +
		strings.TrimSuffix(healthy, "\n")
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("stdout (-want +got):\n%s", diff)
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	reports := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, reports, 4, "one report for each line that holds anything")
	var third testReport
	require.NoError(t, json.Unmarshal([]byte(reports[2]), &third))
	require.NotEmpty(t, third.Error)
}

func TestCheck(t *testing.T) {
	code, stdout, stderr := call(t, healthy, "check")
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	require.Empty(t, stderr)

	code, stdout, stderr = call(t, dangling, "check")
	require.Equal(t, 1, code, stderr)
	require.Equal(t, []string{"messages[1].content[1]", "anthropic/tool-result-missing"},
		strings.Split(stdout, "\t")[:2])
	require.Equal(t, 1, strings.Count(stdout, "\n"))

	code, stdout, _ = call(t, dangling, "check", "--json")
	require.Equal(t, 1, code)
	var got struct {
		Provider   string `json:"provider"`
		Violations []struct{ Path, Rule, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, "anthropic", got.Provider)
	require.Equal(t, "messages[1].content[1]", got.Violations[0].Path)
	require.NotEmpty(t, got.Violations[0].Message)

	code, stdout, stderr = call(t, "[1,", "check")
	require.Equal(t, 2, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "line 1")
}

func TestRules(t *testing.T) {
	code, stdout, _ := call(t, "", "rules", "--provider", "openai-chat")
	require.Zero(t, code)
	require.Contains(t, stdout, "openai-chat/tool-result-missing\t")
	require.NotContains(t, stdout, "anthropic/")

	code, stdout, _ = call(t, "", "rules", "--json")
	require.Zero(t, code)
	var rules []map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &rules))
	require.Len(t, rules, len(rule.All()))

	code, _, stderr := call(t, "", "rules", "--provider", "nobody")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "nobody")
}

func TestUsage(t *testing.T) {
	code, _, stderr := call(t, "")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "preflight fix")
	code, _, stderr = call(t, "", "nonsense")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "nonsense")
	code, stdout, _ := call(t, "", "version")
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(stdout, "preflight "))
	code, stdout, _ = call(t, "", "fix", "-h")
	require.Zero(t, code)
	require.Contains(t, stdout, "-report")
}

// TestSuperfluousArgument: convert, compact and rules take one argument, the others none.
func TestSuperfluousArgument(t *testing.T) {
	for _, name := range []string{"version", "rules", "serve", "convert", "compact"} {
		args := []string{name, "x"}
		if name != "version" && name != "serve" {
			args = []string{name, "w", "x"}
		}
		code, stdout, stderr := call(t, "", args...)
		require.Equal(t, 2, code)
		require.Empty(t, stdout)
		require.Equal(t, "preflight "+name+" takes no argument \"x\"\n", stderr)
	}
}

// TestWrongFlag: one line says what is wrong and where the flags are listed.
func TestWrongFlag(t *testing.T) {
	for _, c := range commands() {
		name, _, _ := strings.Cut(c.name, " ")
		code, stdout, stderr := call(t, "", name, "--bogus")
		require.Equal(t, 2, code, name)
		require.Empty(t, stdout, name)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "%s: %s", name, stderr)
		require.Contains(t, stderr, "preflight "+name)
	}
	code, _, stderr := call(t, "", "fxi")
	require.Equal(t, 2, code)
	require.Equal(t, "preflight: there is no command \"fxi\" (did you mean fix?); "+
		"preflight help lists them\n", stderr)
}

func TestVersionFlag(t *testing.T) {
	_, want, _ := call(t, "", "version")
	code, stdout, _ := call(t, "", "--version")
	require.Zero(t, code)
	require.Equal(t, want, stdout)
}

// TestOneRule: rules and explain take the id of a rule.
func TestOneRule(t *testing.T) {
	const id = "anthropic/tool-result-missing"
	code, stdout, _ := call(t, "", "rules", id)
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(stdout, id+"\n"))
	require.Contains(t, stdout, "source    https://")
	code, explained, _ := call(t, "", "explain", id)
	require.Zero(t, code)
	require.Equal(t, stdout, explained)
	code, stdout, _ = call(t, "", "rules", "--json", id)
	require.Zero(t, code)
	require.Equal(t, 1, strings.Count(stdout, `"id":`))
	code, stdout, _ = call(t, "", "rules", "anthropic/no-such-rule")
	require.Equal(t, 2, code)
	require.Empty(t, stdout)
}

// TestHelpProviders: the names of providers are one page, not a part of each command's help.
func TestHelpProviders(t *testing.T) {
	code, stdout, _ := call(t, "", "help", "providers")
	require.Zero(t, code)
	for _, name := range append(wire.Providers(), wire.Vendors()...) {
		require.Contains(t, stdout, "  "+name+"\n")
	}
}
