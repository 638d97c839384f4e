package spec

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
)

// TestBoundReasoning: reasoning that is bound to what comes before it is removed after the first
// edit, and only there. Reasoning and cache breakpoints do not count as what comes before it.
func TestBoundReasoning(t *testing.T) {
	q, think := userMsg(says("q")), func() preflight.Part { return thinks("hm", "QUJD") }
	marked := func(role func(...preflight.Part) preflight.Message) preflight.Message {
		return role(cached(&preflight.Text{Text: "q"}))
	}
	human := preflight.Message{Role: "human", Parts: []preflight.Part{says("q")}}
	answer := botMsg(think(), says("a"))
	const bound, empty = " preflight/reasoning-bound", " preflight/empty-text"
	for _, c := range []struct {
		reason string
		in     []preflight.Message
		want   []preflight.Message
		report []string
	}{
		{"a part of the same message",
			history(q, botMsg(think(), says("a"), says(""), think(), says("b")), q, answer, q),
			history(q, botMsg(think(), says("a"), says("b")), q, botMsg(says("a")), q),
			[]string{
				"empty-part-removed 1.2" + empty,
				"reasoning-removed 1.3" + bound,
				"reasoning-removed 3.0" + bound,
			}},
		{"a part before the reasoning of a message",
			history(q, botMsg(says(""), think(), says("a"), think(), says("b")), q),
			history(q, botMsg(says("a"), says("b")), q),
			[]string{
				"empty-part-removed 1.0" + empty,
				"reasoning-removed 1.1" + bound,
				"reasoning-removed 1.3" + bound,
			}},
		{"a part after it", history(q, botMsg(think(), says(""), says("a"), think(), says("b")), q),
			history(q, botMsg(think(), says("a"), says("b")), q),
			[]string{"empty-part-removed 1.1" + empty, "reasoning-removed 1.3" + bound}},
		{"a part before the last reasoning",
			history(q, botMsg(think(), says("a"), think(), says(""), think()), q),
			history(q, botMsg(think(), says("a"), think()), q),
			[]string{"empty-part-removed 1.3" + empty, "reasoning-removed 1.4" + bound}},
		{"a part after reasoning that is removed for another reason",
			history(q, botMsg(thinks("hm", ""), think(), says(""), says("a")), q),
			history(q, botMsg(think(), says("a")), q),
			[]string{
				"reasoning-removed 1.0 preflight/reasoning-unsigned",
				"empty-part-removed 1.2" + empty,
			}},
		{"the last part of a message",
			history(q, botMsg(think(), says("a"), says("")), q, answer, q),
			history(q, answer, q, botMsg(says("a")), q),
			[]string{"empty-part-removed 1.2" + empty, "reasoning-removed 3.0" + bound}},
		{"a part that changed", history(userMsg(says("q\x07")), answer, q),
			history(q, botMsg(says("a")), q),
			[]string{
				"text-repaired 0.0 preflight/control-character",
				"reasoning-removed 1.0" + bound,
			}},
		{"a role", history(q, answer, human, answer, q),
			history(q, answer, q, botMsg(says("a")), q),
			[]string{"role-mapped 2 preflight/role-unknown", "reasoning-removed 3.0" + bound}},
		{"a message that went",
			history(q, answer, userMsg(says("")), userMsg(says("r")), answer, q),
			history(q, answer, userMsg(says("r")), botMsg(says("a")), q),
			[]string{"empty-part-removed 2.0" + empty, "reasoning-removed 4.0" + bound}},
		{"the end of the history", history(q, answer, userMsg(says("r"), says(""))),
			history(q, answer, userMsg(says("r"))), []string{"empty-part-removed 2.1" + empty}},
		{"before a last turn that is nothing else, so that none goes on from it",
			history(userMsg(says("q"), says("")), botMsg(think()), botMsg(think())), history(q),
			[]string{
				"empty-part-removed 0.1" + empty,
				"reasoning-removed 1.0" + bound,
				"reasoning-removed 2.0" + bound,
			}},
		{"before a last turn with words",
			history(userMsg(says("q"), says("")), botMsg(says("a")), botMsg(think())),
			history(q, botMsg(says("a")), userMsg(says("Continue."))),
			[]string{
				"empty-part-removed 0.1" + empty,
				"trailing-continued 2 preflight/reasoning-last",
				"reasoning-removed 2.0" + bound,
			}},
		{"other reasoning", history(q, botMsg(thinks("hm", ""), says("a")), q, answer, q),
			history(q, botMsg(says("a")), q, answer, q),
			[]string{"reasoning-removed 1.0 preflight/reasoning-unsigned"}},
		{"a breakpoint", history(marked(userMsg), answer, q), history(q, answer, q),
			[]string{"cache-removed 0.0 preflight/cache-limit"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			profile := preflight.Profile{
				Content: provider.ContentRules{
					RefuseEmptyText: true, RefuseEmptyMessage: true, RefuseControls: true,
				},
				Reasoning: provider.ReasoningRules{Bound: true, Signed: true},
				Cache:     provider.CacheRules{Limit: provider.NoCache},
				Prefill:   provider.PrefillRules{Refused: true},
			}
			res, err := preflight.Sanitize(context.Background(), c.in, &profile, nil)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, res.Messages))
			require.Equal(t, c.report, reported(res.Warnings))
			requireAccounts(t, c.in, res)
			profile.Reasoning.Bound = false
			res, err = preflight.Sanitize(context.Background(), c.in, &profile, nil)
			require.NoError(t, err)
			for _, w := range res.Warnings {
				require.NotContains(t, w.Rule, "bound")
			}
		})
	}
}

