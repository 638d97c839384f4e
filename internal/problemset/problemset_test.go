package problemset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/problems"
)

var (
	pairs = Of(problems.Dangling, problems.Orphan)
	turns = Of(problems.Alternation, problems.FirstRole)
)

// TestSet: sets meet in the problems that they share, and problems that no set was made of are told
// from those that one was.
func TestSet(t *testing.T) {
	require.True(t, Set{}.Empty())
	require.False(t, pairs.Empty())
	require.False(t, pairs.Meets(turns))
	require.True(t, pairs.Meets(turns.With(problems.Orphan)))
	require.Equal(t, pairs, Set{}.With(problems.Orphan).With(problems.Dangling))
	require.Equal(t, pairs, Of(problems.Orphan, problems.Dangling), "a problem keeps its number")

	other := Set{}.With("made-up")
	require.False(t, other.Empty())
	require.False(t, other.Meets(pairs))
	require.True(t, other.Meets(Set{}.With("another")), "they have one number")
	require.True(t, Every.Meets(other))
	require.True(t, Every.Meets(pairs))
	require.False(t, Every.Meets(Set{}))
}
