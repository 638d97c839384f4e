package spec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestSameResults: what two results of one call have to share to say the same. Where they do, one
// is removed; where they do not, merging keeps the content of both.
func TestSameResults(t *testing.T) {
	const same, differ = codes.DuplicateRemoved, codes.DuplicatesMerged
	of := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: parts}
	}
	output := func(s string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Output: json.RawMessage(s)}
	}
	media := func(change func(*preflight.Media)) *preflight.ToolResult {
		m := &preflight.Media{
			Kind: "document", MediaType: "application/pdf", Data: "QUJD", URL: "u",
			FileID: "f", Name: "n",
		}
		if change != nil {
			change(m)
		}
		return of(m)
	}
	other := func(kind, raw string) *preflight.ToolResult {
		return of(&preflight.Other{
			Kind: kind,
			Carried: preflight.Carried{
				Native: preflight.Native{Format: "x", JSON: json.RawMessage(raw)},
			},
		})
	}
	unknown := of(&preflight.Other{Kind: "x"})
	var cases []fixerCase
	for _, c := range []struct {
		name string
		a, b *preflight.ToolResult
		code codes.Code
	}{
		{"the same text", of(says("1")), of(says("1")), same},
		{"another text", of(says("1")), of(says("2")), differ},
		{"more", of(says("1")), of(says("1"), says("2")), differ},
		{"less", of(says("1"), says("2")), of(says("1")), differ},
		{"one is an error, which is removed", of(says("1")), fails("a", "1"), codes.ResultRemoved},
		{"the same output", output(`{"n":1.0}`), output(`{"n":1.0}`), same},
		{"another output", output(`{"n":1.0}`), output(`{"n":2.0}`), differ},
		{"the same as text and as output", of(says("1")), output(`1`), differ},
		{"the same media", media(nil), media(nil), same},
		{"media of another kind", media(nil), media(func(m *preflight.Media) { m.Kind = "image" }),
			differ},
		{"of another type", media(nil),
			media(func(m *preflight.Media) { m.MediaType = "text/plain" }), differ},
		{"with other bytes", media(nil), media(func(m *preflight.Media) { m.Data = "QUJE" }),
			differ},
		{"at another address", media(nil), media(func(m *preflight.Media) { m.URL = "v" }), differ},
		{"another file", media(nil), media(func(m *preflight.Media) { m.FileID = "g" }), differ},
		{"under another name", media(nil), media(func(m *preflight.Media) { m.Name = "o" }),
			differ},
		{"media and text", media(nil), of(says("QUJD")), differ},
		{"parts of an unknown kind, of the same JSON", other("x", `{"x":1}`), other("x", `{"x":1}`),
			same},
		{"of other JSON", other("x", `{"x":1}`), other("x", `{"x":2}`), differ},
		{"a part that is shared", unknown, of(unknown.Content...), same},
		{"of which nothing is known but the kind", other("x", ""), other("x", ""), differ},
	} {
		in := history(botMsg(calls("a")), toolMsg(c.a), toolMsg(c.b))
		merged := *c.a
		if c.code == differ {
			merged.Content = append(append([]preflight.Part(nil), c.a.Content...), c.b.Content...)
			if merged.Output = c.a.Output; merged.Output == nil {
				merged.Output = c.b.Output
			} else {
				merged.Content = append(merged.Content, says(string(c.b.Output)))
			}
		}
		cases = append(cases, fixerCase{
			name:    c.name,
			profile: preflight.Profile{Media: provider.MediaRules{InResult: true}},
			options: preflight.Options{Duplicates: preflight.DuplicateMerge},
			in:      in,
			want:    history(botMsg(calls("a")), toolMsg(&merged)),
			codes:   warned(c.code),
		})
	}
	runFixer(t, preflight.Fixers.PairToolCalls, cases)
}

