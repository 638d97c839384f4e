//go:build workcount

package wire_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/wire"
)

var (
	pumpTimes = flag.Int("pump", 40, "how often TestPumpedWork repeats a stretch, at first")
	pumpAll   = flag.Bool("pump.all", false, "TestPumpedWork: every entry point for every body")
)

// TestPumpedWork: whatever stretch of a small body is repeated k, 2k and 4k times, Check, Sanitize
// and Convert do about twice as much, and take about twice the memory, for twice the length. The
// bodies are those that break the rules and the samples of the formats; a stretch is one to three
// neighbours in a list, a member of an object (each time under another name), or a text. The steps
// are counted everywhere only with the overlay that make work makes.
func TestPumpedWork(t *testing.T) {
	for _, small := range pumpBodies(t) {
		t.Run(small.name, func(t *testing.T) {
			for _, at := range stretches(t, small.body) {
				pumped := func(n int) []byte { return pump(small.body, at, n) }
				for k, job := range pumpJobs {
					if k > 0 && !*pumpAll && samples[small.name] == "" {
						break
					}
					requireLinear(t, small.name+", "+job.name, at, func(n int) func() {
						body := pumped(n)
						// an error has to be found in time, too
						return func() { job.do(body, small.provider) }
					})
				}
			}
		})
	}
}

// pumpJobs are the entry points.
var pumpJobs = []struct {
	name string
	do   func(body []byte, provider string)
}{
	{"check and sanitize", func(body []byte, provider string) {
		_, _ = wire.Check(body, &wire.Options{Provider: provider})
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	}},
	{"answer, untrusted", func(body []byte, provider string) {
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{
			Provider: provider,
			Policies: preflight.Options{
				Dangling: preflight.DanglingAnswer, Orphans: preflight.OrphanText, Untrusted: true,
			},
		})
	}},
	{"to anthropic", convertTo("anthropic")},
	{"to openai-chat", convertTo("openai-chat")},
	{"to gemini", convertTo("gemini")},
	{"to openai-responses", convertTo("openai-responses")},
}

func convertTo(target string) func(body []byte, provider string) {
	return func(body []byte, provider string) {
		_, _ = wire.Convert(context.Background(), body, provider, &wire.Options{Provider: target})
	}
}

// requireLinear fails if a job that gets 2 and 4 times as long takes more than about 2 and 4 times
// the steps or bytes. The growth is compared, since a quadratic part may be small at first.
func requireLinear(t *testing.T, name string, at stretch, job func(n int) func()) {
	var steps, bytes [3]int64
	for k := range steps {
		do := job(*pumpTimes << k)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		steps[k] = work.Count(do)
		runtime.ReadMemStats(&after)
		bytes[k] = int64(after.TotalAlloc - before.TotalAlloc)
	}
	grows := func(what string, of [3]int64, slack int64) {
		first, second := max(0, of[1]-of[0]), of[2]-of[1]
		if 10*second > 24*first+10*slack {
			t.Errorf("%s, %s repeated: %s %v", name, at.what, what, of)
		}
	}
	grows("steps", steps, 6_000) // lists and maps change their form as they grow
	grows("bytes", bytes, 1<<21)
}

// A stretch is a place of a body that is repeated.
type stretch struct {
	from, to int
	what     string
	fresh    bool // the copies are members of an object
	text     bool
}

type pumpBody struct{ name, provider, body string }

func pumpBodies(t *testing.T) []pumpBody {
	var bodies []pumpBody
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		bodies = append(bodies, pumpBody{name, name, samples[name]})
	}
	text, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var failing []struct {
		ID, Provider string
		Request      json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &failing))
	for _, f := range failing {
		var b []byte
		b, err = json.Marshal(f.Request)
		require.NoError(t, err)
		bodies = append(bodies, pumpBody{f.ID, f.Provider, string(b)})
	}
	return bodies
}

// stretches are the stretches of body: of its lists, objects and texts.
func stretches(t *testing.T, body string) []stretch {
	var out []stretch
	for _, at := range places(body) {
		if body[at[0]] == '"' {
			if at[1]-at[0] > 3 {
				out = append(out, stretch{at[0] + 1, at[1] - 1, "text " + body[at[0]:at[1]], false, true})
			}
			continue
		}
		ends := elements(body, at)
		for i := range ends {
			for j := i; j < min(i+3, len(ends)); j++ {
				if body[at[0]] == '{' && j > i {
					break
				}
				out = append(out, stretch{ends[i][0], ends[j][1],
					fmt.Sprintf("%.200s", body[ends[i][0]:ends[j][1]]), body[at[0]] == '{', false})
			}
		}
	}
	return out
}

// elements are the elements or members of the list or object at a place.
func elements(body string, at [2]int) [][2]int {
	var out [][2]int
	depth, from := 0, at[0]+1
	for k := at[0] + 1; k < at[1]; k++ {
		switch body[k] {
		case '{', '[':
			depth++
		case '"':
			for k++; body[k] != '"'; k++ {
				if body[k] == '\\' {
					k++
				}
			}
		case '}', ']', ',':
			if body[k] != ',' {
				depth--
			}
			if depth < 0 || depth == 0 && body[k] == ',' {
				if k > from {
					out = append(out, [2]int{from, k})
				}
				from = k + 1
			}
		}
	}
	return out
}

// pump is body with a stretch n times.
func pump(body string, at stretch, n int) []byte {
	out := []byte(body[:at.from])
	for k := range n {
		if k > 0 && !at.text {
			out = append(out, ',')
		}
		copied := body[at.from:at.to]
		if at.fresh && k > 0 {
			copied = fmt.Sprintf(`"x%d%s`, k, copied[1:])
		}
		out = append(out, copied...)
	}
	return append(out, body[at.to:]...)
}
