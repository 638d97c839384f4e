//go:build !purego

package validtext

import "unicode/utf8"

// This file checks texts of which most are ASCII: what is, is skipped in wide steps.

// plain returns how many bytes at the beginning of s are from 0x01 to 0x7F. s has 16 bytes or more.
//
//go:noescape
func plain(s string) int

// Texts in other scripts are left to the standard library: after fewestOther bytes that are not
// plain without any between them, the next otherWindow bytes.
const (
	fewestOther = 24
	otherWindow = 512
)

// checkLong returns the fault of a text of 16 bytes or more.
func checkLong(s string) Fault {
	rest := s
	for len(rest) >= 16 {
		rest = rest[plain(rest):]
		if rest == "" {
			return None
		}
		n := otherAt(rest)
		if n == 0 {
			return check(s) // which of several faults it is
		}
		rest = rest[n:]
	}
	if check(rest) != None {
		return check(s)
	}
	return None
}

// otherAt returns how many bytes at the beginning of s, which starts with one that is not plain,
// are valid characters; 0 if there is a fault. It looks at some of them.
func otherAt(s string) int {
	n := 0
	for n < len(s) && s[n] >= utf8.RuneSelf {
		if n >= fewestOther {
			more := windowOf(s[n:])
			if check(s[n:n+more]) != None {
				return 0
			}
			return n + more
		}
		_, size := utf8.DecodeRuneInString(s[n:])
		if size == 1 {
			return 0
		}
		n += size
	}
	return n
}

// windowOf returns otherWindow, or less, so that it does not divide a character of s.
func windowOf(s string) int {
	if len(s) <= otherWindow {
		return len(s)
	}
	n := otherWindow
	for n > otherWindow-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
