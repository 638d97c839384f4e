//go:build !purego

package validtext

import (
	"strings"
	"testing"
	"unsafe"
)

// TestPlain: at every length and place, plain finds the first byte that is not plain.
func TestPlain(t *testing.T) {
	text := []byte(strings.Repeat("x", 300))
	for n := 16; n < 280; n++ {
		for offset := range 9 { // of the text in its memory
			s := unsafe.String(&text[offset], n)
			for at := range n {
				for _, c := range []byte{0, 1, 0x7F, 0x80, 0xFF} {
					text[offset+at] = c
					want := n
					if c == 0 || c >= 0x80 {
						want = at
					}
					text[offset+n] = 0 // what is after the text does not count
					if got := plain(s); got != want {
						t.Fatalf("%d of %d is %x: %d bytes are plain", at, n, c, got)
					}
					text[offset+n] = 'x'
				}
				text[offset+at] = 'x'
			}
		}
	}
}
