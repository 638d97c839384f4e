package glob_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "a", true},
		{"a", "ab", false},
		{"*", "", true},
		{"a*", "ab", true},
		{"*b", "ab", true},
		{"a*a", "a", false},
		{"a*c", "abc", true},
		{"a*c", "abcd", false},
		{"ab*bc", "abc", false},
		{"*b*", "abc", true},
		{"*b*d", "abcd", true},
		{"*.a", ".a", true},
		{"*.a", "a", false},
		{"a.*.b.*.c", "a.1.b.2.c", true},
		{"a.*.b.*.c", "a.1.b.c", false},
	} {
		require.Equal(t, c.want, glob.Match(c.pattern, c.s), "%s %s", c.pattern, c.s)
		require.Equal(t, c.want, glob.Any([]string{"no", c.pattern}, c.s), "%s %s", c.pattern, c.s)
	}
}
