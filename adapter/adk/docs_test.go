package preflightadk_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"adapter":      "github.com/go-preflight/preflight/adapter",
			"agent":        "google.golang.org/adk/agent",
			"context":      "context",
			"llmagent":     "google.golang.org/adk/agent/llmagent",
			"model":        "google.golang.org/adk/model",
			"plugin":       "google.golang.org/adk/plugin",
			"preflightadk": "github.com/go-preflight/preflight/adapter/adk",
			"runner":       "google.golang.org/adk/runner",
			"session":      "google.golang.org/adk/session",
			"wire":         "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var ctx context.Context
			var root agent.Agent
			var llm model.LLM
			var sessions session.Service
			var options *wire.Options
			var report preflightadk.Report
		`,
	}
	if err := checker.CheckModule("preflightadk"); err != nil {
		t.Error(err)
	}
}
