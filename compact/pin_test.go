package compact_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
)

// pinnedWord makes a message pinned in these tests.
const pinnedWord = "KEEP-THIS"

func isPinned(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		t, ok := p.(*preflight.Text)
		return ok && t != nil && strings.Contains(t.Text, pinnedWord)
	})
}

// withPins is a long history, in which an order and an exchange are pinned.
func withPins() []preflight.Message {
	long := pinnedWord + ": " + strings.Repeat("the whole table, row by row; ", 40)
	h := chatter(60)
	h = append(h, say(preflight.RoleUser, pinnedWord+": never deploy on a Friday."))
	h = append(h, chatter(40)...)
	h = append(h, say(preflight.RoleUser, "Read the table."),
		message(preflight.RoleAssistant, &preflight.Text{Text: pinnedWord + ", I read it."},
			call("toolu_pin", "read")),
		message(preflight.RoleTool, answer("toolu_pin", long)),
		say(preflight.RoleAssistant, "It has forty rows."))
	return append(append(h, chatter(300)...), say(preflight.RoleUser, "Go on."))
}

// TestPinned: a pinned message stays word for word with its exchange under every strategy, wherever
// it is, and the budget holds.
func TestPinned(t *testing.T) {
	for _, profile := range []*preflight.Profile{
		provider.Anthropic(""), provider.OpenAIChat(""), provider.Gemini(""), provider.Bedrock(""),
	} {
		for name, s := range everyStrategy() {
			h := withPins()
			limits := compact.Limits{Budget: 2500, Profile: profile, Pinned: isPinned}
			res, err := s.Compact(context.Background(), h, limits)
			require.NoError(t, err, name)
			require.LessOrEqual(t, res.Tokens, limits.Budget, name)
			sent := inJSON(t, res.Messages)
			require.Contains(t, sent, "never deploy on a Friday.", name)
			require.Contains(t, sent, strings.Repeat("the whole table, row by row; ", 40), name)
			require.Empty(t, preflight.Check(res.Messages, profile, nil), name)
			in := make(map[int]bool)
			for _, list := range res.Sources {
				for _, src := range list {
					in[src] = true
				}
			}
			for i, m := range h {
				if isPinned(m) {
					require.True(t, in[i], "%s: message %d is not among the sources", name, i)
				}
			}
			for _, c := range res.Clusters {
				for _, src := range c.Sources {
					require.False(t, isPinned(h[src]), name)
				}
			}
			limits.Budget = 100
			_, err = s.Compact(context.Background(), h, limits)
			var small *compact.BudgetError
			require.ErrorAs(t, err, &small, name)
			require.Greater(t, small.Need, 250, "%s: what is pinned is needed", name)
		}
	}
}

// TestPinnedInSession: through many compactions and restarts a pinned message is in every request,
// once.
func TestPinnedInSession(t *testing.T) {
	ctx := context.Background()
	config := compact.SessionConfig{
		Limits: compact.Limits{Budget: 1500, Profile: provider.Anthropic(""), Pinned: isPinned},
		Store:  &shelf{},
	}
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	for k, m := range withPins() {
		require.NoError(t, s.Append(ctx, m))
		if m.Role != preflight.RoleUser {
			continue
		}
		res, err := s.Render(ctx)
		require.NoError(t, err)
		if k > 60 {
			require.Equal(t, 1, strings.Count(inJSON(t, res.Messages), "on a Friday."), k)
		}
		if k%7 == 0 {
			data, err := json.Marshal(s)
			require.NoError(t, err)
			s, err = compact.RestoreSession(ctx, data, config)
			require.NoError(t, err)
			again, err := s.Render(ctx)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(inJSON(t, res.Messages), inJSON(t, again.Messages)))
		}
	}
	require.Greater(t, s.Compactions(), 3)
}

// TestPinnedAfterSnapshot: a message that only the store has, because of a crash, is pinned too.
func TestPinnedAfterSnapshot(t *testing.T) {
	ctx := context.Background()
	store := &shelf{}
	config := compact.SessionConfig{
		Limits: compact.Limits{Budget: 800, Profile: provider.Anthropic(""), Pinned: isPinned},
		Store:  store,
	}
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	data, err := json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, s.Append(ctx, say(preflight.RoleUser, pinnedWord+": in English, please.")))
	s, err = compact.RestoreSession(ctx, data, config)
	require.NoError(t, err)
	require.NoError(t, s.Append(ctx, chatter(200)...))
	res, err := s.Render(ctx)
	require.NoError(t, err)
	require.Contains(t, inJSON(t, res.Messages), "in English, please.")
	require.Len(t, res.Messages[0].Parts, 1, "the summary comes first")
}

