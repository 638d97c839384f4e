package validtext

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// HasControls reports whether a text has control characters other than tab and line ends. NUL,
// which Clean removes, is not counted.
func HasControls(s string) bool {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 {
		if mayHoldControl(binary.LittleEndian.Uint64(b)) && holdsControl(b[:8]) {
			return true
		}
		b = b[8:]
	}
	return holdsControl(b)
}

// mayHoldControl reports whether one of the bytes of x is below 0x20, or is 0x7F.
func mayHoldControl(x uint64) bool {
	const ones = 0x0101010101010101
	del := x ^ 0x7F*ones
	return ((x-0x20*ones)&^x|(del-ones)&^del)&(0x80*ones) != 0
}

func holdsControl(b []byte) bool {
	for _, c := range b {
		if isControl(rune(c)) {
			return true
		}
	}
	return false
}

// WithoutControls returns a text without the characters that HasControls finds.
func WithoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, s)
}

func isControl(r rune) bool {
	return 0 < r && r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}
