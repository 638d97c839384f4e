package preflightollama_test

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
			"api":             "github.com/ollama/ollama/api",
			"context":         "context",
			"http":            "net/http",
			"preflightollama": "github.com/go-preflight/preflight/adapter/ollama",
			"url":             "net/url",
		},
		Variables: `
			var ctx context.Context
			var base *url.URL
			var client *api.Client
			var history []api.Message
			var request *api.ChatRequest
			var respond api.ChatResponseFunc
		`,
	}
	if err := checker.CheckModule("preflightollama"); err != nil {
		t.Error(err)
	}
}

// TestPrograms runs the programs in the documentation against a strict fake.
func TestPrograms(t *testing.T) {
	server, err := preflighttest.Start("ollama", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	printed, err := snippets.RunPrograms("preflightollama",
		"OLLAMA_HOST="+server.URL)
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
