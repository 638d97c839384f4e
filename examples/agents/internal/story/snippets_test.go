package story

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the Go code in the documentation that needs an SDK. The rest is checked in
// the root module.
func TestDocs(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	blocks, err := snippets.Blocks(filepath.Join(root, "README.md"),
		filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	blocks = slices.DeleteFunc(blocks, func(b snippets.Block) bool {
		return !b.Uses("anthropic") && !b.Uses("preflightanthropic")
	})
	require.NotEmpty(t, blocks, "the blocks were not found")
	checker := snippets.Checker{
		Imports: map[string]string{
			"anthropic":          "github.com/anthropics/anthropic-sdk-go",
			"context":            "context",
			"http":               "net/http",
			"option":             "github.com/anthropics/anthropic-sdk-go/option",
			"preflightanthropic": "github.com/go-preflight/preflight/adapter/anthropic",
			"preflighthttp":      "github.com/go-preflight/preflight/preflighthttp",
		},
		Variables: `
			var ctx context.Context
			var client anthropic.Client
			var params anthropic.MessageNewParams
			var report func(context.Context, *preflighthttp.Report)
		`,
	}
	require.NoError(t, checker.Check(blocks))
}
