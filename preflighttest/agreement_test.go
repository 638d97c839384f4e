package preflighttest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// Two implementations of the rules, written apart from each other: wire.Check
// and the fakes. This file holds one against the other on random bodies.

func eachSubject(t *testing.T, test func(t *testing.T, profile preflight.Profile)) {
	for _, profile := range provider.All() {
		if _, ok := subjects[profile.Provider]; ok {
			t.Run(profile.Provider, func(t *testing.T) { test(t, *profile) })
		}
	}
}

// seen reports whether a check of a history can see a violation of the rule.
// What only the schema forbids counts as seen.
func seen(id string) bool {
	r, ok := rule.ByID(id)
	return !ok || r.Coverage != rule.Unseen && r.Coverage != rule.Accepted
}

// fakeOf is the fake of a provider: that of its format, where the body says by
// its model which dialect is meant.
func fakeOf(provider string) string {
	if provider == "vertex-gemini" {
		return "gemini"
	}
	return provider
}

// formatName is the format that a provider speaks, whose rules it shares.
func formatName(name string) string {
	if p, ok := provider.ByName(name, ""); ok && p.Format != "" {
		return p.Format
	}
	return fakeOf(name)
}

// faults returns the rules for which the fake refuses the body, sorted, of
// those that a check can see.
func faults(t require.TestingT, provider string, body []byte) []string {
	violations, err := preflighttest.Violations(fakeOf(provider), body)
	require.NoError(t, err)
	rules := map[string]bool{}
	for _, v := range violations {
		if seen(v.Rule) {
			rules[v.Rule] = true
		}
	}
	return slices.Sorted(maps.Keys(rules))
}

// TestSanitizedIsAccepted: a fake that knows nothing of preflight accepts what
// preflight has repaired.
func TestSanitizedIsAccepted(t *testing.T) {
	eachSubject(t, func(t *testing.T, profile preflight.Profile) {
		for _, kind := range []string{"corrupt", "mutant"} {
			t.Run(kind, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					if body := bodies[kind](t, profile); body != nil {
						accepted(t, profile.Provider, body)
					}
				})
			})
		}
	})
}

func accepted(t *rapid.T, provider string, body []byte) {
	if refusal := refusedAfter(t, provider, body); refusal != "" {
		t.Fatalf("%s\n was %s", refusal, body)
	}
}

// refusedAfter says for what the fake refuses what preflight makes of a body.
func refusedAfter(t require.TestingT, provider string, body []byte) string {
	result, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	if err != nil {
		return "" // nothing can be made of the history, and the caller is told
	}
	refused, _ := heardOf(t, provider, result.Body, nil)
	if len(refused) == 1 && refused[0] == "" {
		return "" // a value of the wrong type where wire does not look
	}
	if len(refused) > 0 {
		return fmt.Sprintf("refused for %v is %s", refused, result.Body)
	}
	return ""
}

// TestFailingRequestsRepaired: what preflight makes of the failing request of
// each rule is accepted.
func TestFailingRequestsRepaired(t *testing.T) {
	for _, f := range failingRequests(t) {
		t.Run(f.ID, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), f.Request,
				&wire.Options{Provider: f.Provider})
			switch r, _ := rule.ByID(f.ID); {
			case r.Coverage == rule.Refused:
				require.Error(t, err)
				return
			case r.Coverage == rule.Unseen && err != nil:
				return // a form of request that wire does not read
			}
			require.NoError(t, err)
			require.Empty(t, faults(t, f.Provider, result.Body), "%s", result.Body)
		})
	}
}

// TestAgreement: the fake refuses a body exactly if the check finds something,
// and when each finds one thing, it is the same rule.
func TestAgreement(t *testing.T) {
	eachSubject(t, func(t *testing.T, profile preflight.Profile) {
		for name, draw := range bodies {
			t.Run(name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					if body := draw(t, profile); body != nil {
						agree(t, profile.Provider, body)
					}
				})
			})
		}
	})
}
