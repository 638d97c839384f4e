package preflightbeam_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/go-preflight/preflight"
	preflightbeam "github.com/go-preflight/preflight/adapter/beam"
	"github.com/go-preflight/preflight/wire"
)

func init() {
	register.DoFn2x1[string, []byte, int](&keepFn{})
}

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// kept are the elements that keepFn saw, by output and key. The runner has its workers in this
// process.
var kept sync.Map

// keepFn keeps what comes out of the pipeline.
type keepFn struct{ Output string }

func (f *keepFn) ProcessElement(key string, value []byte) int {
	if _, twice := kept.LoadOrStore(f.Output+" "+key, bytes.Clone(value)); twice {
		kept.Store("twice", []byte(key))
	}
	return 1
}

// body is body number k: valid, to be repaired, or beyond repair.
func body(k int) string {
	switch {
	case k%101 == 0:
		return fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":%d,"messages":[]}`, k+1)
	case k%51 == 0: // as in the files of Anthropic's batch API
		return fmt.Sprintf(`{"custom_id":"%d", "params":{"model":"claude-sonnet-4-5","max_tokens":9,`+
			`"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"toolu_%d","content":"r"}]}]}}`, k, k)
	case k%3 == 0:
		return fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[`+
			`{"role":"user","content":"q %d <&>"},{"role":"assistant","content":[`+
			`{"type":"tool_use","id":"toolu_%d","name":"run","input":{"n":1.0}}]},`+
			`{"role":"user","content":"go on"}]}`, k, k)
	}
	return fmt.Sprintf(`{ "model":"claude-sonnet-4-5","max_tokens":9,"messages":[`+
		`{"role":"user","content":"clean %d"}]}`, k)
}

const bodies = 10_000

// key sorts as numbers do.
func key(k int) string { return fmt.Sprintf("%06d", k) }

// output joins what was kept of an output, in the order of the keys.
func output(name string) string {
	var b strings.Builder
	for k := range bodies {
		if value, ok := kept.Load(name + " " + key(k)); ok {
			b.Write(value.([]byte))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestSameAsCommand: the transform writes what the command writes, byte for byte.
func TestSameAsCommand(t *testing.T) {
	options := &wire.Options{
		Provider: "anthropic", Options: preflight.Options{Dangling: preflight.DanglingAnswer},
	}
	p, s := beam.NewPipelineWithRoot()
	var keys []string
	for k := range bodies {
		keys = append(keys, key(k))
	}
	out, err := preflightbeam.Sanitize(s, options,
		beam.ParDo(s, makeBody, beam.CreateList(s, keys)))
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo(s, &keepFn{Output: "bodies"}, out.Bodies)
	beam.ParDo(s, &keepFn{Output: "reports"}, out.Reports)
	beam.ParDo(s, &keepFn{Output: "dead"}, out.Dead)
	result, err := ptest.RunWithMetrics(p)
	if err != nil {
		t.Fatal(err)
	}
	if key, twice := kept.Load("twice"); twice {
		t.Fatalf("%s came out twice", key)
	}

	dir := t.TempDir()
	in, outDir := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	dead := filepath.Join(dir, "dead")
	var all strings.Builder
	for k := range bodies {
		all.WriteString(body(k) + "\n")
	}
	if err := os.WriteFile(in, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "preflight.exe") // Windows wants the ending
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..", "cmd", "preflight")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// some of the bodies are broken for good, so that the exit code is 1
	stderr, _ := exec.Command(program, "fix", "--provider", "anthropic", "--dangling", "answer",
		"--jsonl", "--output", outDir, "--dead-letter", dead, in).CombinedOutput()
	for name, file := range map[string]string{
		"bodies": filepath.Join(outDir, "in"), "dead": dead,
		"reports": filepath.Join(outDir, "in.report"),
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err, string(stderr))
		}
		if name == "reports" { // the command adds the number of the line
			want = regexp.MustCompile(`(?m)^\{"line":\d+,`).ReplaceAll(want, []byte("{"))
		}
		if got := output(name); got != string(want) || got == "" {
			t.Errorf("%s differ from the command's: %d bytes, not %d", name, len(got), len(want))
		}
	}

	counters := map[string]int64{}
	for _, c := range result.Metrics().AllMetrics().Counters() {
		counters[c.Key.Name] += c.Result()
	}
	dead100, changed := int64(strings.Count(output("dead"), "\n")),
		int64(strings.Count(output("reports"), `"changed":true`))
	if counters["bodies"] != bodies || counters["failed"] != dead100 ||
		counters["repaired"] != changed || counters["changes"] < changed || dead100 < 90 {
		t.Errorf("the counters are %v; %d dead, %d changed", counters, dead100, changed)
	}
}

// makeBody makes the body of a key.
func makeBody(k string) (string, []byte) {
	var n int
	_, _ = fmt.Sscanf(k, "%d", &n)
	return k, []byte(body(n))
}

func init() { register.Function1x2(makeBody) }

// Options with functions cannot be sent to workers.
func TestFunctions(t *testing.T) {
	_, s, col := ptest.CreateList([]string{"a"})
	_, err := preflightbeam.Sanitize(s, &wire.Options{Options: preflight.Options{
		Hooks: []preflight.Hook{{
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return m, nil
			},
		}},
	}}, beam.ParDo(s, makeBody, col))
	if err == nil || !strings.Contains(err.Error(), "holds functions") {
		t.Fatal(err)
	}
}
