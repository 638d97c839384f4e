package compact_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/wire"
)

// This file holds what a Session promises, as properties over growing sessions with tools, thinking
// and server tools, for every profile and strategy.

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
		return len(preflight.CheckWith(h, limits.Profile, limits.Options)) == 0
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

// sessionStrategies are the strategies of sessions, small enough for generated ones.
func sessionStrategies() map[string]compact.Strategy {
	model := compact.Generate(func(_ context.Context, prompt string) (string, error) {
		return fmt.Sprintf("What %d bytes said.", len(prompt)), nil
	})
	clustering := compact.Clustering{MaxClusters: 3, ClusterSize: 2}
	modelled := clustering
	modelled.Summarizer = model
	return map[string]compact.Strategy{
		"flat":              compact.Flat{Keep: 3},
		"flat, model":       compact.Flat{Keep: 3, Summarizer: model},
		"masking":           compact.Masking{Keep: 3},
		"union-find":        compact.UnionFind{Keep: 3, Clustering: clustering},
		"union-find model":  compact.UnionFind{Keep: 3, Clustering: modelled},
		"another package's": compact.Strategy(wrapped{compact.Flat{Keep: 3}}),
	}
}

// wrapped is a strategy that the package does not know.
type wrapped struct{ compact.Strategy }

// TestSessionProperties: whatever the profile and the strategy, before every request what is
// rendered passes Check and the strict fake, keeps to the budget, begins with the request before
// unless there was a mark, comes out again when it is rendered again, leads from every message to
// where it is, and changes nothing in the messages that stay.
func TestSessionProperties(t *testing.T) {
	for name, limits := range subjects() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				all := sessionStrategies()
				x := newRun(t, limits, all[rapid.SampledFrom(sorted(all)).Draw(t, "strategy")])
				for range rapid.IntRange(4, 14).Draw(t, "turns") {
					for _, messages := range x.turn() {
						last := len(messages) - 1
						x.append(messages[:last]...)
						x.request()
						x.append(messages[last])
					}
				}
				if x.asked > x.limits.Budget && x.session.Marks() == 0 {
					t.Fatalf("a request of %d tokens, and no mark", x.asked)
				}
			})
		})
	}
}

// sessionRun is one session under test.
type sessionRun struct {
	*grower
	limits   compact.Limits
	strategy compact.Strategy
	session  *compact.Session
	history  []preflight.Message
	before   compact.Result // the last request
	marks    int            // at that time
	total    int            // tokens of the history
	asked    int            // and at the last request
}

func newRun(t *rapid.T, limits compact.Limits, s compact.Strategy) *sessionRun {
	limits.Budget = rapid.IntRange(20, 40).Draw(t, "budget") * 50
	x := &sessionRun{grower: newGrower(t, limits), limits: limits, strategy: s}
	var err error
	x.session, err = compact.NewSession(compact.SessionConfig{Limits: limits, Strategy: s})
	require.NoError(t, err)
	if placement := limits.Profile.System.Placement; rapid.Bool().Draw(t, "system") &&
		placement != "refused" {
		x.append(say(preflight.RoleSystem, "You keep watch."))
	}
	return x
}

func (x *sessionRun) append(messages ...preflight.Message) {
	require.NoError(x.t, x.session.Append(context.Background(), messages...))
	x.history = append(x.history, messages...)
	for _, m := range messages {
		x.total += compact.EstimateTokens(m)
	}
}

// request renders and judges a request.
func (x *sessionRun) request() {
	ctx := context.Background()
	res, err := x.session.Render(ctx)
	if x.gaveUp(err) {
		return
	}
	require.NoError(x.t, err)
	o := preflight.Options{KeepWaiting: true, Trailing: preflight.TrailingKeep}
	if x.limits.Options != nil {
		o.Request = x.limits.Options.Request
	}
	if found := preflight.CheckWith(res.Messages, x.limits.Profile, &o); len(found) > 0 {
		x.t.Fatalf("Check finds %v in:\n%s", found, dump(res.Messages))
	}
	x.fake(res.Messages)
	require.LessOrEqual(x.t, res.Tokens, x.limits.Budget)
	again, err := x.session.Render(ctx)
	require.NoError(x.t, err)
	require.Equal(x.t, dump(res.Messages), dump(again.Messages))
	x.prefix(res)
	x.provenance(res)
	x.hot(res)
	x.before, x.marks, x.asked = res, x.session.Marks(), x.total
	require.NoError(x.t, x.session.Resolve(ctx))
}

// gaveUp reports whether a thinking budget demands reasoning that is bound to messages which no
// longer fit: then no history is both valid and short enough.
func (x *sessionRun) gaveUp(err error) bool {
	if x.limits.Options == nil || !x.limits.Profile.Reasoning.Bound {
		return false
	}
	return errors.Is(err, preflight.ErrUnfixable)
}

