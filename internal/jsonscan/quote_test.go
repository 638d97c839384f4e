package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestAppendString(t *testing.T) {
	tests := []struct{ reason, s, want string }{
		{"empty", "", `""`},
		{"plain", "The quick brown fox.", `"The quick brown fox."`},
		{"quote and backslash", `a"b\c`, `"a\"b\\c"`},
		{"short forms", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"other control characters", "\x00\x01\x0b\x1f", `"\u0000\u0001\u000b\u001f"`},
		{"no HTML escapes", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"slash, DEL and line separators stay", "/\x7f\u2028\u2029\uFEFF",
			"\"/\x7f\u2028\u2029\uFEFF\""},
		{"Unicode stays", "é€😀\uFFFD", `"é€😀` + "\uFFFD\""},
		{"an ill-formed byte", "a\xffb", "\"a\uFFFDb\""},
		{"each ill-formed byte", "\xff\xfe\xc0\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
		{"cut character", "a\xe2\x82", "\"a\uFFFD\uFFFD\""},
		{"cut surrogate", "\xed\xa0", "\"\uFFFD\uFFFD\""},
		{"lone surrogate", "\xed\xa0\xbd", "\"\uFFFD\""},
		{"two surrogates are two", "\xed\xa0\xbd\xed\xb8\x80", "\"\uFFFD\uFFFD\""},
		{"a character after a lone lead byte of surrogates", "\xed\xc3\xa9", "\"\uFFFDé\""},
		{"last character before the surrogates", "\xed\x9f\xbf", "\"\xed\x9f\xbf\""},
		{"escape after a word", "abcdefgh\"ijklmnop\n", `"abcdefgh\"ijklmnop\n"`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			require.Equal(t, "dst"+tt.want, string(AppendString([]byte("dst"), tt.s)))
		})
	}
}

func TestAppendStringAllocatesNothing(t *testing.T) {
	dst := make([]byte, 0, 4096)
	s := strings.Repeat("text \"with\" all\n sorts of é and \xff ", 50)
	require.Zero(t, testing.AllocsPerRun(10, func() { AppendString(dst, s) }))
}

// replaceIllFormed is the documented treatment of what is not UTF-8, character by character.
func replaceIllFormed(s string, surrogatesAsOne bool) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if surrogatesAsOne && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF &&
			s[2] >= 0x80 &&
			s[2] <= 0xBF {
			n = 3
		}
		b.WriteRune(r) // U+FFFD for what is ill-formed
		s = s[n:]
	}
	return b.String()
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{
		"", "plain text", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é€😀\u2028", "\xed\xa0\xbd\xff\xe2\x82",
		"<&>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendString(nil, s)
		require.True(t, utf8.Valid(got))
		want := replaceIllFormed(s, true)

		var std string
		require.NoError(t, json.Unmarshal(got, &std))
		require.Equal(t, want, std)

		d, err := Parse(got)
		require.NoError(t, err)
		require.Equal(t, want, d.Root().Str())
		require.Zero(t, d.Root().Flags()&(HasInvalidUTF8|HasLoneSurrogate))
		require.Equal(t, strings.ContainsRune(s, 0), d.Root().Flags()&HasNUL != 0)

		if utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029") {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			require.NoError(t, enc.Encode(s))
			require.Equal(t, strings.TrimSuffix(b.String(), "\n"), string(got))
		}
	})
}
