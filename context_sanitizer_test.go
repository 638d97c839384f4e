package preflight

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContextSanitizerSteps: the pipeline of the article has its steps, in their order, among all
// fixers.
func TestContextSanitizerSteps(t *testing.T) {
	p, _ := ContextSanitizer()
	last := -1
	for _, step := range []string{stepPair, stepEmpties, stepMerge, stepAlternate, stepTrailing} {
		at := slices.IndexFunc(p.fixers, func(f Fixer) bool { return f.Name == step })
		require.Greater(t, at, last, step)
		last = at
	}
	require.Len(t, p.fixers, len(DefaultFixers()))
}
