package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

func named(name, id string) *preflight.ToolCall {
	return &preflight.ToolCall{ID: id, Name: name, Input: json.RawMessage(`{}`)}
}

func answering(name, id, output string) *preflight.ToolResult {
	return &preflight.ToolResult{CallID: id, Name: name, Output: json.RawMessage(output)}
}

func turnOf(role preflight.Role, parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: role, Parts: parts}
}

// The hard cases of pairing by name.
func TestPairingByNameCases(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	q := turnOf(user, &preflight.Text{Text: "q"})
	for _, test := range []struct {
		reason  string
		in      []preflight.Message
		results []string // name, id and output of each result that comes out
	}{
		{"names decide, whatever the order",
			[]preflight.Message{q, turnOf(model, named("f", ""), named("g", "")),
				turnOf(user, answering("g", "", `{"n":2}`), answering("f", "", `{"n":1}`))},
			[]string{`g  {"n":2}`, `f  {"n":1}`}},
		{"one name twice is matched in order",
			[]preflight.Message{q, turnOf(model, named("f", ""), named("f", "")),
				turnOf(user, answering("f", "", `{"n":1}`), answering("f", "", `{"n":2}`))},
			[]string{`f  {"n":1}`, `f  {"n":2}`}},
		{"an id on one side only is no reason to change it",
			[]preflight.Message{q, turnOf(model, named("f", "1"), named("g", "")),
				turnOf(user, answering("f", "", `{"n":1}`), answering("g", "9", `{"n":2}`))},
			[]string{`f  {"n":1}`, `g 9 {"n":2}`}},
		{"an id counts more than order",
			[]preflight.Message{q, turnOf(model, named("f", "1"), named("f", "2")),
				turnOf(user, answering("f", "2", `{"n":2}`), answering("f", "1", `{"n":1}`))},
			[]string{`f 2 {"n":2}`, `f 1 {"n":1}`}},
		{"another name in its place is no reason to change it",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("old", "1", `{"n":1}`))},
			[]string{`old 1 {"n":1}`}},
		{"an id as the name of the response to the one call: docker/cagent," +
			" TestExec_Gemini_ToolCall",
			[]preflight.Message{q, turnOf(model, named("list_directory", "")),
				turnOf(user, answering("call_1338", "", `{"n":1}`))},
			[]string{`call_1338  {"n":1}`}},
		{"a result that moves takes the name of the call with its id",
			[]preflight.Message{q, turnOf(model, named("f", "1")), q,
				turnOf(user, answering("old", "1", `{"n":1}`))},
			[]string{`f 1 {"n":1}`}},
		{"a result without a name gets that of its call from the encoder",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("", "1", `{"n":1}`))},
			[]string{` 1 {"n":1}`}},
		{"one id for two names",
			[]preflight.Message{q, turnOf(model, named("f", "1"), named("g", "1")),
				turnOf(user, answering("g", "1", `{"n":2}`), answering("f", "1", `{"n":1}`))},
			[]string{`g 1 {"n":2}`, `f 1 {"n":1}`}},
		{"a late result belongs to the turn it comes after",
			[]preflight.Message{q, turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "stop"}), turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "so"}, answering("f", "", `{"n":2}`))},
			[]string{`f  {"n":2}`}},
		{"a later one, after a user's words, of the only open call of its tool",
			[]preflight.Message{q, turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "wait"}),
				turnOf(model, &preflight.Text{Text: "ok"}),
				turnOf(user, answering("f", "", `{"n":1}`))},
			[]string{`f  {"n":1}`}},
		{"and of two of them",
			[]preflight.Message{q, turnOf(model, named("f", ""), named("f", "")),
				turnOf(user, &preflight.Text{Text: "wait"}),
				turnOf(model, &preflight.Text{Text: "ok"}),
				turnOf(user, answering("f", "", `{"n":1}`))},
			nil},
		{"a placeholder replaced later is no reason to sort two names under one id",
			[]preflight.Message{q, turnOf(model, named("f", "1"), named("g", "1")),
				turnOf(user, answering("g", "1", `{"n":2}`), answering("f", "1", `{"n":1}`)),
				turnOf(model, named("h", "1")),
				turnOf(user, answering("h", "1", ""), answering("h", "1", `{"n":3}`))},
			[]string{`g 1 {"n":2}`, `f 1 {"n":1}`, `h 1 {"n":3}`}},
		{"an id in its place counts more than a name",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("f", "1", "")), turnOf(model, named("g", "1")),
				turnOf(user, answering("f", "1", `{"n":1}`))},
			[]string{`f 1 `, `f 1 {"n":1}`}},
		{"a complete turn keeps its result without an id," +
			" and the call is repeated for one with its id that comes later",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("f", "", `{"n":1}`)),
				turnOf(model, named("g", "2")),
				turnOf(user, answering("g", "2", `{"n":2}`), answering("f", "1", `{"n":3}`))},
			[]string{`f  {"n":1}`, `g 2 {"n":2}`, `f 1_2 {"n":3}`}},
		{"what is in its place, under an id of its own, before what comes late",
			[]preflight.Message{q, turnOf(model, named("f", "")),
				turnOf(user, answering("f", "9", `{"n":1}`), &preflight.Text{Text: "so"}),
				turnOf(user, answering("f", "", `{"n":2}`))},
			[]string{`f 9 {"n":1}`}},
		{"the id of a call that has its result does not keep another in its place from its own",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("f", "1", `{"n":1}`)), turnOf(model, named("f", "")),
				turnOf(user, answering("f", "1", `{"n":2}`))},
			[]string{`f 1 {"n":1}`, `f 1 {"n":2}`}},
		{"nor does it when a result further on is missing",
			[]preflight.Message{q, turnOf(model, named("f", "1")),
				turnOf(user, answering("f", "1", `{"n":1}`)), turnOf(model, named("f", "")),
				turnOf(user, answering("f", "1", `{"n":2}`)), turnOf(model, named("g", "7"))},
			[]string{`f 1 {"n":1}`, `f 1 {"n":2}`}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			p := provider.Gemini("gemini-2.5-pro")
			res, err := preflight.Sanitize(context.Background(), test.in, p, nil)
			require.NoError(t, err)
			var got []string
			for _, m := range res.Messages {
				for _, part := range m.Parts {
					if r, ok := part.(*preflight.ToolResult); ok {
						got = append(got, fmt.Sprintf("%s %s %s", r.Name, r.CallID, r.Output))
					}
				}
			}
			if diff := cmp.Diff(test.results, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}
