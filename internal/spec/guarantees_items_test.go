package spec

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file proves the guarantees for histories of items.

func itemProfiles() map[string]preflight.Profile {
	stateless := *provider.OpenAIResponses("")
	stateless.Items.Held = false
	return map[string]preflight.Profile{
		"stored":    *provider.OpenAIResponses(""),
		"stateless": stateless,
		"gpt-4o":    *provider.OpenAIResponses("gpt-4o"),
		"bound":     *provider.OpenAIResponses("gpt-6.2-astra"),
	}
}

// TestItemGuaranteesOverMessages: messages of many parts, which no Responses request is made of,
// come out right all the same. The other properties judge by rules of places that do not hold where
// a result may be anywhere; TestItemGuarantees has its own.
func TestItemGuaranteesOverMessages(t *testing.T) {
	for _, p := range properties {
		if !slices.Contains(
			[]string{"G2 idempotent", "G4 nothing silent", "G5 least loss", "G7 pure"}, p.name) {
			continue
		}
		for name, profile := range itemProfiles() {
			t.Run(p.name+" "+name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { p.check(t, subject{profile: profile}) })
			})
		}
	}
}

func TestItemGuarantees(t *testing.T) {
	for name, profile := range itemProfiles() {
		for _, p := range []struct {
			name  string
			prove func(*rapid.T, given)
		}{
			{"G1 valid", proveItemsValid},
			{"G2 idempotent", proveIdempotent},
			{"G4 nothing silent", proveNothingSilent},
			{"G5 answers stay", proveItemAnswersStay},
			{"G6 prefix-stable", proveItemsStable},
			{"G7 pure", provePure},
		} {
			t.Run(name+" "+p.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					profile := profile
					g := given{profile: &profile, options: &preflight.Options{}}
					g.options.Dangling = rapid.SampledFrom([]preflight.Dangling{
						preflight.DanglingRemove, preflight.DanglingAnswer,
					}).
						Draw(t, "dangling")
					g.options.Orphans = rapid.SampledFrom([]preflight.Orphans{
						preflight.OrphanRemove, preflight.OrphanText,
					}).
						Draw(t, "orphans")
					g.options.Duplicates = rapid.SampledFrom([]preflight.Duplicates{
						preflight.DuplicateFirst, preflight.DuplicateLast, preflight.DuplicateMerge,
					}).
						Draw(t, "duplicates")
					g.in = histgen.Roomy(items(false).Draw(t, "history"))
					p.prove(t, g)
				})
			})
		}
	}
	t.Run("G3 identity", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			profile := provider.OpenAIResponses("")
			h := items(true).Draw(t, "history")
			require.Empty(t, judgeItems(h, profile))
			require.Empty(t, preflight.Check(h, profile, nil), outlineItems(h))
			res, err := preflight.Sanitize(t.Context(), h, profile, nil)
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.True(t, sameArray(h, res.Messages))
			for _, f := range preflight.Fixers.Defaults() {
				out, warnings := f.Apply(h, profile, nil)
				require.Empty(t, warnings, "%s %s", f.Name, outlineItems(h))
				require.True(t, sameArray(h, out))
			}
		})
	})
}

// proveItemsValid: what comes out is sound by both readings, and no user's text is gone.
func proveItemsValid(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		if len(g.in) > 0 {
			t.Fatalf("%v\n in %s", err, outlineItems(g.in))
		}
		return
	}
	if why := judgeItems(res.Messages, g.profile); why != "" ||
		len(preflight.Check(res.Messages, g.profile, nil)) > 0 {
		t.Fatalf("%s %v\n in  %s\n out %s", why, preflight.Check(res.Messages, g.profile, nil),
			outlineItems(g.in), outlineItems(res.Messages))
	}
	if sound := judgeItems(g.in, g.profile) == ""; !res.Changed && len(g.in) > 0 && !sound {
		t.Fatalf("%s was overlooked\n in %s", judgeItems(g.in, g.profile), outlineItems(g.in))
	}
	var want, got []string
	for _, h := range []struct {
		m   []preflight.Message
		out *[]string
	}{
		{g.in, &want},
		{res.Messages, &got},
	} {
		for _, m := range h.m {
			for _, p := range m.Parts {
				if x, ok := p.(*preflight.Text); ok && histgen.Tag(x) != "" {
					*h.out = append(*h.out, histgen.Tag(x))
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("text is gone or out of order (-want +got):\n%s\n in  %s\n out %s", diff,
			outlineItems(g.in), outlineItems(res.Messages))
	}
}

// proveItemAnswersStay: a call that is surely answered keeps a result that answered it.
func proveItemAnswersStay(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	answers := map[string]string{} // of what comes out, by tag
	var open []*preflight.ToolCall
	for _, p := range partsOf(res.Messages) {
		switch p := p.(type) {
		case *preflight.ToolCall:
			open = append(open, p)
		case *preflight.ToolResult:
			if k := slices.IndexFunc(open,
				func(c *preflight.ToolCall) bool { return c.ID == p.CallID }); k >= 0 {
				answers[histgen.Tag(open[k])] = histgen.Tag(p)
				open = slices.Delete(open, k, k+1)
			}
		}
	}
	for call, results := range certainItemPairs(g.in) {
		if !slices.Contains(results, answers[call]) {
			t.Fatalf("the call %s is answered by %q, although one of %v is there\n in  %s\n out %s",
				call, answers[call], results, outlineItems(g.in), outlineItems(res.Messages))
		}
	}
}

// proveItemsStable: what comes before the last user's message does not depend on what follows,
// unless that brings results, or the call of a result that was sent without one.
func proveItemsStable(t *rapid.T, g given) {
	if len(g.in) == 0 {
		return
	}
	k := rapid.IntRange(1, len(g.in)).Draw(t, "sent so far")
	// ids and variants in what was sent
	called, answered := map[[2]string]bool{}, map[[2]string]bool{}
	// variants of which a call, or a result without an id before all calls, came
	known, nameless := map[string]bool{}, map[string]bool{}
	for i, m := range g.in {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.ToolResult:
				if i >= k {
					return
				}
				answered[[2]string{plainID(p.CallID), p.Variant}] = true
				if plainID(p.CallID) == "" && !known[p.Variant] {
					nameless[p.Variant] = true
				}
			case *preflight.ToolCall:
				id := [2]string{plainID(p.ID), p.Variant}
				first := nameless[p.Variant] && !known[p.Variant]
				if i >= k && !called[id] && (answered[id] || first) {
					return // its result moves to it
				}
				known[p.Variant] = true
				called[id] = called[id] || i < k
			}
		}
	}
	short, err := g.sanitize(g.in[:k:k])
	require.NoError(t, err)
	long, err := g.sanitize(g.in)
	require.NoError(t, err)
	end := len(short.Messages)
	for end > 0 && short.Messages[end-1].Role != preflight.RoleUser {
		end--
	}
	before := outlineItems(short.Messages[:max(end-1, 0)])
	if !strings.HasPrefix(outlineItems(long.Messages), before) {
		t.Fatalf("what was sent changed\n in    %s\n first %d\n short %s\n long  %s",
			outlineItems(g.in), k, outlineItems(short.Messages), outlineItems(long.Messages))
	}
}
