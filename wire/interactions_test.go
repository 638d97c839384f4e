package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestDetectInteractions: what only the Interactions API has shows it; what Responses bodies have
// too does not.
func TestDetectInteractions(t *testing.T) {
	const name, other = "gemini-interactions", "openai-responses"
	for _, c := range []struct{ body, want string }{
		{`{"input":"q","previous_interaction_id":"int_1"}`, name},
		{`{"previous_interaction_id":"int_1"}`, name},
		{`{"agent":"deep-research","input":"q"}`, name},
		{`{"input":"q","system_instruction":"s"}`, name},
		{`{"input":"q","generation_config":{"temperature":1}}`, name},
		{`{"input":{"type":"text","text":"q"}}`, name},
		{`{"input":[{"type":"text","text":"q"}]}`, name},
		{`{"input":[{"role":"model","content":"a"}]}`, name},
		{`{"input":[{"type":"function_call","id":"c1","name":"f","arguments":{}}]}`, name},
		{`[{"type":"user_input","content":[]},{"type":"function_result","call_id":"c"}]`, name},
		{`{"input":"q","previous_interaction_id":null}`, other},
		{`{"input":"q"}`, other},
		{`{"input":[{"role":"user","content":"q"}]}`, other},
		{`{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":{}}]}`, other},
		{`{"input":"q","instructions":"i","previous_response_id":"r"}`, other},
		{`{"input":"x","system_instruction":"s","messages":[{"role":"tool"}]}`, "openai-chat"},
	} {
		got, err := wire.Detect([]byte(c.body))
		require.NoError(t, err, c.body)
		require.Equal(t, c.want, got, c.body)
	}
}

// TestBareContents: an input that is a text or content alone stays so as long as it can, and
// becomes steps where it is to hold something else.
func TestBareContents(t *testing.T) {
	const text = `{"x":1.0, "input" : "\u0071"}`
	const content = `{"x":1.0, "input" : {"type":"text","text":"\u0071"}}`
	const contents = `{"x":1.0, "input" : [{"type":"text","text":"\u0071"},{"type":"image","uri":"u"}]}`
	answer := preflight.Message{
		Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.Text{Text: "a"}},
	}
	add := func(m ...preflight.Message) edit {
		return func(history []preflight.Message) []preflight.Message { return append(history, m...) }
	}
	picture := parts(func(p []preflight.Part) []preflight.Part {
		return append(p, &preflight.Media{Kind: "image", URL: "u"})
	})
	for _, c := range []struct {
		reason, in, want string
		change           edit
	}{
		{"a text, untouched", text, text, same},
		{"another text", text, `{"x":1.0, "input" : "new"}`,
			func([]preflight.Message) []preflight.Message { return []preflight.Message{say("new")} }},
		{"a text and a picture", text,
			`{"x":1.0, "input" : [{"type":"text","text":"\u0071"},{"type":"image","uri":"u"}]}`, picture},
		{"a text and an answer", text,
			`{"x":1.0, "input" : [{"type":"user_input","content":[{"type":"text","text":"\u0071"}]},` +
				`{"type":"model_output","content":[{"type":"text","text":"a"}]}]}`, add(answer)},
		{"a content, untouched", content, content, same},
		{"a content and an answer", content,
			`{"x":1.0, "input" : [{"type":"user_input","content":[{"type":"text","text":"\u0071"}]},` +
				`{"type":"model_output","content":[{"type":"text","text":"a"}]}]}`, add(answer)},
		{"contents, untouched", contents, contents, same},
		{"contents without one", contents,
			`{"x":1.0, "input" : [{"type":"image","uri":"u"}]}`,
			func(m []preflight.Message) []preflight.Message { return m[1:] }},
		{"contents and an answer", contents,
			`{"x":1.0, "input" : [{"type":"user_input","content":[{"type":"text","text":"\u0071"},` +
				`{"type":"image","uri":"u"}]},` +
				`{"type":"model_output","content":[{"type":"text","text":"a"}]}]}`, add(answer)},
	} {
		require.Empty(t,
			cmp.Diff(c.want, encode(t, "gemini-interactions", c.in, c.change)), c.reason)
	}
	for in, want := range map[string]string{
		text: "input", content: "input", contents: "input[0]",
	} {
		r, err := wire.Decode([]byte(in), &wire.Options{Provider: "gemini-interactions"})
		require.NoError(t, err)
		require.Equal(t, want, r.Path(preflight.At(0, 0)))
	}
}

// TestEmptyTurns: a turn with nothing in it gets a role that the provider knows, as any other does.
func TestEmptyTurns(t *testing.T) {
	for _, c := range [][3]string{
		{"assistant", `,"content":[]`, "model"}, {"assistant", `,"content":null`, "model"},
		{"assistant", ``, "model"}, {"assistant", `,"content":""`, "model"},
		{"function", `,"content":[]`, "user"},
		{"user", `,"content":[]`, "user"}, {"model", ``, "model"},
	} {
		in := `[{"role":"` + c[0] + `"` + c[1] + `},{"role":"user","content":"q"}]`
		out := requireGuarantees(t, []byte(in), &wire.Options{Provider: "gemini-interactions"})
		require.Equal(t, `[{"role":"`+c[2]+`"`+c[1]+`},{"role":"user","content":"q"}]`, string(out))
	}
}

// TestEmptyInstruction: an empty system message would be read as none beside the input, so that it
// goes, here and in conversions; where it was all, a placeholder is sent, as to other providers.
func TestEmptyInstruction(t *testing.T) {
	options := &wire.Options{Provider: "gemini-interactions"}
	for _, content := range []string{`""`, `[{"type":"text","text":""}]`} {
		system := `{"role":"system","content":` + content + `}`
		for list, want := range map[string]string{
			system: `{"role":"user","content":[{"type":"text","text":"(conversation resumed)"}]}`,
			system + `,{"role":"user","content":"q"}`: `{"role":"user","content":"q"}`,
		} {
			in := []byte(`{"model":"m","input":[` + list + `]}`)
			require.Equal(t, `{"model":"m","input":[`+want+`]}`,
				string(requireGuarantees(t, in, options)))
		}
		for from, key := range map[string]string{
			"openai-chat": "messages", "mistral": "messages", "cohere": "messages",
			"ollama": "messages", "openai-responses": "input", "deepseek-responses": "input",
		} {
			in := []byte(`{"model":"m","` + key + `":[` + system + `]}`)
			out, err := wire.Convert(t.Context(), in, from, options)
			require.NoError(t, err, from)
			report, err := wire.Check(out.Body, options)
			require.NoError(t, err, from)
			require.Empty(t, report.Violations, "%s: %s", from, out.Body)
			require.Contains(t, string(out.Body), "(conversation resumed)", from)
		}
	}
	kept := []byte(`{"model":"m","input":[],"system_instruction":"s"}`)
	require.Equal(t, string(kept), string(requireGuarantees(t, kept, options)))
}
