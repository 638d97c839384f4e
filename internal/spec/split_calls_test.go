package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the split of parallel calls.

func TestSplitCalls(t *testing.T) {
	single := preflight.Profile{
		Pairing: provider.PairingRules{OneCallPerMessage: true, OneResultPerMessage: true},
	}
	q, one, two := userMsg(says("q")), toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))
	runFixer(t, preflight.Fixers.SplitCalls, []fixerCase{
		{
			name: "each call has its result after it", profile: single,
			in:    history(q, botMsg(says("x"), calls("a"), calls("b")), two, one),
			want:  history(q, botMsg(says("x"), calls("a")), one, botMsg(calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "and each message is known by what it was made of", profile: single,
			in: history(q, botMsg(says("x"), calls("a"), calls("b"), says("y")), two, one, q),
			want: history(q, botMsg(says("x"), calls("a")), one, botMsg(calls("b"), says("y")),
				two, q),
			whole:   []string{"calls-split preflight/parallel-calls messages[1].parts[2] b"},
			origins: [][]int{{0}, {1}, {3}, {1}, {2}, {4}},
		},
		{
			name: "what comes before a call stays before it", profile: single,
			in:    history(q, botMsg(calls("a"), says("y"), calls("b")), one, two),
			want:  history(q, botMsg(calls("a")), one, botMsg(says("y"), calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "up to the first call that waits", profile: single,
			in:    history(q, botMsg(calls("a"), waits("w"), calls("b")), one, two),
			want:  history(q, botMsg(calls("a")), one, botMsg(waits("w"), calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "and nothing after it", profile: single,
			in: history(q, botMsg(waits("w"), calls("a"), calls("b")), one, two),
		},
		{
			name: "a third call, and orphan results after them all", alone: true,
			profile: single,
			in: history(q,
				botMsg(says("x"), calls("a"), says("y"), calls("b"), calls("c"), says("z")),
				toolMsg(answers("x", "5")), toolMsg(answers("c", "3")), two,
				toolMsg(answers("x", "6")), one, q),
			want: history(q, botMsg(says("x"), calls("a")), one, botMsg(says("y"), calls("b")),
				two, botMsg(calls("c"), says("z")), toolMsg(answers("c", "3")),
				toolMsg(answers("x", "5")), toolMsg(answers("x", "6")), q),
			whole: []string{
				"calls-split preflight/parallel-calls messages[1].parts[3] b",
				"calls-split preflight/parallel-calls messages[1].parts[4] c",
			},
		},
		{
			name: "the same id twice: results are in the order of the calls", alone: true,
			profile: single,
			in:      history(q, botMsg(calls("a"), calls("a")), one, toolMsg(answers("a", "2"))),
			want: history(q, botMsg(calls("a")), one, botMsg(calls("a")),
				toolMsg(answers("a", "2"))),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "calls in a user's message are another fixer's business", alone: true,
			profile: single,
			in:      history(userMsg(calls("a"), calls("b")), one, two),
		},
		{
			name: "one call is no parallel call, whatever is after it", alone: true,
			profile: single,
			in:      history(q, botMsg(calls("a")), two, one),
		},
		{
			name: "one call is no parallel call", profile: single,
			in: history(q, botMsg(calls("a")), one),
		},
		{name: "not asked for", in: history(q, botMsg(calls("a"), calls("b")), one, two)},
	})
}
