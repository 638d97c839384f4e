package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func TestPairToolCalls(t *testing.T) {
	claude := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
	}
	answer := preflight.Options{Dangling: preflight.DanglingAnswer}
	text := preflight.Options{Orphans: preflight.OrphanText}
	q := userMsg(says("q"))
	interrupted := func(id string) *preflight.ToolResult {
		r := fails(id, "Tool call was interrupted before a result was recorded.")
		r.Name = "f"
		return r
	}
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "results in any order",
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("b", "2")),
				toolMsg(answers("a", "1"))),
		},
		{
			name:  "a dangling call is removed",
			in:    history(q, botMsg(says("x"), calls("a")), q),
			want:  history(q, botMsg(says("x")), q),
			codes: warned(codes.DanglingRemoved),
		},
		{
			name: "or is answered", options: answer,
			in:    history(q, botMsg(calls("a")), q),
			want:  history(q, botMsg(calls("a")), toolMsg(interrupted("a")), q),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name:  "always in a turn with signed reasoning",
			in:    history(q, botMsg(redacted(), calls("a")), q),
			want:  history(q, botMsg(redacted(), calls("a")), toolMsg(interrupted("a")), q),
			codes: warned(codes.DanglingAnswered),
		},
		{name: "a call that waits is open on purpose", in: history(q, botMsg(waits("a")))},
		{
			name:    "so is one of which the caller says so",
			options: preflight.Options{OpenCall: waitsIf(func(*preflight.ToolCall) bool { return true })},
			in:      history(q, botMsg(calls("a"))),
		},
		{
			name:  "an orphan is removed",
			in:    history(q, toolMsg(answers("x", "1")), q),
			want:  history(q, q),
			codes: warned(codes.OrphanRemoved),
		},
		{
			name: "or becomes text", options: text,
			in:    history(q, toolMsg(answers("x", "1"))),
			want:  history(q, userMsg(says("Result of a tool, whose call is missing:\n```\n1\n```"))),
			codes: warned(codes.OrphanToText),
		},
		{
			name: "after what answers the calls of its zone",
			options: preflight.Options{
				Dangling: preflight.DanglingAnswer, Orphans: preflight.OrphanText,
			},
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("x", "1"))),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(interrupted("a")),
				toolMsg(interrupted("b")),
				userMsg(says("Result of a tool, whose call is missing:\n```\n1\n```"))),
			codes: warned(codes.OrphanToText, codes.DanglingAnswered, codes.DanglingAnswered),
		},
		{
			name:  "a displaced result moves to its call",
			in:    history(q, botMsg(calls("a")), q, toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "to the head of the user turn, where that holds results", profile: claude,
			in:    history(q, botMsg(calls("a")), userMsg(says("x"), answers("a", "1"))),
			want:  history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("x"))),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "after the results of earlier calls, before those of later ones",
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3")), q,
				toolMsg(answers("b", "2"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("b", "2")), toolMsg(answers("c", "3")),
				q),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "there too after those of earlier calls", profile: claude,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), answers("b", "2"), says("x")), userMsg(says("y")),
				userMsg(answers("c", "3"), says("z"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), answers("b", "2"), answers("c", "3"), says("x")),
				userMsg(says("y")), userMsg(says("z"))),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "a failed attempt is answered",
			in:   history(q, botMsg(calls("a")), toolMsg(fails("a", "no such file"))),
		},
		{
			name:  "padded, composite and differently cased ids agree",
			in:    history(q, botMsg(calls("call_A")), toolMsg(answers(" CALL_a|fc_1 ", "1"))),
			want:  history(q, botMsg(calls("call_A")), toolMsg(answers("call_A", "1"))),
			codes: warned(codes.ResultRebound),
		},
		{
			name: "identical results are one",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			codes: warned(codes.DuplicateRemoved),
		},
		{
			name:    "of different ones the first stays, if asked for",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			codes: warned(codes.ResultRemoved),
		},
		{
			name:    "or the last",
			options: preflight.Options{Duplicates: preflight.DuplicateLast},
			in:      history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			want:    history(q, botMsg(calls("a")), toolMsg(answers("a", "2"))),
			codes:   warned(codes.ResultRemoved),
		},
		{
			name:    "but one without an id is none of its results",
			options: preflight.Options{Duplicates: preflight.DuplicateLast},
			in:      history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("", "2"))),
			want:    history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			codes:   warned(codes.OrphanRemoved),
		},
		{
			name: "a real result relieves a placeholder",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "Aborted.")), q,
				toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q),
			codes: warned(codes.PlaceholderReplaced, codes.ResultMoved),
		},
		{
			name:    "a placeholder does not relieve a real result",
			options: preflight.Options{Duplicates: preflight.DuplicateLast},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "aborted"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			codes: warned(codes.ResultRemoved),
		},
		{
			name: "results without an id, by their place",
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("", "1")),
				toolMsg(answers("", "2"))),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2"))),
			codes: warned(codes.ResultRebound, codes.ResultRebound),
		},
		{
			name: "a server tool pairs inside its message",
			in:   history(q, botMsg(searches("s"), finds("s", `[]`), says("a"))),
		},
		{
			name:  "its result moves after its call",
			in:    history(q, botMsg(searches("s")), botMsg(finds("s", `[]`), says("a"))),
			want:  history(q, botMsg(searches("s"), finds("s", `[]`)), botMsg(says("a"))),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "after one in its place, too",
			in: history(q, botMsg(searches("s")), q,
				botMsg(searches("t"), finds("t", `[]`), finds("s", `[1]`), says("a"))),
			want: history(q, botMsg(searches("s"), finds("s", `[1]`)), q,
				botMsg(searches("t"), finds("t", `[]`), says("a"))),
			codes: warned(codes.ResultMoved),
		},
		{
			name: "an open one is a pause at the very end",
			in:   history(q, botMsg(says("x"), searches("s"))),
		},
		{
			name: "and before the results of its own turn's calls",
			in:   history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1"))),
		},
		{
			name: "ids that agree to the letter count first, wherever they are",
			in: history(q, botMsg(calls("a")), q, botMsg(calls("A")), q,
				toolMsg(answers("A", "2")), toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q, botMsg(calls("A")),
				toolMsg(answers("A", "2")), q),
			codes: warned(codes.ResultMoved, codes.ResultMoved),
		},
		{
			name:  "anywhere else it is removed",
			in:    history(q, botMsg(says("x"), searches("s")), q),
			want:  history(q, botMsg(says("x")), q),
			codes: warned(codes.DanglingRemoved),
		},
	})
}

// TestAnswersAgainstThePolicySayWhy: a call that is answered although the caller wants such calls
// removed.
func TestAnswersAgainstThePolicySayWhy(t *testing.T) {
	for dangling, why := range map[preflight.Dangling]bool{
		preflight.DanglingRemove: true,
		preflight.DanglingAnswer: false,
	} {
		_, warnings := preflight.Fixers.PairToolCalls.Apply(history(userMsg(says("q")), botMsg(redacted(), calls("a"))), &preflight.Profile{},
			&preflight.Options{Dangling: dangling})
		require.Len(t, warnings, 1)
		require.Equal(t, codes.DanglingAnswered, warnings[0].Code)
		require.Equal(t, why, strings.Contains(warnings[0].Detail, "signed reasoning"),
			warnings[0].Detail)
	}
}
