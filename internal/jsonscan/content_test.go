package jsonscan

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// slowContent is content byte by byte.
func slowContent(src []byte, i int) (at int, fl Flags) {
	start := i
	for i < len(src) && src[i] != '"' && src[i] >= ' ' {
		if src[i] == '\\' {
			if i+1 >= len(src) || strings.IndexByte(`"\/nrt`, src[i+1]) < 0 {
				break
			}
			fl |= HasEscape
			i++
		}
		i++
	}
	if !utf8.Valid(src[start:i]) {
		fl |= HasInvalidUTF8
	}
	return i, fl
}

type testingT interface {
	require.TestingT
	Helper()
}

// checkContent compares content with slowContent on a string with text before and after it.
func checkContent(t testingT, before, text, after string) {
	t.Helper()
	src := slices.Clip([]byte(before + `"` + text + after))
	i := len(before) + 1
	wantAt, wantFlags := slowContent(src, i)
	at, fl := content(src, i)
	if at != wantAt || fl != wantFlags {
		require.Fail(t, "content", "of %q from %d on: until %d, flags %b; want %d, %b",
			src, i, at, fl, wantAt, wantFlags)
	}
}

// contentPieces are what is special in strings: what ends them, escapes, characters of every
// length, and bytes that are no characters.
var contentPieces = []string{
	`"`, "\n", "\x00", "\x1f", `\`, `\\`, `\n`, `\"`, `\/`, `\b`, `\u00e9`, `\x`, `\\\`, `\\\\`,
	"\x7f", "\u00e9", "\u65e5", "\U0001F600", "\ud7ff", "\ue000", "\U0010FFFF", "\u0800",
	"\x80", "\xc3", "\xe6\x97", "\xf0\x9f\x98", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
	"\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xe6\x97\xc3",
}

// TestContentPlaces puts each piece, and each pair of them, at every place of the blocks that are
// read at once, with enough text after it and with little.
func TestContentPlaces(t *testing.T) {
	for before := range 70 {
		for _, piece := range contentPieces {
			for _, second := range append([]string{""}, contentPieces...) {
				for _, after := range []int{0, 1, 70} {
					checkContent(t, "[1,", strings.Repeat("x", before)+piece+second,
						strings.Repeat("y", after)+`"`)
				}
			}
		}
	}
}

// secondBytes are all bytes outside of ASCII, and the kinds of those in it.
var secondBytes = func() []byte {
	all := []byte{0, 0x1F, ' ', '"', '\\', 'a'}
	for b := 0x7F; b <= 0xFF; b++ {
		all = append(all, byte(b))
	}
	return all
}()

// TestContentCharacters tries all sequences of a lead byte and a second one, with the edges of the
// third and fourth that belong to the character, and two bytes where they do not.
func TestContentCharacters(t *testing.T) {
	edges := []byte{'a', 0x7F, 0x80, 0xBF, 0xC0, 0xE0, 0xFF}
	next := []byte{'a', 0x80}
	src := slices.Repeat([]byte("[\"      "), 16)
	for _, at := range []int{7, 30, 40, 63, 64} { // within a block of 64 bytes, and between two
		b := slices.Clone(src[:7+at])
		for lead := 0x7F; lead <= 0xFF; lead++ {
			thirds, fourths := next, next
			if lead >= 0xE0 {
				thirds = edges
			}
			if lead >= 0xF0 {
				fourths = edges
			}
			for _, second := range secondBytes {
				for _, third := range thirds {
					for _, fourth := range fourths {
						b = append(b[:7+at], byte(lead), second, third, fourth)
						checkContent(t, "  [", string(b[7:]), string(src))
					}
				}
			}
		}
	}
}

func TestContent(t *testing.T) {
	pieces := append([]string{"a", "some words of a text ", strings.Repeat("x", 70)}, contentPieces...)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string {
			return strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, name), "")
		}
		checkContent(t, strings.Repeat(" ", rapid.IntRange(0, 5).Draw(t, "before")),
			draw("text"), draw("after"))
	})
}

// FuzzContent is TestContent for any bytes.
func FuzzContent(f *testing.F) {
	for _, piece := range contentPieces {
		f.Add("some words of a text "+piece, "more\u65e5", 3)
	}
	f.Fuzz(func(t *testing.T, text, after string, repeat int) {
		text = strings.Repeat(text, max(0, repeat%64))
		checkContent(t, "[1,", text, after)
		checkContent(t, "", text+`"`, after)
	})
}

// TestShortStrings: keys and values of up to 20 bytes, with each piece at every place, are read as
// encoding/json reads them, at the end of a document and before.
func TestShortStrings(t *testing.T) {
	for n := range 20 {
		for at := range n + 1 {
			for _, piece := range contentPieces {
				text := strings.Repeat("x", at) + piece + strings.Repeat("y", n-at)
				checkAgainstStd(t, []byte(`{"`+text+`":"`+text+`"}`))
				checkAgainstStd(t, []byte(`{"`+text+`":"z","`+text+`" :["`+text+`","twenty more bytes"]}`))
			}
		}
	}
}
