package jsonscan

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// textPieces are escapes of every length, halves and pairs of surrogates, white space in and
// outside of ASCII, and visible characters.
var textPieces = []string{
	"a", "abcdefgh", "\\", "\"", "/", " ", "\n", "\t", "\u0007", "\x7f", "é", "\u3000", "漢", "😀",
	"\u0000",
	`\\`, `\"`, `\/`, `\n`, `\t`, `\u0041`, `\u0020`, `\u3000`, `\ud83d`, `\ude00`, `\ud83d\ude00`,
	`\u005c`, `\u000a`, `\b`, `\f`, `\u001b`, `\u007f`, `\u007C`, `\u003c`, "|",
}

// TestBeginsVisibly: what it finds is there, and texts that begin like prose are found.
func TestBeginsVisibly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawString(t, 120)
		doc, err := Parse([]byte(`[` + src + `]`))
		require.NoError(t, err)
		v := doc.Root().First()
		if v.BeginsVisibly() {
			require.NotEmpty(t, strings.TrimSpace(v.Str()), "%s", src)
		}
		require.Equal(t, src, string(StringAt([]byte(`[`+src+`,"x"]`), 1)))
		require.Equal(t, v.Str(), TextOf([]byte(src)))
		require.Len(t, v.Str(), TextLen([]byte(src)))
		require.Equal(t, v.Str(), string(v.Bytes()))
	})
	for _, src := range []string{`"a"`, `" \n\t x"`, `"é"`, `"\"quoted\""`, `"漢"`, `"  \\"`} {
		doc, err := Parse([]byte(src))
		require.NoError(t, err)
		require.True(t, doc.Root().BeginsVisibly(), src)
	}
	for _, src := range []string{`""`, `" "`, `"\n"`, `"\u3000"`, `"　"`, `1`, `[]`} {
		doc, err := Parse([]byte(src))
		require.NoError(t, err)
		require.False(t, doc.Root().BeginsVisibly(), src)
	}
	for _, offset := range []int{-1, 0, 2, 3, 5} {
		require.Nil(t, StringAt([]byte(`["ab`), offset), "%d", offset)
	}
}

// drawString draws a JSON string of pieces.
func drawString(t *rapid.T, most int) string {
	var src []byte
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(textPieces), 0, most).Draw(t, "pieces") {
		if strings.HasPrefix(p, "\\") && len(p) > 1 {
			src = append(src, p...)
		} else {
			quoted := AppendString(nil, p)
			src = append(src, quoted[1:len(quoted)-1]...)
		}
	}
	return `"` + string(src) + `"`
}

// TestOddEscapes: a string without odd escapes holds the characters that its source shows, but for
// NUL, tab, line ends, and those that encoders escape for no reason of their own.
func TestOddEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawString(t, 12)
		doc, err := Parse([]byte(`[` + src + `]`))
		require.NoError(t, err)
		hidden := false
		for _, r := range doc.Root().First().Str() {
			shown := strings.ContainsRune(src, r)
			hidden = hidden || !shown && r < utf8.RuneSelf &&
				!strings.ContainsRune("\x00\t\n\r<>&'=", r)
		}
		if hidden {
			require.NotZero(t, doc.Root().SubtreeFlags()&HasOddEscape, "%s", src)
		}
	})
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
