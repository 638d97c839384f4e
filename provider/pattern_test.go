package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
)

// TestPatterns: length, prefix and alphabet, each at its limit.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern  provider.Pattern
		yes, not []string
	}{
		{provider.Pattern{}, []string{"", "a", "\xff"}, nil},
		{provider.Pattern{Min: 2, Max: 3}, []string{"ab", "abc"}, []string{"", "a", "abcd"}},
		{provider.Pattern{Min: 2}, []string{"ab", strings.Repeat("a", 99)}, []string{"a"}},
		{provider.Pattern{Max: 2}, []string{"", "ab"}, []string{"abc"}},
		{provider.Pattern{Prefix: "x_", Alphabet: provider.AlnumChars, Max: 4},
			[]string{"x_", "x_ab"}, []string{"x", "ax_", "x_abc", "x_a_"}},
		{provider.Pattern{Alphabet: provider.WordChars},
			[]string{"", "azAZ09_-", "12345678", "123456789"},
			[]string{"1234567.", "12345678.", ".2345678", "1.345678", "12.45678", "123.5678",
				"1234.678", "12345.78", "123456.8", "1234567.9"}},
		{provider.Pattern{Alphabet: provider.NameChars}, []string{" ", " a", "é"[:0]},
			[]string{"  ", "a  ", "é"}},
		{provider.Pattern{Alphabet: provider.FuncChars},
			[]string{"", "a", "A", "z", "Z", "_", "_.:-"},
			[]string{"0", ".", "@a", "[a", "`a", "{a"}},
	} {
		for _, s := range c.yes {
			require.True(t, c.pattern.Matches(s), "%+v %q", c.pattern, s)
		}
		for _, s := range c.not {
			require.False(t, c.pattern.Matches(s), "%+v %q", c.pattern, s)
		}
	}
}

// TestAlphabets compares every alphabet with the characters that its documentation lists.
func TestAlphabets(t *testing.T) {
	const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for alphabet, more := range map[provider.Alphabet]string{
		provider.WordChars:  "_-",
		provider.PlainChars: "_",
		provider.AlnumChars: "",
		provider.Base64:     "+/=",
		provider.AnyBase64:  "+/-_=",
		provider.FuncChars:  "_.:-",
		provider.IDChars:    "_.:-",
		provider.IdentChars: "_-",
		provider.TitleChars: " \t\n\r-()[]",
		provider.NameChars:  " -_()[]",
	} {
		for c := rune(0); c < 0x250; c++ {
			want := strings.ContainsRune(alnum+more, c)
			require.Equal(t, want, alphabet.Holds("a"+string(c)), "%q in %s", c, alphabet)
			require.Equal(t, want, alphabet.Has(c), "%q in %s", c, alphabet)
		}
	}
}

// TestFunctionNames: a name that is refused becomes one that is not, and is then left as it is.
func TestFunctionNames(t *testing.T) {
	p := provider.Gemini("")
	for _, name := range []string{"9f", "-f", ".f", "a b", "é", "", " ", strings.Repeat("f", 129),
		"9" + strings.Repeat("f", 127)} {
		fixed := p.RepairToolName(name)
		require.NotEqual(t, name, fixed)
		require.Equal(t, fixed, p.RepairToolName(fixed))
		require.True(t, p.Tools.Name.Matches(fixed), fixed)
	}
	require.Equal(t, "f", p.RepairToolName(" f "))
}
