package preflightfantasy_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":          "context",
			"fantasy":          "charm.land/fantasy",
			"preflightfantasy": "github.com/go-preflight/preflight/adapter/fantasy",
			"wire":             "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var provider fantasy.Provider
			var ctx context.Context
			var agent fantasy.Agent
			var model fantasy.LanguageModel
			var history []fantasy.Message
			var prompt string
			var options *wire.Options
			var report preflightfantasy.Report
		`,
	}
	if err := checker.CheckModule("preflightfantasy"); err != nil {
		t.Error(err)
	}
}
