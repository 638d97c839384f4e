package preflight_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// namedHistory draws a history in which calls and results may lack ids, or names, in an order that
// may be anything.
func namedHistory(t *rapid.T) []preflight.Message {
	id := rapid.SampledFrom([]string{"", "", "", "1", "2", " ", "\x00"})
	name := rapid.SampledFrom([]string{"f", "f", "g", "h", "", " f"})
	part := func(role preflight.Role) preflight.Part {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0:
			return &preflight.Text{Text: rapid.SampledFrom([]string{"t", ""}).Draw(t, "text")}
		case kind == 1 || (role == preflight.RoleAssistant) == (kind > 2):
			return &preflight.ToolCall{
				ID:    id.Draw(t, "id"),
				Name:  name.Draw(t, "name"),
				Input: json.RawMessage(`{}`),
			}
		}
		return &preflight.ToolResult{
			CallID: id.Draw(t, "id"),
			Name:   name.Draw(t, "name"),
			Output: json.RawMessage(`{"a":1}`),
		}
	}
	var h []preflight.Message
	for range rapid.IntRange(1, 5).Draw(t, "messages") {
		if rapid.IntRange(0, 2).Draw(t, "exchange") > 0 {
			h = append(h, namedExchange(t, id, name)...)
			continue
		}
		m := preflight.Message{
			Role: rapid.SampledFrom([]preflight.Role{preflight.RoleUser, preflight.RoleAssistant}).
				Draw(t, "role"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			m.Parts = append(m.Parts, part(m.Role))
		}
		h = append(h, m)
	}
	return h
}

// namedExchange is a turn of calls and the results after it, of which some may lack something or
// be gone.
func namedExchange(t *rapid.T, id, name *rapid.Generator[string]) []preflight.Message {
	calls, results := preflight.Message{
		Role: preflight.RoleAssistant,
	}, preflight.Message{
		Role: preflight.RoleUser,
	}
	for range rapid.IntRange(1, 4).Draw(t, "calls") {
		c := &preflight.ToolCall{
			ID:    id.Draw(t, "id"),
			Name:  name.Draw(t, "name"),
			Input: json.RawMessage(`{}`),
		}
		r := &preflight.ToolResult{CallID: c.ID, Name: c.Name, Output: json.RawMessage(`{"a":1}`)}
		calls.Parts, results.Parts = append(calls.Parts, c), append(results.Parts, r)
		switch rapid.IntRange(0, 9).Draw(t, "loss") {
		case 0:
			c.ID = ""
		case 1:
			r.CallID = ""
		case 2:
			r.Name = name.Draw(t, "other name")
		case 3:
			r.CallID = id.Draw(t, "other id")
		}
	}
	results.Parts = rapid.Permutation(results.Parts).Draw(t, "order")
	if rapid.IntRange(0, 9).Draw(t, "gone") == 0 {
		results.Parts = results.Parts[1:]
	}
	return []preflight.Message{calls, results}
}

var pairingProblems = []rule.Problem{rule.Dangling, rule.Orphan, rule.DuplicateResult,
	rule.ResultNotFirst, rule.ResultName}

// Check and the fixer read pairs apart from each other, and have to agree on which are sound.
func TestPairingByNameAgrees(t *testing.T) {
	p := provider.Gemini("")
	rapid.Check(t, func(t *rapid.T) {
		h := namedHistory(t)
		if slices.ContainsFunc(preflight.Check(h, p, nil), func(v preflight.Violation) bool {
			return v.Problem == rule.CallMisplaced || v.Problem == rule.ResultMisplaced ||
				v.Problem == rule.IDPattern
		}) {
			return // another fixer's business first
		}
		broken := slices.ContainsFunc(
			preflight.Check(h, p, nil),
			func(v preflight.Violation) bool { return slices.Contains(pairingProblems, v.Problem) },
		)
		_, warnings := preflight.PairToolCalls.Apply(h, p, nil)
		if broken != (len(warnings) > 0) {
			t.Fatalf(
				"Check says %v, the fixer did %v\n%s",
				preflight.Check(h, p, nil),
				warnings,
				shownJSON(h),
			)
		}
	})
}

