package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// TestOneRow: what a row says holds on each host and for each spelling of a model that it is about,
// and nowhere else. Names are a provider and a model, with "/" between them.
func TestOneRow(t *testing.T) {
	for _, c := range []struct {
		name          string
		restricts     func(p *Profile) bool
		covers, spare []string
	}{
		{
			"a tool may not be named search",
			func(p *Profile) bool { return slices.Contains(p.Tools.Reserved, "search") },
			[]string{"qwen/qwen3-coder-plus", "qwen/qwen3-coder-plus-2025-09-23"},
			[]string{"qwen/", "qwen/qwen-plus", "openrouter/qwen/qwen3-coder-plus"},
		},
		{
			"four cache breakpoints, of Claude",
			func(p *Profile) bool { return p.Cache.Limit == 4 },
			[]string{
				"anthropic/", "anthropic/claude-opus-4-8", "vertex-anthropic/claude-opus-4-1@20250805",
				"bedrock/us.anthropic.claude-sonnet-4-5-v1:0", "openrouter/anthropic/claude-sonnet-4.5",
				"openai-compatible/databricks-claude-sonnet-4-6", "bedrock-anthropic/my-deployment",
				"openai-compatible/anthropic:claude-opus-4-6",
			},
			[]string{"openrouter/openai/gpt-5.2", "deepseek-anthropic/claude-opus-5-5", "anthropic/kimi-k3"},
		},
		{
			"no final assistant turn, of Claude from 4.6 on",
			func(p *Profile) bool { return p.Prefill.Refused },
			[]string{
				"anthropic/", "anthropic/claude-opus-4-6", "bedrock/anthropic.claude-sonnet-5",
				"openrouter/anthropic/claude-4.6-sonnet-20260217", "anthropic/claude-something-new",
				"openai-compatible/bedrock/us.anthropic.claude-opus-4-8-v1:0",
				"gemini/gemini-3.6-flash", "vertex-gemini/gemini-3.5-flash-lite",
			},
			[]string{
				"anthropic/claude-sonnet-4-5", "openrouter/anthropic/claude-sonnet-4.5", "bedrock/",
				"moonshot-anthropic/claude-opus-5", "openai-compatible/llama-3.3-70b",
			},
		},
		{
			"no image in a tool's result",
			func(p *Profile) bool {
				return !p.Media.InResult ||
					len(p.Media.ResultKinds) > 0 && !slices.Contains(p.Media.ResultKinds, "image")
			},
			[]string{
				"bedrock/openai.gpt-5.6", "bedrock/mistral.pixtral-large-2502-v1:0", "bedrock/xai.grok-4",
				"bedrock/mistral.magistral-small-2509", "bedrock/qwen.qwen3-vl-235b-a22b",
				"bedrock/google.gemma-3-27b-it", "bedrock/moonshotai.kimi-k2.5", "azure/gpt-5.2",
			},
			[]string{
				"bedrock/anthropic.claude-sonnet-4-5", "bedrock/amazon.nova-pro-v1:0",
				"mistral/pixtral-large-latest", "azure/grok-4-1-fast-non-reasoning",
			},
		},
		{
			"the roles function and tool are refused",
			func(p *Profile) bool { return !slices.Contains(p.Roles, "function") },
			[]string{"vertex-gemini/", "vertex-gemini/gemini-2.5-flash", "gemini/gemini-3.5-flash"},
			[]string{"gemini/", "gemini/gemini-2.5-pro", "gemini/models/gemini-2.0-flash"},
		},
		{
			"images that cannot be decoded",
			func(p *Profile) bool { return p.Media.Decodable || p.Media.Readable },
			[]string{
				"anthropic/", "anthropic/kimi-k3", "openai-chat/", "openai-responses/", "gemini/",
				"bedrock/", "mistral/", "cohere/", "ollama/", "openai-compatible/", "glm-anthropic/",
			},
			nil,
		},
		{
			"arguments are JSON",
			func(p *Profile) bool { return p.Tools.ObjectArguments },
			[]string{"chat-template/", "qwen/", "minimax/", "xai/grok-2-1212"},
			[]string{"openai-chat/", "azure/", "xai/grok-4", "openai-compatible/"},
		},
		{
			"reasoning is bound to its prefix",
			func(p *Profile) bool { return p.Reasoning.Bound },
			[]string{
				"anthropic/claude-opus-5-5", "vertex-anthropic/claude-mythos-5-2@20260901",
				"bedrock/global.anthropic.claude-sonnet-5-5-v1:0", "openai-responses/gpt-6.2-astra",
				"azure-responses/gpt-6.2", "openai-responses/us.openai.gpt-6.2",
			},
			[]string{
				"anthropic/", "anthropic/claude-sonnet-5", "openai-responses/gpt-6.1",
				"deepseek-anthropic/claude-opus-5-5", "openrouter/anthropic/claude-opus-5.5",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, of := range slices.Concat(c.covers, c.spare) {
				provider, model, _ := strings.Cut(of, "/")
				p, ok := ByName(provider, model)
				require.True(t, ok)
				require.Equal(t, slices.Contains(c.covers, of), c.restricts(p), of)
			}
		})
	}
}

// TestUnknown: a model that no row names has what holds for all models of the host, a known one what
// it refuses wherever it is served, and neither has less than the other's: less is done, never more.
func TestUnknown(t *testing.T) {
	for _, d := range definitions {
		plain, unknown := d.forModel(""), d.forModel("nobody-7b")
		if unknown.Model = ""; d.family == "" || d.only || d.aliases {
			require.Empty(t, cmp.Diff(plain, unknown), "%s has rows for unknown models", d.name)
			continue
		}
		for _, s := range settings() { // another vendor's model, where the host is for one's own
			if s.problem != "media-unreadable" && s.holds(unknown) {
				require.True(t, s.holds(plain), "%s %s", d.name, s.problem)
			}
		}
	}
	host := OpenAICompatible("claude-opus-4-8")
	require.True(t, host.Prefill.Refused)
	require.False(t, OpenAICompatible("").Prefill.Refused)
}

// TestAcceptance: a model whose acceptance is newer than its refusal has the restriction off, and the
// rule can still be switched on, as a remedy does.
func TestAcceptance(t *testing.T) {
	const model = "claude-sonnet-4-6"
	r, _ := rule.ByID("anthropic/first-role-user")
	p := Anthropic(model)
	require.False(t, stands(r, p))
	require.False(t, p.Turns.UserFirst)
	require.NoError(t, p.Enforce(r.ID))
	require.True(t, p.Turns.UserFirst)
}

// BenchmarkForModel: a profile is computed once for each provider and model, and then copied.
func BenchmarkForModel(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Anthropic("claude-opus-4-6")
	}
}

// BenchmarkBuild: what a model costs that nobody named before.
func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		anthropic.build("claude-opus-4-6")
	}
}
