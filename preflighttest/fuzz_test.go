package preflighttest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/rule"
)

// FuzzViolations: no body makes a fake panic, the same body is judged the same
// way twice, the body is not written to, and every violation says what the
// documentation promises.
func FuzzViolations(f *testing.F) {
	for _, body := range append(failingRequests(f), failing{
		Request: []byte(
			`{"messages":[[],{"role":1,"content":[null,{"type":{}},[]]}],"input":[7,{"type":[]}]}`),
	}) {
		f.Add([]byte(body.Request))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, provider := range preflighttest.Providers() {
			kept := bytes.Clone(body)
			first, err := preflighttest.Violations(provider, body)
			require.NoError(t, err)
			second, err := preflighttest.Violations(provider, kept)
			require.NoError(t, err)
			exported := cmpopts.IgnoreUnexported(preflighttest.Violation{})
			if diff := cmp.Diff(first, second, exported); diff != "" {
				t.Fatalf("%s judges differently the second time:\n%s", provider, diff)
			}
			require.Equal(t, kept, body)
			for _, v := range first {
				if v.Rule != "" {
					_, known := rule.ByID(v.Rule)
					require.True(t, known, "%s: rule %q", provider, v.Rule)
				}
				require.NotEmpty(t, v.Message)
				require.GreaterOrEqual(t, v.Status, 400)
			}
			lenient, err := (&preflighttest.Options{Lenient: true}).Violations(provider, body)
			require.NoError(t, err)
			require.LessOrEqual(t, len(lenient), len(first), "%s finds more when lenient", provider)
		}
	})
}

// TestLinear: judging a large body takes time in proportion to its size. It is time of the
// processor that is measured, and no steps are counted as in preflight itself: the fakes share no
// code with it, and a count kept by hand would be one more thing that a new check can forget.
func TestLinear(t *testing.T) {
	shapes := map[string]struct {
		provider, before, each, after string
	}{
		"parallel calls": {"anthropic",
			`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[`,
			`{"type":"tool_use","id":"t%d","name":"f","input":{}}`, `]}]}`},
		"server calls": {"anthropic",
			`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[`,
			`{"type":"server_tool_use","id":"srvtoolu_%d","name":"f","input":{}}`,
			`]},{"role":"user","content":"q"}]}`},
		"one role": {"anthropic", `{"model":"m","max_tokens":1,"messages":[`,
			`{"role":"user","content":"q%d"}`, `]}`},
		"thinking": {"anthropic",
			`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[`,
			`{"type":"thinking","thinking":"%d","signature":"c2ln"}`, `]}]}`},
		"chat calls": {"openai-chat", `{"model":"m","messages":[{"role":"assistant","tool_calls":[`,
			`{"id":"t%d","type":"function","function":{"name":"f","arguments":"{}"}}`, `]}]}`},
		"chat results": {"openai-chat",
			`{"model":"m","messages":[{"role":"assistant","content":"a","tool_calls":[{"id":"a",` +
				`"type":"function","function":{"name":"f","arguments":"{}"}}]},`,
			`{"role":"tool","tool_call_id":"t%d","content":""}`, `]}`},
		"calls of one id": {"openai-responses", `{"model":"m","input":[`,
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","id":"fc_%d"}`,
			`]}`},
		"gemini calls": {"gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[`,
			`{"functionCall":{"id":"c%d","name":"f"}}`, `]}]}`},
		"gemini answers": {"gemini",
			`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[`, `{"functionResponse":{"id":"c%d","name":"g"}}`, `]}]}`},
		"gemini roles": {"gemini", `{"contents":[`,
			`{"role":"model","parts":[{"functionCall":{"id":"c%d","name":"f"}}]}`, `]}`},
		"bedrock calls": {"bedrock", `{"messages":[{"role":"assistant","content":[`,
			`{"toolUse":{"toolUseId":"t%d","name":"f","input":{}}}`, `]}]}`},
		"bedrock thought": {"bedrock", `{"messages":[{"role":"assistant","content":[`,
			`{"reasoningContent":{"reasoningText":{"text":"%d","signature":"c2ln"}}}`, `]}]}`},
		"mistral calls": {"mistral", `{"model":"m","messages":[{"role":"assistant","tool_calls":[`,
			`{"id":"t%d","function":{"name":"f","arguments":"{}"}}`, `]}]}`},
		"mistral results": {"mistral", `{"model":"m","messages":[`,
			`{"role":"tool","tool_call_id":"t%d","content":""}`, `]}`},
		"cohere calls": {"cohere", `{"model":"m","messages":[`,
			`{"role":"assistant","tool_calls":[{"id":"t%d","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`, `]}`},
		"ollama calls": {"ollama", `{"model":"m","messages":[{"role":"assistant","tool_calls":[`,
			`{"function":{"name":"f%d","arguments":""}}`, `]}]}`},
		"reasoning": {"openai-responses", `{"model":"m","input":[`,
			`{"type":"reasoning","summary":[],"id":"rs_%d"}`, `]}`},
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			judge := func(n int) time.Duration {
				var b strings.Builder
				b.WriteString(shape.before)
				for i := range n {
					if i > 0 {
						b.WriteByte(',')
					}
					fmt.Fprintf(&b, shape.each, i)
				}
				b.WriteString(shape.after)
				start := benchdata.CPU()
				_, err := preflighttest.Violations(shape.provider, []byte(b.String()))
				require.NoError(t, err)
				return benchdata.CPU() - start
			}
			// Twenty times the size is about twenty times the time; quadratic growth would be a
			// factor of 400, at each attempt. One is not enough, since a collection of garbage may
			// happen in the large one alone.
			n := rapidseed.Size(1_000, 300)
			for attempt := 1; ; attempt++ {
				small, large := judge(n), judge(20*n)
				if large < 120*max(small, time.Millisecond) {
					return
				}
				require.Less(t, attempt, 4, "%v for %d and %v for twenty times as many", small, n,
					large)
			}
		})
	}
}
