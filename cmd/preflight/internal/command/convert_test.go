package command

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConvertSaysWhatIsMissing: the other body may have no model and no limit for the new one.
func TestConvertSaysWhatIsMissing(t *testing.T) {
	const body = `{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`
	const limited = `{"model":"gpt-4o","max_tokens":9,"messages":[{"role":"user","content":"q"}]}`
	for _, test := range []struct {
		body, want string
		args       []string
	}{
		{body, "a model (--model) and max_tokens", []string{"--to", "anthropic"}},
		{body, "max_tokens", []string{"--to", "anthropic", "--model", "claude-sonnet-4-5"}},
		{limited, "a model (--model)", []string{"--to", "anthropic"}},
		{body, "a model (--model)", []string{"--to", "mistral"}},
		{body, "", []string{"--to", "gemini"}},
		{body, "", []string{"--to", "openai-chat"}},
		{`[{"role":"user","content":"q"}]`, "", []string{"--from", "openai-chat", "--to", "anthropic"}},
	} {
		code, _, stderr := call(t, test.body, append([]string{"convert"}, test.args...)...)
		require.Equal(t, exitOK, code, stderr)
		want := ""
		if test.want != "" {
			want = "preflight convert: the new body still needs " + test.want + "\n"
		}
		require.Equal(t, want, stderr, test.args)
	}
}

// TestConvertReportsWhatIsMissing: where standard error has the report, it is JSON and nothing
// else.
func TestConvertReportsWhatIsMissing(t *testing.T) {
	code, _, stderr := call(t, `{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
		"convert", "--to", "anthropic", "--report", "-")
	require.Equal(t, exitOK, code, stderr)
	var report struct{ Needs []string }
	require.NoError(t, json.Unmarshal([]byte(stderr), &report), stderr)
	require.Equal(t, []string{"model", "max_tokens"}, report.Needs)
}