func shownJSON(h []preflight.Message) string {
	data, err := json.Marshal(h)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// Whatever comes in, each turn of calls is followed by one message that holds as many results, each
// with a name or with the id of a call, which tells the encoder the name.
func TestPairingByName(t *testing.T) {
	p := provider.Gemini("")
	rapid.Check(t, func(t *rapid.T) {
		options := &preflight.Options{
			Dangling: rapid.SampledFrom([]preflight.Dangling{preflight.DanglingRemove,
				preflight.DanglingAnswer}).
				Draw(t, "dangling"),
			Orphans: rapid.SampledFrom([]preflight.Orphans{preflight.OrphanRemove,
				preflight.OrphanText}).
				Draw(t, "orphans"),
			Duplicates: rapid.SampledFrom([]preflight.Duplicates{preflight.DuplicateFirst,
				preflight.DuplicateLast, preflight.DuplicateMerge}).
				Draw(t, "duplicates"),
		}
		h := namedHistory(t)
		res, err := preflight.Sanitize(context.Background(), h, p, options)
		require.NoError(t, err)
		require.Empty(t, preflight.Check(res.Messages, p, nil), shownJSON(res.Messages))
		again, err := preflight.Sanitize(context.Background(), res.Messages, p, options)
		require.NoError(t, err)
		require.False(
			t,
			again.Changed,
			"%s\n%s\n%s",
			shownJSON(h),
			shownJSON(res.Messages),
			shownJSON(again.Messages),
		)
		for i := 0; i < len(res.Messages); i++ {
			called, answered := 0, 0
			ids := map[string]bool{}
			for ; i < len(res.Messages) && res.Messages[i].Role == preflight.RoleAssistant; i++ {
				for _, part := range res.Messages[i].Parts {
					if c, ok := part.(*preflight.ToolCall); ok {
						called++
						ids[c.ID] = strings.TrimSpace(c.ID) != ""
					}
				}
			}
			for _, m := range res.Messages[min(i, len(res.Messages)):min(i+1, len(res.Messages))] {
				for _, part := range m.Parts {
					if r, ok := part.(*preflight.ToolResult); ok {
						require.True(t, r.Name != "" || ids[r.CallID], shownJSON(res.Messages))
						answered++
					}
				}
			}
			require.Equal(t, called, answered, shownJSON(res.Messages))
		}
	})
}

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
		{"one name twice goes by order",
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
		{"a late result goes to the turn it comes after",
			[]preflight.Message{q, turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "stop"}), turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "so"}, answering("f", "", `{"n":2}`))},
			[]string{`f  {"n":2}`}},
		{"a later one still finds an earlier call",
			[]preflight.Message{q, turnOf(model, named("f", "")),
				turnOf(user, &preflight.Text{Text: "wait"}),
				turnOf(model, &preflight.Text{Text: "ok"}),
				turnOf(user, answering("f", "", `{"n":1}`))},
			[]string{`f  {"n":1}`}},
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
			" and one with the id of the call that comes later is kept as text", []preflight.Message{q, turnOf(model, named("f", "1")), turnOf(user, answering("f", "", `{"n":1}`)), turnOf(model, named("g", "2")), turnOf(user, answering("g", "2", `{"n":2}`), answering("f", "1", `{"n":3}`))},
			[]string{`f  {"n":1}`, `g 2 {"n":2}`}},
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

// A call is signed where the provider looks for it, and nowhere else.
func TestSignCalls(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	media := &preflight.Media{Kind: "image", Data: "QUJD", MediaType: "image/png"}
	h := []preflight.Message{
		turnOf(user, &preflight.Text{Text: "q"}),
		turnOf(
			model,
			named("f", ""),
		), turnOf(user, answering("f", "", `{}`), &preflight.Text{Text: "next"}),
		turnOf(
			model,
			&preflight.Text{Text: "t"},
			named("f", ""),
			named("g", ""),
		), turnOf(user, answering("f", "", `{}`), answering("g", "", `{}`), media),
		turnOf(model, named("f", "")), turnOf(user, answering("f", "", `{}`)),
	}
	h[5].Parts[0].(*preflight.ToolCall).Signature = "own"
	p := provider.Gemini("gemini-3-pro-preview")
	res, err := preflight.Sanitize(context.Background(), h, p, nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.CallSigned, res.Warnings[0].Code)
	require.Equal(t, "gemini/thought-signature-missing", res.Warnings[0].Rule)
	require.Equal(t, preflight.Position{Message: 3, Part: 1, Inner: -1}, res.Warnings[0].At)
	require.Equal(
		t,
		p.Tools.CallSignature,
		res.Messages[3].Parts[1].(*preflight.ToolCall).Signature,
	)
	require.Empty(t, h[3].Parts[1].(*preflight.ToolCall).Signature, "the input was written to")
	require.Empty(t, res.Messages[3].Parts[2].(*preflight.ToolCall).Signature)
	require.Same(t, h[5].Parts[0], res.Messages[5].Parts[0])

	older := provider.Gemini("models/gemini-2.5-flash")
	require.Empty(t, preflight.Check(h, older, nil))
}

