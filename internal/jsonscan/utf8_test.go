package jsonscan

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestValidUTF8 tries all sequences of a lead byte and a second one, and the edges of the third and
// fourth, with all sorts of text around them.
func TestValidUTF8(t *testing.T) {
	edges := []byte{'a', 0x7F, 0x80, 0xBF, 0xC0, 0xE0, 0xFF}
	for _, around := range []string{"", "a", "é", "漢字", "12345678", "0123456789abc"} {
		for lead := 0x7F; lead <= 0xFF; lead++ {
			for second := range 256 {
				for _, third := range edges {
					for _, fourth := range edges {
						b := append([]byte(around), byte(lead), byte(second), third, fourth)
						b = append(b, around...)
						if utf8.Valid(b) != validUTF8(b) {
							t.Fatalf("%q: want %v", b, utf8.Valid(b))
						}
					}
				}
			}
		}
	}
}

func TestValidUTF8CutShort(t *testing.T) {
	text := "aé漢😀" + "0123456789😀😀漢漢éé-"
	for i := range len(text) + 1 {
		for k := range i + 1 {
			b := []byte(text[k:i])
			require.Equal(t, utf8.Valid(b), validUTF8(b), "%q", b)
		}
	}
}

func FuzzValidUTF8(f *testing.F) {
	f.Add([]byte("plain, é, 漢字, 😀\U0010FFFF\uD7FF\uE000\u0800\u07FF"))
	f.Add([]byte("\xed\xa0\x80        \xf4\x90\x80\x80"))
	f.Fuzz(func(t *testing.T, b []byte) {
		require.Equal(t, utf8.Valid(b), validUTF8(b))
	})
}
