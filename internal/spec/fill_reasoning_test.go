package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file tests the reasoning that providers ask for, by thinking mode.

func TestFillReasoning(t *testing.T) {
	none := &preflight.Reasoning{}
	q := userMsg(says("q"))
	call := botMsg(calls("a"))
	result := toolMsg(answers("a", "1"))
	a := botMsg(says("a"))
	runFixer(t, preflight.Fixers.FillReasoning, []fixerCase{
		{
			name: "on messages with calls",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls},
			},
			in:    history(q, a, q, call, result, a),
			want:  history(q, a, q, botMsg(none, calls("a")), result, a),
			codes: warned(codes.ReasoningAdded),
		},
		{
			name: "from the first call on",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls},
			},
			in:    history(q, a, q, call, result, a),
			want:  history(q, a, q, botMsg(none, calls("a")), result, botMsg(none, says("a"))),
			codes: warned(codes.ReasoningAdded, codes.ReasoningAdded),
		},
		{
			name: "where there is some already",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls},
			},
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result),
		},
		{name: "not asked for", in: history(q, call, result)},
	})
}

// TestFilledReasoning: which messages lack reasoning that the provider wants back.
func TestFilledReasoning(t *testing.T) {
	none := &preflight.Reasoning{}
	onCalls := preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}}
	fromCalls := preflight.Profile{
		Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls},
	}
	q := userMsg(says("q"))
	call := botMsg(calls("a"))
	result := toolMsg(answers("a", "1"))
	a := botMsg(says("a"))
	runFixer(t, preflight.Fixers.FillReasoning, []fixerCase{
		{
			name: "a message with a call", profile: onCalls,
			in:     history(q, call, result, a),
			want:   history(q, botMsg(none, calls("a")), result, a),
			report: []string{"reasoning-added 1 preflight/reasoning-absent"},
		},
		{
			name: "the messages after it, too, even in later turns", profile: fromCalls,
			in:   history(q, call, result, q, a),
			want: history(q, botMsg(none, calls("a")), result, q, botMsg(none, says("a"))),
			report: []string{
				"reasoning-added 1 preflight/reasoning-absent",
				"reasoning-added 4 preflight/reasoning-absent",
			},
		},
		{
			name: "after one that has some itself", profile: fromCalls,
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result, a),
			want: history(q, botMsg(thinks("hm", ""), calls("a")), result,
				botMsg(none, says("a"))),
			report: []string{"reasoning-added 3 preflight/reasoning-absent"},
		},
		{
			name: "some, wherever it is", profile: onCalls,
			in: history(q, botMsg(calls("a"), thinks("hm", "")), result),
		},
		{
			name: "a message of nothing", profile: fromCalls,
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result, botMsg()),
		},
		{
			name: "the provider's own calls do not count", profile: onCalls,
			in: history(q, botMsg(searches("s"), finds("s", `{}`), says("a"))),
		},
	})
}

