package jsonscan

// This file makes strings valid Unicode and changes only the invalid bytes.

import (
	"unicode/utf8"
)

// RepairString appends raw, a string token with its quotes, to dst, with escaped surrogates that
// have no partner replaced by \ufffd, bytes that are not UTF-8 replaced by U+FFFD (as many as
// [AppendString] has), and \u0000 taken out. Every other byte stays, escapes keep their spelling.
//
// Two halves of a character with a \u0000 between them are two invalid halves, and do not become a
// character when it is removed. So repairing a repaired string changes nothing. It can still become
// equal to another string, and two keys of an object with it.
func RepairString(dst, raw []byte) []byte {
	plain := 0 // raw[plain:i] is to be copied as it is
	for i := 0; i < len(raw); {
		var with string
		var n int
		switch c := raw[i]; {
		case c == '\\':
			var r rune
			r, n = decodeEscape(raw[i:])
			switch {
			case r == 0:
			case isSurrogate(r):
				with = `\ufffd`
			default:
				i += n
				continue
			}
		case c >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRune(raw[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			with, n = replacement, IllFormed(raw[i:])
		default:
			i++
			continue
		}
		dst = append(dst, raw[plain:i]...)
		dst = append(dst, with...)
		i += n
		plain = i
	}
	return append(dst, raw[plain:]...)
}

// Repair appends the source of v to dst, with [RepairString] applied to every string
// in it, keys too. When none [NeedsRepair] the bytes are appended unchanged. Linear in v.
func Repair(dst []byte, v Value) []byte {
	n := v.node()
	if flagsOf(n)&NeedsRepair == 0 {
		return append(dst, v.Raw()...)
	}
	src, at := v.doc.src, n.start
	for _, s := range v.doc.nodes[v.index:] {
		if s.start >= n.end {
			break
		}
		if kindOf(s) == String && flagsOf(s)&NeedsRepair != 0 {
			dst = append(dst, src[at:s.start]...)
			dst = RepairString(dst, src[s.start:s.end])
			at = s.end
		}
	}
	return append(dst, src[at:n.end]...)
}
