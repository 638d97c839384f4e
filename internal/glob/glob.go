// Package glob matches names of hosts and models with patterns.
package glob

import (
	"slices"
	"strings"
)

// Match reports whether a pattern matches s as a whole; * is any characters.
func Match(pattern, s string) bool {
	head, tail, wild := strings.Cut(pattern, "*")
	if !wild {
		return s == pattern
	}
	s, ok := strings.CutPrefix(s, head)
	if !ok {
		return false
	}
	for {
		part, more, wild := strings.Cut(tail, "*")
		if !wild {
			return strings.HasSuffix(s, part)
		}
		k := strings.Index(s, part)
		if k < 0 {
			return false
		}
		s, tail = s[k+len(part):], more
	}
}

// Any reports whether one of the patterns matches s.
func Any(patterns []string, s string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, s) })
}
