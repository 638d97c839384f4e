package wire_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestShapes: one thing wrong with the form of a body at a time, what comes out, and what is said
// where.
func TestShapes(t *testing.T) {
	point := `{"cachePoint":{"type":"default"}}`
	tool := func(name string) string {
		return `{"toolSpec":{"name":"` + name + `","inputSchema":{"json":{"type":"object"}}}}`
	}
	bedrock := func(tools string) string {
		return `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","toolConfig":{"tools":[` +
			tools + `]},"messages":[{"role":"user","content":[{"text":"q"}]}]}`
	}
	for _, c := range []struct {
		reason, provider, in, out string
		said                      []string
	}{
		{"a message without its role", "bedrock", `{"messages":[{"content":[{"text":"q"}]}]}`,
			`{"messages":[{"content":[{"text":"q"}],"role":"user"}]}`,
			[]string{"messages[0].role shape-repaired"}},
		{"cache points of tools over the limit, the earliest go", "bedrock", bedrock(tool("a") +
			`,` + point + `,` + tool("b") + `,` + point + `,` + point + `,` + point +
			`,` + point + `,` + point),
			bedrock(tool("a") + `,` + tool("b") + `,` + point + `,` + point + `,` +
				point + `,` + point),
			[]string{"toolConfig.tools[1] cache-removed", "toolConfig.tools[3] cache-removed"}},
		{"a tool that is declared twice", "bedrock", bedrock(tool("a") + `,` + tool("a")),
			bedrock(tool("a")), []string{"toolConfig.tools[1] tool-removed"}},
		{"an output that is an object", "openai-responses",
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":{"n":1.0}}]}`,
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"{\"n\":1.0}"}]}`,
			[]string{"input[2].output shape-repaired"}},
		{"half a pair in a key", "anthropic",
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"a":1,"\ud800":2}}`,
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"a":1,"\ufffd":2}}`,
			[]string{"metadata[#1] text-repaired"}},
		{"and in a value, under any letters", "anthropic",
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"Zz_9":{"A":"\ud800"},` +
				`"9z":["","\ud800"],"":"\ud800"}}`,
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"Zz_9":{"A":"\ufffd"},` +
				`"9z":["","\ufffd"],"":"\ufffd"}}`,
			[]string{
				"metadata[#0] text-repaired", "metadata[#1] text-repaired",
				"metadata[#2] text-repaired",
			}},
		{"a string in the place of a part keeps its spelling", "gemini",
			`{"contents":[{"role":"user","parts":["\u0061/"]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"\u0061/"}]}]}`,
			[]string{"contents[0].parts[0] shape-repaired"}},
		{"a result without a name answers a call of an earlier turn", "ollama",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"user","content":"x"},` +
				`{"role":"assistant","content":"y"},` +
				`{"role":"tool","tool_name":"f","content":"1"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"1"},` +
				`{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}`,
			[]string{"messages[4] result-moved"}},
		{"a thought that is signed is not edited", "gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ud800m","thought":true,` +
				`"thoughtSignature":"QUJD"},{"text":"a"}]},` +
				`{"role":"user","parts":[{"text":"r"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			[]string{"contents[1].parts[0] reasoning-removed"}},
		{"one that is not is", "gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ud800m","thought":true,` +
				`"thoughtSignature":""},{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ufffdm","thought":true,` +
				`"thoughtSignature":""},{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			[]string{"contents[1].parts[0].text text-repaired"}},
		{"a moved result keeps what nobody modelled", "ollama",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"user","content":"x"},` +
				`{"role":"tool","tool_name":"f","content":"1","x":1.0}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"1","x":1.0},` +
				`{"role":"user","content":"x"}]}`,
			[]string{"messages[3] result-moved"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), []byte(c.in),
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			var said []string
			for _, w := range result.Warnings {
				said = append(said, fmt.Sprint(w.Path, " ", w.Code))
			}
			require.Equal(t, c.out, string(result.Body))
			require.Equal(t, c.said, said)
		})
	}
}

// requireSaid holds what Sanitize makes of a body, and says about it, to what it should be.
func requireSaid(t *testing.T, provider, in, out string, said []string) {
	t.Helper()
	options := &wire.Options{Provider: provider}
	require.Equal(t, out, string(requireGuarantees(t, []byte(in), options)))
	result, err := wire.Sanitize(context.Background(), []byte(in), options)
	require.NoError(t, err)
	var got []string
	for _, w := range result.Warnings {
		got = append(got, fmt.Sprint(w.Path, " ", w.Code, " ", w.Rule))
	}
	require.Equal(t, said, got)
}

