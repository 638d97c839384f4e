package spec

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the number, order and place of cache breakpoints.

func TestNormalizeCache(t *testing.T) {
	hour := func(s string) *preflight.Text {
		return &preflight.Text{
			Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)},
			Text:    s,
		}
	}
	short := func(s string) *preflight.Text { return cached(&preflight.Text{Text: s}) }
	thought := func(cache string) preflight.Part {
		r := &preflight.Reasoning{Text: "hm", Signature: "sig"}
		if cache != "" {
			r.Cache = json.RawMessage(cache)
		}
		return r
	}
	holds := func(marked bool, content ...preflight.Part) *preflight.ToolResult {
		r := &preflight.ToolResult{CallID: "a", Content: content}
		if marked {
			r.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return r
	}
	document := func(mediaType string, marked bool) preflight.Part {
		m := &preflight.Media{Kind: "document", MediaType: mediaType, Data: "JVBERi0="}
		if marked {
			m.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return m
	}
	runFixer(t, preflight.Fixers.NormalizeCache, []fixerCase{
		{
			name:    "off reasoning, to its neighbour",
			profile: preflight.Profile{Cache: provider.CacheRules{NoReasoning: true}},
			in:      history(botMsg(says("a"), thought(`{"type":"ephemeral"}`))),
			want:    history(botMsg(short("a"), thought(""))),
			codes:   warned(codes.CacheMoved),
		},
		{
			name:    "the earliest ones over the limit go, those of the system last",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in:      history(sysMsg(short("s")), userMsg(short("a"), short("b"))),
			want:    history(sysMsg(short("s")), userMsg(says("a"), short("b"))),
			codes:   warned(codes.CacheRemoved),
		},
		{
			name:    "one that moved to the message before it counts",
			profile: preflight.Profile{Cache: provider.CacheRules{NoReasoning: true, Limit: 1}},
			in: history(userMsg(says("a")), botMsg(thought(`{"type":"ephemeral"}`)),
				userMsg(short("b"))),
			want:  history(userMsg(says("a")), botMsg(thought("")), userMsg(short("b"))),
			codes: warned(codes.CacheMoved, codes.CacheRemoved),
		},
		{
			name:    "none at all",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}},
			in:      history(userMsg(short("a"))),
			want:    history(userMsg(says("a"))),
			codes:   warned(codes.CacheRemoved),
		},
		{
			name:    "none at all, and no part is mistaken for another",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}},
			in:      history(userMsg(short("a"), says("b"), short("c")), userMsg(short("d"))),
			want:    history(userMsg(says("a"), says("b"), says("c")), userMsg(says("d"))),
			codes:   warned(codes.CacheRemoved, codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "those in a result count before the result's own",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in: history(botMsg(calls("a")),
				toolMsg(holds(true, short("x"), says("y"), short("z")))),
			want: history(botMsg(calls("a")),
				toolMsg(holds(true, says("x"), says("y"), short("z")))),
			codes: warned(codes.CacheRemoved),
		},
		{
			name:    "several of one result",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			in: history(botMsg(calls("a")),
				toolMsg(holds(true, short("x"), says("y"), short("z")))),
			want: history(botMsg(calls("a")),
				toolMsg(holds(true, says("x"), says("y"), says("z")))),
			codes: warned(codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "as many as the provider takes",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in:      history(userMsg(short("a")), userMsg(short("b"))),
		},
		{
			name:    "those of the system go when there are no others",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			in:      history(sysMsg(short("s")), sysMsg(short("t")), userMsg(short("a"))),
			want:    history(sysMsg(says("s")), sysMsg(short("t")), userMsg(says("a"))),
			codes:   warned(codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "off a document that is no PDF file",
			profile: preflight.Profile{Cache: provider.CacheRules{NoDocument: true}},
			in: history(userMsg(says("a"), document("text/plain", true),
				document("application/pdf", true))),
			want: history(userMsg(short("a"), document("text/plain", false),
				document("application/pdf", true))),
			codes: warned(codes.CacheMoved),
		},
		{
			name: "a document may carry one, and one in a result is not asked",
			profile: preflight.Profile{
				Media: provider.MediaRules{InResult: true},
				Cache: provider.CacheRules{NoReasoning: true},
			},
			in: history(userMsg(document("text/plain", true)), botMsg(calls("a")),
				toolMsg(holds(false, document("text/plain", true)))),
		},
		{
			name:    "long-lived ones after a short-lived one, wherever they are",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			in: history(userMsg(short("a")), botMsg(calls("a")),
				toolMsg(holds(false, hour("x"), hour("y"))), userMsg(hour("b"), hour("c"))),
			want: history(userMsg(short("a")), botMsg(calls("a")),
				toolMsg(holds(false, short("x"), short("y"))), userMsg(short("b"), short("c"))),
			codes: warned(codes.CacheChanged, codes.CacheChanged, codes.CacheChanged,
				codes.CacheChanged),
		},
		{
			name:    "nothing to order",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true, Limit: 4}},
			in:      history(userMsg(says("a"))),
		},
		{
			name:    "a long-lived one after a short-lived one is shortened",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			in:      history(userMsg(hour("a"), short("b"), hour("c"))),
			want:    history(userMsg(hour("a"), short("b"), short("c"))),
			codes:   warned(codes.CacheChanged),
		},
		{name: "no rule", in: history(userMsg(short("a"), hour("b")))},
	})
}

