package preflight

import (
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// Cures reports whether a fixer declares that it cures a problem, which some fixer cures; false for
// a fixer that always runs.
func Cures(f Fixer, problem problems.Problem) bool {
	const unknown problems.Problem = "no fixer cures this"
	one := problemset.Set{}.With(problem)
	return one != problemset.Set{}.With(unknown) && f.cures.Meets(one)
}

// AlwaysRuns reports whether a fixer runs whatever Check found.
func AlwaysRuns(f Fixer) bool { return f.cures.Empty() }
