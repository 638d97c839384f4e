package command

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// longBodies are requests of 41 messages with tool calls, one for each format that has its own way
// to write them.
func longBodies() map[string]string {
	const n = 10
	long := strings.Repeat("line of output\\n", 30)
	bodies := make(map[string]string)
	add := func(provider, begin, end string, round func(i int) []string) {
		var items []string
		for i := range n {
			items = append(items, round(i)...)
		}
		bodies[provider] = begin + strings.Join(items, ",") + end
	}
	add("anthropic", `{"model":"claude-sonnet-4-5","max_tokens":64,"temperature":1.0,`+
		`"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[`,
		`,{"role":"user","content":"which?"}]}`, func(i int) []string {
			return []string{
				fmt.Sprintf(`{"role":"user","content":"check host h%d"}`, i),
				fmt.Sprintf(`{"role":"assistant","content":[`+
					`{"type":"tool_use","id":"toolu_%d","name":"f","input":{}}]}`, i),
				fmt.Sprintf(`{"role":"user","content":[`+
					`{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]}`, i, long),
				fmt.Sprintf(`{"role":"assistant","content":"host h%d is fine"}`, i),
			}
		})
	add("openai-chat", `{"model":"gpt-4.1","temperature":1.0,"messages":[`,
		`,{"role":"user","content":"which?"}]}`, func(i int) []string {
			return []string{
				fmt.Sprintf(`{"role":"user","content":"check host h%d"}`, i),
				fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d",`+
					`"type":"function","function":{"name":"f","arguments":"{}"}}]}`, i),
				fmt.Sprintf(`{"role":"tool","tool_call_id":"call_%d","content":"%s"}`, i, long),
				fmt.Sprintf(`{"role":"assistant","content":"host h%d is fine"}`, i),
			}
		})
	add("openai-responses", `{"model":"gpt-4.1","temperature":1.0,"input":[`,
		`,{"role":"user","content":"which?"}]}`, func(i int) []string {
			return []string{
				fmt.Sprintf(`{"role":"user","content":"check host h%d"}`, i),
				fmt.Sprintf(`{"type":"function_call","call_id":"call_%d","name":"f",`+
					`"arguments":"{}"}`, i),
				fmt.Sprintf(`{"type":"function_call_output","call_id":"call_%d","output":"%s"}`,
					i, long),
				fmt.Sprintf(`{"role":"assistant","content":"host h%d is fine"}`, i),
			}
		})
	add("gemini", `{"model":"gemini-2.5-pro","generationConfig":{"temperature":1.0},`+
		`"tools":[{"functionDeclarations":`+
		`[{"name":"f","parameters":{"type":"OBJECT"}}]}],"contents":[`,
		`,{"role":"user","parts":[{"text":"which?"}]}]}`, func(i int) []string {
			return []string{
				fmt.Sprintf(`{"role":"user","parts":[{"text":"check host h%d"}]}`, i),
				`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`,
				fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{"name":"f",`+
					`"response":{"output":"%s"}}}]}`, long),
				fmt.Sprintf(`{"role":"model","parts":[{"text":"host h%d is fine"}]}`, i),
			}
		})
	add("bedrock", `{"modelId":"amazon.nova-pro-v1:0","inferenceConfig":{"temperature":1.0},`+
		`"toolConfig":{"tools":[{"toolSpec":`+
		`{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[`,
		`,{"role":"user","content":[{"text":"which?"}]}]}`, func(i int) []string {
			return []string{
				fmt.Sprintf(`{"role":"user","content":[{"text":"check host h%d"}]}`, i),
				fmt.Sprintf(`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t%d",`+
					`"name":"f","input":{}}}]}`, i),
				fmt.Sprintf(`{"role":"user","content":[{"toolResult":{"toolUseId":"t%d",`+
					`"content":[{"text":"%s"}]}}]}`, i, long),
				fmt.Sprintf(`{"role":"assistant","content":[{"text":"host h%d is fine"}]}`, i),
			}
		})
	return bodies
}

// TestCompact: a body of every format becomes one that the strict fake accepts and that is shorter,
// with the members outside of the messages as they were, and a report of where every message went.
func TestCompact(t *testing.T) {
	for provider, body := range longBodies() {
		for strategy := range compactStrategies {
			t.Run(provider+" "+strategy, func(t *testing.T) {
				args := []string{
					"compact", "--budget", "700", "--strategy", strategy, "--keep", "6",
					"--provider", provider, "--report", "-",
				}
				code, out, report := call(t, body, args...)
				require.Zero(t, code, report)
				require.Less(t, len(out), len(body)*3/4)
				require.Contains(t, out, `"temperature":1.0`)
				require.Contains(t, out, "host h0", "what was said is in the summary, or stays")
				found, err := preflighttest.Violations(provider, []byte(out))
				require.NoError(t, err)
				require.Empty(t, found)
				var said compaction
				require.NoError(t, json.Unmarshal([]byte(report), &said), report)
				require.Equal(t, provider, said.Provider)
				require.True(t, said.Changed)
				require.LessOrEqual(t, said.Tokens, 700)
				require.Greater(t, said.TokensBefore, 700)
				require.Len(t, said.Messages, 41)
				require.Equal(t, "kept", said.Messages[40].Became)
				for _, m := range said.Messages {
					require.NotEqual(t, "removed", m.Became, "%v", m)
				}
				require.NotContains(t, report, "is fine", "the report quotes nothing")

				code, again, _ := call(t, out, args[:len(args)-2]...)
				require.Zero(t, code)
				require.Equal(t, out, again, "what fits stays, byte for byte")
			})
		}
	}
}

func TestCompactRefuses(t *testing.T) {
	body := longBodies()["anthropic"]
	for _, test := range []struct {
		reason string
		args   []string
		stdin  string
		code   int
		stderr string
	}{
		{"no budget", nil, body, 2, "--budget"},
		{"an unknown strategy", []string{"--budget", "9", "--strategy", "magic"}, body, 2,
			"--strategy"},
		{"not a request", []string{"--budget", "9"}, `{"a":1}`, 2, ""},
		{"a last exchange that is too long", []string{"--budget", "1"}, body, 1, "raise it"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			code, out, stderr := call(t, test.stdin, append([]string{"compact"}, test.args...)...)
			require.Equal(t, test.code, code, stderr)
			require.Empty(t, out)
			require.Contains(t, stderr, test.stderr)
		})
	}
}
