package jsonscan

// This file decodes the content of a valid string token to its text.

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

const (
	surrogateMin    = 0xD800 // first high surrogate
	surrogateLow    = 0xDC00 // first low surrogate
	surrogateMax    = 0xDFFF // last low surrogate
	surrogateOffset = 0x10000
)

func isSurrogate(r rune) bool { return r >= surrogateMin && r <= surrogateMax }

// hexValue is the value of each byte as a hexadecimal digit, -1 for those that are none.
var hexValue = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
	}
	for i := range int8(10) {
		values['0'+i] = i
	}
	for i := range int8(6) {
		values['a'+i], values['A'+i] = 10+i, 10+i
	}
	return values
}()

func unhex(c byte) rune { return rune(hexValue[c]) }

// fourHex returns the value of the \uXXXX escape at the start of s, negative when s does not start
// with one.
func fourHex(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	a, b, c, d := unhex(s[2]), unhex(s[3]), unhex(s[4]), unhex(s[5])
	if a|b|c|d < 0 {
		return -1
	}
	return a<<12 | b<<8 | c<<4 | d
}

// decodeEscape returns the code point of the escape at the start of s and the number of bytes it
// takes: two escapes when they are a surrogate pair, otherwise one. A surrogate without its partner
// comes out as it is. What is no escape is taken as one byte with its own value, so that callers
// with unchecked input always advance; n is 0 only when s is empty.
func decodeEscape(s []byte) (r rune, n int) {
	if len(s) < 2 || s[0] != '\\' {
		if len(s) == 0 {
			return 0, 0
		}
		return rune(s[0]), 1
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	r = fourHex(s)
	switch {
	case r < 0:
		return '\\', 1
	case r >= surrogateMin && r < surrogateLow:
		if low := fourHex(s[6:]); low >= surrogateLow && low <= surrogateMax {
			return (r-surrogateMin)<<10 + (low - surrogateLow) + surrogateOffset, 12
		}
	}
	return r, 6
}

// appendCodePoint appends r in UTF-8, extended to surrogates (WTF-8): those become the three bytes
// their number would give.
func appendCodePoint(dst []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// decode returns the text of a string token's content that has escapes: one allocation, of at most
// the content's length.
func decode(content []byte) string {
	text := appendDecoded(make([]byte, 0, len(content)), content)
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// decodedLen returns the length of the text of a string token's content, without building it.
func decodedLen(content []byte) (n int) {
	for {
		i := bytes.IndexByte(content, '\\')
		if i < 0 {
			return n + len(content)
		}
		r, read := decodeEscape(content[i:])
		if n += i + 1; r >= utf8.RuneSelf {
			n += len(string(r)) - 1 // U+FFFD, for a surrogate, is as long
		}
		content = content[i+read:]
	}
}

// Spelled returns the offset in a JSON string, with its quotes, at which the first n bytes of its
// text end, where a character ends.
func Spelled(token []byte, n int) int {
	k := 1
	for text := 0; text < n; {
		if token[k] != '\\' {
			k, text = k+1, text+1
			continue
		}
		r, read := decodeEscape(token[k:])
		k, text = k+read, text+len(string(r)) // U+FFFD, for a surrogate, is as long
	}
	return k
}

// decodeView is decode into the memory of d.
func (d *Doc) decodeView(content []byte) string {
	if d.room == nil {
		d.room = new(room)
	}
	block := d.room.with(len(content), len(d.src))
	start := len(*block)
	*block = appendDecoded(*block, content)
	text := (*block)[start:]
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// appendDecoded appends the text of a string token's content.
func appendDecoded(dst, content []byte) []byte {
	for {
		if cap(dst)-len(dst) >= len(content) {
			n, read := decodeWords(dst[len(dst):cap(dst)], content)
			dst, content = dst[:len(dst)+n], content[read:]
		}
		i := bytes.IndexByte(content, '\\')
		if i < 0 {
			return append(dst, content...)
		}
		dst = append(dst, content[:i]...)
		r, n := decodeEscape(content[i:])
		dst = appendCodePoint(dst, r)
		content = content[i+n:]
	}
}

// decodeWords decodes the beginning of content into dst, which is at least as long: 8 bytes at a
// time up to the next backslash, and escapes of two bytes. It ends at any other escape, and before
// the last 8 bytes. It returns the number of bytes written and read. Texts like source code have an
// escape every few words.
func decodeWords(dst, content []byte) (n, read int) {
	dst = dst[:len(content)]
	for len(content)-read >= 8 {
		x := binary.LittleEndian.Uint64(content[read:])
		binary.LittleEndian.PutUint64(dst[n:], x) // what is too much is overwritten
		x ^= slashes
		if x = (x - ones) &^ x & highBits; x == 0 {
			n, read = n+8, read+8
			continue
		}
		plain := bits.TrailingZeros64(x) >> 3
		n, read = n+plain, read+plain
		if read+1 == len(content) {
			break
		}
		c := unescaped[content[read+1]]
		if c == 0 {
			break
		}
		dst[n] = c
		n, read = n+1, read+2
	}
	return n, read
}

// unescaped holds the bytes that escapes of two bytes stand for, by their second byte.
var unescaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// decodesTo reports whether decode(content) would be s, without building it.
func decodesTo(content []byte, s string) bool {
	var buf [utf8.UTFMax]byte
	for {
		i := bytes.IndexByte(content, '\\')
		if i < 0 {
			return string(content) == s
		}
		if len(s) < i || string(content[:i]) != s[:i] {
			return false
		}
		s = s[i:]
		r, n := decodeEscape(content[i:])
		c := appendCodePoint(buf[:0], r)
		if len(s) < len(c) || s[:len(c)] != string(c) {
			return false
		}
		s, content = s[len(c):], content[i+n:]
	}
}
