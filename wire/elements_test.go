package wire_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// listOf are the elements of a body's list of messages; nil when it has none.
func listOf(t fataler, provider string, body []byte) []string {
	t.Helper()
	doc, err := jsonscan.Parse(body)
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, body)
	}
	list := doc.Root()
	if list.Kind() == jsonscan.Object {
		list = list.Get(
			cmp.Or(
				map[string]string{
					"gemini": "contents", "openai-responses": "input", "gemini-interactions": "input",
				}[spoken(provider)],
				"messages",
			),
		)
	}
	if list.Kind() != jsonscan.Array {
		return nil
	}
	out := []string{}
	for v := list.First(); v.Exists(); v = v.Next() {
		out = append(out, string(v.Raw()))
	}
	return out
}

// requireElements holds Result.Elements to what it says: with it the list of the input becomes that
// of the output.
func requireElements(t fataler, in []byte, result *wire.Result) {
	t.Helper()
	before, after := listOf(t, result.Provider, in), listOf(t, result.Provider, result.Body)
	if before == nil {
		return
	}
	rebuilt := before
	if result.Elements != nil {
		rebuilt = []string{}
		for _, e := range result.Elements {
			if e.JSON != nil {
				rebuilt = append(rebuilt, string(e.JSON))
			} else {
				rebuilt = append(rebuilt, before[e.From])
			}
			if e.JSON != nil &&
				(e.From >= 0 && before[e.From] == string(e.JSON) || cap(e.JSON) != len(e.JSON)) {
				t.Fatalf(
					"the element %d came out as it was,"+
						" or an append to it writes into the body\n in  %s\n out %s",
					e.From,
					in,
					result.Body,
				)
			}
		}
	}
	if same := slices.Equal(before, after); result.Changed && (result.Elements == nil) != same {
		t.Fatalf("the list is the same: %v, the elements are %v\n in  %s\n out %s", same,
			result.Elements, in, result.Body)
	}
	if diff := gocmp.Diff(after, rebuilt); diff != "" {
		t.Fatalf(
			"the elements do not give the list that came out (-want +got):\n%s\n in  %s\n out %s",
			diff,
			in,
			result.Body,
		)
	}
}

func TestElements(t *testing.T) {
	tests := []struct {
		name, provider, in string
		want               []wire.Element
	}{
		{"nothing to do", "anthropic", `[{"role":"user","content":"hi"}]`, nil},
		{"two messages become one, made of the first", "glm",
			`[{"role":"user","content":"a"},{"role":"user","content":"b"},` +
				`{"role":"assistant","content":"c"},{"role":"user","content":"d"}]`,
			[]wire.Element{
				{
					From: 0,
					JSON: []byte(
						`{"role":"user","content":[{"type":"text","text":"a"},` +
							`{"type":"text","text":"b"}]}`,
					),
				},
				{From: 2},
				{From: 3},
			}},
		{"a result moves to its call", "openai-chat",
			`[{"role":"user","content":"a"},` +
				`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"b"},` +
				`{"role":"tool","tool_call_id":"c1","content":"r"}]`,
			[]wire.Element{{From: 0}, {From: 1}, {From: 3}, {From: 2}}},
		{
			"a system message leaves the list",
			"anthropic",
			`{"messages":[ {"role":"system","content":"s"},` +
				`  {"role":"user","content":"a"} ,{"role":"assistant","content":"b"},` +
				`{"role":"user","content":"c"} ], "x":1}`,
			[]wire.Element{{From: 1}, {From: 2}, {From: 3}},
		},
		{
			"a turn is put in front",
			"glm",
			`[{"role":"assistant","content":"a"},{"role":"user","content":"b"}]`,
			[]wire.Element{
				{
					From: -1,
					JSON: []byte(`{"role":"user","content":"(conversation resumed)"}`),
				},
				{From: 0},
				{From: 1},
			},
		},
		{
			"text that is no Unicode, after a longer body",
			"openai-chat",
			`{"tools":[{"function":{"name":"a.b"}}],"messages":[{"role":"user","content":"a"},` +
				` {"role":"user","content":"b\ud83d"}, null,{"role":"user","content":"c"}]}`,
			[]wire.Element{
				{From: 0},
				{From: 1, JSON: []byte(`{"role":"user","content":"b\ufffd"}`)},
				{From: 3},
			},
		},
		{"only the tools change", "openai-chat",
			`{"tools":[{"function":{"name":"a.b"}}],"messages":[{"role":"user","content":"a"}]}`,
			nil},
		{"a string is not a list", "openai-responses", `{"input":"a\ud83d"}`, nil},
		{"a result that moves, with text that is no Unicode", "openai-chat",
			`[{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"b"},` +
				`{"role":"tool","tool_call_id":"c1","content":"r\ud83d"}]`,
			[]wire.Element{
				{From: 0},
				{From: 2, JSON: []byte(`{"role":"tool","tool_call_id":"c1","content":"r\ufffd"}`)},
				{From: 1},
			}},
		{"text that is no Unicode", "anthropic", `[{"role":"user","content":"a\ud83d"}]`,
			[]wire.Element{
				{From: 0, JSON: []byte("{\"role\":\"user\",\"content\":\"a\\ufffd\"}")},
			}},
	}
	models := map[string]string{"glm": "glm-5.1"} // which refuses neighbours of one role
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), []byte(c.in),
				&wire.Options{Provider: c.provider, Model: models[c.provider]})
			require.NoError(t, err)
			if diff := gocmp.Diff(c.want, result.Elements); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestElementsOfHooks: an element is from the one it was made of, although another one had its
// bytes; and one that a hook made anew of the same bytes is that element.
func TestElementsOfHooks(t *testing.T) {
	options := &wire.Options{Provider: "openai-chat"}
	options.Options.Hooks = []preflight.Hook{
		{
			Name: "first",
			History: func(
				_ context.Context, history []preflight.Message,
			) ([]preflight.Message, error) {
				history[0].Parts = []preflight.Part{&preflight.Text{Text: "b"}}
				return history[:1], nil
			},
		},
	}
	result, err := wire.Sanitize(context.Background(),
		[]byte(`[{"role":"user","content":"a"},{"role":"user","content":"b"}]`), options)
	require.NoError(t, err)
	require.Equal(t, []wire.Element{{From: 0, JSON: []byte(`{"role":"user","content":"b"}`)}},
		result.Elements)

	options = &wire.Options{Provider: "openai-responses"}
	options.Options.Hooks = []preflight.Hook{
		{
			Name: "both",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				if m.Role == preflight.RoleAssistant && len(m.Parts) == 1 {
					m.Parts = append(m.Parts,
						&preflight.ToolCall{ID: "c", Name: "f", Input: []byte("{}")})
				}
				return m, nil
			},
		},
	}
	options.Options.Dangling = preflight.DanglingAnswer
	in := []byte(
		`[{"role":"user","content":"q"}, {"role":"assistant","content":"a"},` +
			` {"role":"user","content":"n"}]`,
	)
	result, err = wire.Sanitize(context.Background(), in, options)
	require.NoError(t, err)
	requireElements(t, in, result)
	var from []int
	for _, e := range result.Elements {
		from = append(from, e.From)
	}
	require.Equal(t, []int{0, 1, -1, -1, 2}, from, "%s", result.Body)
}
