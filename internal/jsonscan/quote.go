package jsonscan

// Writing strings.

import (
	"math/bits"
	"unicode/utf8"
)

const (
	replacement = "\uFFFD"
	hexDigits   = "0123456789abcdef"
)

// AppendString appends s as a JSON string. Only what RFC 8259 demands is escaped: the quote, the
// backslash and control characters, in the short forms (\n \t \r \b \f) where there is one. No HTML
// escaping; U+2028 and DEL stay as they are. What is not valid UTF-8 becomes U+FFFD, as a JSON text
// must be: one for the three bytes of a surrogate (WTF-8, as [Value.Str] makes them), one for every
// other ill-formed byte, as encoding/json has it.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0 // s[plain:i] is to be copied as it is
	for i := 0; i < len(s); {
		i = skipPlain(s, i)
		if i == len(s) {
			break
		}
		if s[i] >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				n = IllFormed(s[i:])
				dst = append(dst, s[plain:i]...)
				dst = append(dst, replacement...)
				plain = i + n
			}
			i += n
			continue
		}
		dst = append(dst, s[plain:i]...)
		dst = appendEscape(dst, s[i])
		i++
		plain = i
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

// skipPlain returns the offset of the first byte of s from i on that is no plain ASCII string
// content.
func skipPlain(s string, i int) int {
	for ; len(s)-i >= 8; i += 8 {
		x := wordOf(s[i:])
		if m := stops(x) | x&highBits; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// wordOf returns the first 8 bytes of s as binary.LittleEndian would have them; the compiler makes
// one load of it.
func wordOf(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// IllFormed counts the bytes at the start of s, which are invalid UTF-8, that one U+FFFD replaces:
// three of an encoded surrogate, otherwise one.
func IllFormed[T string | []byte](s T) int {
	if len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 3
	}
	return 1
}

// appendEscape appends the escape for a quote, a backslash or a control character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
