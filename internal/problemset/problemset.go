// Package problemset holds sets of the problems that some fixer cures.
package problemset

import "github.com/go-preflight/preflight/rule/problems"

// Set is a set of problems. The zero Set is empty. Sets are comparable.
type Set [2]uint64

// Every holds all problems, known or not.
var Every = Set{^uint64(0), ^uint64(0)}

// numbers has the bit of each problem that Of was called with. The others share bit 0.
var numbers = make(map[problems.Problem]uint)

// Of returns the set of the problems in list. It numbers new problems, at most 127 in all, so it
// may be called in package variable declarations only.
func Of(list ...problems.Problem) (s Set) {
	for _, p := range list {
		if numbers[p] == 0 {
			numbers[p] = uint(len(numbers)) + 1
		}
		s = s.With(p)
	}
	return s
}

// With returns s and p.
func (s Set) With(p problems.Problem) Set {
	n := numbers[p]
	s[n/64] |= 1 << (n % 64)
	return s
}

// Union returns the problems of s and of t.
func (s Set) Union(t Set) Set { return Set{s[0] | t[0], s[1] | t[1]} }

// Meets reports whether s and t have a problem in common.
func (s Set) Meets(t Set) bool { return s[0]&t[0]|s[1]&t[1] != 0 }

// Empty reports whether the set holds nothing.
func (s Set) Empty() bool { return s == Set{} }
