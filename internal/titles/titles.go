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
	next    map[string]int // by what is before the number: the first number that was not tried yet
}

// New returns an empty set of titles of at most longest bytes; 0 is no limit.
func New(longest int) *Set {
	return &Set{longest, make(map[string]bool), make(map[string]int)}
}

// Take returns a title that no earlier call returned: title itself, or title with a number after
// it. A title that is too long for its number is shortened. The cost is linear in all titles taken,
// also if they are the same once they are shortened.
func (s *Set) Take(title string) string {
	if !s.used[title] {
		s.used[title] = true
		return title
	}
	for n := 2; ; {
		tail := " (" + strconv.Itoa(n) + ")"
		head := s.head(title, len(tail))
		if next := s.next[head]; next > n {
			n = next
			continue
		}
		s.next[head] = n + 1
		if !s.used[head+tail] {
			s.used[head+tail] = true
			return head + tail
		}
	}
}

// head returns what of a title has room before a tail of a length.
func (s *Set) head(title string, tail int) string {
	if s.longest > 0 && len(title)+tail > s.longest {
		title = strings.ToValidUTF8(title[:max(0, s.longest-tail)], "")
	}
	return strings.TrimRight(title, " \t\r\n")
}
