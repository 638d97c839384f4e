package preflight_test

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
	runFixer(t, preflight.PairToolCalls, []fixerCase{
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
			options: preflight.Options{Pending: func(*preflight.ToolCall) bool { return true }},
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
			want:  history(q, userMsg(says("Result of a tool, whose call is missing:\n1"))),
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
				userMsg(says("Result of a tool, whose call is missing:\n1"))),
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
				userMsg(answers("a", "1"), answers("b", "2"), says("x")), botMsg(says("y")),
				userMsg(answers("c", "3"), says("z"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), answers("b", "2"), answers("c", "3"), says("x")),
				botMsg(says("y")), userMsg(says("z"))),
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
			codes: warned(codes.DuplicateRemoved),
		},
		{
			name:    "or the last",
			options: preflight.Options{Duplicates: preflight.DuplicateLast},
			in:      history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			want:    history(q, botMsg(calls("a")), toolMsg(answers("a", "2"))),
			codes:   warned(codes.DuplicateRemoved),
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
			codes: warned(codes.DuplicateRemoved),
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
		_, warnings := preflight.PairToolCalls.Apply(
			history(userMsg(says("q")), botMsg(redacted(), calls("a"))), &preflight.Profile{},
			&preflight.Options{Dangling: dangling})
		require.Len(t, warnings, 1)
		require.Equal(t, codes.DanglingAnswered, warnings[0].Code)
		require.Equal(t, why, strings.Contains(warnings[0].Detail, "signed reasoning"),
			warnings[0].Detail)
	}
}

func mcp(id string) *preflight.ToolCall {
	c := searches(id)
	c.Variant = "mcp"
	return c
}

func mcpFinds(id string) *preflight.ToolResult {
	r := finds(id, `[]`)
	r.Variant = "mcp"
	return r
}

