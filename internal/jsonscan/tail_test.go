package jsonscan

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tailPieces are what decides about a tail: escapes of every length, halves and pairs of
// surrogates, white space in and outside of ASCII, and what may start a tail.
var tailPieces = []string{
	"a", "abcdefgh", "\\", "\"", "/", " ", "\n", "\t", "\u0007", "\x7f", "é", "\u3000", "漢", "😀",
	"\u0000",
	`\\`, `\"`, `\/`, `\n`, `\t`, `\u0041`, `\u0020`, `\u3000`, `\ud83d`, `\ude00`, `\ud83d\ude00`,
	`\u005c`, `\u000a`, `\b`, `\f`, `\u001b`, `\u007f`, `\u007C`, `\u003c`, "|",
}

// TestTail: the tail is the end of the text, and says the same about being blank and about the last
// character.
func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom(tailPieces), 0, 120).Draw(t, "pieces")
		var src strings.Builder
		for _, p := range pieces {
			if strings.HasPrefix(p, "\\") && len(p) > 1 {
				src.WriteString(p)
			} else {
				quoted := AppendString(nil, p)
				src.Write(quoted[1 : len(quoted)-1])
			}
		}
		doc, err := Parse([]byte(`["` + src.String() + `"]`))
		require.NoError(t, err)
		requireTail(t, doc)
		doc.AliasStrings()
		requireTail(t, doc)
		doc.ViewStrings()
		requireTail(t, doc)
	})
}

// TestOddEscapes: a string without odd escapes holds the characters that its source shows, but for
// NUL, tab, line ends, and those that encoders escape for no reason of their own.
func TestOddEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom(tailPieces), 0, 12).Draw(t, "pieces")
		var src []byte
		for _, p := range pieces {
			if strings.HasPrefix(p, "\\") && len(p) > 1 {
				src = append(src, p...)
			} else {
				quoted := AppendString(nil, p)
				src = append(src, quoted[1:len(quoted)-1]...)
			}
		}
		doc, err := Parse([]byte(`["` + string(src) + `"]`))
		require.NoError(t, err)
		hidden := false
		for _, r := range doc.Root().First().Str() {
			shown := strings.ContainsRune(string(src), r)
			hidden = hidden || !shown && r < utf8.RuneSelf && !strings.ContainsRune("\x00\t\n\r<>&'=", r)
		}
		if hidden {
			require.NotZero(t, doc.Root().SubtreeFlags()&HasOddEscape, "%s", src)
		}
	})
}

func requireTail(t *rapid.T, doc *Doc) {
	v := doc.Root().First()
	text, tail := v.Str(), v.Tail()
	require.True(t, strings.HasSuffix(text, tail), "%q is not the end of %q", tail, text)
	require.Equal(t, text == "", tail == "")
	require.Equal(t, strings.TrimSpace(text) == "", strings.TrimSpace(tail) == "", "%q of %q", tail,
		text)
	last, _ := utf8.DecodeLastRuneInString(text)
	got, _ := utf8.DecodeLastRuneInString(tail)
	require.Equal(t, last, got)
	require.Equal(t, text, string(v.Bytes()))
	if utf8.ValidString(text) {
		require.True(t, utf8.ValidString(tail))
	}
}

// TestViewStrings: texts that were read stay what they are while others are read, and cost no
// allocation the second time.
func TestViewStrings(t *testing.T) {
	src := []byte(`["plain", "one\ntwo", "\u00e9", "` + strings.Repeat(`x\t`, 1000) + `", ""]`)
	var d Doc
	read := func() []string {
		require.NoError(t, d.Parse(src))
		d.ViewStrings()
		var out []string
		for v := d.Root().First(); v.Exists(); v = v.Next() {
			out = append(out, v.Str())
		}
		return out
	}
	require.Equal(t, []string{"plain", "one\ntwo", "é", strings.Repeat("x\t", 1000), ""}, read())
	require.Equal(t, []string{"plain", "one\ntwo", "é", strings.Repeat("x\t", 1000), ""}, read())
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if d.Parse(src) != nil {
			t.Error("no JSON")
		}
		d.ViewStrings()
		for v := d.Root().First(); v.Exists(); v = v.Next() {
			_ = v.Str()
		}
	}))
}
