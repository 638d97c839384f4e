package compact_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the seam by hand: where histories are cut, what comes before the kept messages,
// and what cannot get through.

// agentLoop is one question and n rounds of two calls each, with outputs of about size bytes.
func agentLoop(n, size int) []preflight.Message {
	h := []preflight.Message{
		message(preflight.RoleSystem, &preflight.Text{Text: "You fix builds."}),
		say(preflight.RoleUser, "Fix the build."),
	}
	for i := range n {
		a, b := fmt.Sprintf("toolu_%da", i), fmt.Sprintf("toolu_%db", i)
		h = append(h,
			message(preflight.RoleAssistant, &preflight.Reasoning{Text: "hm", Signature: "c2ln"},
				&preflight.Text{Text: fmt.Sprintf("Step %d.", i)}, call(a, "read_file"),
				call(b, "run")),
			message(preflight.RoleUser, answer(a, strings.Repeat("line of a file\n", size/15)),
				answer(b, fmt.Sprintf("exit status %d", i))))
	}
	return h
}

// TestCutsInAnAgentLoop: with one user message and hundreds of rounds there is no user message to
// cut at, and every round that stays is whole.
func TestCutsInAnAgentLoop(t *testing.T) {
	profile := provider.Anthropic("")
	for name, s := range strategies() {
		t.Run(name, func(t *testing.T) {
			res, err := s.Compact(context.Background(), agentLoop(100, 600),
				compact.Limits{Budget: 3000, Profile: profile})
			require.NoError(t, err)
			require.Empty(t, preflight.Check(res.Messages, profile, nil))
			require.LessOrEqual(t, res.Tokens, 3000)
			require.Equal(t, "You fix builds.", res.Messages[0].Parts[0].(*preflight.Text).Text,
				"leading system messages stay")
			tally := preflight.TallyOf(res.Messages...)
			require.Equal(t, tally.Calls, tally.Results)
			require.Positive(t, tally.Calls, "the last rounds stand as they were")
		})
	}
}

// TestBoundReasoning: reasoning bound to a compacted prefix is removed, with a warning; where
// reasoning is not bound it stays.
func TestBoundReasoning(t *testing.T) {
	for model, kept := range map[string]bool{"claude-sonnet-4-5": true, "claude-opus-5-5": false} {
		profile := provider.Anthropic(model)
		require.Equal(t, !kept, profile.Reasoning.Bound, "the models were chosen for this")
		for name, s := range strategies() {
			if name == "masking" {
				continue // see below
			}
			t.Run(model+" "+name, func(t *testing.T) {
				res, err := s.Compact(context.Background(), agentLoop(40, 600),
					compact.Limits{Budget: 3000, Profile: profile})
				require.NoError(t, err)
				require.Equal(t, kept, preflight.TallyOf(res.Messages...).Reasonings > 0)
				warned := 0
				for _, w := range res.Warnings {
					if w.Code == codes.ReasoningRemoved {
						warned++
						require.Equal(t, 1, w.Removed.Reasonings)
					}
				}
				require.Equal(t, kept, warned == 0)
			})
		}
	}
}

// TestMaskingBeforeBoundReasoning: masking changes the history from the first masked result on;
// reasoning before it stays.
func TestMaskingBeforeBoundReasoning(t *testing.T) {
	profile := provider.Anthropic("claude-opus-5-5")
	h := agentLoop(4, 600)
	h[3].Parts = h[3].Parts[1:]
	// the first round has no long output
	h[2].Parts = []preflight.Part{h[2].Parts[0], h[2].Parts[1], h[2].Parts[3]}
	limits := compact.Limits{Profile: profile}
	whole, err := compact.Masking{}.Compact(context.Background(), h, limits)
	require.NoError(t, err)
	limits.Budget = whole.Tokens - 100
	res, err := compact.Masking{Keep: 2}.Compact(context.Background(), h, limits)
	require.NoError(t, err)
	require.Equal(t, 2, preflight.TallyOf(res.Messages...).Reasonings,
		"of the first round, and of the round that holds the first masked result")
	require.Contains(t,
		res.Messages[5].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text,
		"[399 bytes omitted]")
	require.Empty(t, res.Clusters)
}

