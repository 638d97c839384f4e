package preflightlangchaingo_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":              "context",
			"llms":                 "github.com/tmc/langchaingo/llms",
			"preflightlangchaingo": "github.com/go-preflight/preflight/adapter/langchaingo",
			"wire":                 "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var model llms.Model
			var ctx context.Context
			var llm llms.Model
			var history []llms.MessageContent
			var options *wire.Options
			var report preflightlangchaingo.Report
		`,
	}
	if err := checker.CheckModule("preflightlangchaingo"); err != nil {
		t.Error(err)
	}
}
