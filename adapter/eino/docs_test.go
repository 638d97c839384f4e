package preflighteino_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"adapter":       "github.com/go-preflight/preflight/adapter",
			"adk":           "github.com/cloudwego/eino/adk",
			"context":       "context",
			"model":         "github.com/cloudwego/eino/components/model",
			"preflight":     "github.com/go-preflight/preflight",
			"preflighteino": "github.com/go-preflight/preflight/adapter/eino",
			"react":         "github.com/cloudwego/eino/flow/agent/react",
			"schema":        "github.com/cloudwego/eino/schema",
			"slog":          "log/slog",
			"wire":          "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var ctx context.Context
			var chatModel model.ToolCallingChatModel
			var history []*schema.Message
			var options *wire.Options
			var report preflighteino.Report
		`,
	}
	if err := checker.CheckModule("preflighteino"); err != nil {
		t.Error(err)
	}
}
