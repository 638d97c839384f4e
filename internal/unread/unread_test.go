package unread

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestText: a mark stands for the string at its offset, wherever that is, and any other text for
// itself.
func TestText(t *testing.T) {
	for _, before := range []int{0, 1, 22, 255, 256, farthest - 1} {
		mark, ok := Mark(before)
		require.True(t, ok)
		for _, after := range []string{"", " ", "}", `, "n": 1}`} {
			native := []byte(strings.Repeat(" ", before) + `"a \"quoted\" line\n"` + after)
			require.True(t, Is(mark, native))
			require.Equal(t, "a \"quoted\" line\n", Text(mark, native))
			require.Equal(t, len("a 'quoted' line."), Len(mark, native))
			require.Equal(t, `"a \"quoted\" line\n"`, string(Token(mark, native)))
		}
		require.False(t, utf8.ValidString(mark), "a text could be this")
		require.NotEmpty(t, strings.TrimSpace(mark))
	}
	for _, offset := range []int{-1, farthest} {
		_, ok := Mark(offset)
		require.False(t, ok)
	}
	first, _ := Mark(0)
	for _, native := range []string{"", `{"text":"x"}`, `x`} {
		require.False(t, Is(first, []byte(native)))
		require.Equal(t, first, Text(first, []byte(native)))
	}
	require.Nil(t, Token(first, []byte(`"cut off`)))
	require.Equal(t, first, Text(first, []byte(`"cut off`)))
	for _, text := range []string{"", "a", prefix, prefix + "a", prefix + "abc", "a text of ten"} {
		require.False(t, Is(text, []byte(`"x"`)))
		require.Equal(t, text, Text(text, []byte(`"x"`)))
		require.Len(t, text, Len(text, []byte(`"x"`)))
	}
}
