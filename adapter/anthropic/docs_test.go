package preflightanthropic_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"anthropic":          "github.com/anthropics/anthropic-sdk-go",
			"context":            "context",
			"http":               "net/http",
			"option":             "github.com/anthropics/anthropic-sdk-go/option",
			"preflight":          "github.com/go-preflight/preflight",
			"preflightanthropic": "github.com/go-preflight/preflight/adapter/anthropic",
			"preflighthttp":      "github.com/go-preflight/preflight/preflighthttp",
			"slog":               "log/slog",
		},
		Variables: `
			var ctx context.Context
			var client anthropic.Client
			var params anthropic.MessageNewParams
			var history []anthropic.MessageParam
			var report func(context.Context, *preflighthttp.Report)
		`,
	}
	if err := checker.CheckModule("preflightanthropic", "anthropic"); err != nil {
		t.Error(err)
	}
}
