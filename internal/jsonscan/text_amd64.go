//go:build !purego

package jsonscan

import "unicode/utf8"

// wide reports whether the processor has AVX2, as nearly all for servers since 2015 have.
var wide = hasAVX2()

func hasAVX2() bool

// wideText reports whether s is UTF-8 without NUL from i on, where a character begins. It takes one
// that is cut short by the end of s for valid. i is 3 or more, and 64 bytes follow or more.
//
//go:noescape
func wideText(s string, i int) bool

// IsText reports whether s is valid UTF-8 without NUL.
func IsText(s string) bool {
	if !wide || len(s) < 70 {
		return isTextInGo(s)
	}
	i := 3
	if s[0] >= utf8.RuneSelf || s[1] >= utf8.RuneSelf || s[2] >= utf8.RuneSelf {
		if i = headOf(s); i == 0 {
			return false
		}
	}
	last := len(s) - 1
	return s[0] != 0 && s[1] != 0 && s[2] != 0 && wideText(s, i) &&
		s[last] < 0xC0 && s[last-1] < 0xE0 && s[last-2] < 0xF0
}

// headOf returns the offset of the first character of s at 3 or after, 0 if there are bytes before
// it that are no character.
func headOf(s string) (i int) {
	for i < 3 {
		_, n := utf8.DecodeRuneInString(s[i:])
		if s[i] >= utf8.RuneSelf && n == 1 {
			return 0
		}
		i += n
	}
	return i
}
