package jsonscan

// This file scans strings, numbers and literals. Each function gets the offset of a token's first
// byte and returns the offset after its last one, or a fault and the offset where it is.

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// shortEnd returns the offset of the quote that ends the string content at i if that is up to 15
// bytes, all of them ASCII and without escapes, and if src goes on for as long; otherwise 0. Most
// strings are keys and other words.
func shortEnd(src []byte, i int) int {
	if len(src)-i <= 16 {
		return 0
	}
	x := binary.LittleEndian.Uint64(src[i:])
	m := stops(x)
	if m == 0 && x&highBits == 0 {
		i += 8
		x = binary.LittleEndian.Uint64(src[i:])
		m = stops(x)
	}
	i += bits.TrailingZeros64(m) >> 3
	if m == 0 || x&highBits != 0 || src[i] != '"' {
		return 0
	}
	return i
}

// scanString reads the string that starts with the quote at i.
func scanString(src []byte, i int) (end int, fl Flags, f fault) {
	i, fl = content(src, i+1)
	for {
		switch {
		case i >= len(src):
			return i, 0, expected(`'"' to end the string`)
		case src[i] == '"':
			return i + 1, fl, fault{}
		case src[i] == '\\':
			end, more, f := scanOtherEscapes(src, i)
			if f.failed() {
				return end, 0, f
			}
			fl |= more
			i, more = content(src, end)
			fl |= more
		default:
			return i, 0, expected("an escape for this control character")
		}
	}
}

// scanOtherEscapes reads the escapes of one or more characters that start with the backslash at i,
// of which at least the first is not common.
func scanOtherEscapes(src []byte, i int) (end int, fl Flags, f fault) {
	for {
		r, n := fourHex(src[i:]), 6
		switch {
		case r < 0 && len(src)-i >= 2 && (src[i+1] == 'b' || src[i+1] == 'f'):
			fl |= HasOddEscape
			n = 2
		case r < 0:
			end, f = escapeFault(src, i+1)
			return end, 0, f
		case r == 0:
			fl |= HasNUL
		case r < utf8.RuneSelf && !mayBeEscaped[r]:
			fl |= HasOddEscape
		case isSurrogate(r):
			if _, n = decodeEscape(src[i:]); n == 6 {
				fl |= HasLoneSurrogate
			}
		}
		i += n
		if len(src)-i < 2 || src[i] != '\\' || commonEscape[src[i+1]] {
			return i, fl | HasEscape, fault{}
		}
	}
}

// mayBeEscaped are the ASCII characters that encoders write as \u escapes for no reason of their
// own: those that have a meaning in HTML, line ends, tabs, quotes, slashes and backslashes.
var mayBeEscaped = [utf8.RuneSelf]bool{
	'<': true, '>': true, '&': true, '\'': true, '=': true, '"': true, '\\': true, '/': true,
	'\n': true, '\r': true, '\t': true,
}

// escapeFault finds the fault in the escape whose backslash is just before i.
func escapeFault(src []byte, i int) (at int, f fault) {
	switch {
	case i >= len(src):
		return i, expected("the rest of an escape")
	case src[i] != 'u':
		return i, expected(`one of "\/bfnrtu after a backslash`)
	}
	for i++; i < len(src) && unhex(src[i]) >= 0; {
		i++
	}
	return i, expected(`four hexadecimal digits after \u`)
}

// scanNumber reads the number at i; anything that cannot start one is reported as not being a value
// at all.
func scanNumber(src []byte, i int) (end int, f fault) {
	first := i
	if src[i] == '-' {
		i++
	}
	switch {
	case i < len(src) && src[i] == '0':
		i++
		if i < len(src) && isDigit(src[i]) {
			return i, refused("a number with a leading zero")
		}
	case i < len(src) && isDigit(src[i]):
		i = skipDigits(src, i+1)
	case i == first:
		return i, expected("a value")
	default:
		return i, expected("a digit")
	}
	if i < len(src) && src[i] == '.' {
		if i = skipDigits(src, i+1); src[i-1] == '.' {
			return i, expected("a digit")
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if i = skipDigits(src, i); !isDigit(src[i-1]) {
			return i, expected("a digit")
		}
	}
	return i, fault{}
}

// scanLiteral reads the literal at i whose first byte is known to match.
func scanLiteral(src []byte, i int, literal string) (end int, f fault) {
	if len(src)-i >= len(literal) && string(src[i:i+len(literal)]) == literal {
		return i + len(literal), fault{}
	}
	n := 1
	for i+n < len(src) && src[i+n] == literal[n] {
		n++
	}
	return i + n, expected(`the literal "` + literal + `"`)
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// skipDigits returns the offset of the first byte from i on that is not a digit.
func skipDigits(src []byte, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	return i
}
