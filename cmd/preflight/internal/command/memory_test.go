package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
)

// This file holds what the commands allocate to what they are given.

// allocated is how many bytes a command allocates, given a body.
func allocated(t *testing.T, body []byte, args ...string) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	code := Run(args, bytes.NewReader(body), io.Discard, io.Discard)
	runtime.ReadMemStats(&after)
	require.Less(t, code, exitUsage)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// agentBody is the body of a session with n calls and long outputs; one output in five is missing.
func agentBody(n int) []byte {
	var body bytes.Buffer
	body.WriteString(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"look at the files"}`)
	for k := range n {
		fmt.Fprintf(&body, `,{"role":"assistant","content":[{"type":"text","text":"file %d"},`+
			`{"type":"tool_use","id":"toolu_%d","name":"read","input":{"path":"f%d.txt"}}]}`, k, k, k)
		content := fmt.Sprintf(`"go on with %d"`, k)
		if k%5 > 0 {
			var said strings.Builder
			for line := range 40 {
				fmt.Fprintf(&said, `the value of item%d is %d\n`, line, line*k)
			}
			content = fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]`,
				k, said.String())
		}
		fmt.Fprintf(&body, `,{"role":"user","content":%s}`, content)
	}
	body.WriteString("]}")
	return body.Bytes()
}

// partsBody is a body with n texts in one message; one in five is blank.
func partsBody(n int) []byte {
	text := `{"type":"text","text":"` + strings.Repeat("word ", 30) + `"},`
	return []byte(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":[` +
		strings.Repeat(strings.Repeat(text, 4)+`{"type":"text","text":" "},`, n/5) + text[:len(text)-1] +
		`]}]}`)
}

// TestDiffMemory: a comparison allocates at most twice what the repair does.
func TestDiffMemory(t *testing.T) {
	for name, body := range map[string][]byte{"agent": agentBody(1000), "parts": partsBody(10_000)} {
		fix := allocated(t, body, "fix")
		require.LessOrEqual(t, allocated(t, body, "fix", "--diff"), 2*fix, name)
	}
}

// outputsBody is the body of a session with n outputs of 100,000 bytes.
func outputsBody(n int) []byte {
	var body bytes.Buffer
	body.WriteString(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"look at the files"}`)
	for k := range n {
		fmt.Fprintf(&body, `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d",`+
			`"name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"toolu_%[1]d","content":"%s"}]}`,
			k, strings.Repeat(fmt.Sprintf(`line %d of the output is here\n`, k), 3300))
	}
	body.WriteString("]}")
	return body.Bytes()
}

// TestCompactMemory: at no moment compact holds twice the body, which is one of that: there is no
// second copy of what the messages say.
func TestCompactMemory(t *testing.T) {
	t.Setenv("GOGC", "1") // the command is to leave the collector as the measurement needs it
	body := outputsBody(100)
	name := filepath.Join(t.TempDir(), "body.json")
	require.NoError(t, os.WriteFile(name, body, 0o600))
	for strategy := range compactStrategies {
		args := []string{"compact", "--budget", "5000", "--keep", "2", "--strategy", strategy, name}
		held := benchdata.PeakOnce(func() {
			require.Equal(t, exitOK, Run(args, nil, io.Discard, io.Discard))
		})
		require.LessOrEqual(t, held, 2*float64(len(body)), strategy)
	}
}