// TestPairServerTools: both halves of a provider-executed call are in one turn, the call first;
// what has no other half goes, and takes the signed reasoning of its message along.
func TestPairServerTools(t *testing.T) {
	q := userMsg(says("q"))
	joins := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	const (
		moved    = "result-moved preflight/server-orphan "
		dangling = "dangling-removed preflight/server-dangling "
		orphan   = "orphan-removed preflight/server-orphan "
	)
	runFixer(t, preflight.PairToolCalls, []fixerCase{
		{
			name:    "a result before its call",
			in:      history(q, botMsg(finds("s", `[1]`), says("x"), searches("s"), says("y"))),
			want:    history(q, botMsg(says("x"), searches("s"), finds("s", `[1]`), says("y"))),
			whole:   []string{moved + "messages[1].parts[0] s"},
			origins: [][]int{{0}, {1}},
		},
		{
			name: "of two in its turn, the one before it",
			in: history(q,
				botMsg(searches("s"), finds("s", `[1]`), searches("s"), finds("s", `[2]`))),
		},
		{
			name: "rather than one of an earlier turn",
			in: history(q, botMsg(searches("s"), says("x")), q,
				botMsg(searches("s"), finds("s", `[1]`))),
			want:  history(q, botMsg(says("x")), q, botMsg(searches("s"), finds("s", `[1]`))),
			whole: []string{dangling + "messages[1].parts[0] s -1 call -13 byte"},
		},
		{
			name: "but rather an earlier turn's than one after it", alone: true,
			in: history(q, botMsg(searches("s"), says("x")), q,
				botMsg(finds("s", `[1]`), says("y"), searches("s"))),
			want: history(q, botMsg(searches("s"), finds("s", `[1]`), says("x")), q,
				botMsg(says("y"), searches("s"))),
			whole: []string{moved + "messages[3].parts[0] s"},
		},
		{
			name: "not one of a later turn",
			in: history(q, botMsg(finds("s", `[1]`), says("x")), q,
				botMsg(says("y"), searches("s"))),
			want:  history(q, botMsg(says("x")), q, botMsg(says("y"), searches("s"))),
			whole: []string{orphan + "messages[1].parts[0] s -1 result -3 byte"},
		},
		{
			name:    "results after their calls may be apart, and in another message of the turn",
			profile: joins,
			in: history(q, botMsg(searches("s"), searches("t")), botMsg(),
				botMsg(finds("t", `[2]`), says("x"), finds("s", `[1]`))),
		},
		{
			name: "several that move to one message",
			in: history(q, botMsg(searches("s"), searches("t"), says("x")), q,
				botMsg(finds("t", `[2]`), finds("s", `[1]`), says("y")), q),
			want: history(q,
				botMsg(searches("s"), finds("s", `[1]`), searches("t"), finds("t", `[2]`),
					says("x")), q, botMsg(says("y")), q),
			whole:   []string{moved + "messages[3].parts[1] s", moved + "messages[3].parts[0] t"},
			origins: [][]int{{0}, {1, 3}, {2}, {3}, {4}},
		},
		{
			name: "beside what has no other half, before and after",
			in: history(q,
				botMsg(finds("o", `[0]`), searches("s"), searches("d"), finds("p", `[9]`),
					says("x")), q, botMsg(finds("s", `[1]`), searches("e"), says("y")), q),
			want: history(q, botMsg(searches("s"), finds("s", `[1]`), says("x")), q,
				botMsg(says("y")), q),
			whole: []string{
				moved + "messages[3].parts[0] s",
				orphan + "messages[1].parts[0] o -1 result -3 byte",
				orphan + "messages[1].parts[3] p -1 result -3 byte",
				dangling + "messages[1].parts[2] d -1 call -13 byte",
				dangling + "messages[3].parts[1] e -1 call -13 byte",
			},
		},
		{
			name: "of both kinds under one id, in whatever order",
			in: history(q,
				botMsg(searches("s"), mcp("s"), mcpFinds("s"), finds("s", `[2]`), says("x")), q),
		},
		{
			name: "of which one is an MCP server's, though the ids agree",
			in:   history(q, botMsg(mcp("m"), finds("m", `[]`), says("x")), q),
			want: history(q, botMsg(says("x")), q),
			whole: []string{
				"orphan-removed preflight/server-orphan messages[1].parts[1] m -1 result -2 byte",
				"dangling-removed preflight/mcp-pairing messages[1].parts[0] m -1 call -13 byte",
			},
		},
		{
			name: "of MCP servers, which have their own rule",
			in:   history(q, botMsg(mcp("m"), mcpFinds("n"), says("x")), q),
			want: history(q, botMsg(says("x")), q),
			whole: []string{
				"orphan-removed preflight/mcp-pairing messages[1].parts[1] n -1 result -2 byte",
				"dangling-removed preflight/mcp-pairing messages[1].parts[0] m -1 call -13 byte",
			},
		},
		{
			name: "signed reasoning is removed with it, once, and nothing else",
			in: history(q,
				botMsg(thinks("hm", "c2ln"), says("w"), searches("s"), redacted(), searches("t"),
					thinks("so", ""), says("x")), q, botMsg(thinks("ha", "c2ln"), says("y")), q),
			want: history(q, botMsg(says("w"), thinks("so", ""), says("x")), q,
				botMsg(thinks("ha", "c2ln"), says("y")), q),
			whole: []string{
				dangling + "messages[1].parts[2] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[0] -1 reasoning " +
					"-2 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[3] -1 reasoning " +
					"-4 byte",
				dangling + "messages[1].parts[4] t -1 call -13 byte",
			},
		},
		{
			name: "of every message that is cut",
			in: history(q, botMsg(thinks("hm", "c2ln"), searches("s"), says("x")), q,
				botMsg(thinks("hm", "c2ln"), searches("s"), says("x")), q),
			want: history(q, botMsg(says("x")), q, botMsg(says("x")), q),
			whole: []string{
				dangling + "messages[1].parts[1] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[0] -1 reasoning " +
					"-2 byte",
				dangling + "messages[3].parts[1] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[3].parts[0] -1 reasoning " +
					"-2 byte",
			},
		},
		{
			name: "a call that waits is open on purpose",
			in:   history(q, botMsg(searches("s"), says("x")), q),
			options: preflight.Options{
				Pending: func(c *preflight.ToolCall) bool { return c.ID == "s" },
			},
			alone: true,
		},
		{
			name: "an open one of an earlier message of the last turn", profile: joins,
			in: history(q, botMsg(searches("s")), botMsg(says("x"))),
		},
		{
			name:  "which is no turn of its own where messages are not joined",
			in:    history(q, botMsg(searches("s"), says("w")), botMsg(says("x"))),
			want:  history(q, botMsg(says("w")), botMsg(says("x"))),
			codes: warned(codes.DanglingRemoved),
		},
		{
			name: "results without a call end the turn", alone: true,
			in: history(q, botMsg(says("x"), searches("s")), toolMsg(answers("a", "1")),
				userMsg(says("r"))),
			want:  history(q, botMsg(says("x")), userMsg(says("r"))),
			codes: warned(codes.DanglingRemoved, codes.OrphanRemoved),
		},
		{
			name:  "even if nothing else is there",
			in:    history(q, botMsg(says("x"), searches("s")), toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(says("x"))),
			codes: warned(codes.DanglingRemoved, codes.OrphanRemoved),
		},
		{
			name:    "unless the provider holds the call",
			options: preflight.Options{Request: preflight.Request{ServerHoldsHistory: true}},
			in: history(toolMsg(answers("a", "1")), botMsg(says("x"), searches("s")),
				toolMsg(answers("a", "1"))),
			alone: true,
		},
		{
			name: "before text beside the results of its own turn, too",
			in: history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")),
				userMsg(says("r"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), userMsg(says("r"))),
			codes: warned(codes.DanglingRemoved),
		},
		{
			name:    "but for text that is going to be removed",
			profile: preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			alone:   true,
			in: history(q, botMsg(searches("s"), calls("a")),
				toolMsg(answers("a", "1"), says(""))),
		},
		{
			name: "results in a user message have no call before them", alone: true,
			in: history(userMsg(finds("s", `[1]`), says("q"))),
		},
	})
}

