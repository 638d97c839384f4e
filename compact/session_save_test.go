package compact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
)

// shelf is a store.
type shelf struct{ messages []preflight.Message }

func (s *shelf) Len(context.Context) (int, error) { return len(s.messages), nil }

func (s *shelf) Append(_ context.Context, messages []preflight.Message) error {
	s.messages = append(s.messages, messages...)
	return nil
}

func (s *shelf) Load(_ context.Context, indices []int) ([]preflight.Message, error) {
	out := make([]preflight.Message, len(indices))
	for k, i := range indices {
		out[k] = s.messages[i]
	}
	return out, nil
}

// TestRestoreSession: a session that is restored after every request, or from an older snapshot and
// a store that has got more messages since, renders the bytes of one that was never stopped.
func TestRestoreSession(t *testing.T) {
	ctx := context.Background()
	for name, strategy := range sessionStrategies() {
		for _, profile := range []*preflight.Profile{
			provider.Anthropic("claude-opus-5-5"), provider.OpenAIChat(""),
		} {
			t.Run(name+" "+profile.Provider, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					limits := compact.Limits{
						Budget: rapid.IntRange(20, 40).Draw(t, "budget") * 50, Profile: profile,
					}
					g := newGrower(t, limits)
					running, err := compact.NewSession(compact.SessionConfig{
						Limits: limits, Strategy: strategy, Store: &shelf{}})
					require.NoError(t, err)
					store := &shelf{}
					config := compact.SessionConfig{Limits: limits, Strategy: strategy, Store: store}
					stopped, err := compact.NewSession(config)
					require.NoError(t, err)
					snapshot, err := json.Marshal(stopped)
					require.NoError(t, err)
					for range rapid.IntRange(1, 30).Draw(t, "turns") {
						for _, messages := range g.turn() {
							require.NoError(t, running.Append(ctx, messages...))
							if rapid.Bool().Draw(t, "crash") {
								require.NoError(t, store.Append(ctx, messages))
							} else {
								require.NoError(t, stopped.Append(ctx, messages...))
								snapshot, err = json.Marshal(stopped)
								require.NoError(t, err)
							}
							stopped, err = compact.RestoreSession(ctx, snapshot, config)
							require.NoError(t, err)
							want, wantErr := running.Render(ctx)
							got, gotErr := stopped.Render(ctx)
							require.Equal(t, wantErr, gotErr)
							a, err := json.Marshal(want)
							require.NoError(t, err)
							b, err := json.Marshal(got)
							require.NoError(t, err)
							require.Equal(t, string(a), string(b))
							require.Equal(t, running.Resolve(ctx), stopped.Resolve(ctx))
							snapshot, err = json.Marshal(stopped)
							require.NoError(t, err)
						}
					}
				})
			})
		}
	}
}

// TestRestoreSessionRefuses: a store with fewer messages, and damaged JSON, are typed errors.
func TestRestoreSessionRefuses(t *testing.T) {
	ctx := context.Background()
	store := &shelf{}
	config := compact.SessionConfig{Limits: compact.Limits{Budget: 600}, Store: store}
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	require.NoError(t, s.Append(ctx, chatter(200)...))
	_, err = s.Render(ctx)
	require.NoError(t, err)
	require.Positive(t, s.Compactions())
	saved, err := json.Marshal(s)
	require.NoError(t, err)

	_, err = compact.RestoreSession(ctx, saved, config)
	require.NoError(t, err)
	config.Store = &shelf{messages: store.messages[:150]}
	_, err = compact.RestoreSession(ctx, saved, config)
	require.ErrorIs(t, err, compact.ErrStore)
	others := slices.Clone(store.messages)
	others[20] = say(others[20].Role, "Bob says something else.")
	config.Store = &shelf{messages: others}
	_, err = compact.RestoreSession(ctx, saved, config)
	require.ErrorIs(t, err, compact.ErrStore)
	edited := strings.Replace(string(saved), `"room":`, `"room":1`, 1)
	require.NotEqual(t, string(saved), edited)
	config.Store = store
	_, err = compact.RestoreSession(ctx, []byte(edited), config)
	require.ErrorIs(t, err, compact.ErrStore)
	config.Store = nil
	_, err = compact.RestoreSession(ctx, saved, config)
	require.ErrorIs(t, err, compact.ErrStore)

	config.Store = store
	for _, damaged := range []string{
		"", "{}", "[]", string(saved[:len(saved)/2]),
		strings.Replace(string(saved), `"head":0`, `"head":-1`, 1),
		strings.Replace(string(saved), `"sources":[0`, `"sources":[-7`, 1),
		strings.Replace(string(saved), `"entry":`, `"entry":4000`, 1),
		strings.Replace(string(saved), `"messages":200`, `"messages":3`, 1),
	} {
		require.NotEqual(t, string(saved), damaged)
		_, err = compact.RestoreSession(ctx, []byte(damaged), config)
		require.ErrorIs(t, err, compact.ErrSaved)
	}
}

