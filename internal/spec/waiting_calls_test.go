package spec

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file holds preflight to what it promises about calls that wait on purpose: a request in
// which one is open is never called valid, a stored history in which one is open stays as it is,
// and the real result is never lost.

// waitingIn are the calls of a history that wait and have no result.
func waitingIn(h []preflight.Message, p *preflight.Profile) []*preflight.ToolCall {
	var out []*preflight.ToolCall
	for _, pair := range preflight.Pairs(h, p) {
		if c, ok := pair.Part.(*preflight.ToolCall); ok && !c.ProviderExecuted &&
			pair.Status == pairs.Waiting {
			out = append(out, c)
		}
	}
	return out
}

// stoodIn counts the results of a history that answer a call which waits.
func stoodIn(h []preflight.Message) (n int) {
	for _, part := range partsOf(h) {
		r, ok := part.(*preflight.ToolResult)
		if ok && !r.IsError &&
			slices.Contains([]string{defaultWaitingText, defaultApprovalText},
				textOf(r)) {
			n++
		}
	}
	return n
}

func textOf(r *preflight.ToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*preflight.Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// realResults are results of calls, in a message each.
func realResults(calls []*preflight.ToolCall) []preflight.Message {
	var out []preflight.Message
	for _, c := range calls {
		out = append(out,
			toolMsg(&preflight.ToolResult{
				CallID: c.ID, Name: c.Name, Variant: c.Variant,
				Content: []preflight.Part{says("the real result of " + histgen.Tag(c))},
			}))
	}
	return out
}

// requireReal fails unless each call is answered by its real result, and by no placeholder.
func requireReal(
	t *rapid.T,
	what string,
	calls []*preflight.ToolCall,
	before, h []preflight.Message,
	p *preflight.Profile,
) {
	if n := stoodIn(h); n > 0 {
		t.Fatalf("%s: %d placeholders are left beside the real results:\n%s\nout:\n%s", what, n,
			dump(before), dump(h))
	}
	answered := map[string]string{}
	for _, pair := range preflight.Pairs(h, p) {
		if c, ok := pair.Part.(*preflight.ToolCall); ok && pair.Counterpart != nil {
			answered[histgen.Tag(c)] = textOf(pair.Counterpart.(*preflight.ToolResult))
		}
	}
	for _, c := range calls {
		if want := "the real result of " + histgen.Tag(c); answered[histgen.Tag(c)] != want {
			t.Fatalf("%s: the call %s is answered by %q:\n%s\nout:\n%s", what, histgen.Tag(c),
				answered[histgen.Tag(c)], dump(before), dump(h))
		}
	}
}

// reused reports whether an id of the calls is that of another one in the history, too.
func reused(h []preflight.Message, calls []*preflight.ToolCall) bool {
	all := callsOf(partsOf(h), false)
	return slices.ContainsFunc(calls,
		func(c *preflight.ToolCall) bool { return countOf(all, c.ID) > 1 })
}

// TestWaiting: every profile, every kind of ending.
func TestWaiting(t *testing.T) {
	for name, s := range underTest() {
		if s.profile.Tools.NoTools {
			continue // calls become text there
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { proveWaiting(t, &s.profile, s.options()) })
		})
	}
}

func proveWaiting(t *rapid.T, p *preflight.Profile, o *preflight.Options) {
	in := histgen.Waiting(p, o).Draw(t, "history")
	open := waitingIn(in, p)
	if len(open) == 0 {
		t.Fatalf("the generator let no call wait:\n%s", dump(in))
	}
	if len(preflight.Check(in, p, o)) == 0 || isValid(in, p, o) {
		t.Fatalf("an open call is called valid:\n%s", dump(in))
	}

	ctx, reading := context.Background(), o
	if reading == nil {
		reading = &preflight.Options{}
	}
	sent, err := preflight.Sanitize(ctx, in, p, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, dump(in))
	}
	if broken := judge(sent.Messages, p, reading); broken != "" {
		t.Fatalf("the provider would say: %s\nin:\n%s\nout:\n%s", broken, dump(in),
			dump(sent.Messages))
	}
	if n := stoodIn(sent.Messages); n != len(open) || !(sent.Removed == preflight.Tally{}) {
		t.Fatalf("%d of %d waiting calls were answered, removed: %+v\nin:\n%s\nout:\n%s", n,
			len(open), sent.Removed, dump(in), dump(sent.Messages))
	}
	if got := sent.CallIDs(codes.DanglingAnswered); len(got) != len(open) {
		t.Fatalf("the warnings speak of %v\n%s", got, list(sent.Warnings))
	}

	late := realResults(open)
	for what, h := range map[string][]preflight.Message{
		"what was stored": in,
		"what was sent":   sent.Messages,
	} {
		if p.Pairing.ByName && what == "what was sent" && reused(in, open) {
			// an earlier call of the id, whose result bears another tool's name, gets the result
			// that bears its own
			continue
		}
		res, err := preflight.Sanitize(ctx, slices.Concat(h, late), p, o)
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, dump(h))
		}
		if broken := judge(res.Messages, p, reading); broken != "" {
			t.Fatalf("%s: the provider would say: %s\n%s", what, broken, dump(res.Messages))
		}
		requireReal(t, what, open, h, res.Messages, p)
	}
}

