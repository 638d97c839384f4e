package preflightgenai_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":        "context",
			"genai":          "google.golang.org/genai",
			"interactions":   "google.golang.org/genai/interactions/models/interactions",
			"preflightgenai": "github.com/go-preflight/preflight/adapter/genai",
		},
		Variables: `
			var ctx context.Context
			var client *genai.Client
			var model string
			var history []*genai.Content
			var settings *genai.GenerateContentConfig
			var params interactions.CreateModelInteraction
			var steps []interactions.Step
		`,
	}
	if err := checker.CheckModule("preflightgenai"); err != nil {
		t.Error(err)
	}
}
