// Package titles makes the titles of documents unique.
package titles

import (
	"strconv"
	"strings"
)

// Set is a set of titles that are in use.
type Set struct {
	longest int // in bytes; 0 is no limit
	used    map[string]bool
	next    map[string]int // by title: the first number to try for its next document
}

// New returns an empty set of titles of at most longest bytes; 0 is no limit.
func New(longest int) *Set {
	return &Set{longest, make(map[string]bool), make(map[string]int)}
}

// Take returns a title that no earlier call returned: title itself, or title with a number after
// it. A title that is too long for its number is shortened.
func (s *Set) Take(title string) string {
	if !s.used[title] {
		s.used[title] = true
		return title
	}
	for n := max(s.next[title], 2); ; n++ {
		numbered := s.numbered(title, n)
		if !s.used[numbered] {
			s.used[numbered], s.next[title] = true, n+1
			return numbered
		}
	}
}

func (s *Set) numbered(title string, n int) string {
	tail := " (" + strconv.Itoa(n) + ")"
	if s.longest > 0 && len(title)+len(tail) > s.longest {
		title = strings.ToValidUTF8(title[:max(0, s.longest-len(tail))], "")
	}
	return strings.TrimRight(title, " \t\r\n") + tail
}
