package preflightanyllm_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"anyllm":          "github.com/mozilla-ai/any-llm-go",
			"context":         "context",
			"preflightanyllm": "github.com/go-preflight/preflight/adapter/anyllm",
			"wire":            "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var report preflightanyllm.Report
			var history []anyllm.Message
			var ctx context.Context
			var provider anyllm.Provider
			var params anyllm.CompletionParams
			var options *wire.Options
		`,
	}
	if err := checker.CheckModule("preflightanyllm"); err != nil {
		t.Error(err)
	}
}
