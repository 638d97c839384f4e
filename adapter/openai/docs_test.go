package preflightopenai_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":         "context",
			"openai":          "github.com/openai/openai-go/v3",
			"option":          "github.com/openai/openai-go/v3/option",
			"preflightopenai": "github.com/go-preflight/preflight/adapter/openai",
			"responses":       "github.com/openai/openai-go/v3/responses",
			"wire":            "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var ctx context.Context
			var client openai.Client
			var params openai.ChatCompletionNewParams
			var request responses.ResponseNewParams
			var history []openai.ChatCompletionMessageParamUnion
		`,
	}
	if err := checker.CheckModule("preflightopenai"); err != nil {
		t.Error(err)
	}
}
