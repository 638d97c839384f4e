package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// validUTF8 is utf8.Valid for text where ASCII and other characters take turns, or with no ASCII at
// all: it looks at 8 bytes at a time in both cases and recognizes a character by comparing all of
// its bytes at once. The first byte of the text is the lowest of the word.
func validUTF8(b []byte) bool {
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		switch {
		case x&highBits == 0:
			b = b[8:]
		case x&0x80 == 0:
			b = b[bits.TrailingZeros64(x&highBits)>>3:]
		case x&0xC0C0F0 == 0x8080E0: // 1110.... 10...... 10......
			// After E0 only A0 to BF may follow (what is below has a shorter form), after ED only
			// 80 to 9F (what is above are the surrogates): the lead's low bits together with bit 5
			// of the second byte show both.
			if second := x & 0x200F; second == 0x0000 || second == 0x200D {
				return false
			}
			b = b[3:]
		case x&0xC0E0 == 0x80C0: // 110..... 10......
			if x&0x1E == 0 { // C0 and C1: ASCII in two bytes
				return false
			}
			b = b[2:]
		case x&0xC0C0C0F8 == 0x808080F0: // 11110... 10...... 10...... 10......
			// The bits of the code point above the lowest 16: from 1, as what is below has a
			// shorter form, to 16.
			if plane := x&0x07<<2 | x>>12&0x03; plane == 0 || plane > 16 {
				return false
			}
			b = b[4:]
		default:
			return false
		}
	}
	return utf8.Valid(b)
}
