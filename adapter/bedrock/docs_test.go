package preflightbedrock_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"aws":              "github.com/aws/aws-sdk-go-v2/aws",
			"bedrockruntime":   "github.com/aws/aws-sdk-go-v2/service/bedrockruntime",
			"context":          "context",
			"preflightbedrock": "github.com/go-preflight/preflight/adapter/bedrock",
			"preflighthttp":    "github.com/go-preflight/preflight/preflighthttp",
			"types":            "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types",
		},
		Variables: `
			var ctx context.Context
			var cfg aws.Config
			var client *bedrockruntime.Client
			var model *string
			var history []types.Message
			var input *bedrockruntime.ConverseInput
		`,
	}
	if err := checker.CheckModule("preflightbedrock"); err != nil {
		t.Error(err)
	}
}