// TestThinkingModes: what each mode demands of the turn that is still open, and of the others.
func TestThinkingModes(t *testing.T) {
	off, budget := thinkingMode(provider.ThinkingOff), thinkingMode(provider.ThinkingBudget)
	joined := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	q, result := userMsg(says("q")), toolMsg(answers("a", "1"))
	think := func() preflight.Part { return thinks("hm", "sig") }
	removed := func(at ...string) (out []string) {
		for _, p := range at {
			out = append(out, "reasoning-removed "+p+" preflight/reasoning-off")
		}
		return out
	}
	moved := "reasoning-moved 1.1 preflight/reasoning-order"
	runFixer(t, preflight.Fixers.NormalizeReasoning, verified([]fixerCase{
		{
			name: "off: all of the open turn's", options: off,
			in:     history(q, botMsg(think(), says("a"), think(), calls("a")), result),
			want:   history(q, botMsg(says("a"), calls("a")), result),
			report: removed("1.0", "1.2"),
		},
		{
			name: "off: a turn that ends the history", options: off,
			in:     history(q, botMsg(think(), says("a"))),
			want:   history(q, botMsg(says("a"))),
			report: removed("1.0"),
		},
		{
			name: "off: after results of several messages", options: off,
			in: history(q, botMsg(think(), calls("a"), calls("b")), result,
				toolMsg(answers("b", "2"))),
			want:   history(q, botMsg(calls("a"), calls("b")), result, toolMsg(answers("b", "2"))),
			report: removed("1.0"),
		},
		{
			name: "off: the message before it is another turn", options: off,
			in:     history(q, botMsg(think(), says("a")), botMsg(think(), says("b"))),
			want:   history(q, botMsg(think(), says("a")), botMsg(says("b"))),
			report: removed("2.0"),
		},
		{
			name: "off: where neighbours are one turn, all of it", profile: joined, options: off,
			in:     history(q, botMsg(think(), says("a")), botMsg(think(), says("b"))),
			want:   history(q, botMsg(says("a")), botMsg(says("b"))),
			report: removed("1.0", "2.0"),
		},
		{
			name: "off: text after results begins another turn",
			profile: preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
			},
			options: off,
			in: history(q, botMsg(think(), calls("a")),
				userMsg(answers("a", "1"), says("next"))),
		},
		{
			name: "off: a turn that is over, before one that is not", options: off,
			in:     history(q, botMsg(think(), says("a")), q, botMsg(think(), says("b"))),
			want:   history(q, botMsg(think(), says("a")), q, botMsg(says("b"))),
			report: removed("3.0"),
		},
		{
			name: "off: no answer yet", options: off,
			in: history(q, botMsg(think(), says("a")), sysMsg(says("s"))),
		},
		{
			name: "a budget: the first run of reasoning leads", options: budget,
			in:     history(q, botMsg(says("a"), think(), says("b"), think(), says("c")), q),
			want:   history(q, botMsg(think(), says("a"), says("b"), think(), says("c")), q),
			report: []string{moved},
		},
		{
			name: "a budget: reasoning at the end", options: budget,
			in:     history(q, botMsg(says("a"), think()), q),
			want:   history(q, botMsg(think(), says("a")), q),
			report: []string{moved},
		},
		{
			name: "a budget: reasoning that leads", options: budget,
			in: history(q, botMsg(think(), says("a"), think()), q, botMsg(), q),
		},
	}))
	for _, c := range []struct {
		reason string
		in     []preflight.Message
		at     int // -1 where nothing is wrong
	}{
		{"a tool loop that does not start with reasoning", history(q, botMsg(calls("a")), result),
			1},
		{"its first message counts",
			history(q, botMsg(calls("a")), result, botMsg(think(), calls("b")),
				toolMsg(answers("b", "2"))), 1},
		{"and no other",
			history(q, botMsg(think(), calls("a")), result, botMsg(calls("b")),
				toolMsg(answers("b", "2"))), -1},
		{"an earlier loop is over",
			history(q, botMsg(calls("a")), result, q, botMsg(think(), calls("b")),
				toolMsg(answers("b", "2"))), -1},
		{"the user has spoken since", history(q, botMsg(calls("a")), result, q), -1},
		{"the assistant has spoken since",
			history(q, botMsg(calls("a")), result, botMsg(says("a"))), -1},
	} {
		found := preflight.Check(c.in, &signed, &budget)
		if c.at < 0 {
			require.Empty(t, found, c.reason)
			continue
		}
		require.Len(t, found, 1, c.reason)
		require.Equal(t, problems.ReasoningMissing, found[0].Problem, c.reason)
		require.Equal(t, c.at, found[0].At.Message(), c.reason)
	}
}

// TestNoReasoningWithoutThinking: a request that does not think needs no reasoning back. What its
// open turn has stays where the provider does not verify reasoning.
func TestNoReasoningWithoutThinking(t *testing.T) {
	off := &preflight.Options{Request: preflight.Request{Thinking: provider.ThinkingOff}}
	result := toolMsg(answers("a", "1"))
	for _, replay := range []provider.Replay{provider.ReplayOnCalls, provider.ReplayFromCalls} {
		profile := &preflight.Profile{Reasoning: provider.ReasoningRules{Replay: replay}}
		for _, open := range []preflight.Message{
			botMsg(calls("a")), botMsg(thinks("", ""), calls("a")),
		} {
			res, err := preflight.Sanitize(context.Background(),
				history(userMsg(says("q")), open, result), profile, off)
			require.NoError(t, err)
			require.Equal(t, history(userMsg(says("q")), open, result), res.Messages)
		}
	}
}

// signed is a profile of a provider that verifies reasoning, as Anthropic does.
var signed = preflight.Profile{Reasoning: provider.ReasoningRules{Signed: true}}

// verified are the cases with profiles that verify reasoning: others accept any in every mode.
func verified(cases []fixerCase) []fixerCase {
	for k := range cases {
		cases[k].profile.Reasoning.Signed = true
	}
	return cases
}
