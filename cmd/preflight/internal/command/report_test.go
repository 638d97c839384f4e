package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

const reportBody = `{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[{"role":"user",` +
	`"content":[{"type":"text","text":""},{"type":"text","text":"hi"}]}]}`

// A report never takes the place of the command's input or output, by whatever name it is called.
func TestReportSparesInput(t *testing.T) {
	dir := t.TempDir()
	body := filepath.Join(dir, "body.json")
	require.NoError(t, os.WriteFile(body, []byte(reportBody), 0o600))
	hard, soft := filepath.Join(dir, "hard.json"), filepath.Join(dir, "soft.json")
	require.NoError(t, os.Link(body, hard))
	require.NoError(t, os.Symlink(body, soft))
	for _, name := range []string{body, hard, soft} {
		in, err := os.Open(body)
		require.NoError(t, err)
		var out, errs bytes.Buffer
		code := Run([]string{"fix", "--provider", "anthropic", "--report", name}, in, &out, &errs)
		require.Equal(t, 2, code)
		require.Contains(t, errs.String(), "would overwrite the input")
		for _, named := range [][]string{{body}, {soft, "--write"}, {hard, "--diff"}} {
			code, _, stderr := call(t, "", append([]string{"fix", "--report", name}, named...)...)
			require.Equal(t, 2, code)
			require.Contains(t, stderr, "would overwrite the input")
			require.Equal(t, reportBody, readFile(t, body))
		}
		for _, args := range [][]string{
			{"convert", "--to", "openai-chat", soft}, {"compact", "--budget", "100", hard},
		} {
			code, stdout, stderr := call(t, "", append(args, "--report", name)...)
			require.Equal(t, 2, code, args)
			require.Contains(t, stderr, "would overwrite the input")
			require.Empty(t, stdout)
			require.Equal(t, reportBody, readFile(t, body))
		}
		require.Empty(t, out.String())
		require.NoError(t, in.Close())
		require.Equal(t, reportBody, readFile(t, body))
	}
}

func TestReportFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report.json")
	for range 2 { // a new file, and one in the place of another
		code, stdout, stderr := call(t, reportBody, "fix", "--provider", "anthropic", "--report",
			name)
		require.Equal(t, 0, code, stderr)
		require.NotEqual(t, reportBody, stdout)
		require.Contains(t, readFile(t, name), `"changed":true`)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{name}, left)

	code, _, stderr := call(t, reportBody, "fix", "--provider", "anthropic", "--report", "-")
	require.Equal(t, 0, code)
	require.Contains(t, stderr, `"changed":true`)
	code, _, _ = call(t, reportBody, "fix", "--provider", "anthropic", "--report", os.DevNull)
	require.Equal(t, 0, code)
	code, _, stderr = call(t, reportBody, "fix", "--report", filepath.Join(dir, "none", "r.json"))
	require.Equal(t, 2, code, stderr)
}

// A report may go to the file that standard error goes to: what is written to it later stays.
func TestReportToStandardError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	log, err := os.Create(name)
	require.NoError(t, err)
	var out bytes.Buffer
	args := []string{"fix", "--provider", "anthropic", "--report", name}
	require.Equal(t, 0, Run(args, strings.NewReader(reportBody), &out, log))
	require.Equal(t, 2, Run(args, strings.NewReader("["), &out, log))
	require.NoError(t, log.Close())
	require.Contains(t, readFile(t, name), `"changed":true`)
	require.Contains(t, readFile(t, name), "preflight fix: ")
}

// TestReportRenamed: the report says what a tool was called that another name is sent for.
func TestReportRenamed(t *testing.T) {
	const body = `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"files.read",` +
		`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}`
	file := filepath.Join(t.TempDir(), "report.json")
	code, stdout, stderr := call(t, body, "fix", "--provider", "anthropic", "--report", file)
	require.Equal(t, 0, code, stderr)
	var sent struct{ Tools []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(stdout), &sent))
	var report wire.Outcome
	require.NoError(t, json.Unmarshal([]byte(readFile(t, file)), &report))
	require.Equal(t, map[string]string{sent.Tools[0].Name: "files.read"}, report.Renamed)
}