// TestPinnedPanics: a panic in Pinned is an error, and nothing was appended.
func TestPinnedPanics(t *testing.T) {
	ctx := context.Background()
	limits := compact.Limits{Budget: 500, Profile: provider.Anthropic(""),
		Pinned: func(preflight.Message) bool { panic("secret") }}
	for name, s := range everyStrategy() {
		_, err := s.Compact(ctx, chatter(100), limits)
		require.ErrorIs(t, err, preflight.ErrHook, name)
		require.NotContains(t, err.Error(), "secret")
	}
	s, err := compact.NewSession(compact.SessionConfig{Limits: limits})
	require.NoError(t, err)
	require.True(t, errors.Is(s.Append(ctx, chatter(1)...), preflight.ErrHook))
	require.Zero(t, s.Len())
}

// compacted is an answer that begins with the provider's own compaction.
func compacted(k int) preflight.Message {
	block := fmt.Sprintf(
		`{"type":"compaction","content":"summary %d","encrypted_content":"blob-%d"}`, k, k)
	return message(preflight.RoleAssistant,
		&preflight.Other{Kind: "compaction", Carried: preflight.Carried{
			Native: preflight.Native{Format: "anthropic", JSON: []byte(block)}}},
		&preflight.Text{Text: fmt.Sprintf("I go on from summary %d.", k)})
}

// TestOwnCompaction: the last compaction that the provider made itself stays as it is, before the
// summary, because the provider drops what is before it; earlier ones go, and one that failed.
func TestOwnCompaction(t *testing.T) {
	ctx := context.Background()
	failed := message(preflight.RoleAssistant, &preflight.Other{Kind: "compaction",
		Carried: preflight.Carried{Native: preflight.Native{Format: "anthropic",
			JSON: []byte(`{"type":"compaction","content":null}`)}}},
		&preflight.Text{Text: "I go on without."})
	h := append(chatter(50), compacted(1))
	h = append(append(h, chatter(50)...), compacted(2), say(preflight.RoleUser, "Good."), failed)
	h = append(append(h, chatter(300)...), say(preflight.RoleUser, "Go on."))
	for name, s := range everyStrategy() {
		limits := compact.Limits{Budget: 1200, Profile: provider.Anthropic(""), Pinned: isPinned}
		res, err := s.Compact(ctx, h, limits)
		require.NoError(t, err, name)
		sent := inJSON(t, res.Messages)
		require.NotContains(t, sent, "blob-1", name)
		require.Contains(t, sent, "blob-2", name)
		require.Less(t, strings.Index(sent, "blob-2"), strings.Index(sent, "compacted_history"),
			name)
		require.NotContains(t, sent, `"content":null`, name)
		require.Empty(t, preflight.Check(res.Messages, limits.Profile, nil), name)
	}
}

// TestClearingIsWarned: a message whose old results were shortened, and that is still sent, has a
// warning with the number of bytes.
func TestClearingIsWarned(t *testing.T) {
	ctx := context.Background()
	h := chatter(40)
	for k := range 12 {
		id := fmt.Sprint("toolu_", k)
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("Search again, %d.", k)),
			message(preflight.RoleAssistant, call(id, "search")),
			message(preflight.RoleUser,
				answer(id, strings.Repeat(fmt.Sprintf("%d of no use\n", k), 60))),
			say(preflight.RoleAssistant, "Nothing there."))
	}
	h = append(h, say(preflight.RoleUser, "Go on."))
	for name, s := range everyStrategy() {
		if name == "window" {
			continue // it keeps results as they are
		}
		budget := 1700
		if name == "session" {
			budget = 2600 // its target is about half of it
		}
		res, err := s.Compact(ctx, h, compact.Limits{Budget: budget, Profile: provider.Anthropic("")})
		require.NoError(t, err, name)
		cut := make(map[int]int)
		for _, w := range res.Warnings {
			if w.Code == codes.CutToSize {
				cut[w.At.Message()] = w.Removed.Bytes
			}
		}
		some := false
		for k, list := range res.Sources {
			if len(list) != 1 || isUnchanged(t, res.Messages[k], h[list[0]]) {
				continue
			}
			some = true
			was, is := preflight.TallyOf(h[list[0]]), preflight.TallyOf(res.Messages[k])
			require.Equal(t, was.Bytes-is.Bytes, cut[list[0]], "%s: message %d", name, list[0])
			delete(cut, list[0])
		}
		require.True(t, some, "%s: nothing was shortened", name)
		require.Empty(t, cut, "%s: a warning without a change", name)
	}
}

func isUnchanged(t *testing.T, a, b preflight.Message) bool {
	t.Helper()
	return inJSON(t, []preflight.Message{a}) == inJSON(t, []preflight.Message{b})
}
