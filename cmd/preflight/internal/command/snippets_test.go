package command

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/snippets"
)

// TestSnippets type-checks the code in the documentation that uses packages compact and session.
func TestSnippets(t *testing.T) {
	blocks, err := snippets.Blocks(filepath.Join("..", "..", "..", "..", "docs", "*.md"),
		filepath.Join("..", "..", "..", "..", "README.md"))
	require.NoError(t, err)
	blocks = slices.DeleteFunc(blocks, func(b snippets.Block) bool {
		return !b.Uses("compact") && !b.Uses("session") && !b.Uses("compacted")
	})
	require.Greater(t, len(blocks), 2, "the blocks were not found")
	require.NoError(t, snippets.Command().Check(blocks))
}