// TestRestoreSessionRespelled: a store may write messages as it likes, and the snapshot may be
// written anew: with other white space and other escapes, and keys in another order.
func TestRestoreSessionRespelled(t *testing.T) {
	ctx := context.Background()
	store := &shelf{}
	config := compact.SessionConfig{Limits: compact.Limits{Budget: 600}, Store: store}
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	for k := range 30 {
		id := fmt.Sprint("call_", k)
		require.NoError(t, s.Append(ctx, say(preflight.RoleUser, "Go on with <that> & more."),
			message(preflight.RoleAssistant, &preflight.ToolCall{ID: id, Name: "list",
				Input: json.RawMessage(`{"b":"<x>", "a":1.50}`)}),
			message(preflight.RoleTool, answer(id, "<done>\u2028"))))
		_, err = s.Render(ctx)
		require.NoError(t, err)
	}
	require.Positive(t, s.Compactions())
	saved, err := json.Marshal(s)
	require.NoError(t, err)
	var any any
	require.NoError(t, json.Unmarshal(saved, &any))
	saved, err = json.MarshalIndent(any, "", "  ")
	require.NoError(t, err)
	for k := range store.messages {
		for _, p := range store.messages[k].Parts {
			if c, ok := p.(*preflight.ToolCall); ok {
				c.Input = json.RawMessage(`{"a":1.5,"b":"\u003cx\u003e"}`)
			}
		}
	}
	_, err = compact.RestoreSession(ctx, saved, config)
	require.NoError(t, err)
}

// TestRestoreSessionOthers: a store of which one message is another, or of which two are in another
// order, is an error, whenever the snapshot was taken.
func TestRestoreSessionOthers(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		store := &shelf{}
		config := compact.SessionConfig{Limits: compact.Limits{Budget: 900}, Store: store}
		s, err := compact.NewSession(config)
		require.NoError(t, err)
		n := rapid.IntRange(2, 60).Draw(t, "messages")
		for k := range n {
			id := fmt.Sprint("call_", k)
			require.NoError(t, s.Append(ctx, say(preflight.RoleUser, fmt.Sprintf("Alice wants %d.", k)),
				message(preflight.RoleAssistant, call(id, "read_file")),
				message(preflight.RoleTool, answer(id, fmt.Sprintf("It holds %d.", 31*k)))))
			_, err = s.Render(ctx)
			require.NoError(t, err)
		}
		saved, err := json.Marshal(s)
		require.NoError(t, err)
		later := rapid.IntRange(0, 3).Draw(t, "later")
		require.NoError(t, s.Append(ctx, chatter(later)...))
		_, err = compact.RestoreSession(ctx, saved, config)
		require.NoError(t, err)
		others := slices.Clone(store.messages)
		k := rapid.IntRange(0, 3*n-1).Draw(t, "other")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			others[k] = say(others[k].Role, "Bob wants something else.")
		case 1:
			others[k].Role = preflight.RoleSystem
		case 2:
			others[k].Parts = append(slices.Clip(others[k].Parts), &preflight.Text{Text: "and more"})
		case 3:
			other := (k + 1 + rapid.IntRange(0, 3*n-2).Draw(t, "swapped")) % (3 * n)
			others[k], others[other] = others[other], others[k]
		}
		config.Store = &shelf{messages: others}
		_, err = compact.RestoreSession(ctx, saved, config)
		require.ErrorIs(t, err, compact.ErrStore)
	})
}
