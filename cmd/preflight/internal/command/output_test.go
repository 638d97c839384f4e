//go:build unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullOutput: a command whose output could not be written says so, and does not end with 0.
func TestFullOutput(t *testing.T) {
	dir := t.TempDir()
	body := filepath.Join(dir, "body.json")
	require.NoError(t, os.WriteFile(body, []byte(reportBody), 0o600))
	session := writeOld(t, filepath.Join(dir, "a.jsonl"), brokenSession)
	for _, args := range [][]string{
		{"version"}, {"help"}, {"help", "fix"}, {"completion", "bash"}, {"rules"},
		{"rules", "--json"}, {"explain", "roles must alternate between user and assistant"},
		{"check"}, {"check", "--json"}, {"check", body}, {"check", "--json", body},
		{"fix"}, {"fix", "--jsonl"}, {"fix", "--diff"}, {"fix", body}, {"fix", body, "--diff"},
		{"convert", "--to", "gemini"}, {"compact", "--budget", "100"},
		{"repair", session}, {"repair", "--diff", session}, {"repair", "--json", session},
		{"repair", dir}, {"serve", "--check-config"},
	} {
		var stderr bytes.Buffer
		code := Run(args, strings.NewReader(reportBody), full{}, &stderr)
		require.NotZero(t, code, args)
		require.LessOrEqual(t, strings.Count(stderr.String(), errFull.Error()), 1, args)
		if args[0] != "repair" { // whose exit code says that the session is broken
			require.Contains(t, stderr.String(), errFull.Error(), args)
		}
	}
}

// TestStoppedReport: neither a signal nor a reader of standard output that is gone leaves part of
// a report.
func TestStoppedReport(t *testing.T) {
	if name := os.Getenv("PREFLIGHT_STOPPED_REPORT"); name != "" {
		os.Exit(Run([]string{"fix", "--provider", "anthropic", "--jsonl", "--report", name},
			os.Stdin, os.Stdout, os.Stderr))
	}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "report.jsonl")
			cmd := exec.Command(os.Args[0], "-test.run", "^TestStoppedReport$")
			cmd.Env = append(os.Environ(), "PREFLIGHT_STOPPED_REPORT="+name)
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = io.WriteString(in, reportBody+"\n")
			require.NoError(t, err)
			_, err = out.Read(make([]byte, 1)) // the report was begun
			require.NoError(t, err)
			begun, err := filepath.Glob(filepath.Join(dir, ".*"))
			require.NoError(t, err)
			require.Len(t, begun, 1)
			if s == syscall.SIGPIPE {
				require.NoError(t, out.Close())
				for deadline := time.Now().Add(20 * time.Second); err == nil; {
					require.True(t, time.Now().Before(deadline), "it goes on without a reader")
					_, err = io.WriteString(in, reportBody+"\n")
				}
			} else {
				require.NoError(t, cmd.Process.Signal(s))
			}
			require.Error(t, cmd.Wait())
			left, err := filepath.Glob(filepath.Join(dir, ".*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// TestCommandsQuoteNothing: in reports of compact an id is printed if it has the form of one, and
// in all reports the name of a model is short.
func TestCommandsQuoteNothing(t *testing.T) {
	const secret = "alice@example.org"
	long := strings.Repeat("m", 1<<20)
	body := `{"model":"` + long + `","max_tokens":9,"messages":[{"role":"user","content":"a"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":{"` + secret + `":1},"name":"f",` +
		`"input":{}},{"type":"tool_use","id":"` + secret + `","name":"f","input":{}}]},` +
		`{"role":"user","content":"b"}]}`
	for _, args := range [][]string{
		{"compact", "--budget", "100", "--report", "-"}, {"fix", "--report", "-"},
		{"fix", "--jsonl", "--report", "-"}, {"check", "--json"},
		{"convert", "--to", "gemini", "--report", "-"},
	} {
		_, stdout, stderr := call(t, body, append(args, "--provider", "anthropic")...)
		if args[0] == "convert" {
			_, _, stderr = call(t, body, args...)
		}
		said := stderr
		if args[0] == "check" {
			said = stdout
		}
		require.NotEmpty(t, said, args)
		require.NotContains(t, said, secret, args)
		require.Less(t, len(said), 5000, args)
	}
}

// TestRepairNames: names of files that are found in folders are printed without the characters that
// a terminal acts on.
func TestRepairNames(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, filepath.Join(dir, "a\x1b[31m\n.jsonl"), brokenSession)
	writeOld(t, filepath.Join(dir, "b\x1b[31m.jsonl"), brokenSession)
	require.NoError(t, os.Chmod(filepath.Join(dir, "b\x1b[31m.jsonl"), 0))
	_, stdout, stderr := call(t, "", "repair", "--write", dir)
	require.Contains(t, stdout, ".jsonl")
	require.NotContains(t, stdout+stderr, "\x1b")
}
