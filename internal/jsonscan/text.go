package jsonscan

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// isTextInGo is IsText in wide steps up to the first that is not ASCII.
func isTextInGo(s string) bool {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 32 && notPlain(b)|notPlain(b[8:])|notPlain(b[16:])|notPlain(b[24:]) == 0 {
		b = b[32:]
	}
	for len(b) > 8 && notPlain(b) == 0 {
		b = b[8:]
	}
	if len(b) <= 8 && len(s) >= 8 {
		b = unsafe.Slice(unsafe.StringData(s[len(s)-8:]), 8) // some of them again
		if notPlain(b) == 0 {
			return true
		}
	}
	// b may begin inside a character
	return strings.IndexByte(s[len(s)-len(b):], 0) < 0 && utf8.ValidString(s)
}

// notPlain returns 0 if the first eight bytes of b are from 0x01 to 0x7F.
func notPlain(b []byte) uint64 {
	x := binary.LittleEndian.Uint64(b)
	return (x | (x - ones)) & highBits
}
