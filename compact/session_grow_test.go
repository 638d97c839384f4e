package compact_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file generates the growing sessions of the properties, and lets sessions grow by histories
// that are broken.

// grower writes a session, message after message, that the provider of a profile accepts.
type grower struct {
	t       *rapid.T
	profile *preflight.Profile
	think   bool // the provider accepts this reasoning
	serve   bool // and these provider-executed tools
	n       int
}

// newGrower finds out what the profile accepts.
func newGrower(t *rapid.T, limits compact.Limits) *grower {
	g := &grower{t: t, profile: limits.Profile}
	role := g.resultRole()
	accepts := func(parts ...preflight.Part) bool {
		parts = append(parts, &preflight.Text{Text: "done"})
		working := append(slices.Clone(parts), call("call00000", "look"))
		result := answer("call00000", "there")
		result.Name = "look"
		h := []preflight.Message{
			say(preflight.RoleUser, "hello"), message(preflight.RoleAssistant, parts...),
			say(preflight.RoleUser, "and now?"), message(preflight.RoleAssistant, working...),
			message(role, result),
		}
		return len(preflight.Check(h, limits.Profile, limits.Options)) == 0
	}
	g.think = accepts(thought(0))
	g.serve = accepts(serverTool(0)...)
	return g
}

func (g *grower) resultRole() preflight.Role {
	if role := g.profile.Pairing.ResultRole; role != "" {
		return role
	}
	return preflight.RoleTool
}

func thought(n int) preflight.Part {
	return &preflight.Reasoning{Text: fmt.Sprintf("I think %d.", n), Signature: "c2lnbmVk"}
}

func serverTool(n int) []preflight.Part {
	id := fmt.Sprintf("srvtoolu_%04d", n)
	return []preflight.Part{
		&preflight.ToolCall{
			ID: id, Name: "web_search", Input: []byte(`{"query":"q"}`), ProviderExecuted: true,
		},
		&preflight.ToolResult{
			CallID: id, Name: "web_search", Output: []byte(`[]`), ProviderExecuted: true,
		},
	}
}

func (g *grower) words(label string) string {
	g.n++
	n := rapid.IntRange(1, 40).Draw(g.t, label)
	return fmt.Sprintf("Entry %d concerns host h%d.%s", g.n, g.n,
		strings.Repeat(" It is still under observation.", n/4))
}

// turn is a user's message and what the assistant does about it. The messages before which a
// request is sent are the first of each list.
func (g *grower) turn() [][]preflight.Message {
	var out [][]preflight.Message
	pending := []preflight.Message{say(preflight.RoleUser, g.words("question"))}
	for range rapid.IntRange(0, 2).Draw(g.t, "rounds") {
		var parts []preflight.Part
		if g.think {
			parts = append(parts, thought(g.n))
		}
		if g.serve && rapid.IntRange(0, 3).Draw(g.t, "server tool") == 0 {
			parts = append(parts, serverTool(g.n)...)
		}
		parts = append(parts, &preflight.Text{Text: g.words("words")})
		var results []preflight.Part
		for range rapid.IntRange(1, 2).Draw(g.t, "calls") {
			g.n++
			id := fmt.Sprintf("call%05d", g.n)
			parts = append(parts, call(id, "look"))
			r := answer(id, strings.Repeat(g.words("output")+"\n", 1+g.n%5))
			r.Name = "look"
			results = append(results, r)
		}
		out = append(out, append(pending, message(preflight.RoleAssistant, parts...)))
		pending = nil
		role := g.resultRole()
		if g.profile.Pairing.OneResultPerMessage {
			for _, r := range results {
				pending = append(pending, message(role, r))
			}
		} else {
			pending = append(pending, message(role, results...))
		}
	}
	parts := []preflight.Part{&preflight.Text{Text: g.words("answer")}}
	if g.think {
		parts = append([]preflight.Part{thought(g.n)}, parts...)
	}
	return append(out, append(pending, message(preflight.RoleAssistant, parts...)))
}

// TestSessionOfAnything: sessions of broken histories come out valid and within the budget, or with
// a typed error, and nothing panics.
func TestSessionOfAnything(t *testing.T) {
	for name, limits := range subjects() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				all := sessionStrategies()
				x := trial{limits: limits}
				x.limits.Budget = rapid.IntRange(1, 40).Draw(t, "budget") * 25
				s, err := compact.NewSession(compact.SessionConfig{
					Limits:   x.limits,
					Strategy: all[rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "strategy")],
				})
				require.NoError(t, err)
				for range rapid.IntRange(1, 4).Draw(t, "rounds") {
					more := rapid.OneOf(histgen.Valid(limits.Profile, limits.Options),
						histgen.Any(limits.Profile, limits.Options)).Draw(t, "history")
					require.NoError(t, s.Append(context.Background(), more...))
					x.history = append(x.history, more...)
					x.strategy = rendering{s}
					res, err := x.run()
					if err != nil {
						if !isBudget(err) && x.excused(err) == "" {
							t.Fatalf("no reason to give up: %v\n%s", err, dump(x.history))
						}
						continue
					}
					keep := preflight.Options{
						KeepWaiting: true,
						Trailing:    preflight.TrailingKeep,
						Request:     x.request(),
					}
					if found := preflight.Check(res.Messages, limits.Profile, &keep); len(found) > 0 {
						t.Fatalf("Check finds %v in:\n%s", found, dump(res.Messages))
					}
					require.LessOrEqual(t, res.Tokens, x.limits.Budget)
					require.NoError(t, s.Resolve(context.Background()))
				}
			})
		})
	}
}

// rendering is a session as a strategy that ignores the history it is given.
type rendering struct{ *compact.Session }

func (r rendering) Compact(
	ctx context.Context,
	_ []preflight.Message,
	_ compact.Limits,
) (compact.Result, error) {
	return r.Render(ctx)
}
