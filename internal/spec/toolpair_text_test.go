package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestTypedResults: where results have the variant of their calls, a result of another one answers
// a call of its id alone, where nothing else does, and takes that call's variant.
func TestTypedResults(t *testing.T) {
	typed := preflight.Profile{
		Pairing: provider.PairingRules{
			Typed: true, Results: provider.ResultsAnywhere,
			Unanswerable: []string{"shell"},
		},
	}
	q := userMsg(says("q"))
	variant := func(id, v string) *preflight.ToolCall { c := calls(id); c.Variant = v; return c }
	result := func(id, text, v string) *preflight.ToolResult {
		r := answers(id, text)
		r.Variant = v
		return r
	}
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "of the same", profile: typed,
			in: history(q, botMsg(calls("a"), variant("a", "custom")),
				toolMsg(result("a", "2", "custom"), answers("a", "1"))),
		},
		{
			name: "of another", profile: typed,
			in: history(q, botMsg(variant("a", "custom"), says("x")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(variant("a", "custom"), says("x")),
				toolMsg(result("a", "1", "custom"))),
			codes: warned(codes.ResultRebound),
		},
		{
			name: "of another, where words are no answer", profile: typed,
			in: history(q, botMsg(variant("a", "shell"), says("x")),
				toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(says("x"))),
			codes: warned(codes.OrphanRemoved, codes.DanglingRemoved),
		},
		{
			name: "even without an id", profile: typed,
			in: history(q, botMsg(calls("a"), variant("b", "custom")),
				toolMsg(answers("", "1"), result("", "2", "custom"))),
			want: history(q, botMsg(calls("a"), variant("b", "custom")),
				toolMsg(answers("a", "1"), result("b", "2", "custom"))),
			codes: warned(codes.ResultRebound, codes.ResultRebound),
		},
		{
			name: "nor one without an id", profile: typed,
			in: history(q, botMsg(calls("a"), variant("b", "custom")),
				toolMsg(result("", "2", "custom"))),
			want: history(q, botMsg(variant("b", "custom")),
				toolMsg(result("b", "2", "custom"))),
			codes: warned(codes.DanglingRemoved, codes.ResultRebound),
		},
		{
			name: "where not asked for, it does not matter",
			in:   history(q, botMsg(variant("a", "custom")), toolMsg(answers("a", "1"))),
		},
		{
			name:    "a call that no text can answer is removed, though the policy is to answer",
			profile: typed,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in:      history(q, botMsg(variant("a", "shell"), variant("b", "custom"))),
			want: history(q, botMsg(variant("b", "custom")),
				toolMsg(&preflight.ToolResult{
					CallID: "b", Name: "f", IsError: true, Variant: "custom",
					Content: []preflight.Part{says("!")},
				})),
			whole: []string{
				"dangling-removed preflight/dangling messages[1].parts[0] a -1 call -2 byte",
				"dangling-answered preflight/dangling messages[1].parts[1] b +1 text +1 result " +
					"+1 byte",
			},
		},
		{
			name: "the caller's own answer gets the variant of its call", profile: typed,
			options: preflight.Options{
				OpenCall: func(*preflight.ToolCall) preflight.Part { return answers("", "!") },
			},
			in: history(q, botMsg(variant("a", "shell"))),
			want: history(q, botMsg(variant("a", "shell")),
				toolMsg(&preflight.ToolResult{
					CallID: "a", Name: "f", Variant: "shell",
					Content: []preflight.Part{says("!")},
				})),
			codes: warned(codes.DanglingAnswered),
		},
	})
}

// TestOrphansAsText: what a result without a call says, and its media, is kept as a user turn
// after its message, or after its zone.
func TestOrphansAsText(t *testing.T) {
	q := userMsg(says("q"))
	const words = "Result of a tool, whose call is missing:\n"
	const next = "(the next image is from this result)"
	quoted := func(text string) string { return "```\n" + text + "\n```" }
	text := preflight.Options{Orphans: preflight.OrphanText}
	with := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "x", Content: parts}
	}
	const kept, gone = "orphan-to-text preflight/orphan ", "orphan-removed preflight/orphan "
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "text and media", options: text,
			in:    history(q, toolMsg(with(says("1"), image(), (*preflight.Media)(nil)))),
			want:  history(q, userMsg(says(words+quoted("1")+"\n"+next), image())),
			alone: true, codes: warned(codes.NestingRemoved, codes.OrphanToText),
		},
		{
			name: "media alone", options: text,
			in:   history(q, toolMsg(with(image()))),
			want: history(q, userMsg(says(words+next), image())),
			whole: []string{
				kept + "messages[1].parts[0] x -1 result -1 media" +
					counted(" -",
						preflight.Tally{Bytes: preflight.TallyOf(userMsg(image())).Bytes}) +
					" +1 text +1 media" +
					counted(" +", preflight.Tally{
						Bytes: preflight.TallyOf(userMsg(says(words+next), image())).Bytes,
					}),
			},
			origins: [][]int{{0}, {1}},
		},
		{
			name: "nothing", options: text,
			in:    history(q, toolMsg(with(says(" \n")))),
			want:  history(q),
			whole: []string{gone + "messages[1].parts[0] x -1 text -1 result -2 byte"},
		},
		{
			name: "after its own message, in order", options: text,
			in: history(q, toolMsg(answers("x", "1"), answers("y", "2")), botMsg(says("a"))),
			want: history(q, userMsg(says(words+quoted("1"))), userMsg(says(words+quoted("2"))),
				botMsg(says("a"))),
			whole: []string{
				kept + "messages[1].parts[0] x -1 text -1 result -1 byte +1 text +50 byte",
				kept + "messages[1].parts[1] y -1 text -1 result -1 byte +1 text +50 byte",
			},
			origins: [][]int{{0}, {1}, {1}, {2}},
		},
		{
			name: "after its zone", options: text,
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("x", "0")), toolMsg(answers("b", "2")), q),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2")), userMsg(says(words+quoted("0"))), q),
			whole: []string{
				kept + "messages[3].parts[0] x -1 text -1 result -1 byte +1 text +50 byte",
			},
			origins: [][]int{{0}, {1}, {2}, {4}, {3}, {5}},
		},
		{
			name: "before the user's own words", options: text,
			in:      history(q, userMsg(answers("x", "````0"), says("r"))),
			want:    history(q, userMsg(says(words+"`````\n````0\n`````")), userMsg(says("r"))),
			codes:   warned(codes.OrphanToText),
			origins: [][]int{{0}, {1}, {1}},
		},
	})
}
