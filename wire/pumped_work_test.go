//go:build workcount

package wire_test

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/work/pump"
	preflightprovider "github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

var pumpAll = flag.Bool("pump.all", false, "TestPumpedWork: every entry point for every body")

// TestPumpedWork: whatever stretch of a small body is repeated k, 2k and 4k times, Check, Sanitize
// and Convert do about twice as much, and take about twice the memory, for twice the length. The
// bodies are those that break the rules, the samples of the formats, and those that were slow; a
// stretch is one to three neighbours in a list, a member of an object (each time under another
// name), or a text.
func TestPumpedWork(t *testing.T) {
	for _, small := range pumpBodies(t) {
		t.Run(small.name, func(t *testing.T) {
			found := small.slow == ""
			for _, at := range pump.Stretches(small.body) {
				slow := at.Text == small.repeated
				found = found || slow
				if !slow && pump.Skipped(small.name, at) {
					continue
				}
				for k, job := range pumpJobs {
					if k > 0 && !*pumpAll && job.name != small.slow && samples[small.name] == "" ||
						slow && job.name != small.slow {
						continue
					}
					name := small.name + ", " + job.name + ", repeated: " + at.Text
					pump.Linear(t, name, func(n int) func() {
						body := at.Times(small.body, n)
						// an error has to be found in time, too
						return func() { job.do(body, small.provider) }
					})
				}
			}
			require.True(t, found, small.repeated)
		})
	}
}

// sanitizing is the first of pumpJobs.
const (
	sanitizing = "check and sanitize"
	shortening = "shortened"
)

// pumpJobs are the entry points.
var pumpJobs = []struct {
	name string
	do   func(body []byte, provider string)
}{
	{sanitizing, func(body []byte, provider string) {
		_, _ = wire.Check(body, &wire.Options{Provider: provider})
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	}},
	{"answer, untrusted", func(body []byte, provider string) {
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{
			Provider: provider,
			Options: preflight.Options{
				Dangling: preflight.DanglingAnswer, Orphans: preflight.OrphanText, Untrusted: true,
			},
		})
	}},
	{shortening, func(body []byte, provider string) {
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{
			Provider: provider,
			Options: preflight.Options{Fixers: []preflight.Fixer{
				preflight.Fixers.StripEphemeral, fixer.Truncate{MaxString: 40}.Fixer(),
				stored.Older{Keep: 1, MaxOutput: 40}.Fixer(),
			}},
		})
	}},
	{"last user", func(body []byte, provider string) {
		_, _ = wire.Sanitize(context.Background(), body, &wire.Options{
			Provider: provider,
			Options:  preflight.Options{Strict: true, FallbackToLastUser: true},
		})
	}},
	{"hand-off, redact", func(body []byte, provider string) {
		r, err := wire.Decode(body, &wire.Options{Provider: provider})
		if err != nil {
			return
		}
		for _, m := range r.Messages {
			redact.Message(m, strings.ToUpper)
			redact.Verified(m, strings.ToUpper)
		}
		target, _ := preflightprovider.ByName("gemini", "")
		fixers := append([]preflight.Fixer{wire.HandOff("gemini")}, preflight.Fixers.Defaults()...)
		if pipeline, err := preflight.NewPipeline(fixers...); err == nil {
			_, _ = pipeline.Sanitize(context.Background(), r.Messages, target, nil)
		}
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

// pumpBody is a small body. One that was slow at an entry point is tried there with the stretch
// that showed it, whatever the share of the run is.
type pumpBody struct{ name, provider, body, slow, repeated string }

// slowBodies took four times as long for twice the length of one of their stretches. Each fails
// when the mend is reverted that its comment names.
var slowBodies = []pumpBody{
	// decoder.pathTo looks on from where it was
	{"cache points alone", "bedrock", `{"messages":[{"role":"user","content":[` +
		`{"cachePoint":{"type":"default"}},{"text":"q"}]}]}`,
		sanitizing, `{"cachePoint":{"type":"default"}}`},
	// draft.joinTouched remembers what a turn holds that grows
	{"blank system messages", "anthropic", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"system","content":" "}]}`,
		sanitizing, `{"role":"user","content":"q"},{"role":"system","content":" "}`},
	{"texts after an image", "anthropic", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":[{"type":"image","source":{"type":"base64",` +
		`"media_type":"image/png","data":"iVBORw0KGgo="}}]},{"role":"user","content":"q"}]}`,
		sanitizing, `{"role":"user","content":"q"}`},
	// mergeNeighbours does not read a turn again that grows
	{"texts after a call", "gemini", `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
		`{"role":"model","parts":[{"text":"t"}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1}}}]}]}`,
		sanitizing, `{"role":"model","parts":[{"text":"t"}]}`},
	// draft.afterTurn walks a turn once
	{"systems in a turn", "anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
		`{"role":"system","content":"s"},{"role":"user","content":"q"}]}`,
		sanitizing, `{"role":"system","content":"s"},{"role":"user","content":"q"}`},
	// chat.encodeFields deletes members without looking for them
	{"members that are refused", "mistral", `{"model":"m","messages":[` +
		`{"role":"user","content":"q","y":1}]}`, sanitizing, `"y":1`},
	// textRepair.members looks for the system's name once
	{"members of a body", "gemini", `{"y":"v","contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
		sanitizing, `"y":"v\ud800"`},
	// shorten.Members looks once for what an object declares
	{"members of a result", "gemini", `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user",` +
		`"parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`,
		"hand-off, redact", `"x":"v"`},
	// shorten.shrinker and shorten.Cutter look once for what an object declares
	{"members of a server's result", "anthropic", `{"model":"claude-opus-4-8","max_tokens":9,` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}},` +
		`{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{}}]}]}`,
		shortening, `"x":"v"`},
	{"members of an older result", "gemini", `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user",` +
		`"parts":[{"functionResponse":{"name":"f","response":{}}}]},` +
		`{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"q"}]}]}`,
		shortening, `"x":"v"`},
	// Request.checkFallbacks gathers the results of all messages once
	{"turns with a fallback", "anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"},` +
		`{"type":"fallback","from":{"model":"x"},"to":{"model":"y"}},{"type":"text","text":"a"}]},` +
		`{"role":"user","content":"q"}]}`, sanitizing,
		`{"role":"assistant","content":[{"type":"text","text":"a"},` +
			`{"type":"fallback","from":{"model":"x"},"to":{"model":"y"}},{"type":"text","text":"a"}]},` +
			`{"role":"user","content":"q"}`},
	// Request.leaveOutRefused knows the results
	{"calls before a fallback", "anthropic", `{"model":"claude-opus-4-8","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"a","name":"f","input":{}},` +
		`{"type":"fallback","from":{"model":"x"},"to":{"model":"y"}}]},` +
		`{"role":"user","content":"q"}]}`,
		sanitizing, `{"type":"tool_use","id":"a","name":"f","input":{}}`},
	// draft.cacheNeighbour does not look again where nothing was
	{"parts with cache points", "bedrock", `{"messages":[{"role":"system","content":[` +
		`{"text":"s"},{"cachePoint":{"type":"default"}}]},{"role":"user","content":[{"text":"q"}]}]}`,
		"answer, untrusted", `{"text":"s"},{"cachePoint":{"type":"default"}}`},
}

func pumpBodies(t *testing.T) []pumpBody {
	bodies := slices.Clone(slowBodies)
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		bodies = append(bodies, pumpBody{name, name, samples[name], "", ""})
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
		bodies = append(bodies, pumpBody{f.ID, f.Provider, string(b), "", ""})
	}
	return bodies
}
