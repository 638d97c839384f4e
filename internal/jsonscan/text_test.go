package jsonscan

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkIsText compares IsText with the standard library.
func checkIsText(t testing.TB, s string) {
	if want := utf8.ValidString(s) && strings.IndexByte(s, 0) < 0; IsText(s) != want {
		t.Helper()
		t.Fatalf("%q: want %v", s, want)
	}
}

// TestIsTextPlaces puts each piece, and pairs of them, at every place of the blocks that are read
// at once, with text of another script around them and without.
func TestIsTextPlaces(t *testing.T) {
	for before := range 70 {
		for _, around := range []string{"x", "\u00e9", "\u65e5", "\U0001F600"} {
			for _, piece := range contentPieces {
				for _, second := range []string{"", piece, "\u65e5", "\x80"} {
					for _, after := range []int{0, 1, 33, 64, 130} {
						text := strings.Repeat("x", before%4) + strings.Repeat(around, before)
						checkIsText(t, text+piece+second+strings.Repeat("y", after))
						checkIsText(t, text+piece+second+strings.Repeat(around, after))
					}
				}
			}
		}
	}
}

// TestIsTextCharacters tries all sequences of a lead byte and a second one, with the edges of the
// third and fourth.
func TestIsTextCharacters(t *testing.T) {
	edges := []byte{'a', 0x7F, 0x80, 0xBF, 0xC0, 0xE0, 0xFF}
	for _, at := range []int{0, 1, 30, 63, 64, 96} { // the last is at the end of the text
		b := slices.Repeat([]byte{' '}, 100)
		for lead := 0x7F; lead <= 0xFF; lead++ {
			for _, second := range secondBytes {
				for _, third := range edges {
					for _, fourth := range edges {
						copy(b[at:], []byte{byte(lead), second, third, fourth})
						checkIsText(t, string(b))
					}
				}
			}
		}
	}
}

func FuzzIsText(f *testing.F) {
	for _, piece := range contentPieces {
		f.Add("some words of a text "+piece, 3)
	}
	f.Fuzz(func(t *testing.T, s string, repeat int) {
		repeated := strings.Repeat(s, max(0, repeat%64))
		checkIsText(t, repeated)
		checkIsText(t, repeated+s)
	})
}
