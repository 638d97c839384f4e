package validtext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControls(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"a\tb\r\nc":            "a\tb\r\nc",
		"a\x00b":               "a\x00b",
		"a\x01\x1fb\x7f\u0085": "ab\u0085",
	} {
		require.Equal(t, want, WithoutControls(text), "%q", text)
		require.Equal(t, want != text, HasControls(text), "%q", text)
	}
}

// TestControlsPlaces puts every byte at every place of the words that are read at once.
func TestControlsPlaces(t *testing.T) {
	for _, around := range []string{"x", "\n", "\u65e5"} {
		for before := range 20 {
			for c := range 256 {
				text := strings.Repeat(around, before) + string([]byte{byte(c)}) + "after\tit"
				want := strings.IndexFunc(text, isControl) >= 0
				require.Equal(t, want, HasControls(text), "%q", text)
			}
		}
	}
}

func BenchmarkHasControls(b *testing.B) {
	text := strings.Repeat("a text of some words\n", 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if HasControls(text) {
			b.Fatal("it has none")
		}
	}
}
