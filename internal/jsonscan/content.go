package jsonscan

// This file finds the end of string content.

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

// contentInGo returns the offset of the first byte from i on that is neither plain string content
// nor part of a common escape: the end of the string, a control character, the backslash of another
// escape, or the end of src. The flags are HasEscape and HasInvalidUTF8.
func contentInGo(src []byte, i int) (at int, fl Flags) {
	at, fl, seen := skipContent(src, i)
	if seen&highBits != 0 && !validUTF8(src[i:at]) {
		fl |= HasInvalidUTF8
	}
	return at, fl
}

// skipContent returns the offset of the first byte from i on that is neither plain string content
// nor part of an escape that is common, HasEscape if there are such escapes, and all bytes read,
// or-ed together. The last word may reach past the end of the string: then an ASCII string is
// validated for nothing, which is harmless. It is a function of its own so that its state stays in
// registers.
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
			if src[at] != '\\' || at+1 >= len(src) || !commonEscape[src[at+1]] {
				return at, fl, seen
			}
			fl = HasEscape
			first := m & -m
			m &^= first | first<<8
			escaped = first >> 56
		}
		i += 8
	}
	i += int(escaped >> 7)
	for i < len(src) && src[i] != '"' && src[i] >= ' ' {
		if src[i] == '\\' {
			if i+1 >= len(src) || !commonEscape[src[i+1]] {
				break
			}
			fl = HasEscape
			i++
		}
		seen |= uint64(src[i])
		i++
	}
	return i, fl, seen
}

// commonEscape tells of each byte whether an escape of two bytes is common that ends with it.
var commonEscape = [256]bool{'"': true, '\\': true, '/': true, 'n': true, 'r': true, 't': true}