// TestMarkersOfRemovedParts: the breakpoint of a removed part is moved to the nearest part before
// it that may carry one, else after it, else to the end of the message before.
func TestMarkersOfRemovedParts(t *testing.T) {
	short := func(s string) preflight.Part { return cached(&preflight.Text{Text: s}) }
	goes := func(marked bool) preflight.Part { // unsigned reasoning
		r := &preflight.Reasoning{Text: "hm"}
		if marked {
			r.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return r
	}
	stays := func() preflight.Part { return &preflight.Reasoning{Text: "hm", Signature: "s"} }
	p := &preflight.Profile{
		Content:   provider.ContentRules{RefuseEmptyText: true},
		Reasoning: provider.ReasoningRules{Signed: true},
		Cache:     provider.CacheRules{NoReasoning: true},
	}
	q := userMsg(says("q"))
	const moved, removed, gone = codes.CacheMoved, codes.CacheRemoved, codes.ReasoningRemoved
	for _, c := range []struct {
		name     string
		in, want []preflight.Message
		codes    []codes.Code
	}{
		{"before it", history(botMsg(says("a"), says("b"), goes(true), says("c"))),
			history(botMsg(says("a"), short("b"), says("c"))), warned(gone, moved)},
		{"past what may carry none",
			history(botMsg(says("a"), says(""), stays(), goes(true), says("c"))),
			history(botMsg(short("a"), says(""), stays(), says("c"))), warned(gone, moved)},
		{"the first part will do", history(botMsg(calls("a"), goes(true))),
			history(botMsg(markedCall("a"))), warned(gone, moved)},
		{"after it", history(q, botMsg(goes(true), stays(), says("b"), says("c"))),
			history(q, botMsg(stays(), short("b"), says("c"))), warned(gone, moved)},
		{"the last part will do", history(q, botMsg(stays(), goes(true), says("b"))),
			history(q, botMsg(stays(), short("b"))), warned(gone, moved)},
		{"to the message before",
			history(userMsg(says("p"), says("q")), botMsg(stays(), goes(true), stays())),
			history(userMsg(says("p"), short("q")), botMsg(stays(), stays())), warned(gone, moved)},
		{"past what may carry none there",
			history(userMsg(says("p"), says("")), botMsg(stays(), goes(true))),
			history(userMsg(short("p"), says("")), botMsg(stays())), warned(gone, moved)},
		{"there is none", history(botMsg(stays(), goes(true))), history(botMsg(stays())),
			warned(gone, removed)},
		{"nor in the message before", history(botMsg(stays()), botMsg(stays(), goes(true))),
			history(botMsg(stays()), botMsg(stays())), warned(gone, removed)},
		{"one that is there stays", history(botMsg(says("a"), hourly("b"), goes(true))),
			history(botMsg(says("a"), hourly("b"))), warned(gone, moved)},
		{"without a breakpoint nothing moves", history(botMsg(says("a"), goes(false))),
			history(botMsg(says("a"))), warned(gone)},
		{"several in a row",
			history(botMsg(says("a"), goes(true), goes(true), goes(true), says("b"))),
			history(botMsg(short("a"), says("b"))), warned(gone, moved, gone, moved, gone, moved)},
		{"several in a row without anything before them",
			history(botMsg(goes(true), goes(true), says("b"))), history(botMsg(short("b"))),
			warned(gone, moved, gone, moved)},
		{"several with no part to take them", history(botMsg(stays(), goes(true), goes(true))),
			history(botMsg(stays())), warned(gone, removed, gone, removed)},
		{"each to its own neighbour",
			history(botMsg(says("a"), goes(true), says("b"), goes(false), goes(true))),
			history(botMsg(short("a"), short("b"))), warned(gone, moved, gone, gone, moved)},
		{"in its own message",
			history(botMsg(says("a"), goes(true)), botMsg(says("b"), goes(false), goes(true))),
			history(botMsg(short("a")), botMsg(short("b"))),
			warned(gone, moved, gone, gone, moved)},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, warnings := preflight.Fixers.RepairReasoning.Apply(c.in, p, nil)
			require.Empty(t, cmp.Diff(c.want, out))
			var codes []codes.Code
			for _, w := range warnings {
				codes = append(codes, w.Code)
			}
			require.Equal(t, c.codes, codes)
		})
	}
}

