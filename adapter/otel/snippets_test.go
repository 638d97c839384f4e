package preflightotel_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestDocs type-checks the code in the documentation that uses this package.
func TestDocs(t *testing.T) {
	blocks, err := snippets.Blocks(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks = slices.DeleteFunc(blocks, func(b snippets.Block) bool {
		return !b.Uses("preflightotel")
	})
	if len(blocks) == 0 {
		t.Fatal("the blocks were not found")
	}
	checker := snippets.Checker{Imports: map[string]string{
		"preflighthttp": "github.com/go-preflight/preflight/preflighthttp",
		"preflightotel": "github.com/go-preflight/preflight/adapter/otel",
	}}
	if err := checker.Check(blocks); err != nil {
		t.Fatal(err)
	}
}
