// Package shorten cuts texts and JSON values to a limit, and what reports print of ids and names.
// It says which values are opaque and stay as they are.
package shorten

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file shortens texts. Their length is counted in UTF-16 code units, as in JavaScript and
// Java: 😀 is 2. A lone surrogate counts as one unit, and so does any other byte that is not valid
// UTF-8.

// Boundary returns the greatest offset of at most n, in bytes, at which s can be cut without
// splitting a character, or 0 when there is none. It must return the same for equal arguments. The
// default is GraphemeBoundary; a caller with a complete table for UAX #29 can use that instead. An
// offset above n or inside a rune is corrected downwards.
type Boundary func(s string, n int) int

// before returns the greatest offset of at most n at which s may be cut.
func (b Boundary) before(s string, n int) int {
	at := min(max(b(s, n), 0), n)
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// After returns the least offset of at least n at which s may be cut; len(s) if there is none
// before. b is called a number of times that is logarithmic in the length of the character at n.
func (b Boundary) After(s string, n int) int {
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	start := b.before(s, n)
	if start == n {
		return n
	}
	// s now begins with what must not be split at n: find its end
	s, n = s[start:], n-start
	low, high := n, n
	for step := 1; b.before(s, high) < n; step *= 2 {
		if high == len(s) {
			return start + len(s)
		}
		low, high = high+1, min(high+step, len(s))
	}
	for low < high {
		if half := (low + high) / 2; b.before(s, half) < n {
			low = half + 1
		} else {
			high = half
		}
	}
	return start + b.before(s, high)
}

// Every cut leaves a marker in the place of what was left out. The marker after the beginning of a
// text that keeps no end has no dots at its own end.
const (
	ellipsis    = "…"
	markerStart = "… [truncated, original length: "
	markerEnd   = "]"
	markerDots  = " …"
)

// Cutter shortens texts to a limit, which includes the marker. It keeps the beginning and the end
// of a text, about half of the room each.
type Cutter struct {
	Limit    int
	Boundary Boundary
	HeadOnly bool // keep the beginning only
}

// Cut says what of a text stays: its first Head bytes, and what begins at the byte Tail. The marker
// replaces the text between.
type Cut struct {
	Head, Tail int
	Marker     string
}

// Text returns s, shortened if it is longer than the limit.
func (c Cutter) Text(s string) (short string, cut bool) {
	at, cut := c.Split(s)
	if !cut {
		return s, false
	}
	return s[:at.Head] + at.Marker + s[at.Tail:], true
}

// Split returns where to cut s if it is longer than the limit. A text that was cut before loses
// more of its content, and its marker keeps the original length. If the limit has no room for the
// marker, the marker is an ellipsis.
func (c Cutter) Split(s string) (cut Cut, long bool) {
	if c.Limit <= 0 || len(s) <= c.Limit {
		return Cut{}, false
	}
	n := length(s)
	if n <= c.Limit {
		return Cut{}, false
	}
	found := c.findMark(s, n)
	cut, room := c.marker(found)
	cut.Tail = len(s)
	if c.HeadOnly {
		cut.Head = c.place(s[:found.before], room)
		return cut, true
	}
	after := s[found.after:]
	if found.after > 0 {
		n = length(after)
	}
	cut.Head = c.place(s[:found.before], room-min(room/2, n))
	room -= length(s[:cut.Head])
	cut.Tail = found.after + c.placeTail(after, n-room)
	return cut, true
}

// marker returns a cut with the longest marker that fits the limit, and the room next to it.
func (c Cutter) marker(found mark) (cut Cut, room int) {
	end := markerEnd + markerDots
	if c.HeadOnly || found.headOnly {
		end = markerEnd
	}
	marker := markerStart + strconv.Itoa(found.original) + end
	if length(marker) > c.Limit {
		marker = ellipsis
	}
	return Cut{Marker: marker}, c.Limit - length(marker)
}

// place returns the offset at which to cut content so that at most room units before it are kept.
func (c Cutter) place(content string, room int) int {
	most := offset(content, room)
	if most == len(content) {
		return most
	}
	return c.Boundary.before(content, most)
}

// placeTail returns the least offset after the first n units of content at which it may be cut.
func (c Cutter) placeTail(content string, n int) int {
	return c.Boundary.After(content, offsetAfter(content, n))
}

// mark is the marker of an earlier cut in a text: the content ends before it and goes on after it.
// In a text without one, both parts are the whole text.
type mark struct {
	before, after int
	original      int // the length of the text before any cut
	headOnly      bool
}

// findMark returns the marker in s, which has this length. Of several, it is the one closest to the
// middle, or with HeadOnly the one at the end. A marker that states a length of at most the current
// one is not a marker of preflight.
func (c Cutter) findMark(s string, length int) mark {
	found := mark{before: len(s), original: length}
	closest := len(s) + 1
	for from := 0; ; {
		at := strings.Index(s[from:], markerStart)
		if at < 0 {
			return found
		}
		at += from
		from = at + len(markerStart)
		n, digits := leadingNumber(s[from:])
		rest := s[from+digits:]
		end := len(markerEnd)
		switch {
		case n <= length, !strings.HasPrefix(rest, markerEnd):
			continue
		case strings.HasPrefix(rest[end:], markerDots):
			end += len(markerDots)
		case len(rest) > end:
			continue // words after a marker that ends a text
		}
		after := from + digits + end
		if off := max(at-(len(s)-after), len(s)-after-at); off < closest ||
			c.HeadOnly && after == len(s) {
			closest = off
			found = mark{at, after, n, len(rest) == len(markerEnd)}
		}
	}
}

// leadingNumber returns the number that s begins with, and its digits; 0 if there is none.
func leadingNumber(s string) (n, digits int) {
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(s[:digits])
	if err != nil {
		return 0, digits
	}
	return n, digits
}

// length returns the length of s in units.
func length(s string) int {
	n := 0
	for k := 0; k < len(s); {
		size, units := step(s[k:])
		k, n = k+size, n+units
	}
	return n
}

// offset returns the length in bytes of the longest prefix of s with at most n units.
func offset(s string, n int) int {
	k := 0
	for k < len(s) {
		size, units := step(s[k:])
		if n -= units; n < 0 {
			break
		}
		k += size
	}
	return k
}

// offsetAfter returns the length in bytes of the shortest prefix of s with at least n units.
func offsetAfter(s string, n int) int {
	k := 0
	for k < len(s) && n > 0 {
		size, units := step(s[k:])
		k, n = k+size, n-units
	}
	return k
}

// step returns the size of the first character of s in bytes and in units.
func step(s string) (size, units int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return jsonscan.IllFormed(s), 1
	case r > 0xFFFF:
		return size, 2
	}
	return size, 1
}
