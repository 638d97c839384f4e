package provider

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
	"github.com/go-preflight/preflight/rule"
)

// TestServed: what a model refuses holds on every host that serves it, under every spelling of its
// name, and where a vendor's names are aliases it does not.
func TestServed(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		prefill, bound  bool
		breakpoints     int
	}{
		{"openrouter", "anthropic/claude-sonnet-4.6", true, false, 4},
		{"openrouter", "anthropic/claude-4.6-sonnet-20260217", true, false, 4},
		{"openrouter", "anthropic/claude-sonnet-4.5", false, false, 4},
		{"openrouter", "openai/gpt-5.2", false, false, 0},
		{"openai-compatible", "bedrock/us.anthropic.claude-opus-4-8-v1:0", true, false, 4},
		{"openai-compatible", "databricks-claude-sonnet-4-6", true, false, 4},
		{"openai-compatible", "claude-opus-5-5", true, false, 4},
		{"openai-compatible", "llama-3.3-70b", false, false, 0},
		{"anthropic", "claude-mythos-5-2", true, true, 4},
		{"vertex-anthropic", "claude-opus-5-5@20260901", true, true, 4},
		{"bedrock", "global.anthropic.claude-sonnet-5-5-v1:0", true, true, 4},
		{"bedrock", "anthropic.claude-sonnet-5", true, false, 4},
		{"openai-responses", "gpt-6.2-astra", false, true, NoCache},
		{"openai-responses", "gpt-6.1", false, false, NoCache},
		{"azure-responses", "gpt-6.2", false, true, NoCache},
		{"deepseek-anthropic", "claude-opus-5-5", false, false, 0},
	} {
		p, ok := ByName(c.provider, c.model)
		require.True(t, ok)
		name := c.provider + " " + c.model
		require.Equal(t, c.prefill, p.Prefill.Refused, name)
		require.Equal(t, c.bound, p.Reasoning.Bound, name)
		require.Equal(t, c.breakpoints, p.Cache.Limit, name)
	}
}

// TestServedScope: a row covers no more than its evidence. A rule that names models names all that
// the row covers; of one that names none, the vendor's own host has it for all its models.
func TestServedScope(t *testing.T) {
	for _, s := range servedRows {
		r, ok := rule.ByID(s.rule)
		require.True(t, ok, s.rule)
		require.NotEmpty(t, r.For, s.rule)
		named := r.Models
		for _, e := range r.For {
			if len(r.Models) == 0 {
				named = append(named, e.Models...)
			}
		}
		if len(named) == 0 {
			continue
		}
		for _, model := range s.models {
			bare := modelname.Bare(model)
			require.True(t, glob.Any(spelled(named), bare), "%s covers %s, which no evidence names",
				s.rule, model)
		}
		for _, e := range r.Against {
			for _, model := range e.Models {
				require.False(t, glob.Any(s.models, modelname.Bare(model)) &&
					!glob.Any(s.not, modelname.Bare(model)), "%s covers %s, which accepts", s.rule, model)
			}
		}
	}
}

// spelled returns patterns of models as bare names are spelled.
func spelled(patterns []string) []string {
	var out []string
	for _, p := range patterns {
		out = append(out, modelname.Bare(p))
	}
	return out
}
