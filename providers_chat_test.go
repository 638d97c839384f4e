package preflight_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/histgen"
)

// chatProfiles are the profiles of the Chat format's hosts and kin, and what the model table makes of them.
func chatProfiles(t *testing.T) map[string]preflight.Profile {
	out := map[string]preflight.Profile{}
	for _, name := range []string{"mistral", "cohere", "ollama", "azure", "openrouter", "deepseek", "moonshot", "qwen", "minimax", "glm", "xai", "groq", "openai-compatible", "chat-template"} {
		p, ok := preflight.ProfileFor(name)
		if !ok || p.Provider != name {
			t.Fatalf("no profile for %s", name)
		}
		out[name] = p
	}
	for _, m := range preflight.Models() {
		if p, ok := out[m.Provider]; ok {
			out[m.Provider+" "+m.Pattern] = p.ForModel(m.Pattern)
		}
	}
	return out
}

// TestChatGuarantees holds these profiles to the guarantees that need no second reading of their rules.
func TestChatGuarantees(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			for name, profile := range chatProfiles(t) {
				t.Run(name, func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) { p.check(t, profile) })
				})
			}
		})
	}
}

var _ = histgen.Any
