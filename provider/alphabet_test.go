package provider

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"
)

// TestAlphabets compares the tables, read eight bytes at a time, with single characters.
func TestAlphabets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]Alphabet{
			WordChars, PlainChars, AlnumChars, Base64,
			"unheard-of",
		}).
			Draw(t, "alphabet")
		s := strings.Repeat("aZ09", rapid.IntRange(0, 5).Draw(t, "legal")) +
			rapid.StringOfN(rapid.RuneFrom([]rune("aZ0_-+/=.: é\x00")), 0, 9, -1).Draw(t, "s")
		want := true
		for k := range len(s) {
			want = want && a.Has(rune(s[k]))
		}
		require.Equal(t, want, a.Holds(s), "%q", s)
	})
}