// A turn with a signature of the provider's own is never cut.
func TestSignedCallsAreNotCut(t *testing.T) {
	call := named("f", "")
	h := []preflight.Message{
		turnOf(preflight.RoleUser, &preflight.Text{Text: "q"}),
		turnOf(preflight.RoleAssistant, call, named("g", "")),
	}
	p := provider.Gemini("")
	for _, test := range []struct {
		signature string
		messages  int
	}{{"", 1}, {p.Tools.CallSignature, 1}, {"own", 3}} {
		call.Signature = test.signature
		res, err := preflight.Sanitize(context.Background(), h, p, nil)
		require.NoError(t, err)
		require.Len(t, res.Messages, test.messages, test.signature)
	}
}

// What is known of single models: who refuses a final model turn (LibreChat-AI/agents#323), who
// wants signatures (vercel/ai#15560), who takes media in function responses
// (google-gemini/gemini-cli#19436), and who takes the role "function".
func TestGeminiModels(t *testing.T) {
	for _, test := range []struct {
		model                              string
		prefill, signs, inResult, function bool
	}{
		{"", true, false, true, true},
		{"gemini-flash-latest", true, false, true, true},
		{"gemini-9", true, false, true, true},
		{"gemini-3.8-flash", false, true, true, false},
		{"gemini-3.7-flash", false, true, true, false},
		{"gemini-3.6-flash", false, true, true, false},
		{"gemini-3.5-flash-lite", false, true, true, false},
		{"gemini-3.5-flash", true, true, true, false},
		{"models/gemini-3-pro-preview", true, true, true, true},
		{"google/gemini-3.1-pro-preview", true, true, true, true},
		{"publishers/google/models/gemini-3-flash-preview", true, true, true, true},
		{"gemini-3-pro-image-preview", true, false, true, true},
		{"gemini-3.1-flash-lite-image", true, false, true, true},
		{"gemini-2.5-flash", true, false, false, true},
		{"gemini-2.0-flash-001", true, false, false, true},
		{"gemini-1.5-pro", true, false, false, true},
		{"gemini-1.0-pro", false, false, false, true},
		{"gemini-pro", false, false, false, true},
	} {
		p := provider.Gemini(test.model)
		require.Equal(t, test.prefill, !p.Prefill.Refused, test.model)
		require.Equal(t, test.signs, p.Tools.CallSignature != "", test.model)
		require.Equal(t, test.inResult, p.Media.InResult, test.model)
		require.Equal(t, test.function, slices.Contains(p.Roles, "function"), test.model)
	}
}

func TestFunctionNames(t *testing.T) {
	p := provider.Gemini("")
	for _, name := range []string{"f", "_f", "F-1.a:b_", strings.Repeat("f", 128)} {
		require.Equal(t, name, p.RepairToolName(name))
	}
	for _, name := range []string{"9f", "-f", ".f", "a b", "é", "", " ", strings.Repeat("f", 129),
		"9" + strings.Repeat("f", 127)} {
		fixed := p.RepairToolName(name)
		require.NotEqual(t, name, fixed)
		require.Equal(t, fixed, p.RepairToolName(fixed))
		require.True(t, p.Tools.Name.Matches(fixed), fixed)
	}
	require.Equal(t, "f", p.RepairToolName(" f "))
}

// The signature of a call survives being stored.
func TestCallSignatureIsStored(t *testing.T) {
	call := named("f", "")
	call.Signature = "own"
	data, err := json.Marshal(turnOf(preflight.RoleAssistant, call))
	require.NoError(t, err)
	var m preflight.Message
	require.NoError(t, json.Unmarshal(data, &m))
	require.Equal(t, call, m.Parts[0])
}

// A merge of two results of one call is one change, and its warning is at the result that is
// gone. The first exchange is here twice, as a client leaves it that sends a turn again (found
// by TestGuarantees): the copy of the result that took in nothing stays as it is.
func TestMergedResultIsOneWarning(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	first, copied := answering("f", "1", `{"n":1}`), answering("f", "1", `{"n":1}`)
	h := []preflight.Message{
		turnOf(user, &preflight.Text{Text: "q"}),
		turnOf(model, named("f", "1")), turnOf(user, first),
		turnOf(
			model,
			named("f", "1"),
		), turnOf(user, copied), turnOf(user, answering("f", "1", `{"n":2}`)),
	}
	p := provider.Gemini("gemini-2.5-pro")
	res, err := preflight.Sanitize(
		context.Background(),
		h,
		p,
		&preflight.Options{Duplicates: preflight.DuplicateMerge},
	)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.DuplicatesMerged, res.Warnings[0].Code)
	require.Equal(t, preflight.Position{Message: 5, Part: 0, Inner: -1}, res.Warnings[0].At)
	require.Equal(t, [][]int{{0}, {1}, {2}, {3}, {4, 5}}, res.Origins)
	require.Same(t, first, res.Messages[2].Parts[0])
	merged := res.Messages[4].Parts[0].(*preflight.ToolResult)
	require.Equal(t, `{"n":1}`, string(merged.Output))
	require.Equal(t, `{"n":2}`, merged.Content[0].(*preflight.Text).Text)
}
