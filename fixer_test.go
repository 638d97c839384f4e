package preflight_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

func TestMain(m *testing.M) { rapidseed.Main(m, 40) }

// This file tests what fixers declare about themselves.

// TestFixersCureWhatTheyDeclare: a fixer changes a history only if Check finds one of the problems
// that the fixer declares, so that the pipeline may skip it otherwise.
func TestFixersCureWhatTheyDeclare(t *testing.T) {
	for _, profile := range everyProfile() {
		t.Run(profile.Provider+" "+profile.Model, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &preflight.Options{
					Request: preflight.Request{Thinking: rapid.SampledFrom([]provider.Thinking{
						"", provider.ThinkingOff, provider.ThinkingBudget, provider.ThinkingAdaptive,
					}).Draw(t, "thinking")},
					Dangling: rapid.SampledFrom([]preflight.Dangling{
						preflight.DanglingRemove, preflight.DanglingAnswer,
					}).Draw(t, "dangling"),
					Orphans: rapid.SampledFrom([]preflight.Orphans{
						preflight.OrphanRemove, preflight.OrphanText,
					}).Draw(t, "orphans"),
					Duplicates: rapid.SampledFrom([]preflight.Duplicates{
						preflight.DuplicateMerge, preflight.DuplicateFirst, preflight.DuplicateLast,
					}).Draw(t, "duplicates"),
					KeepWaiting: rapid.Bool().Draw(t, "keep waiting"),
				}
				in := histgen.Any(profile, options).Draw(t, "history")
				// nil parts hide the rest of a history from Check
				sound, _ := preflight.Fixer{}.Apply(in, profile, options)
				found := preflight.Check(sound, profile, options)
				for _, f := range fixer.Defaults() {
					if preflight.AlwaysRuns(f) {
						continue
					}
					_, warnings := f.Apply(sound, profile, options)
					if len(warnings) == 0 {
						continue
					}
					cured := slices.ContainsFunc(found, func(v preflight.Violation) bool {
						return preflight.Cures(f, v.Problem)
					})
					if !cured {
						t.Fatalf("%s has %q, but Check found %v", f.Name, warnings[0].Detail, found)
					}
				}
			})
		})
	}
}

// everyProfile returns the profiles of all providers whose messages hold several parts, of models
// with rules of their own, and the portable one. Where each part is a message, a result in the wrong
// one is moved by two fixers.
func everyProfile() []*preflight.Profile {
	out := append(provider.All(), provider.Portable(), &preflight.Profile{})
	for _, m := range [][2]string{
		{"anthropic", "claude-sonnet-4-5"}, {"anthropic", "claude-opus-4-6"},
		{"anthropic", "claude-opus-5-5"}, {"bedrock", "anthropic.claude-sonnet-4-5"},
		{"bedrock", "amazon.nova-pro"}, {"bedrock", "meta.llama3-1"}, {"bedrock", "us.deepseek.r1"},
		{"gemini", "gemini-1.0-pro"}, {"gemini", "gemini-2.5-pro"}, {"gemini", "gemini-3-pro"},
		{"openai-chat", "gpt-5"}, {"openai-chat", "o1-mini"}, {"openai-responses", "gpt-5"},
		{"chat-template", "llama-3.1"}, {"chat-template", "gpt-oss"}, {"chat-template", "mistral"},
		{"chat-template", "gemma-2"}, {"moonshot", "kimi-k2-turbo"},
	} {
		p, _ := provider.ByName(m[0], m[1])
		out = append(out, p)
	}
	return slices.DeleteFunc(out, func(p *preflight.Profile) bool { return p.Items.OnePartPerMessage })
}

// TestFixersWithoutCures: only the fixers that work when an option asks for it run whatever Check
// found.
func TestFixersWithoutCures(t *testing.T) {
	var always []string
	for _, f := range fixer.Defaults() {
		if preflight.AlwaysRuns(f) {
			always = append(always, f.Name)
		}
	}
	require.Equal(t, []string{
		"strip-ephemeral", "strip-system", "clear-bindings", "truncate-provider-executed",
	}, always)
}
