package compact_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file holds what a Session promises, as properties over growing sessions with tools, thinking
// and server tools, for every profile and strategy.

// sessionStrategies are the strategies of sessions, small enough for generated ones.
func sessionStrategies() map[string]compact.Strategy {
	model := compact.Generate(func(_ context.Context, prompt string) (string, error) {
		return fmt.Sprintf("What %d bytes said.", len(prompt)), nil
	})
	return map[string]compact.Strategy{
		"flat":        compact.Flat{Keep: 3},
		"flat, model": compact.Flat{Keep: 3, Summarizer: model},
		"masking":     compact.Masking{Keep: 3},
	}
}

// wrapped is a strategy that the package does not know.
type wrapped struct{ compact.Strategy }

// TestSessionProperties: whatever the profile and the strategy, before every request what is
// rendered passes Check and the strict fake, keeps to the budget, begins with the request before
// unless there was a compaction, comes out again when it is rendered again, leads from every
// message to where it is, and changes nothing in the messages that stay.
func TestSessionProperties(t *testing.T) {
	for name, limits := range subjects() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				all := sessionStrategies()
				strategy := rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "strategy")
				x := newRun(t, limits, all[strategy])
				for range rapid.IntRange(4, 14).Draw(t, "turns") {
					for _, messages := range x.turn() {
						last := len(messages) - 1
						x.append(messages[:last]...)
						x.request()
						x.append(messages[last])
					}
				}
				if x.asked > x.limits.Budget && x.session.Compactions() == 0 &&
					x.limits.Pinned == nil {
					t.Fatalf("a request of %d tokens, and no compaction", x.asked)
				}
			})
		})
	}
}

// sessionRun is one session under test.
type sessionRun struct {
	*grower
	limits      compact.Limits
	strategy    compact.Strategy
	session     *compact.Session
	history     []preflight.Message
	before      compact.Result // the last request
	compactions int            // at that time
	total       int            // tokens of the history
	asked       int            // and at the last request
}

func newRun(t *rapid.T, limits compact.Limits, s compact.Strategy) *sessionRun {
	limits.Budget = rapid.IntRange(20, 40).Draw(t, "budget") * 50
	limits.Pinned = drawPins(t)
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
		x.total += tokens.Estimate(m)
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
	if found := preflight.Check(res.Messages, x.limits.Profile, &o); len(found) > 0 {
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
	x.before, x.compactions, x.asked = res, x.session.Compactions(), x.total
	require.NoError(x.t, x.session.Resolve(ctx))
}

// gaveUp reports whether a thinking budget demands reasoning that is bound to messages which no
// longer fit: then no history is both valid and short enough.
func (x *sessionRun) gaveUp(err error) bool {
	if x.limits.Pinned != nil && isBudget(err) {
		return true // what is pinned alone is too much
	}
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

// fake holds the request against the fake of the provider, if it has one: the lenient one, since
// the sessions are for other models than the bodies name.
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
	lenient := &preflighttest.Options{Lenient: true}
	found, err := lenient.Violations(name, body)
	require.NoError(x.t, err)
	if len(found) > 0 {
		x.t.Fatalf("the fake refuses it: %v\n%s\n%s", found, body, dump(messages))
	}
}

// prefix: without a compaction in between, the request begins with the one before.
func (x *sessionRun) prefix(res compact.Result) {
	if x.session.Compactions() != x.compactions {
		return
	}
	n := len(x.before.Messages)
	require.LessOrEqual(x.t, n, len(res.Messages))
	for i, m := range x.before.Messages {
		if !reflect.DeepEqual(m, res.Messages[i]) {
			x.t.Fatalf("message %d changed without a compaction, from\n%s\nto\n%s", i,
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
		if n != 1 {
			x.t.Fatalf("message %d is in %d places:\n%s", src, n, dump(res.Messages))
		}
	}
}

// hot: what stays is what was appended; only reasoning that is bound to what was compacted, and
// masked and cleared results, are not. Of a cleared result each line is a line of it or says how
// many are missing.
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
			if r, ok := want[k].(*preflight.ToolResult); ok && !r.IsError && !r.ProviderExecuted &&
				!reflect.DeepEqual(want[k], got[k]) {
				is := got[k].(*preflight.ToolResult)
				if x.limits.Pinned == nil ||
					!strings.Contains(compact.InputOf(res.Messages[i]).Text, " bytes omitted] …") {
					x.cleared(r, is) // else pins have taken the room of the last exchange
				}
				continue
			}
			require.Equal(x.t, want[k], got[k])
		}
	}
}

func (x *sessionRun) cleared(was, is *preflight.ToolResult) {
	require.Equal(x.t, was.CallID, is.CallID)
	before := compact.InputOf(message(preflight.RoleTool, was)).Text
	after := is.Content[0].(*preflight.Text).Text
	for _, line := range strings.Split(after, "\n") {
		if line = marks.ReplaceAllString(line, ""); line != "" {
			require.Contains(x.t, before, line)
		}
	}
	require.Less(x.t, len(after), len(before))
}

// marks say that something is missing.
var marks = regexp.MustCompile(`^(\[…\d+\]|…) ?|^\[\d+ lines omitted\]$`)

func unthinking(parts []preflight.Part) []preflight.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p preflight.Part) bool {
		_, ok := p.(*preflight.Reasoning)
		return ok
	})
}
