package spec

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// bindsTo is what reasoning is bound to, up to one part of messages: all parts before it, without
// reasoning and cache breakpoints.
func bindsTo(h []preflight.Message, until preflight.Part) (out []string) {
	for _, m := range h {
		for _, p := range m.Parts {
			if p == until {
				return out
			}
			if _, reasons := p.(*preflight.Reasoning); reasons {
				continue
			}
			c := preflight.CopyPart(p)
			if carried := preflight.CarriedBy(c); carried != nil {
				carried.Cache = nil
			}
			text, _ := json.Marshal(preflight.Message{Role: m.Role, Parts: []preflight.Part{c}})
			out = append(out, string(text))
		}
	}
	return out
}

// TestRepairedBefore: of reasoning after an edit that was repaired before, that stays which was
// made in answer to the same as is sent now: to what the repair made of the history then.
func TestRepairedBefore(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	options := &preflight.Options{RepairedBefore: true}
	sanitize := func(h []preflight.Message) preflight.Result {
		res, err := preflight.Sanitize(context.Background(), h, p, options)
		if err != nil {
			return preflight.Result{}
		}
		return res
	}
	asks := func(m preflight.Message) bool { return m.Role == preflight.RoleUser }
	seeds, kept, lost := 30, 0, 0
	if testing.Short() {
		seeds = 8
	}
	for _, c := range histgen.Corruptions() {
		for seed := range seeds {
			h := rapid.Custom(func(t *rapid.T) []preflight.Message {
				h := histgen.Valid(p, options).Draw(t, "valid")
				if len(h) > 0 {
					h = c.Break(t, p, slices.Clone(h))
				}
				return h
			}).Example(seed + 1)
			now := sanitize(h)
			if !now.Changed {
				continue
			}
			for _, w := range now.Warnings {
				if strings.HasSuffix(w.Rule, "thinking-binding-prefix") {
					lost += w.Removed.Reasonings
				}
			}
			stays := map[preflight.Part]bool{}
			for _, m := range now.Messages {
				for _, q := range m.Parts {
					stays[q] = true
				}
			}
			for a, m := range h {
				if a == 0 || h[a-1].Role == preflight.RoleAssistant || !slices.ContainsFunc(h[:a], asks) {
					continue // nobody asked for it
				}
				var then []string
				m.Role = preflight.RoleAssistant
				for _, q := range m.Parts {
					if _, reasons := q.(*preflight.Reasoning); !reasons || !stays[q] {
						continue
					}
					if then == nil {
						then = bindsTo(sanitize(h[:a:a]).Messages, nil)
					}
					made := append(slices.Clip(then), bindsTo([]preflight.Message{m}, q)...)
					require.Equal(t, made, bindsTo(now.Messages, q), "%s %d: %s", c.Name, seed,
						list(now.Warnings))
					kept++
				}
			}
		}
	}
	require.Less(t, 10*lost, kept, "most of it is valid")
}

// TestRepairedBeforeAnswered: a turn of the caller's of which only inserted results are left was
// sent with them, so that the reasoning after it was made in answer to them.
func TestRepairedBeforeAnswered(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	in := history(userMsg(says("q")), botMsg(thinks("hm", "QUJD"), calls("toolu_1")),
		preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{answers("toolu_9", "1")}},
		botMsg(thinks("so", "QUJE"), says("a")), userMsg(says("r")))
	res, err := preflight.Sanitize(context.Background(), in, p,
		&preflight.Options{RepairedBefore: true})
	require.NoError(t, err)
	require.Equal(t, 2, preflight.TallyOf(res.Messages...).Reasonings, list(res.Warnings))
	require.Equal(t, codes.DanglingAnswered, res.Warnings[1].Code)
}

// TestRepairedBeforeBetween: reasoning right after inserted results was made in answer to them,
// where nothing of the caller's was between the calls and the next answer.
func TestRepairedBeforeBetween(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	in := history(userMsg(says("q")), botMsg(thinks("hm", "QUJD"), calls("toolu_1")),
		botMsg(thinks("so", "QUJE"), says("a")), userMsg(says("r")))
	for _, before := range []bool{false, true} {
		res, err := preflight.Sanitize(context.Background(), in, p,
			&preflight.Options{RepairedBefore: before})
		require.NoError(t, err)
		require.Equal(t, codes.DanglingAnswered, res.Warnings[0].Code)
		_, answered := res.Messages[2].Parts[0].(*preflight.ToolResult)
		require.True(t, answered, "between the two answers")
		_, kept := res.Messages[3].Parts[0].(*preflight.Reasoning)
		require.Equal(t, before, kept, list(res.Warnings))
	}
}