func markedCall(id string) preflight.Part {
	c := calls(id)
	c.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	return c
}

// TestMarkersOfPartsInARow: where one part after the other is removed, the breakpoint of the first
// moves over all of them to the one that stays.
func TestMarkersOfPartsInARow(t *testing.T) {
	marked := calls("a")
	marked.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	in := history(userMsg(says("q")), botMsg(marked, calls("b"), calls("c"), says("done")),
		userMsg(says("go on")))
	res, err := preflight.Sanitize(t.Context(), in, modelProfile("claude-sonnet-4-5"), nil)
	require.NoError(t, err)
	require.Len(t, res.Messages[1].Parts, 1)
	require.JSONEq(t, string(marked.Cache), string(cacheOf(res.Messages[1].Parts[0])))
}

// TestMarkersInsideRemovedResults: a breakpoint inside a result that is removed is moved like that
// of the result, unless the part that it would move to ends in one.
func TestMarkersInsideRemovedResults(t *testing.T) {
	result := func(id string, content ...preflight.Part) preflight.Part {
		return &preflight.ToolResult{CallID: id, Content: content}
	}
	short := cached(&preflight.Text{Text: "x"})
	for name, c := range map[string]struct {
		answer preflight.Part
		own    bool
	}{
		"moved":                  {result("a", says("y")), true},
		"a breakpoint before":    {result("a", short, says("y")), true},
		"one at its end":         {result("a", says("y"), short), false},
		"a result without parts": {&preflight.ToolResult{CallID: "a"}, true},
	} {
		in := history(userMsg(says("q")), botMsg(calls("a")),
			userMsg(c.answer, result("gone", says("z"), short, says("z")), says("n")))
		res, err := preflight.Sanitize(t.Context(), in, modelProfile("claude-sonnet-4-5"), nil)
		require.NoError(t, err)
		require.Len(t, res.Messages[2].Parts, 2)
		require.Equal(t, c.own, cacheOf(res.Messages[2].Parts[0]) != nil, name)
		require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheMoved), name)
	}
	sanitize := func(o preflight.Options, parts ...preflight.Part) preflight.Result {
		in := history(userMsg(says("q")), botMsg(calls("a")), userMsg(parts...))
		res, err := preflight.Sanitize(t.Context(), in, modelProfile("claude-sonnet-4-5"), &o)
		require.NoError(t, err)
		return res
	}
	two := result("gone", short, short, says("z"))
	res := sanitize(preflight.Options{}, result("a", says("y")), two)
	require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheMoved))
	require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheRemoved))

	// a copy's breakpoint is where the result that is kept has one; another one is not
	res = sanitize(preflight.Options{}, result("a", short, says("y")), result("a", short, says("y")))
	require.Nil(t, cacheOf(res.Messages[2].Parts[0]))
	res = sanitize(preflight.Options{}, result("a", short, says("y")), &preflight.ToolResult{
		Carried: preflight.Carried{Cache: short.Cache}, CallID: "a",
		Content: []preflight.Part{says("x"), says("y")},
	})
	require.NotNil(t, cacheOf(res.Messages[2].Parts[0]))

	// what becomes text keeps one
	res = sanitize(preflight.Options{Orphans: preflight.OrphanText}, result("a", says("y")), two)
	last := res.Messages[len(res.Messages)-1].Parts
	require.NotNil(t, cacheOf(last[len(last)-1]), res.Warnings)
	require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheRemoved))

	call := &preflight.ToolCall{Carried: preflight.Carried{Cache: short.Cache}, ID: "of the user"}
	res = sanitize(preflight.Options{Orphans: preflight.OrphanText}, result("a", says("y")), call)
	last = res.Messages[len(res.Messages)-1].Parts
	require.NotNil(t, cacheOf(last[len(last)-1]), res.Warnings)

	plain := *modelProfile("claude-sonnet-4-5")
	plain.Tools.NoTools = true
	for _, content := range [][]preflight.Part{{short, short, says("z")}, {short, short}} {
		in := history(userMsg(says("q")), botMsg(calls("a")), userMsg(result("a", content...)))
		res, err := preflight.Sanitize(t.Context(), in, &plain, nil)
		require.NoError(t, err)
		require.NotNil(t, cacheOf(res.Messages[2].Parts[0]))
		require.Equal(t, 1, countWarnings(res.Warnings, codes.CacheRemoved))
	}
}