// TestPositionsOfPieces: what happens to a message that was split off from another is about that
// other one.
func TestPositionsOfPieces(t *testing.T) {
	p, err := preflight.NewPipeline(preflight.Fixers.PlaceRoles, preflight.Fixers.FillReasoning,
		preflight.Fixers.EndConversation)
	require.NoError(t, err)
	profile := preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}}
	in := history(userMsg(says("q")), userMsg(says("r"), waits("w")), userMsg(says("s")))
	options := kept
	options.LostRoles = true
	res, err := msgtest.LeaveOpen(p, in, &profile, &options)
	require.NoError(t, err)
	require.Empty(t,
		cmp.Diff(history(userMsg(says("q")), userMsg(says("r")),
			botMsg(&preflight.Reasoning{}, waits("w")), userMsg(says("s"))), res.Messages))
	require.Equal(t,
		[]string{
			"part-lifted 1.1 preflight/call-misplaced of w",
			"reasoning-added 1 preflight/reasoning-absent",
		}, reported(res.Warnings))
	require.Equal(t, [][]int{{0}, {1}, {1}, {2}}, res.Origins)
	requireAccounts(t, in, res)
}

// TestPositionOfMerged: a message that took in another, and lost what it held itself, is where
// it stood.
func TestPositionOfMerged(t *testing.T) {
	p, err := preflight.NewPipeline(preflight.Fixers.MergeRoles, preflight.Fixers.DropEmpty,
		preflight.Fixers.FillReasoning)
	require.NoError(t, err)
	profile := preflight.Profile{
		Turns:     provider.TurnRules{Neighbours: provider.NeighboursMerged},
		Content:   provider.ContentRules{RefuseEmptyText: true},
		Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls},
	}
	in := history(botMsg(says("")), botMsg(calls("a")), toolMsg(answers("a", "1")))
	res, err := msgtest.LeaveOpen(p, in, &profile, nil)
	require.NoError(t, err)
	require.Empty(t,
		cmp.Diff(history(botMsg(&preflight.Reasoning{}, calls("a")), toolMsg(answers("a", "1"))),
			res.Messages))
	require.Equal(t,
		[]string{
			"messages-merged 1 preflight/alternation",
			"empty-part-removed 0.0 preflight/empty-text",
			"reasoning-added 0 preflight/reasoning-absent",
		}, reported(res.Warnings))
	requireAccounts(t, in, res)
}

// TestOriginsOfJoined: a message that others were joined to comes from all of them, each named
// once.
func TestOriginsOfJoined(t *testing.T) {
	profile := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursMerged},
		Content: provider.ContentRules{RefuseEmptyText: true},
	}
	in := history(userMsg(says("q"), says("r")), userMsg(says(""), says("s"), says("t")),
		botMsg(says("a")), userMsg(says("u")))
	res, err := preflight.Sanitize(context.Background(), in, &profile, nil)
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 1}, {2}, {3}}, res.Origins)
	require.Equal(t,
		[]string{
			"empty-part-removed 1.0 preflight/empty-text",
			"messages-merged 1 preflight/alternation",
		}, reported(res.Warnings))
	require.Zero(t, res.FirstChanged)
	for _, m := range res.Messages {
		require.Equal(t, len(m.Parts), cap(m.Parts),
			"an append would reach another message's parts")
	}
}
