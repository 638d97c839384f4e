package preflightollama_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"envconfig":       "github.com/ollama/ollama/envconfig",
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
