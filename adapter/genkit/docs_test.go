package preflightgenkit_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"genkit":          "github.com/firebase/genkit/go/genkit",
			"ai":              "github.com/firebase/genkit/go/ai",
			"context":         "context",
			"preflightgenkit": "github.com/go-preflight/preflight/adapter/genkit",
			"wire":            "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var prompt string
			var g *genkit.Genkit
			var ctx context.Context
			var history []*ai.Message
			var options *wire.Options
		`,
	}
	if err := checker.CheckModule("preflightgenkit"); err != nil {
		t.Error(err)
	}
}