// TestWaitingIsAccepted: what Sanitize makes of waiting calls for a provider, its strict fake
// accepts.
func TestWaitingIsAccepted(t *testing.T) {
	for _, p := range provider.All() {
		if p.Tools.NoTools || !slices.Contains(fakesOf, p.Provider) {
			continue
		}
		// no reasoning and no provider-executed tools, which have no form in some formats
		bare := *p
		bare.Tools.NoServerTools = true
		bare.Reasoning.Refused = true
		bare.Cache.Limit = provider.NoCache
		t.Run(p.Provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := histgen.Waiting(&bare, nil).Draw(t, "history")
				res, err := preflight.Sanitize(context.Background(), plain(in), p, nil)
				if err != nil {
					t.Fatalf("%v\n%s", err, dump(in))
				}
				requireTaken(t, p.Provider, "", res.Messages)
			})
		})
	}
}

// TestWaitingIsKept: what prepares a history for a store leaves calls open that wait, whatever
// Waiting says.
func TestWaitingIsKept(t *testing.T) {
	ctx := context.Background()
	for name, store := range map[string]func([]preflight.Message) (preflight.Result, error){
		"Persist": func(h []preflight.Message) (preflight.Result, error) {
			return stored.Persist(ctx, h, stored.PersistOptions())
		},
		"Resume": func(h []preflight.Message) (preflight.Result, error) {
			return stored.Resume(ctx, h, nil, nil)
		},
		"RepairInterrupted": func(h []preflight.Message) (preflight.Result, error) {
			return stored.RepairInterrupted(ctx, h, nil)
		},
		"Abort": func(h []preflight.Message) (preflight.Result, error) {
			return stored.Abort(h, "so far", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := provider.Anthropic("")
				in := histgen.Waiting(p, nil).Draw(t, "history")
				res, err := store(in)
				if err != nil {
					t.Fatalf("%v\n%s", err, dump(in))
				}
				tags := func(h []preflight.Message) (out []string) {
					for _, c := range waitingIn(h, p) {
						out = append(out, histgen.Tag(c))
					}
					return out
				}
				if diff := cmp.Diff(tags(in), tags(res.Messages)); diff != "" {
					t.Fatalf("the calls that wait (-before +after):\n%s\n%s", diff,
						dump(res.Messages))
				}
			})
		})
	}
}

// TestWaitingKeep: a caller who knows better keeps calls open, and they are no breach then.
func TestWaitingKeep(t *testing.T) {
	q := userMsg(says("q"))
	byName := preflight.Options{
		KeepWaiting: true,
		OpenCall:    waitsIf(func(c *preflight.ToolCall) bool { return c.Name == "f" }),
	}
	p := provider.Anthropic("")
	for name, c := range map[string]struct {
		in      []preflight.Message
		options preflight.Options
	}{
		"by the call's word": {history(q, botMsg(waits("a"))),
			preflight.Options{KeepWaiting: true}},
		"by the caller's word": {history(q, botMsg(calls("a"))), byName},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), c.in, p, &c.options)
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.Empty(t, preflight.Check(c.in, p, &c.options))
			require.True(t, isValid(c.in, p, &c.options))
			require.NotEmpty(t, preflight.Check(c.in, p, nil))
		})
	}
}

// TestWaitingText: whom the call waits for decides about the text, also where the caller says that
// it waits; no policy makes an error of it.
func TestWaitingText(t *testing.T) {
	client := calls("a")
	client.Awaiting = preflight.AwaitingClient
	for _, c := range []struct {
		call *preflight.ToolCall
		open preflight.Part // what the caller returns, or nil
		want string
	}{
		{waits("a"), nil, defaultApprovalText},
		{waits("a"), waits("a"), defaultApprovalText},
		{waits("a"), &preflight.ToolResult{}, defaultApprovalText},
		{client, nil, defaultWaitingText},
		{client, &preflight.ToolResult{}, defaultWaitingText},
		{calls("a"), calls("a"), defaultWaitingText},
		{calls("a"), waits("a"), defaultApprovalText},
	} {
		for _, dangling := range []preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		} {
			options := preflight.Options{
				Dangling: dangling,
				OpenCall: func(*preflight.ToolCall) preflight.Part { return c.open },
			}
			in := history(userMsg(says("q")), botMsg(c.call), userMsg(says("well?")))
			res, err := preflight.Sanitize(context.Background(), in, nil, &options)
			require.NoError(t, err)
			require.Equal(t,
				[]string{
					`user: "q"`,
					"assistant: call a",
					`tool: result a "` + c.want + `"`,
					`user: "well?"`,
				}, lines(res.Messages))

			late := slices.Concat(res.Messages,
				history(botMsg(says("I wait.")), toolMsg(answers("a", "42")),
					userMsg(says("and now?"))))
			res, err = preflight.Sanitize(context.Background(), late, nil, &options)
			require.NoError(t, err)
			require.Equal(t,
				[]string{
					`user: "q"`, "assistant: call a", `tool: result a "` + c.want + `"`,
					`user: "well?"`, `assistant: "I wait." | call a_2`,
					`tool: result a_2 "42"`, `user: "and now?"`,
				}, lines(res.Messages))
		}
	}
}