// TestWhichCallIsMeant: where ids come again, differ in spelling or are missing, results go to
// calls by occurrence, and each change is said once.
func TestWhichCallIsMeant(t *testing.T) {
	q, r := userMsg(says("q")), userMsg(says("r"))
	joins := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	claude := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
	}
	blankless := preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}}
	const (
		moved    = "result-moved preflight/orphan "
		rebound  = "result-rebound preflight/orphan "
		dangling = "dangling-removed preflight/dangling "
		orphan   = "orphan-removed preflight/orphan "
		one      = " -1 text -1 result -1 byte"
		same     = " -1 text -1 result -1 byte +1 text +1 result +1 byte"
		call     = " -1 call -2 byte"
	)
	runFixer(t, preflight.PairToolCalls, []fixerCase{
		{
			name:    "spelled otherwise, and in another place",
			in:      history(q, botMsg(calls("A")), r, toolMsg(answers("a ", "1"))),
			want:    history(q, botMsg(calls("A")), toolMsg(answers("A", "1")), r),
			whole:   []string{moved + "messages[3].parts[0] a  ?"},
			origins: [][]int{{0}, {1}, {3}, {2}},
		},
		{
			name:  "a bar with nothing before it separates no id, but the place tells",
			in:    history(q, botMsg(calls("|a"), says("x")), toolMsg(answers("|b", "1"))),
			want:  history(q, botMsg(calls("|a"), says("x")), toolMsg(answers("|a", "1"))),
			whole: []string{rebound + "messages[2].parts[0] |b ?" + same},
		},
		{
			name:  "one character in front of it does",
			in:    history(q, botMsg(calls("c|a")), toolMsg(answers("c|b", "1"))),
			want:  history(q, botMsg(calls("c|a")), toolMsg(answers("c|a", "1"))),
			whole: []string{rebound + "messages[2].parts[0] c|b ?" + same},
		},
		{
			name:  "an id spelled otherwise, before its call",
			in:    history(q, toolMsg(answers("A", "1")), botMsg(calls("a"), says("x")), r),
			want:  history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1")), r),
			whole: []string{moved + "messages[1].parts[0] A ?"},
		},
		{
			name:  "results inside the assistant's message come after it",
			in:    history(q, botMsg(calls("a"), answers("a", "1"), says("x"))),
			want:  history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))),
			whole: []string{moved + "messages[1].parts[1] a"},
		},
		{
			name:    "of one turn if its messages are joined, whatever is empty between them",
			profile: joins,
			in: history(q, botMsg(calls("a")), botMsg(), botMsg(calls("b")), userMsg(),
				toolMsg(answers("b", "2"), answers("a", "1"))),
		},
		{
			name: "of one each, if not",
			in: history(q, botMsg(calls("a")), botMsg(calls("b")),
				toolMsg(answers("b", "2"), answers("a", "1"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b")),
				toolMsg(answers("b", "2"))),
			whole: []string{moved + "messages[3].parts[1] a"},
		},
		{
			name: "anything else in a tool message",
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1"), says("x")),
				toolMsg(answers("b", "2"))),
			alone: true,
		},
		{
			name: "and what is going to be removed", profile: blankless, alone: true,
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				userMsg(says("")), toolMsg(answers("b", "2"))),
		},
		{
			name: "but not what the user said", profile: blankless,
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")), r,
				toolMsg(answers("b", "2"))),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2")), r),
			whole: []string{moved + "messages[4].parts[0] b"},
		},
		{
			name: "of calls with one id in a message, the first",
			in: history(q, botMsg(calls("a"), calls("a"), calls("a"), says("x")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			want: history(q, botMsg(calls("a"), calls("a"), says("x")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			whole: []string{dangling + "messages[1].parts[2] a" + call},
		},
		{
			name: "of those in several messages of a turn, the last message's", profile: joins,
			in: history(q, botMsg(calls("a"), says("x")), botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(says("x")), botMsg(calls("a")), toolMsg(answers("a", "1"))),
			whole: []string{
				dangling + "messages[1].parts[0] a" + call,
				dangling + "messages[2].parts[1] a" + call,
			},
		},
		{
			name: "and the first of the message before", profile: joins,
			in: history(q, botMsg(calls("a"), says("w")),
				botMsg(calls("a"), calls("a"), says("x")), botMsg(calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			want: history(q, botMsg(says("w")), botMsg(calls("a"), says("x")),
				botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			whole: []string{
				dangling + "messages[1].parts[0] a" + call,
				dangling + "messages[2].parts[1] a" + call,
			},
		},
		{
			name: "not one that waits",
			in: history(q, botMsg(waits("a"), calls("a"), waits("a")),
				toolMsg(answers("a", "1"))),
			alone: true,
		},
		{
			name: "but for want of others",
			in: history(q, botMsg(waits("a"), calls("a"), waits("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			alone: true,
		},
		{
			name: "a late result of calls with one id goes to the first that is open",
			in: history(q, botMsg(calls("a"), says("x")), q, botMsg(calls("a"), says("y")), r,
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1")), q,
				botMsg(says("y")), r),
			whole: []string{
				dangling + "messages[3].parts[0] a" + call,
				moved + "messages[5].parts[0] a",
			},
		},
		{
			name: "a result without an id is the first open call's",
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("b", "2"), answers(" ", "1"), answers("", "3"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("b", "2"), answers("a", "1"), answers("c", "3"))),
			whole: []string{
				rebound + "messages[2].parts[1]   ?" + same,
				rebound + "messages[2].parts[2] ?" + same,
			},
		},
		{
			name: "a late one of two calls with one id",
			in: history(q, botMsg(calls("a"), calls("a"), says("x")), r,
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1")), r),
			whole: []string{
				dangling + "messages[1].parts[1] a" + call,
				moved + "messages[3].parts[0] a",
			},
		},
		{
			name: "a call without one has the result whose id no call has",
			in: history(q, botMsg(calls("a"), calls("")),
				toolMsg(answers("x", "2"), answers("a", "1"))),
			want: history(q, botMsg(calls("a"), calls("")),
				toolMsg(answers("", "2"), answers("a", "1"))),
			whole: []string{rebound + "messages[2].parts[0] x ?" + same},
			alone: true,
		},
		{
			name:    "and not one that a call before it has",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(calls(""), says("x")), toolMsg(answers("a", "2"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("x"))),
			whole: []string{
				"duplicate-removed preflight/duplicate-result messages[4].parts[0] a ?" + one,
				dangling + "messages[3].parts[0]" + call,
			},
		},
		{
			name: "though one after it may have it", alone: true,
			in: history(q, botMsg(calls("")), toolMsg(answers("a", "2")), botMsg(calls("a")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("")), toolMsg(answers("", "2")), botMsg(calls("a")),
				toolMsg(answers("a", "1"))),
			whole: []string{rebound + "messages[2].parts[0] a ?" + same},
		},
		{
			name: "the late real results of calls with one id keep their order",
			in: history(q, botMsg(calls("a"), calls("a")), toolMsg(fails("a", "aborted")),
				toolMsg(answers("a", "2")), toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a"), calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2"))),
			whole: []string{
				"placeholder-replaced preflight/duplicate-result messages[2].parts[0] a -1 text " +
					"-1 result -7 byte",
				moved + "messages[4].parts[0] a",
				moved + "messages[3].parts[0] a",
			},
			origins: [][]int{{0}, {1}, {4}, {3}},
		},
		{
			name: "in one user turn, too", profile: claude,
			in: history(q, botMsg(calls("a"), calls("a"), calls("a")),
				userMsg(answers("a", "1")), userMsg(answers("a", "2")), botMsg(says("x")),
				userMsg(answers("a", "3"), says("r"))),
			want: history(q, botMsg(calls("a"), calls("a"), calls("a")),
				userMsg(answers("a", "1"), answers("a", "2"), answers("a", "3")), botMsg(says("x")),
				userMsg(says("r"))),
			whole: []string{
				moved + "messages[2].parts[0] a",
				moved + "messages[3].parts[0] a",
				moved + "messages[5].parts[0] a",
			},
		},
		{
			name: "while those of other calls stay", profile: claude,
			in: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				userMsg(answers("b", "2"), answers("a", "1"), says("y")), botMsg(says("x")),
				userMsg(answers("a", "3"), says("r"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				userMsg(answers("a", "1"), answers("b", "2"), answers("a", "3"), says("y")),
				botMsg(says("x")), userMsg(says("r"))),
			whole: []string{moved + "messages[2].parts[1] a", moved + "messages[4].parts[0] a"},
		},
		{
			name: "and those of one id of which none comes from elsewhere",
			in: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				toolMsg(answers("a", "1")), toolMsg(answers("a", "3")), r,
				toolMsg(answers("b", "2"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				toolMsg(answers("a", "1")), toolMsg(answers("b", "2")), toolMsg(answers("a", "3")),
				r),
			whole: []string{moved + "messages[5].parts[0] b"},
		},
	})
}

// TestResultsAnywhere: where a result may be anywhere after its call, it stays there; one
// before every call of its id moves.
func TestResultsAnywhere(t *testing.T) {
	anywhere := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{Results: provider.ResultsAnywhere},
	}
	held := preflight.Options{Request: preflight.Request{ServerHoldsHistory: true}}
	heldWords, referring := anywhere, anywhere
	heldWords.IDs.Call.Alphabet = provider.WordChars
	referring.Items.Held, referring.Items.ReferenceKind = true, "item_reference"
	q, r := userMsg(says("q")), userMsg(says("r"))
	reference := userMsg(&preflight.Other{Kind: "item_reference"})
	reference.ID = "m_1"
	const (
		moved  = "result-moved preflight/orphan "
		orphan = "orphan-removed preflight/orphan "
		gone   = "dangling-removed preflight/dangling "
		one    = " -1 text -1 result -1 byte"
		call   = " -1 call -2 byte"
	)
	runFixer(t, preflight.PairToolCalls, []fixerCase{
		{
			name: "turns after its call", profile: anywhere,
			in: history(q, botMsg(calls("a")), r, botMsg(says("x")),
				toolMsg(answers("a", "1"))),
		},
		{
			name: "in front of it", profile: anywhere,
			in:      history(toolMsg(answers("a", "1")), q, botMsg(says("x"), calls("a")), r),
			want:    history(q, botMsg(says("x"), calls("a")), toolMsg(answers("a", "1")), r),
			whole:   []string{moved + "messages[0].parts[0] a"},
			origins: [][]int{{1}, {2}, {0}, {3}},
		},
		{
			name: "two of one id in front of two calls are the first one's", profile: anywhere,
			in: history(toolMsg(answers("a", "1")), toolMsg(answers("a", "2")),
				botMsg(calls("a")), r, botMsg(calls("a"))),
			want: history(botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), says("2")},
				}), r),
			whole: []string{
				"duplicates-merged preflight/duplicate-result messages[1].parts[0] a ? -1 result",
				gone + "messages[4].parts[0] a" + call,
				moved + "messages[0].parts[0] a",
			},
			origins: [][]int{{2}, {0, 1}, {3}},
		},
		{
			name: "whatever becomes of orphans", profile: anywhere,
			options: preflight.Options{Orphans: preflight.OrphanText},
			in:      history(toolMsg(answers("a", "1")), botMsg(says("x"), calls("a"))),
			want:    history(botMsg(says("x"), calls("a")), toolMsg(answers("a", "1"))),
			codes:   warned(codes.ResultMoved),
		},
		{
			name: "between calls of its id it is a further one of the first", profile: anywhere,
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2")), botMsg(calls("a"), says("x"))),
			want: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("x"))),
			whole: []string{
				"duplicate-removed preflight/duplicate-result messages[2].parts[0] a ?" + one,
				gone + "messages[3].parts[0] a" + call,
			},
		},
		{
			name: "inside the message of its call", profile: anywhere,
			in:    history(q, botMsg(calls("a"), answers("a", "1"), says("x"))),
			want:  history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))),
			whole: []string{moved + "messages[1].parts[1] a"},
		},
		{
			name:    "in front of it, after the results of earlier calls with its id",
			profile: anywhere, alone: true,
			in: history(toolMsg(answers("b", "2")), botMsg(calls("a"), calls("b")), r,
				toolMsg(answers("a", "1")), q),
			want: history(botMsg(calls("a"), calls("b")), toolMsg(answers("b", "2")), r,
				toolMsg(answers("a", "1")), q),
			whole: []string{moved + "messages[0].parts[0] b"},
		},
		{
			name: "an interrupted call is answered after its turn", profile: anywhere,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in:      history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")), r),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(&preflight.ToolResult{
					CallID: "b", Name: "f", IsError: true,
					Content: []preflight.Part{says("!")},
				}), r),
			whole: []string{
				"dangling-answered preflight/dangling messages[1].parts[1] b +1 text +1 result " +
					"+1 byte",
			},
		},
		{
			name:    "with an id that came before, after the result of the call that had it",
			profile: anywhere,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in: history(q, botMsg(calls("a")), r, botMsg(calls("a")), q,
				toolMsg(answers("a", "1")), r),
			want: history(q, botMsg(calls("a")), r, botMsg(calls("a")), q,
				toolMsg(answers("a", "1")),
				toolMsg(&preflight.ToolResult{
					CallID: "a", Name: "f", IsError: true,
					Content: []preflight.Part{says("!")},
				}), r),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "a call that waits is not meant, if another is", profile: anywhere,
			in:    history(q, botMsg(waits("a"), calls("a")), r, toolMsg(answers("a", "1"))),
			alone: true,
		},
		{
			name: "without a call", profile: anywhere,
			in:    history(q, toolMsg(answers("a", "1")), r),
			want:  history(q, r),
			whole: []string{orphan + "messages[1].parts[0] a" + one},
		},
		{
			name: "of a call that the provider holds", profile: anywhere, options: held,
			in: history(toolMsg(answers("a", "1")), r),
		},
		{
			name: "under an id that it can have", profile: heldWords, options: held,
			in:    history(toolMsg(answers("a", "1")), toolMsg(answers("b.c", "2")), r),
			want:  history(toolMsg(answers("a", "1")), r),
			whole: []string{orphan + "messages[1].parts[0] b.c" + one},
		},
		{
			name: "of one by reference, after that", profile: referring, alone: true,
			in: history(q, reference, toolMsg(answers("a", "1")), r),
		},
		{
			name: "not before it", profile: referring, alone: true,
			in:    history(toolMsg(answers("a", "1")), reference, r),
			want:  history(reference, r),
			whole: []string{orphan + "messages[0].parts[0] a" + one},
		},
	})
}

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
	runFixer(t, preflight.PairToolCalls, []fixerCase{
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
				Interrupted: func(*preflight.ToolCall) preflight.Part { return answers("", "!") },
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
	text := preflight.Options{Orphans: preflight.OrphanText}
	with := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "x", Content: parts}
	}
	const kept, gone = "orphan-to-text preflight/orphan ", "orphan-removed preflight/orphan "
	runFixer(t, preflight.PairToolCalls, []fixerCase{
		{
			name: "text and media", options: text,
			in:    history(q, toolMsg(with(says("1"), image(), (*preflight.Media)(nil)))),
			want:  history(q, userMsg(says(words+"1"), image())),
			alone: true, codes: warned(codes.NestingRemoved, codes.OrphanToText),
		},
		{
			name: "media alone", options: text,
			in:   history(q, toolMsg(with(image()))),
			want: history(q, userMsg(says(strings.TrimSpace(words)), image())),
			whole: []string{
				kept + "messages[1].parts[0] x -1 result -1 media" +
					counted(" -",
						preflight.Tally{Bytes: preflight.TallyOf(userMsg(image())).Bytes}) +
					" +1 text +1 media" +
					counted(" +", preflight.Tally{
						Bytes: preflight.TallyOf(userMsg(says(strings.TrimSpace(words)),
							image())).Bytes,
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
			want: history(q, userMsg(says(words+"1")), userMsg(says(words+"2")),
				botMsg(says("a"))),
			whole: []string{
				kept + "messages[1].parts[0] x -1 text -1 result -1 byte +1 text +42 byte",
				kept + "messages[1].parts[1] y -1 text -1 result -1 byte +1 text +42 byte",
			},
			origins: [][]int{{0}, {1}, {1}, {2}},
		},
		{
			name: "after its zone", options: text,
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("x", "0")), toolMsg(answers("b", "2")), q),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2")), userMsg(says(words+"0")), q),
			whole: []string{
				kept + "messages[3].parts[0] x -1 text -1 result -1 byte +1 text +42 byte",
			},
			origins: [][]int{{0}, {1}, {2}, {4}, {3}, {5}},
		},
	})
}

