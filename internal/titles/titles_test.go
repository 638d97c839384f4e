package titles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTake(t *testing.T) {
	s := New(8)
	for _, row := range [][2]string{
		{"report", "report"},
		{"report", "repo (2)"},
		{"report", "repo (3)"},
		{"repo (2)", "repo (4)"},
		{"a ", "a "},
		{"a ", "a (2)"},
		{"été", "été"},
		{"été", "ét (2)"},
	} {
		require.Equal(t, row[1], s.Take(row[0]), row[0])
	}
	unlimited := New(0)
	require.Equal(t, "a long title", unlimited.Take("a long title"))
	require.Equal(t, "a long title (2)", unlimited.Take("a long title"))
}

// TestTakeMany: titles that only differ where they are cut are numbered without trying each number
// for each of them, which would take a minute here.
func TestTakeMany(t *testing.T) {
	const n = 10_000
	s := New(200)
	seen := make(map[string]bool, 2*n)
	for i := range n {
		title := fmt.Sprintf("%s%05d", strings.Repeat("x", 195), i)
		seen[s.Take(title)], seen[s.Take(title)] = true, true
	}
	require.Len(t, seen, 2*n)
	require.True(t, seen[fmt.Sprintf("%s (%d)", strings.Repeat("x", 192), n+1)])
}
