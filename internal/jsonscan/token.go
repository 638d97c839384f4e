package jsonscan

// This file scans strings, numbers and literals. Each function gets the offset of a token's first
// byte and returns the offset after its last one, or a fault and the offset where it is.

import (
	"encoding/binary"
	"math/bits"
)

// Masks for looking at 8 bytes at once. A word of them holds the same byte eight times.
const (
	ones     = 0x0101010101010101
	highBits = 0x80 * ones
	twos     = 0x02 * ones
	slashes  = '\\' * ones
	// below is one above what a quote and the control characters become when bit 1 is flipped: '"'
	// turns into 0x20, control characters stay below it, and everything else ends at 0x21 or
	// higher.
	below = 0x21 * ones
)

// stops returns a word whose lowest set bit is the top bit of the first byte of x that ends a run
// of plain string content: a quote, a backslash or a control character. It is 0 when there is none.
// Bits above the lowest mean nothing: the subtractions borrow across bytes, though never out of a
// byte that is not itself a hit.
func stops(x uint64) uint64 {
	return (((x ^ twos) - below) | ((x ^ slashes) - ones)) &^ x & highBits
}

// scanString reads the string that starts with the quote at i.
func scanString(src []byte, i int) (end int, fl Flags, f fault) {
	start := i + 1
	i = start
	// All bytes read, or-ed together. The last word may reach past the closing quote: then an ASCII
	// string is validated for nothing, which is harmless.
	var seen uint64
	for {
		for len(src)-i >= 8 {
			x := binary.LittleEndian.Uint64(src[i:])
			seen |= x
			if m := stops(x); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				goto stop
			}
			i += 8
		}
		for i < len(src) && src[i] != '"' && src[i] != '\\' && src[i] >= ' ' {
			seen |= uint64(src[i])
			i++
		}
	stop:
		switch {
		case i >= len(src):
			return i, 0, expected(`'"' to end the string`)
		case src[i] == '"':
			if seen&highBits != 0 && !validUTF8(src[start:i]) {
				fl |= HasInvalidUTF8
			}
			return i + 1, fl, fault{}
		case src[i] == '\\':
			if i+1 < len(src) && shortEscape[src[i+1]] {
				fl |= HasEscape
				i += 2
				continue
			}
			var more Flags
			if i, more, f = scanUnicodeEscape(src, i); f.failed() {
				return i, 0, f
			}
			fl |= more
		default:
			return i, 0, expected("an escape for this control character")
		}
	}
}

// shortEscape holds the bytes that make an escape of two bytes with the backslash before them.
var shortEscape = [256]bool{
	'"':  true,
	'\\': true,
	'/':  true,
	'b':  true,
	'f':  true,
	'n':  true,
	'r':  true,
	't':  true,
}

// scanUnicodeEscape reads the escape \uXXXX, or the surrogate pair of two, that starts with the
// backslash at i.
func scanUnicodeEscape(src []byte, i int) (end int, fl Flags, f fault) {
	r, n := fourHex(src[i:]), 6
	if r < 0 {
		end, f = escapeFault(src, i+1)
		return end, 0, f
	}
	fl = HasEscape
	if isSurrogate(r) {
		if r, n = decodeEscape(src[i:]); n == 6 {
			fl |= HasLoneSurrogate
		}
	}
	if r == 0 {
		fl |= HasNUL
	}
	return i + n, fl, fault{}
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
