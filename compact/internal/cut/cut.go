// Package cut cuts texts into pieces of which each says something: sentences and lines of what people
// and models say, and records of what tools put out.
package cut

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/shorten"
)

// Bytes is the most bytes of a piece.
const Bytes = 400

// Piece is a part of a text.
type Piece struct {
	Text string
	Lead string // what it is said of, shown where what is before it is missing
	Tied bool   // it says something of its neighbours: see record
}

// OmittedMark is in the mark of Shorten: what is after it is not of the object before it.
const OmittedMark = " bytes omitted] …"

// Shorten keeps the beginning and the end of a text, at most n bytes together, cut between two
// characters, and says how much is missing between. What it says comes on top.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := Point(s, n-n/2), Tail(s, n/2)
	return fmt.Sprintf("%s… [%d bytes omitted] …%s", s[:head], tail-head, s[tail:])
}

// Point returns where a text of more than n bytes may be cut: between two characters, or inside of
// one that alone is longer.
func Point(s string, n int) int {
	at := min(shorten.GraphemeBoundary(s, n), n)
	if at <= 0 {
		at = n
	}
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	if at == 0 {
		return n
	}
	return at
}

// Tail returns where the last n bytes of a longer text begin, or some bytes later: between two
// characters, or inside of one that alone is longer.
func Tail(s string, n int) int {
	at := shorten.Boundary(shorten.GraphemeBoundary).After(s, len(s)-n)
	if at < len(s) {
		return at
	}
	for at = len(s) - n; at < len(s) && !utf8.RuneStart(s[at]); {
		at++
	}
	return at
}

// at returns the length of a text, or where it may be cut if it is longer than n bytes.
func at(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	return Point(s, n)
}
