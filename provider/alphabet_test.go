package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestAlphabets compares the tables, read eight bytes at a time, with single characters.
func TestAlphabets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]Alphabet{
			WordChars, PlainChars, AlnumChars, Base64, AnyBase64,
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

// TestAlphabetCharacters compares every alphabet with the characters that its documentation lists.
func TestAlphabetCharacters(t *testing.T) {
	const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for alphabet, more := range map[Alphabet]string{
		WordChars:  "_-",
		PlainChars: "_",
		AlnumChars: "",
		Base64:     "+/=",
		AnyBase64:  "+/-_=",
		FuncChars:  "_.:-",
		TitleChars: " \t\n\r-()[]",
		NameChars:  " -_()[]",
	} {
		want := make(map[string]bool)
		for _, c := range alnum + more {
			want[string(c)] = true
		}
		for c := rune(0); c < 0x250; c++ {
			require.Equal(t, want[string(c)],
				Pattern{Alphabet: alphabet}.Matches("a"+string(c)), "%q in %s", c,
				alphabet)
		}
	}
	name := Pattern{Alphabet: NameChars}
	for s, ok := range map[string]bool{
		"a b":   true,
		"a  b":  false,
		"  a":   false,
		" a":    true,
		"a \t":  false,
		"a b c": true,
	} {
		require.Equal(t, ok, name.Matches(s), "%q", s)
	}
	function := Pattern{Alphabet: FuncChars}
	for s, ok := range map[string]bool{
		"_a": true,
		"a1": true,
		"Z":  true,
		"1a": false,
		".a": false,
		":a": false,
		"-a": false,
	} {
		require.Equal(t, ok, function.Matches(s), "%q", s)
	}
}
