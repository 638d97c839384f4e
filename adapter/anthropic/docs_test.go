package preflightanthropic_test

import (
	"strings"
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
	"github.com/go-preflight/preflight/preflighttest"
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

// TestPrograms runs the programs in the documentation against a strict fake.
func TestPrograms(t *testing.T) {
	server, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	printed, err := snippets.RunPrograms("preflightanthropic",
		"ANTHROPIC_BASE_URL="+server.URL, "ANTHROPIC_API_KEY=none")
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range printed {
		if !strings.Contains(out, "ok") { // the fake's answer
			t.Errorf("printed %q", out)
		}
	}
	if n := len(server.Requests()); n != len(printed) {
		t.Errorf("%d requests of %d programs", n, len(printed))
	}
}
