//go:build !purego

package jsonscan

import "unicode/utf8"

// wideContent reads the string content from i on, of which the three bytes before i are ASCII, in
// blocks of 64 bytes. at is the offset of the byte that ends the content, as for contentInGo, if
// stopped; otherwise fewer than 64 bytes are left, and all before at is content. at is between
// characters and escapes then, or inside a character. escapes is not 0 if there are backslashes,
// and faults if there are bytes that are not UTF-8.
//
//go:noescape
func wideContent(src []byte, i int) (at int, escapes, faults uint64, stopped bool)

// content is contentInGo.
func content(src []byte, i int) (at int, fl Flags) {
	if !wide || len(src)-i < 64 || i < 3 {
		return contentInGo(src, i)
	}
	at, escapes, faults, stopped := wideContent(src, i)
	if !stopped {
		for n := 1; n <= 3 && at-n >= i && src[at-n] >= utf8.RuneSelf; n++ {
			if utf8.RuneStart(src[at-n]) {
				at -= n
				break
			}
		}
		at, fl = contentInGo(src, at)
	}
	if escapes != 0 {
		fl |= HasEscape
	}
	if faults != 0 {
		fl |= HasInvalidUTF8
	}
	return at, fl
}