// TestDuplicatesAreSaidOnce: what becomes of a further result of a call, whichever of its calls is
// meant.
func TestDuplicatesAreSaidOnce(t *testing.T) {
	const (
		dropped  = "result-removed preflight/duplicate-result "
		repeated = "duplicate-removed preflight/duplicate-result "
		replaced = "placeholder-replaced preflight/duplicate-result "
		merged   = "duplicates-merged preflight/duplicate-result "
		moved    = "result-moved preflight/orphan "
		one      = " -1 text -1 result -1 byte"
	)
	q := userMsg(says("q"))
	last := preflight.Options{Duplicates: preflight.DuplicateLast}
	merge := preflight.Options{Duplicates: preflight.DuplicateMerge}
	result := func(output string, parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Output: json.RawMessage(output), Content: parts}
	}
	failed := func(parts ...preflight.Part) *preflight.ToolResult {
		r := result("", parts...)
		r.IsError = true
		return r
	}
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name:    "the nearest call before it",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"), answers("a", "2")), q, toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2")), q),
			whole: []string{
				repeated + "messages[4].parts[1] a" + one,
				dropped + "messages[6].parts[0] a ?" + one,
			},
		},
		{
			name: "the last of three", options: last,
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2")), toolMsg(answers("a", "3"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "3"))),
			whole: []string{
				dropped + "messages[2].parts[0] a ?" + one,
				dropped + "messages[3].parts[0] a ?" + one,
			},
		},
		{
			name: "after another turn", options: last,
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q,
				toolMsg(answers("a", "2"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "2")), q),
			whole: []string{
				dropped + "messages[2].parts[0] a ?" + one,
				moved + "messages[4].parts[0] a",
			},
			origins: [][]int{{0}, {1}, {4}, {3}},
		},
		{
			name: "three that say something are one", options: merge,
			in: history(q, botMsg(calls("a")), toolMsg(result("", says("1"))),
				toolMsg(result("2")), q, toolMsg(result("3", says("4")))),
			want: history(q, botMsg(calls("a")),
				toolMsg(result("2", says("1"), says("4"), says("3"))), q),
			whole: []string{
				merged + "messages[3].parts[0] a ? -1 result",
				merged + "messages[5].parts[0] a ? -1 result +1 text",
			},
			origins: [][]int{{0}, {1}, {2, 3, 5}, {4}},
		},
		{
			name: "one that says nothing adds nothing", options: merge,
			in: history(q, botMsg(calls("a")), toolMsg(result("", says("1"))),
				toolMsg(failed())),
			want:  history(q, botMsg(calls("a")), toolMsg(result("", says("1")))),
			codes: warned(codes.DuplicateRemoved),
		},
		{
			name: "together they failed if all did", options: merge,
			in: history(q, botMsg(calls("a")), toolMsg(failed(says("1"))),
				toolMsg(failed(says("2")))),
			want:  history(q, botMsg(calls("a")), toolMsg(failed(says("1"), says("2")))),
			codes: warned(codes.DuplicatesMerged),
		},
		{
			name: "an error is removed for a real one",
			in: history(q, botMsg(calls("a")), toolMsg(failed(says("1"))),
				toolMsg(result("", says("2")))),
			want:  history(q, botMsg(calls("a")), toolMsg(result("", says("2")))),
			codes: warned(codes.ResultRemoved),
		},
		{
			name: "a placeholder after a placeholder",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "aborted")),
				toolMsg(fails("a", "interrupted"))),
			want:  history(q, botMsg(calls("a")), toolMsg(fails("a", "aborted"))),
			codes: warned(codes.DuplicateRemoved),
		},
		{
			name: "real results of placeholders, each once",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "aborted")), q,
				botMsg(calls("a")), toolMsg(fails("a", "aborted")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q, botMsg(calls("a")),
				toolMsg(answers("a", "1"))),
			whole: []string{
				replaced + "messages[2].parts[0] a -1 text -1 result -7 byte",
				replaced + "messages[5].parts[0] a -1 text -1 result -7 byte",
				moved + "messages[6].parts[0] a",
			},
		},
		{
			name: "a call that waits has none to repeat",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(waits("a"), says("x")), q, toolMsg(answers("a", "2"))),
			alone: true,
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(waits("a"), says("x")), toolMsg(answers("a", "2")), q),
			whole: []string{moved + "messages[5].parts[0] a"},
		},
	})
}

// TestPlaceholderResults: a stand-in says one of the known texts, or nothing, and nothing beside
// it; a real result takes its place. One that says more is a result like any other, and the first
// of two.
func TestPlaceholderResults(t *testing.T) {
	with := func(output string, parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Output: json.RawMessage(output), Content: parts}
	}
	var cases []fixerCase
	for _, c := range []struct {
		name    string
		first   *preflight.ToolResult
		standIn bool
	}{
		{"a known text", answers("a", "No result provided"), true},
		{"whatever its case and its full stop", answers("a", " ABORTED. "), true},
		{"a text that begins with one", answers("a", "aborted: no such file"), false},
		{"nothing", with(""), true},
		{"white space", answers("a", " \n"), true},
		{"beside an output", with("0", says("aborted")), false},
		{"beside an image", with("", says("aborted"), image()), false},
		{"in two parts", with("", says(""), says("aborted")), true},
	} {
		real := answers("a", "1")
		want, code := c.first, codes.ResultRemoved // as the policy says
		if c.standIn {
			want, code = real, codes.PlaceholderReplaced
		}
		cases = append(cases, fixerCase{
			name:    c.name,
			profile: preflight.Profile{Media: provider.MediaRules{InResult: true}},
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in:      history(botMsg(calls("a")), toolMsg(c.first), toolMsg(real)),
			want:    history(botMsg(calls("a")), toolMsg(want)),
			codes:   warned(code),
		})
	}
	runFixer(t, preflight.Fixers.PairToolCalls, cases)
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
		turnOf(model, named("f", "1")), turnOf(user, copied),
		turnOf(user, answering("f", "1", `{"n":2}`)),
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
	require.Equal(t, preflight.At(5, 0), res.Warnings[0].At)
	require.Equal(t, [][]int{{0}, {1}, {2}, {3}, {4, 5}}, res.Origins)
	require.Same(t, first, res.Messages[2].Parts[0])
	merged := res.Messages[4].Parts[0].(*preflight.ToolResult)
	require.Equal(t, `{"n":1}`, string(merged.Output))
	require.Equal(t, `{"n":2}`, merged.Content[0].(*preflight.Text).Text)
}

// TestMergedResultTakesABreakpoint: the breakpoint of a placeholder moves to the result beside it,
// which then takes in another one.
func TestMergedResultTakesABreakpoint(t *testing.T) {
	aborted := &preflight.ToolResult{
		CallID: "a", IsError: true,
		Content: []preflight.Part{says("Tool call was interrupted before a result was recorded.")},
		Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral"}`)},
	}
	in := history(userMsg(says("q")), botMsg(calls("a")),
		userMsg(answers("a", "1"), answers("a", "2"), aborted, answers("a", "3")))
	profile := provider.Anthropic("claude-opus-4-8")
	res, err := preflight.Sanitize(context.Background(), in, profile, nil)
	require.NoError(t, err)
	require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheMoved))
	result := res.Messages[2].Parts[0].(*preflight.ToolResult)
	body, err := json.Marshal(res.Messages[2])
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"ephemeral"}`, string(result.Cache), string(body))
	for _, word := range []string{"1", "2", "3"} {
		require.Contains(t, string(body), `"text":"`+word+`"`)
	}
}
