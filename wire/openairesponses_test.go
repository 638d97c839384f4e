package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

func TestDetectResponses(t *testing.T) {
	for _, c := range []struct{ reason, body, want string }{
		{"an input list", `{"model":"gpt-4o","input":[]}`, "openai-responses"},
		{"an input string", `{"model":"claude-sonnet-4-5","input":"q"}`, "openai-responses"},
		{"an input of chat-like messages",
			`{"input":[{"role":"user","content":"q"}],"tools":[{"type":"function","name":"f"}]}`,
			"openai-responses"},
		{"a bare list of items", `[{"type":"function_call","call_id":"c"}]`, "openai-responses"},
		{"a bare list with input text",
			`[{"role":"user","content":[{"type":"input_text","text":"q"}]}]`, "openai-responses"},
		{"messages beside an input", `{"input":"x","messages":[{"role":"tool"}]}`, "openai-chat"},
	} {
		got, err := wire.Detect([]byte(c.body))
		require.NoError(t, err, c.reason)
		require.Equal(t, c.want, got, c.reason)
	}
	_, err := wire.Detect([]byte(`{"input":7}`))
	require.ErrorIs(t, err, wire.ErrNotARequest)
}

// TestPlainInput: an input that is a string stays one as long as it can.
func TestPlainInput(t *testing.T) {
	const in = `{"x":1.0, "input" : "\u0071", "model":"gpt-5.4"}`
	for _, c := range []struct {
		reason, want string
		change       edit
	}{
		{"untouched", in, func(m []preflight.Message) []preflight.Message { return m }},
		{
			"another text", `{"x":1.0, "input" : "new", "model":"gpt-5.4"}`,
			func([]preflight.Message) []preflight.Message {
				return []preflight.Message{say("new")}
			},
		},
		{"two messages",
			`{"x":1.0, "input" : [{"role":"user","content":"\u0071"},` +
				`{"role":"user","content":"new"}], "model":"gpt-5.4"}`,
			func(m []preflight.Message) []preflight.Message { return append(m, say("new")) }},
		{"nobody's", `{"x":1.0, "input" : [], "model":"gpt-5.4"}`,
			func([]preflight.Message) []preflight.Message { return nil }},
	} {
		require.Empty(t, cmp.Diff(c.want, encode(t, "openai-responses", in, c.change)), c.reason)
	}
	r, err := wire.Decode([]byte(in), nil)
	require.NoError(t, err)
	require.Equal(t, "input", r.Path(preflight.At(0, 0)))
}

// TestStorage: what the request says about storage decides what its ids and outputs are worth.
func TestStorage(t *testing.T) {
	const items = `"input":[{"type":"item_reference","id":"rs_1"},` +
		`{"type":"function_call_output","call_id":"c1","output":"r"}]}`
	for _, c := range []struct {
		head string
		want []string
	}{
		{`{"model":"gpt-5.4",`, nil},
		{`{"model":"gpt-5.4","store":true,`, nil},
		{`{"model":"gpt-5.4","store":null,`, nil},
		{`{"model":"gpt-5.4","store":false,`,
			[]string{"openai-responses/item-not-found", "openai-responses/tool-output-orphan"}},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":"resp_1",`, nil},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":null,"conversation":"conv_1",`,
			nil},
		{`{"model":"gpt-5.4","store":false,"conversation":{"id":"conv_1"},`, nil},
		{`{"model":"gpt-5.4","store":false,"previous_response_id":"","conversation":7,`,
			[]string{"openai-responses/item-not-found", "openai-responses/tool-output-orphan"}},
	} {
		report, err := wire.Check([]byte(c.head+items), nil)
		require.NoError(t, err)
		var got []string
		for _, v := range report.Violations {
			got = append(got, v.Rule)
		}
		require.Equal(t, c.want, got, c.head)
	}
}