// TestWhereResultsGo: a result that moves, or is made, comes in the order of the calls, in front of
// what the user said, and never in front of a system message or into the assistant's.
func TestWhereResultsGo(t *testing.T) {
	q, r := userMsg(says("q")), userMsg(says("r"))
	user := preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}}
	tool := preflight.Profile{}
	blankless := preflight.Profile{
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
		Content: provider.ContentRules{RefuseEmptyText: true},
	}
	const moved = "result-moved preflight/orphan "
	made := &preflight.ToolResult{
		CallID: "b", Name: "f", IsError: true,
		Content: []preflight.Part{says("!")},
	}
	answer := preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"}
	const answered = "dangling-answered preflight/dangling "
	runFixer(t, preflight.PairToolCalls, []fixerCase{
		{
			name: "into the user turn after its call, across empty ones", profile: user,
			in: history(q, botMsg(calls("a")), userMsg(), userMsg(says("x"), says("y")),
				botMsg(says("z")), userMsg(answers("a", "1"), says("r"))),
			want: history(q, botMsg(calls("a")), userMsg(),
				userMsg(answers("a", "1"), says("x"), says("y")), botMsg(says("z")), r),
			whole:   []string{moved + "messages[5].parts[0] a"},
			origins: [][]int{{0}, {1}, {2}, {3, 5}, {4}, {5}},
		},
		{
			name: "a turn of its own in front of a system message", profile: user,
			in: history(q, botMsg(calls("a")), sysMsg(says("s")),
				userMsg(answers("a", "1"), says("r"))),
			want: history(q, botMsg(calls("a")), userMsg(answers("a", "1")), sysMsg(says("s")),
				r),
			whole:   []string{moved + "messages[3].parts[0] a"},
			origins: [][]int{{0}, {1}, {3}, {2}, {3}},
		},
		{
			name: "in front of the assistant's next", profile: user,
			in: history(q, botMsg(calls("a"), calls("c")), botMsg(says("x")),
				userMsg(answers("c", "3"), says("r"), answers("a", "1"))),
			want: history(q, botMsg(calls("a"), calls("c")),
				userMsg(answers("a", "1"), answers("c", "3")), botMsg(says("x")), r),
			whole: []string{moved + "messages[3].parts[2] a", moved + "messages[3].parts[0] c"},
		},
		{
			name: "and at the end", profile: user, options: answer,
			in:      history(q, botMsg(calls("b"))),
			want:    history(q, botMsg(calls("b")), userMsg(made)),
			whole:   []string{answered + "messages[1].parts[0] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, nil},
		},
		{
			name: "between the results of the calls around it", profile: user, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), answers("c", "3"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), made, answers("c", "3"), says("x"))),
			whole:   []string{answered + "messages[1].parts[1] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, {2}},
		},
		{
			name: "whatever their order", profile: user, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("c", "3"), answers("a", "1"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(made, answers("c", "3"), answers("a", "1"), says("x"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "after the results of a message that holds nothing else", profile: user,
			options: answer,
			in:      history(q, botMsg(calls("a"), calls("b")), userMsg(answers("a", "1"))),
			want:    history(q, botMsg(calls("a"), calls("b")), userMsg(answers("a", "1"), made)),
			codes:   warned(codes.DanglingAnswered),
		},
		{
			name: "text that is going to be removed is no obstacle", profile: blankless,
			options: answer, alone: true,
			in: history(q, botMsg(calls("a"), calls("b")),
				userMsg(says(""), answers("a", "1"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b")),
				userMsg(says(""), answers("a", "1"), made, says("x"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "tool messages come in the order of the calls", profile: tool, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3")), r),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(made), toolMsg(answers("c", "3")), r),
			whole:   []string{answered + "messages[1].parts[1] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, {2}, nil, {3}, {4}},
		},
		{
			name: "the first at the head", profile: tool, options: answer,
			in: history(q, botMsg(calls("b"), calls("a"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3"))),
			want: history(q, botMsg(calls("b"), calls("a"), calls("c")), toolMsg(made),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "the last after them all, whatever is removed between them", profile: tool,
			options: answer,
			in: history(q, botMsg(calls("a"), calls("c"), calls("b")),
				toolMsg(answers("x", "0")), toolMsg(answers("a", "1")), toolMsg(answers("x", "0")),
				toolMsg(answers("c", "3")), r),
			want: history(q, botMsg(calls("a"), calls("c"), calls("b")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3")), toolMsg(made), r),
			codes: warned(codes.OrphanRemoved, codes.OrphanRemoved, codes.DanglingAnswered),
		},
		{
			name: "signed reasoning forbids to cut any message of its turn",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
			},
			options: preflight.Options{DanglingText: "!"},
			in:      history(q, botMsg(redacted(), says("x")), botMsg(calls("b")), r),
			want: history(q, botMsg(redacted(), says("x")), botMsg(calls("b")), toolMsg(made),
				r),
			whole: []string{answered + "messages[2].parts[0] b +1 text +1 result +1 byte"},
		},
		{
			name:    "and of no other",
			options: preflight.Options{DanglingText: "!"},
			in: history(q, botMsg(redacted(), says("x")), q, botMsg(calls("b"), says("y")), q,
				botMsg(redacted(), says("z"))),
			want: history(q, botMsg(redacted(), says("x")), q, botMsg(says("y")), q,
				botMsg(redacted(), says("z"))),
			codes: warned(codes.DanglingRemoved),
		},
	})
}