// TestRepairedBeforeEnded: an open call of the provider's was removed when the user spoke, so that
// the reasoning after that was made without it. Where results of the caller's alone follow the
// turn, the model saw the call.
func TestRepairedBeforeEnded(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	open := searches("srvtoolu_1")
	for _, c := range []struct {
		between preflight.Message
		kept    bool
	}{
		{userMsg(answers("toolu_1", "1")), false},
		{userMsg(answers("toolu_1", "1"), says("r")), true},
	} {
		res, err := preflight.Sanitize(context.Background(), history(userMsg(says("q")),
			botMsg(thinks("hm", "QUJD"), open, calls("toolu_1")), c.between,
			botMsg(thinks("so", "QUJE"), says("a")), userMsg(says("s"))), p,
			&preflight.Options{RepairedBefore: true})
		require.NoError(t, err)
		require.Equal(t, codes.DanglingRemoved, res.Warnings[0].Code, list(res.Warnings))
		_, kept := res.Messages[3].Parts[0].(*preflight.Reasoning)
		require.Equal(t, c.kept, kept, list(res.Warnings))
	}
}

// TestRepairedBeforeRemoved: a call without a result that was removed before the model thought in
// its turn is removed again. Where nobody says that it was, the turn is not cut.
func TestRepairedBeforeRemoved(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	in := history(userMsg(says("q")), botMsg(calls("toolu_1")),
		botMsg(thinks("so", "QUJE"), says("a")), userMsg(says("r")))
	for _, before := range []bool{false, true} {
		res, err := preflight.Sanitize(context.Background(), in, p,
			&preflight.Options{RepairedBefore: before})
		require.NoError(t, err)
		require.Equal(t, before, res.Warnings[0].Code == codes.DanglingRemoved, list(res.Warnings))
	}
}

// TestBoundBeforeCut: reasoning that is bound to what comes before it outlives a server's result
// that is removed after it, and is removed where the result came before it.
func TestBoundBeforeCut(t *testing.T) {
	p, _ := provider.ByName("anthropic", "claude-opus-5-5")
	found := &preflight.ToolResult{
		CallID: "srvtoolu_1", Name: "web_search", ProviderExecuted: true, Output: json.RawMessage(`[]`),
	}
	for left, turn := range [][]preflight.Part{
		{found, thinks("so", "QUJE"), says("a")},
		{thinks("so", "QUJE"), found, says("a")},
	} {
		in := history(userMsg(says("q")), botMsg(turn...), userMsg(says("r")))
		res, err := preflight.Sanitize(context.Background(), in, p, nil)
		require.NoError(t, err)
		require.Equal(t, left, preflight.TallyOf(res.Messages...).Reasonings, list(res.Warnings))
	}
}

// TestUnbinds: where the provider drops reasoning after an edit, it stays, and the first edit says
// how much there is.
func TestUnbinds(t *testing.T) {
	think := func() preflight.Part { return thinks("hm", "QUJD") }
	q, answer := userMsg(says("q")), botMsg(think(), says("a"))
	in := history(q, answer, userMsg(says(""), says("r")), answer, userMsg(says("")), q, answer, q)
	profile := preflight.Profile{
		Content:   provider.ContentRules{RefuseEmptyText: true, RefuseEmptyMessage: true},
		Reasoning: provider.ReasoningRules{Bound: true, Signed: true},
	}
	for _, dropped := range []bool{false, true} {
		profile.Reasoning.Dropped = dropped
		res, err := preflight.Sanitize(context.Background(), in, &profile, nil)
		require.NoError(t, err)
		requireAccounts(t, in, res)
		require.Equal(t, dropped, preflight.TallyOf(res.Messages...).Reasonings == 3)
		require.Equal(t, 2, res.Warnings[0].Unbinds)
		require.Equal(t, dropped, strings.Contains(res.Warnings[0].Detail, "drops up to 2 parts"))
		for _, w := range res.Warnings[1:] {
			require.Zero(t, w.Unbinds)
		}
	}
}
