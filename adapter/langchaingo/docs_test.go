package preflightlangchaingo_test

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
			"context":              "context",
			"llms":                 "github.com/tmc/langchaingo/llms",
			"preflightlangchaingo": "github.com/go-preflight/preflight/adapter/langchaingo",
			"wire":                 "github.com/go-preflight/preflight/wire",
		},
		Variables: `
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

// TestPrograms runs the programs in the documentation against a strict fake.
func TestPrograms(t *testing.T) {
	server, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	printed, err := snippets.RunPrograms("preflightlangchaingo",
		"OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY=none")
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