// TestMaskingTakesTheOldestFirst and no more than it has to; calls and texts stay.
func TestMaskingTakesTheOldestFirst(t *testing.T) {
	profile := provider.Anthropic("")
	h := agentLoop(10, 600)
	limits := compact.Limits{Profile: profile}
	whole, err := compact.Masking{}.Compact(context.Background(), h, limits)
	require.NoError(t, err)
	limits.Budget = whole.Tokens - 250 // three outputs
	res, err := compact.Masking{Keep: 4}.Compact(context.Background(), h, limits)
	require.NoError(t, err)
	for i, m := range res.Messages {
		if i < 3 || i%2 == 0 {
			require.Equal(t, h[i], m, "not a message of results")
			continue
		}
		text := m.Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text
		require.True(t, strings.HasPrefix(text, "line of a file\n"), "the beginning stays")
		require.True(t, strings.HasSuffix(text, "line of a file\n"), "the end stays")
		require.Equal(t, i <= 7, strings.Contains(text, " bytes omitted]\n"), "messages[%d]: %s", i,
			text)
	}
}

// TestMaskingTakesErrorsLast: an old error is masked only where all other results are.
func TestMaskingTakesErrorsLast(t *testing.T) {
	h := agentLoop(10, 600)
	failed := *h[3].Parts[0].(*preflight.ToolResult)
	failed.IsError = true
	h[3].Parts = []preflight.Part{&failed}
	limits := compact.Limits{Profile: provider.Anthropic("")}
	whole, err := compact.Masking{}.Compact(context.Background(), h, limits)
	require.NoError(t, err)
	for saved, last := range map[int]int{250: 9, 600: 17} {
		limits.Budget = whole.Tokens - saved
		res, err := compact.Masking{Keep: 4}.Compact(context.Background(), h, limits)
		require.NoError(t, err)
		require.Len(t, res.Messages, len(h))
		for i := 3; i < len(h); i += 2 {
			text := h[i].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text
			got := res.Messages[i].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text
			require.Equal(t, i > 3 && i <= last, text != got, "%d tokens less, messages[%d]", saved, i)
		}
	}
}

// TestMaskingLeavesProviderResults alone: they hold payloads that the provider verifies.
func TestMaskingLeavesProviderResults(t *testing.T) {
	profile := provider.Anthropic("")
	search := json.RawMessage(
		`[{"type":"web_search_result","encrypted_content":"` + strings.Repeat("A", 4000) + `"}]`)
	h := []preflight.Message{
		say("user", "q"),
		message("assistant",
			&preflight.ToolCall{
				ID:               "srvtoolu_1",
				Name:             "web_search",
				Input:            json.RawMessage(`{"query":"q"}`),
				ProviderExecuted: true,
			},
			&preflight.ToolResult{
				CallID:           "srvtoolu_1",
				Output:           search,
				ProviderExecuted: true,
			}, &preflight.Text{Text: "Found."}),
		say("user", "thanks"),
	}
	_, err := compact.Masking{Keep: 1}.Compact(context.Background(), h,
		compact.Limits{Budget: 900, Profile: profile})
	require.NoError(t, err)
	res, err := compact.Masking{Keep: 1}.Compact(context.Background(), h,
		compact.Limits{Budget: 2000, Profile: profile})
	require.NoError(t, err)
	require.Equal(t, h, res.Messages)
}

// TestHooks: what comes out has been through the caller's hooks, summary included, and fits
// although they make it longer.
func TestHooks(t *testing.T) {
	profile := provider.Anthropic("")
	mark := preflight.Hook{
		Name: "mark",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			for _, p := range m.Parts {
				if text, ok := p.(*preflight.Text); ok && !strings.HasPrefix(text.Text, "[seen] ") {
					text.Text = "[seen] " + text.Text
				}
			}
			return m, nil
		},
	}
	for name, s := range strategies() {
		res, err := s.Compact(context.Background(), chatter(61), compact.Limits{
			Budget:  500,
			Profile: profile,
			Options: &preflight.Options{Hooks: []preflight.Hook{mark}},
		})
		require.NoError(t, err, name)
		require.LessOrEqual(t, res.Tokens, 500, name)
		for _, m := range res.Messages {
			require.Contains(t, m.Parts[0].(*preflight.Text).Text, "[seen] ", name)
		}
	}
	broken := preflight.Hook{
		Name: "broken",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			return nil, errors.New("no")
		},
	}
	res, err := compact.Flat{}.Compact(context.Background(), chatter(61),
		compact.Limits{Budget: 500, Options: &preflight.Options{Hooks: []preflight.Hook{broken}}})
	require.ErrorIs(t, err, preflight.ErrHook)
	require.Equal(t, chatter(61), res.Messages)
}