// templates are the requests that histories are put into, for the fakes.
var templates = map[string]string{
	"anthropic": `{"model":"some-model","max_tokens":64,` +
		`"tools":[{"name":"look","input_schema":{"type":"object"}}],` +
		`"messages":[{"role":"user","content":"q"}]}`,
	"openai-chat":      `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"openai-responses": `{"model":"some-model","input":[{"role":"user","content":"q"}]}`,
	"gemini": `{"model":"some-model","contents":[{"role":"user","parts":[{"text":"q"}]}],` +
		`"tools":[{"functionDeclarations":[{"name":"look","parameters":{"type":"OBJECT"}}]}]}`,
	"bedrock": `{"modelId":"some-model","messages":[{"role":"user","content":[{"text":"q"}]}],` +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"look",` +
		`"inputSchema":{"json":{"type":"object"}}}}]}}`,
	"mistral": `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"cohere":  `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
	"ollama":  `{"model":"some-model","messages":[{"role":"user","content":"q"}]}`,
}

// fake holds the request against the strict fake of the provider, if it has one.
func (x *sessionRun) fake(messages []preflight.Message) {
	name := x.limits.Profile.Provider
	template, ok := templates[name]
	if !ok {
		return
	}
	base, err := wire.Decode([]byte(template), &wire.Options{Provider: name})
	require.NoError(x.t, err)
	body, err := base.Encode(messages)
	require.NoError(x.t, err)
	found, err := preflighttest.Violations(name, body)
	require.NoError(x.t, err)
	if len(found) > 0 {
		x.t.Fatalf("the fake refuses it: %v\n%s\n%s", found, body, dump(messages))
	}
}

// prefix: without a mark in between, the request begins with the one before.
func (x *sessionRun) prefix(res compact.Result) {
	if x.session.Marks() != x.marks {
		return
	}
	n := len(x.before.Messages)
	require.LessOrEqual(x.t, n, len(res.Messages))
	for i, m := range x.before.Messages {
		if !reflect.DeepEqual(m, res.Messages[i]) {
			x.t.Fatalf("message %d changed without a mark, from\n%s\nto\n%s", i,
				dump(x.before.Messages), dump(res.Messages))
		}
	}
}

// provenance: every message is in the request or in exactly one cluster.
func (x *sessionRun) provenance(res compact.Result) {
	require.Len(x.t, res.Sources, len(res.Messages))
	place := make([]int, len(x.history))
	for _, list := range res.Sources {
		for _, src := range list {
			place[src] = 1 // a repair may have split it
		}
	}
	for _, c := range res.Clusters {
		require.True(x.t, slices.IsSorted(c.Sources))
		require.Equal(x.t, c.Shown, c.Summary != "")
		for _, src := range c.Sources {
			place[src]++
		}
		sources, err := x.session.Expand(context.Background(), c.Sources)
		require.NoError(x.t, err)
		for k, m := range sources {
			require.Equal(x.t, x.history[c.Sources[k]], m)
		}
	}
	for src, n := range place {
		require.Equal(x.t, 1, n, "message %d\n%s", src, dump(res.Messages))
	}
}

// hot: what stays is what was appended; only reasoning that is bound to what was compacted, and
// masked results, are not.
func (x *sessionRun) hot(res compact.Result) {
	_, masks := x.strategy.(compact.Masking)
	pieces := make(map[int]int)
	for _, list := range res.Sources {
		for _, src := range list {
			pieces[src]++
		}
	}
	for i, list := range res.Sources {
		if len(list) != 1 || pieces[list[0]] > 1 {
			continue // a repair has joined or split it
		}
		want, got := x.history[list[0]].Parts, res.Messages[i].Parts
		if t, ok := got[0].(*preflight.Text); ok && strings.HasPrefix(t.Text, "<compacted_history>") {
			got = got[1:] // joined to the message after the summary
		}
		if x.limits.Profile.Reasoning.Bound && res.Changed {
			want, got = unthinking(want), unthinking(got)
		}
		require.Len(x.t, got, len(want))
		for k := range want {
			if r, ok := want[k].(*preflight.ToolResult); ok && masks && !r.ProviderExecuted {
				continue
			}
			require.Equal(x.t, want[k], got[k])
		}
	}
}

func unthinking(parts []preflight.Part) []preflight.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p preflight.Part) bool {
		_, ok := p.(*preflight.Reasoning)
		return ok
	})
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
					Strategy: all[rapid.SampledFrom(sorted(all)).Draw(t, "strategy")],
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
						if !errors.Is(err, compact.ErrBudget) && x.excused(err) == "" {
							t.Fatalf("no reason to give up: %v\n%s", err, dump(x.history))
						}
						continue
					}
					keep := preflight.Options{
						KeepWaiting: true,
						Trailing:    preflight.TrailingKeep,
						Request:     x.request(),
					}
					if found := preflight.CheckWith(res.Messages, limits.Profile, &keep); len(found) > 0 {
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
