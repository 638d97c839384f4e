package titles

import (
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
