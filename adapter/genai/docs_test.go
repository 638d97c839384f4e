package preflightgenai_test

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
			"context":        "context",
			"genai":          "google.golang.org/genai",
			"preflightgenai": "github.com/go-preflight/preflight/adapter/genai",
		},
		Variables: `
			var ctx context.Context
			var client *genai.Client
			var model string
			var history []*genai.Content
			var settings *genai.GenerateContentConfig
		`,
	}
	if err := checker.CheckModule("preflightgenai"); err != nil {
		t.Error(err)
	}
}

// TestPrograms runs the programs in the documentation against a strict fake.
func TestPrograms(t *testing.T) {
	server, err := preflighttest.Start("gemini", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	printed, err := snippets.RunPrograms("preflightgenai",
		"GOOGLE_GEMINI_BASE_URL="+server.URL, "GEMINI_API_KEY=none")
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
