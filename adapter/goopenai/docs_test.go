package preflightgoopenai_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":           "context",
			"openai":            "github.com/sashabaranov/go-openai",
			"preflightgoopenai": "github.com/go-preflight/preflight/adapter/goopenai",
		},
		Variables: `
			var ctx context.Context
			var key string
			var client *openai.Client
			var history []openai.ChatCompletionMessage
			var request openai.ChatCompletionRequest
		`,
	}
	if err := checker.CheckModule("preflightgoopenai"); err != nil {
		t.Error(err)
	}
}
