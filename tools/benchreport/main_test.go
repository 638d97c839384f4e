package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const output = `cpu: Some CPU
BenchmarkMemory/run/1000/sanitize-2     10   900 ns/op   100 cpu-ns/op   0 B/op   3 allocs/op
BenchmarkMemory/run/1000/sanitize-2     10   900 ns/op   120 cpu-ns/op   0 B/op   0 allocs/op
BenchmarkMemory/run/10000/sanitize-2    10   900 ns/op  2600 cpu-ns/op   0 B/op   0 allocs/op
BenchmarkMemory/clean/1000/floor-2      10    10 ns/op     5 cpu-ns/op   0 B/op   0 allocs/op
BenchmarkMemory/clean/1000/text-2       10    10 ns/op    20 cpu-ns/op   0 B/op   0 allocs/op
BenchmarkMemory/clean/1000/sanitize-2   10    10 ns/op    30 cpu-ns/op   0 B/op   0 allocs/op
BenchmarkWire/anthropic/clean/1000/json.Valid      10  600 ns/op  5 MB/s
BenchmarkWire/anthropic/clean/1000/sanitize        10  200 ns/op  5 MB/s  2000000 body-B  0 ` +
	`B/op  0 allocs/op
BenchmarkWire/anthropic/clean/10000/sanitize       10  2399 ns/op  5 MB/s  20000000 body-B  0 ` +
	`B/op  0 allocs/op
BenchmarkPeak/anthropic/clean/1000-2    1   10 ns/op   900000 peak-B
BenchmarkSession/marshal-2  1  9000000000 ns/op  4000000000 cpu-ns/op  1000 turns  0 B/op  0 ` +
	`allocs/op
BenchmarkSession/memory-2   1  9000000000 ns/op   300000000 cpu-ns/op  1000 turns  0 B/op  0 ` +
	`allocs/op
BenchmarkSession/wire-2     1  9000000000 ns/op  2000000000 cpu-ns/op  1000 turns  0 B/op  0 ` +
	`allocs/op
BenchmarkOther/1000-2   10   10 ns/op
PASS
`

func TestReport(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(strings.NewReader(output), &out, "", false))
	require.Contains(t, out.String(), "| clean | 1000 | 0.0 | 0 | 1.2 | 1.0 | 0 |")
	require.Contains(t, out.String(),
		"| anthropic/clean | 1000 | 2.00 | | 3.00 | | 0 | 0.00 | 0.45 |")
	require.Contains(t, out.String(), "| Memory/run | 26.0 |")
	require.Contains(t, out.String(), "### All requests of a session\n\n1000 requests")
	require.Contains(t, out.String(),
		"| Sanitize the whole history for every request | 0.30 | 0.07 |\n| wire.Sanitize every "+
			"body | 2.00 | 0.50 |\n")
}

func TestGrowth(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(strings.NewReader(output), &out, "", true))
	require.Equal(t, "Memory/run: ten times the messages take 26.0 times as long, more than 25\n",
		out.String())
	require.Error(t, run(strings.NewReader("PASS\n"), &out, "", true), "nothing to judge")
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "performance.md")
	require.NoError(t, os.WriteFile(path, []byte("before\n"+begin+"old\n"+end+"after\n"), 0o644))
	require.NoError(t, run(strings.NewReader(output), nil, path, false))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t,
		strings.HasPrefix(string(got), "before\n"+begin) &&
			strings.HasSuffix(string(got), end+"after\n"))
	require.NotContains(t, string(got), "old")
	require.NoError(t, os.WriteFile(path, []byte("no marks"), 0o644))
	require.Error(t, run(strings.NewReader(output), nil, path, false))
}
