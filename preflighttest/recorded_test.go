package preflighttest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file holds the fakes against requests that real providers answered.

// refusedElsewhere are accepted requests that a fake refuses, each for a refusal
// that is on record.
var refusedElsewhere = map[string]string{
	"49c98b95613c": "an assistant message with nothing in it: must have either content or " +
		"tool_calls (OpenHands#8685)",
	"d7531a8aba33": "a tool search of the client's without its output (openai/codex#31053)",
	"60c5523203d5": "a tool search of the client's without its output (openai/codex#31053)",
	"64b1a02d1dd7": "the reasoning of an answer that was cut off (continuedev/continue#8933)",
	"2bc77c15642c": "the reasoning of an answer that was cut off (continuedev/continue#8933)",
	"d3aa2f9cb50e": "the reasoning of an answer that was cut off (continuedev/continue#8933)",
}

// apart are the members that a provider takes in the URL, or not at all, and a
// fake asks for.
var apart = map[string][]string{
	"anthropic": {"model", "max_tokens"}, "openai-chat": {"model"}, "mistral": {"model"},
	"bedrock": {"model"},
}

// fakeAt is the name of the fake of a recorded request, and the model that it
// is for.
func fakeAt(r recorded.Request) (provider, model string) {
	switch {
	case r.Provider == "azure":
		return "openai-chat", r.Model // which Azure speaks
	case r.Host == "rig-copilot" && r.Provider == "openai-responses":
		return "copilot-responses", r.Model
	case strings.Contains(r.Host, "aiplatform"):
		return r.Provider, "publishers/google/models/" + r.Model
	}
	return r.Provider, r.Model
}

// judged is what the fake says of a recorded request at its host.
func judged(t *testing.T, r recorded.Request) []preflighttest.Violation {
	provider, model := fakeAt(r)
	violations, err := (&preflighttest.Options{Model: model}).Violations(provider, r.Body)
	require.NoError(t, err)
	return slices.DeleteFunc(violations, func(v preflighttest.Violation) bool {
		return slices.Contains(apart[provider], v.Path) ||
			provider == "anthropic" && // recorded for ids of one turn
				v.Rule == "anthropic/tool-use-id-duplicate"
	})
}

// TestFakesAcceptRecorded: the fakes accept what the providers accepted.
func TestFakesAcceptRecorded(t *testing.T) {
	judges := append(preflighttest.Providers(), "azure")
	ran := map[string]int{}
	for _, r := range recorded.Load(t, "..", recorded.Accepted, recorded.FollowUp) {
		if !slices.Contains(judges, r.Provider) || refusedElsewhere[r.ID] != "" {
			continue
		}
		ran[r.Provider]++
		for _, v := range judged(t, r) {
			t.Errorf("%s %s %s %s %s: %s: %v", r.ID, r.Provider, r.Host, r.Model, r.Source, v.Path, v)
		}
	}
	for _, provider := range judges {
		if provider != "gemini-interactions" { // of which there are no recordings
			require.Positive(t, ran[provider], provider)
		}
	}
}

// TestFakesRefuseRecorded: what Vertex AI refused for its history, the fake
// refuses in the same words; what it refused for something else is none of
// the fake's concern.
func TestFakesRefuseRecorded(t *testing.T) {
	seen := 0
	for _, r := range recorded.Load(t, "..", recorded.Refused) {
		if r.Provider != "gemini" {
			continue
		}
		violations := judged(t, r)
		if !strings.Contains(string(r.Error), "valid role") {
			require.Empty(t, violations, r.Source)
			continue
		}
		seen++
		require.NotEmpty(t, violations, r.Source)
		require.Equal(t, "gemini/role-invalid", violations[0].Rule)
		require.Contains(t, string(r.Error), violations[0].Message)
	}
	require.Positive(t, seen)
}
