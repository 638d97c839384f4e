package preflighttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedApart are accepted requests that a fake refuses, each for a refusal
// that is known word for word.
var recordedApart = map[string]string{
	"49c98b95613c": "an assistant message with nothing in it: must have either content or " +
		"tool_calls (OpenHands#8685)",
}

// TestFakesAcceptRecordedChat: the fakes of OpenAI Chat, Mistral and Bedrock
// accept what the providers accepted.
func TestFakesAcceptRecordedChat(t *testing.T) {
	ran := map[string]int{"openai-chat": 0, "azure": 0, "mistral": 0, "bedrock": 0}
	for _, name := range []string{"accepted.jsonl", "followups.jsonl"} {
		all, ok := recordings(t, name)
		if !ok {
			t.Skip("the recorded requests are kept beside the project, and are not here")
		}
		for _, r := range all {
			if _, ours := ran[r.Provider]; !ours {
				continue
			}
			ran[r.Provider]++
			if r.Provider == "azure" {
				r.Provider = "openai-chat" // which Azure speaks
			}
			if recordedApart[r.ID] != "" {
				continue
			}
			for _, v := range r.violations(t) {
				if v.Path == "model" {
					continue // it is in the path, which the recording has apart
				}
				t.Errorf("%s %s %s %s %s: %s: %s %s", r.ID, r.Provider, r.Host, r.Model, r.Source,
					v.Path, v.Rule, v.Message)
			}
		}
	}
	for provider, n := range ran {
		require.Positive(t, n, provider)
	}
}
