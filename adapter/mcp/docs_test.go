package preflightmcp_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":      "context",
			"mcp":          "github.com/modelcontextprotocol/go-sdk/mcp",
			"preflight":    "github.com/go-preflight/preflight",
			"preflightmcp": "github.com/go-preflight/preflight/adapter/mcp",
			"wire":         "github.com/go-preflight/preflight/wire",
		},
		Variables: `
			var ctx context.Context
			var session *mcp.ClientSession
			var listed *mcp.ListToolsResult
			var response *wire.Response
			var history []preflight.Message
			var options wire.RequestOptions
		`,
	}
	if err := checker.CheckModule("preflightmcp"); err != nil {
		t.Error(err)
	}
}
