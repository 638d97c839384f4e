package jsonscan

// This file scans strings, numbers and literals. Each function gets the offset of a token's first
// byte and returns the offset after its last one, or a fault and the offset where it is.

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
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

// stops returns a word that has the top bit of each byte of x that ends a run of plain string
// content: a quote, a backslash or a control character. The top bits are set before a subtraction,
// so that it never borrows from the next byte.
func stops(x uint64) uint64 {
	plain := ((x ^ twos | highBits) - below) & ((x ^ slashes | highBits) - ones)
	return highBits &^ (plain | x)
}

// hasStop reports whether stops(x) is not 0. Without the top bits a byte that stops borrows from
// the next one, which does not matter here.
func hasStop(x uint64) bool {
	return ((x^twos-below)|(x^slashes-ones))&^x&highBits != 0
}

// scanString reads the string that starts with the quote at i.
func scanString(src []byte, i int) (end int, fl Flags, f fault) {
	start := i + 1
	if len(src)-start >= 8 { // most strings are keys and other words
		x := binary.LittleEndian.Uint64(src[start:])
		if m := stops(x); m != 0 && x&highBits == 0 {
			if end = start + bits.TrailingZeros64(m)>>3; src[end] == '"' {
				return end + 1, 0, fault{}
			}
		}
	}
	i, fl, seen := skipContent(src, start)
	for {
		switch {
		case i >= len(src):
			return i, 0, expected(`'"' to end the string`)
		case src[i] == '"':
			if seen&highBits != 0 && !validUTF8(src[start:i]) {
				fl |= HasInvalidUTF8
			}
			return i + 1, fl, fault{}
		case src[i] == '\\':
			end, more, f := scanUnicodeEscape(src, i)
			if f.failed() {
				return end, 0, f
			}
			fl |= more
			var also uint64
			i, more, also = skipContent(src, end)
			fl, seen = fl|more, seen|also
		default:
			return i, 0, expected("an escape for this control character")
		}
	}
}

// skipContent returns the offset of the first byte from i on that is neither plain string content
// nor an escape of two bytes, HasEscape if there are such escapes, and all bytes read, or-ed
// together. The last word may reach past the end of the string: then an ASCII string is validated
// for nothing, which is harmless. It is a function of its own so that its state stays in registers.
func skipContent(src []byte, i int) (at int, fl Flags, seen uint64) {
	var escaped uint64 // the top bit of the first byte of the next word if a backslash precedes it
	for len(src)-i >= 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		seen |= x
		if !hasStop(x) {
			i, escaped = i+8, 0
			continue
		}
		m := stops(x) &^ escaped
		escaped = 0
		for m != 0 {
			at = i + bits.TrailingZeros64(m)>>3
			if src[at] != '\\' || at+1 >= len(src) || shortEscape[src[at+1]] == 0 {
				return at, fl, seen
			}
			fl |= shortEscape[src[at+1]]
			first := m & -m
			m &^= first | first<<8
			escaped = first >> 56
		}
		i += 8
	}
	i += int(escaped >> 7)
	for i < len(src) && src[i] != '"' && src[i] >= ' ' {
		if src[i] == '\\' {
			if i+1 >= len(src) || shortEscape[src[i+1]] == 0 {
				break
			}
			fl |= shortEscape[src[i+1]]
			i++
		}
		seen |= uint64(src[i])
		i++
	}
	return i, fl, seen
}

// shortEscape holds the flags of the bytes that make an escape of two bytes with the backslash
// before them.
var shortEscape = [256]Flags{
	'"':  HasEscape,
	'\\': HasEscape,
	'/':  HasEscape,
	'b':  HasEscape | HasOddEscape,
	'f':  HasEscape | HasOddEscape,
	'n':  HasEscape,
	'r':  HasEscape,
	't':  HasEscape,
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
	switch {
	case r == 0:
		fl |= HasNUL
	case r < utf8.RuneSelf && !mayBeEscaped[r]:
		fl |= HasOddEscape
	}
	return i + n, fl, fault{}
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
