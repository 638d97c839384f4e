package wire_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestEncodeMadeMessages: what a hook made, or made of parts that came from elsewhere in the body.
func TestEncodeMadeMessages(t *testing.T) {
	ask := `{"role":"user","content":"q"}`
	add := func(role preflight.Role, parts ...preflight.Part) edit {
		return func(m []preflight.Message) []preflight.Message {
			return append(m, preflight.Message{Role: role, Parts: parts})
		}
	}
	call := &preflight.ToolCall{ID: "c", Name: "f", Input: []byte(`{}`)}
	renameResult := func(m []preflight.Message) []preflight.Message {
		r := *m[0].Parts[0].(*preflight.ToolResult)
		r.Name = "g"
		m[0].Parts = []preflight.Part{&r}
		return m
	}
	for _, c := range []struct {
		reason, provider, in string
		change               edit
		want                 string
	}{
		{"a text and a call are two items, in order", "openai-responses", `[` + ask + `]`,
			add("assistant", &preflight.Text{Text: "x"}, call),
			`[` + ask +
				`,{"role":"assistant","content":"x"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]`},
		{"a refusal is in a message's content", "openai-responses", `[` + ask +
			`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"},` +
			`{"type":"refusal","refusal":"no"}]}]`,
			func(m []preflight.Message) []preflight.Message {
				return append(m[:1],
					preflight.Message{Role: "assistant", Parts: slices.Clone(m[1].Parts)})
			}, `[` + ask +
				`,{"role":"assistant","content":[{"type":"output_text","text":"x"},` +
				`{"type":"refusal","refusal":"no"}]}]`},
		{"bytes of a file are a data: URL", "openai-responses", `[` + ask + `]`, add(
			"user",
			&preflight.Media{
				Kind: "document", Name: "a.pdf", MediaType: "application/pdf", Data: "JVBERi0=",
			},
		),
			`[` + ask +
				`,{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"one that is stays one", "openai-responses", `[` + ask + `]`, add("user", &preflight.Media{
			Kind: "document", Name: "a.pdf", Data: "data:application/pdf;base64,JVBERi0=",
		}),
			`[` + ask +
				`,{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"an empty result stays empty under another id", "anthropic",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"",` +
				`"x":1.0}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.CallID = "b"
				m[0].Parts = []preflight.Part{&r}
				return m
			},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"",` +
				`"x":1.0}]}]`},
		{"one that loses its content has none", "anthropic",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1",` +
				`"x":1.0}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.Content = nil
				m[0].Parts = []preflight.Part{&r}
				return m
			}, `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","x":1.0}]}]`},
		{"details of several makers are one list", "openrouter", `[` + ask + `]`,
			add("assistant", &preflight.Reasoning{Opaque: ` [{"a":1.0}] `},
				&preflight.Reasoning{Opaque: `[{"b":2}]`}, &preflight.Text{Text: "x"}),
			`[` + ask +
				`,{"role":"assistant","reasoning_details":[{"a":1.0},{"b":2}],"content":"x"}]`},
		{"details go with their reasoning", "openrouter", `[` + ask +
			`,{"role":"assistant","reasoning_details":[{"a":1.0}],"content":"x","y":1.0}]`,
			func(m []preflight.Message) []preflight.Message {
				m[1].Parts = m[1].Parts[1:]
				return m
			}, `[` + ask + `,{"role":"assistant","content":"x","y":1.0}]`},
		{"a name of the wrong kind is spelled as text", "ollama",
			`[{"role":"tool","tool_name":7,"content":"a"}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
				m[0].Parts = []preflight.Part{&r}
				return m
			}, `[{"role":"tool","tool_name":"7","content":"b"}]`},
		{"a block of the name of a setting stays a block", "anthropic",
			`[{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"output_config","effort":"low"}]}]`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Parts = []preflight.Part{&preflight.Text{Text: "b"}, m[0].Parts[1]}
				return m
			},
			`[{"role":"user","content":[{"type":"text","text":"b"},` +
				`{"type":"output_config","effort":"low"}]}]`},
		{"an item that nobody can read is written as it is, wherever it goes", "openai-responses",
			`[` + ask + `,{"type":"computer_call","call_id":"c","x":1.0}]`,
			func(m []preflight.Message) []preflight.Message {
				return append(m[:1], preflight.Message{Role: m[1].Role, Native: m[1].Native},
					say("r"))
			}, `[` + ask +
				`,{"type":"computer_call","call_id":"c","x":1.0},{"role":"user","content":"r"}]`},
		{"an empty response stays as it is spelled", "gemini",
			`[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ },"x":1.0}}]}]`,
			renameResult,
			`[{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ },"x":1.0}}]}]`},
		{"no response becomes an empty one", "gemini",
			`[{"role":"user","parts":[{"functionResponse":{"name":"f","x":1.0}}]}]`, renameResult,
			`[{"role":"user","parts":[{"functionResponse":{"name":"g","x":1.0,"response":{}}}]}]`},
		{"no content beside calls stays none", "openai-chat",
			`[{"role":"assistant","content":[],` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				c := *m[0].Parts[0].(*preflight.ToolCall)
				c.ID = "d"
				m[0].Parts = []preflight.Part{&c}
				return m
			},
			`[{"role":"assistant","content":[],` +
				`"tool_calls":[{"id":"d","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]}]`},
		{"a breakpoint that the format does not know goes from what is edited", "openai-responses",
			`[{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_id":"f",` +
				`"cache_control":{"type":"ephemeral"}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				f := *m[0].Parts[0].(*preflight.Media)
				f.Name = "b.pdf"
				m[0].Parts = []preflight.Part{&f}
				return m
			},
			`[{"role":"user","content":[{"type":"input_file","filename":"b.pdf","file_id":"f"}]}]`},
		{"a shell's output keeps its form under another id", "openai-responses", `[` + ask +
			`,{"type":"shell_call_output","call_id":"c","output":[{"stdout":"x","stderr":"",` +
			`"outcome":{"type":"exit","exit_code":0}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[1].Parts[0].(*preflight.ToolResult)
				r.CallID = "d"
				m[1].Parts = []preflight.Part{&r}
				return m
			}, `[` + ask +
				`,{"type":"shell_call_output","call_id":"d","output":[{"stdout":"x","stderr":"",` +
				`"outcome":{"type":"exit","exit_code":0}}]}]`},
	} {
		t.Run(c.reason,
			func(t *testing.T) { require.Equal(t, c.want, encode(t, c.provider, c.in, c.change)) })
	}
}