// requireFound holds Check to the places and rules of what Sanitize said.
func requireFound(t *testing.T, provider, in string, said []string) {
	t.Helper()
	report, err := wire.Check([]byte(in), &wire.Options{Provider: provider})
	require.NoError(t, err)
	var want, got []string
	for _, s := range said {
		words := strings.Fields(s)
		want = append(want, words[0]+" "+words[2])
	}
	for _, v := range report.Violations {
		got = append(got, v.Path+" "+v.Rule)
	}
	require.ElementsMatch(t, want, got)
}

// TestUnnamedCalls: which call a result answers that names none by its id: one of its name in the
// turn before it, the first without a result, and rather one that has no id; else one of an earlier
// turn; else it is a further result of one.
func TestUnnamedCalls(t *testing.T) {
	call := func(id, name string) string {
		return `{"id":"` + id + `","function":{"name":"` + name + `","arguments":{}}}`
	}
	turn := func(calls ...string) string {
		return `{"role":"assistant","content":"","tool_calls":[` + strings.Join(calls, ",") + `]}`
	}
	said := 0
	content := func() string { said++; return strconv.Itoa(said) } // a copy would be taken for one
	result := func(name string) string {
		return `{"role":"tool","tool_name":"` + name + `","content":"` + content() + `"}`
	}
	byID := func(id string) string {
		return `{"role":"tool","tool_call_id":"` + id + `","content":"` + content() + `"}`
	}
	const (
		nobody = -1
		user   = `{"role":"user","content":"q"}`
	)
	for _, c := range []struct {
		reason  string
		in      []string
		answers []int // for each result the call, counted through the history
	}{
		{"by name, in order", []string{
			turn(call("", "f"), call("", "g"), call("", "f")), result("g"), result("f"),
			result("f"), result("f"),
		}, []int{1, 0, 2, 2}},
		{"by order",
			[]string{turn(call("", "f"), call("", "g")), result(""), result(""), result("")},
			[]int{0, 1, nobody}},
		{"by name and by order", []string{
			turn(call("", "f"), call("", "g"), call("", "h")), result("g"), result(""), result(""),
		}, []int{1, 0, 2}},
		{"rather a call without id",
			[]string{turn(call("a", "f"), call("", "f")), result("f"), result("f"), result("f")},
			[]int{1, 0, 1}},
		{"what was asked for by its id",
			[]string{turn(call("a", "f"), call("b", "f")), byID("a"), result("f"), byID("b")},
			[]int{0, 1, 1}},
		{"an id that nobody has", []string{turn(call("a", "f")), byID("z"), result("f")},
			[]int{nobody, 0}},
		{"a name that nobody has", []string{turn(call("", "f")), result("z"), result("f")},
			[]int{nobody, 0}},
		{"an earlier turn's", []string{
			turn(call("", "f"), call("", "f")), result("f"), turn(call("", "g")), result("f"),
			result("g"), result("f"),
		}, []int{0, 1, 2, 1}},
		{"this turn's before an earlier one's",
			[]string{turn(call("", "f")), user, turn(call("", "f")), result("f"), result("f")},
			[]int{1, 0}},
		{"an earlier turn's by id",
			[]string{turn(call("a", "f")), turn(call("", "g")), byID("a"), result("f")},
			[]int{0, nobody}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			r, err := wire.Decode([]byte(`[`+strings.Join(c.in, ",")+`]`),
				&wire.Options{Provider: "ollama"})
			require.NoError(t, err)
			var calls []string
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if call, ok := p.(*preflight.ToolCall); ok {
						calls = append(calls, call.ID)
					}
				}
			}
			var got []int
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if result, ok := p.(*preflight.ToolResult); ok {
						got = append(got, slices.Index(calls, result.CallID))
					}
				}
			}
			require.Equal(t, c.answers, got)
			out, err := r.Encode(slices.Clone(r.Messages))
			require.NoError(t, err)
			require.Equal(t, `[`+strings.Join(c.in, ",")+`]`, string(out))
		})
	}
}
