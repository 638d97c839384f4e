package preflight

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file shortens one text: what a length is counted in, where a text may be cut, and the marker that says so.

// Unit is what the length of a text is counted in.
type Unit string

// The units. A half of a surrogate pair without its partner counts as one UTF-16 unit and one rune; any other byte that is
// not valid UTF-8 counts as one of everything.
const (
	UnitUTF16 Unit = ""      // UTF-16 code units, as JavaScript and Java count: 😀 is 2
	UnitRunes Unit = "runes" // Unicode code points: 😀 is 1
	UnitBytes Unit = "bytes" // bytes of UTF-8: 😀 is 4
)

// Boundary finds the place nearest to a byte offset where a text may be cut: the greatest offset of at most n at which no
// character is split, 0 when there is none. It must be pure. GraphemeBoundary is the default; a caller who has a table of
// the whole of UAX #29 at hand plugs that in. An answer above n, or inside of a rune, is corrected downwards.
type Boundary func(s string, n int) int

const (
	ellipsis    = "…"
	markerStart = "… [truncated, original length: "
	markerEnd   = "]"
)

// cutter shortens texts to a limit, marker included.
type cutter struct {
	limit    int
	unit     Unit
	boundary Boundary
}

// cutter is the caller's choice of unit and boundary, with a limit; 0 or less leaves everything alone.
func (o *Options) cutter(limit int) cutter {
	c := cutter{limit, o.Unit, o.Boundary}
	if c.boundary == nil {
		c.boundary = GraphemeBoundary
	}
	return c
}

// text is s, shortened when it is longer than the limit.
func (c cutter) text(s string) (short string, cut bool) {
	keep, tail, cut := c.split(s)
	if !cut {
		return s, false
	}
	return s[:keep] + tail, true
}

// split says how much of s stays and what follows it. A text that was cut before gives up more of its content and keeps the
// length it had at first. A limit that has no room for the marker leaves an ellipsis alone behind the text, and nothing
// when it has no room for that either.
func (c cutter) split(s string) (keep int, tail string, cut bool) {
	if c.limit <= 0 || len(s) <= c.limit {
		return 0, "", false
	}
	length := c.unit.length(s)
	if length <= c.limit {
		return 0, "", false
	}
	content, original := unmarked(s, length)
	tail = markerStart + strconv.Itoa(original) + markerEnd
	if c.unit.length(tail) > c.limit {
		tail = ellipsis
	}
	room := c.limit - c.unit.length(tail)
	if room < 0 {
		tail, room = "", c.limit
	}
	return c.place(content, room), tail, true
}

// place is where content is cut so that at most room units are kept.
func (c cutter) place(content string, room int) int {
	most := c.unit.offset(content, room)
	if most == len(content) {
		return most
	}
	at := min(max(c.boundary(content, most), 0), most)
	for at > 0 && !utf8.RuneStart(content[at]) {
		at--
	}
	return at
}

// unmarked is s without the marker of an earlier cut, and the length it had before. What ends in something like a marker but
// claims to have been no longer than it is was not cut by us.
func unmarked(s string, length int) (content string, original int) {
	at := strings.LastIndex(s, markerStart)
	if at < 0 || !strings.HasSuffix(s, markerEnd) {
		return s, length
	}
	n, err := strconv.Atoi(s[at+len(markerStart) : len(s)-len(markerEnd)])
	if err != nil || n <= length {
		return s, length
	}
	return s[:at], n
}

// length is how long s is.
func (u Unit) length(s string) int {
	if u == UnitBytes {
		return len(s)
	}
	n := 0
	for k := 0; k < len(s); {
		size, units := u.step(s[k:])
		k, n = k+size, n+units
	}
	return n
}

// offset is the byte offset of the longest prefix of s of at most n units.
func (u Unit) offset(s string, n int) int {
	if u == UnitBytes {
		return min(n, len(s))
	}
	k := 0
	for k < len(s) {
		size, units := u.step(s[k:])
		if n -= units; n < 0 {
			break
		}
		k += size
	}
	return k
}

// step is the first character of s: its bytes and its units.
func (u Unit) step(s string) (size, units int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return surrogateLen(s), 1
	case r > 0xFFFF && u == UnitUTF16:
		return size, 2
	}
	return size, 1
}
