package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// Every rule a profile names has a statement and sources in package rule.
func TestProfileRulesExist(t *testing.T) {
	for _, p := range provider.All() {
		require.NotEmpty(t, p.Rules)
		for problem, id := range p.Rules {
			_, ok := rule.ByID(id)
			require.True(t, ok, "%s: %s names the rule %q, which does not exist", p.Provider,
				problem, id)
		}
	}
}

func TestNarrowedToModel(t *testing.T) {
	for _, test := range []struct {
		model                    string
		prefill, midway, refused bool
		bound                    bool
	}{
		{model: "claude-sonnet-4-5-20250929", prefill: true},
		{model: "claude-3-5-haiku-latest", prefill: true},
		{model: "anthropic/claude-opus-4.1", prefill: true},
		{model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0", prefill: true},
		{model: "claude-opus-4-6"},
		{model: "claude-opus-4-8", midway: true},
		{model: "claude-opus-5-5", midway: true, bound: true},
		{model: "claude-sonnet-5", midway: true},
		{model: "claude-something-new", midway: true}, // the latest that are known take one
		{model: "", midway: true},
	} {
		p := provider.Anthropic(test.model)
		require.Equal(t, test.prefill, !p.Prefill.Refused, test.model)
		require.Equal(t, test.midway, p.System.Placement == provider.SystemMidway, test.model)
		require.Equal(t, test.bound, p.Reasoning.Bound, test.model)
	}
	o1 := provider.OpenAIChat("o1-mini-2024-09-12")
	require.Equal(t, provider.SystemRefused, o1.System.Placement)
	gpt := provider.OpenAIChat("gpt-5.4")
	require.Equal(t, provider.SystemAnywhere, gpt.System.Placement)
}
