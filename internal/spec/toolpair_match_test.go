package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestResultsByOccurrence: where ids come again, differ in spelling or are missing, results go to
// calls by occurrence, and each change is said once.
func TestResultsByOccurrence(t *testing.T) {
	interrupted := fails("", "!")
	interrupted.Name = "f"
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
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name:    "spelled otherwise, and in another place",
			in:      history(q, botMsg(calls("A")), r, toolMsg(answers("a ", "1"))),
			want:    history(q, botMsg(calls("A")), toolMsg(answers("A", "1")), r),
			whole:   []string{moved + "messages[3].parts[0] a  ?"},
			origins: [][]int{{0}, {1}, {3}, {2}},
		},
		{
			name: "a placeholder spelled otherwise, which is removed",
			in: history(q, botMsg(calls("A")), toolMsg(fails("a", "Tool execution aborted")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("A")), toolMsg(answers("A", "1"))),
			whole: []string{
				"placeholder-replaced preflight/duplicate-result messages[2].parts[0] a -1 text " +
					"-1 result -22 byte",
				rebound + "messages[3].parts[0] a ?" + same,
			},
			origins: [][]int{{0}, {1}, {3}},
		},
		{
			name:    "after a placeholder, one without an id and then one with it",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "Tool execution aborted")),
				toolMsg(answers("", "2")), toolMsg(answers("a", "1"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			whole: []string{
				"placeholder-replaced preflight/duplicate-result messages[2].parts[0] a -1 text " +
					"-1 result -22 byte",
				"result-removed preflight/duplicate-result messages[3].parts[0] ?" + one,
			},
			origins: [][]int{{0}, {1}, {4}},
		},
		{
			name:    "the same with an error",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "Tool execution aborted")),
				toolMsg(answers("", "2")), toolMsg(fails("a", "exit status 1"))),
			want: history(q, botMsg(calls("a")), toolMsg(fails("a", "exit status 1"))),
			whole: []string{
				"placeholder-replaced preflight/duplicate-result messages[2].parts[0] a -1 text " +
					"-1 result -22 byte",
				"result-removed preflight/duplicate-result messages[3].parts[0] ?" + one,
			},
			origins: [][]int{{0}, {1}, {4}},
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
			name: "a late result of calls with one id is that of the nearest turn",
			in: history(q, botMsg(calls("a"), says("x")), q, botMsg(calls("a"), says("y")), r,
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(says("x")), q, botMsg(calls("a"), says("y")),
				toolMsg(answers("a", "1")), r),
			whole: []string{
				dangling + "messages[1].parts[0] a" + call,
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
			name: "though an answered call before it has it", alone: true,
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(calls(""), says("x")), toolMsg(answers("a", "2"))),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(calls(""), says("x")), toolMsg(answers("", "2"))),
			whole: []string{
				rebound + "messages[4].parts[0] a ?" + same,
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
				userMsg(answers("a", "1")), userMsg(answers("a", "2")), userMsg(says("x")),
				userMsg(answers("a", "3"), says("r"))),
			want: history(q, botMsg(calls("a"), calls("a"), calls("a")),
				userMsg(answers("a", "1"), answers("a", "2"), answers("a", "3")), userMsg(says("x")),
				userMsg(says("r"))),
			whole: []string{
				moved + "messages[2].parts[0] a",
				moved + "messages[3].parts[0] a",
				moved + "messages[5].parts[0] a",
			},
		},
		{
			name: "while those stay that are in order", profile: claude,
			in: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				userMsg(answers("b", "2"), answers("a", "1"), says("y")), userMsg(says("x")),
				userMsg(answers("a", "3"), says("r"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("a")),
				userMsg(answers("b", "2"), answers("a", "1"), answers("a", "3"), says("y")),
				userMsg(says("x")), userMsg(says("r"))),
			whole: []string{moved + "messages[4].parts[0] a"},
		},
		{
			name:    "and one without an id, before an inserted one",
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in:      history(q, botMsg(calls(""), calls("")), toolMsg(answers("", "1")), r),
			want: history(q, botMsg(calls(""), calls("")), toolMsg(answers("", "1")),
				toolMsg(interrupted), r),
			codes: warned(codes.DanglingAnswered),
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
