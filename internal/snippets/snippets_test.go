package snippets

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocs type-checks the Go code in the documentation of the root module.
func TestDocs(t *testing.T) {
	root := filepath.Join("..", "..")
	blocks, err := Blocks(filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"),
		filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	// the modules of the adapters and others check the blocks that use them
	blocks = slices.DeleteFunc(blocks, func(b Block) bool { return !b.InRoot() })
	require.Greater(t, len(blocks), 8, "the blocks were not found")
	require.NoError(t, Documentation().Check(blocks))
}

// TestChecker: an error in a block has the line of the page, and an unused variable is none.
func TestChecker(t *testing.T) {
	blocks := blocksOf("page.md",
		"Text.\n\n```go\nimport \"strings\"\n\nx := strings.ToUpper(\"a\")\n"+
			"strings.Nothing()\n```\n")
	require.Len(t, blocks, 1)
	err := (&Checker{}).Check(blocks)
	require.ErrorContains(t, err, "page.md:7")
	require.ErrorContains(t, err, "Nothing")
	require.NotContains(t, err.Error(), "declared and not used")
}
