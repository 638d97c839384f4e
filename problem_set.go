package preflight

import "github.com/go-preflight/preflight/rule"

// This file holds sets of problems: what Check found, and what a fixer cures.

// problemSet is a set of problems.
type problemSet [2]uint64

// everyProblem holds all problems, known or not.
var everyProblem = problemSet{^uint64(0), ^uint64(0)}

// malformed are the problems with which a history cannot be read: Check looks for nothing else, and
// wellFormed cures them.
var malformed = problems(rule.NilPart, rule.Nested)

// problemBits numbers the problems that some fixer cures. The others share bit 0.
var problemBits = make(map[Problem]uint)

// problems returns the set of the problems in list. It is for declarations: it numbers them.
func problems(list ...Problem) (s problemSet) {
	for _, p := range list {
		if problemBits[p] == 0 {
			problemBits[p] = uint(len(problemBits)) + 1
		}
		s = s.with(p)
	}
	return s
}

// with returns s and p.
func (s problemSet) with(p Problem) problemSet {
	n := problemBits[p]
	s[n/64] |= 1 << (n % 64)
	return s
}

// meets reports whether s and t have a problem in common.
func (s problemSet) meets(t problemSet) bool { return s[0]&t[0]|s[1]&t[1] != 0 }

// empty reports whether the set holds nothing.
func (s problemSet) empty() bool { return s == problemSet{} }
