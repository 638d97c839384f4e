package spec

import (
	"context"

	"github.com/go-preflight/preflight"
)

// This file has what the tests need of package preflight beyond its exported names.

// builtin returns the built-in fixer of a name.
func builtin(name string) preflight.Fixer {
	f, ok := preflight.FixerNamed(name)
	if !ok {
		panic("no fixer is named " + name)
	}
	return f
}

// isValid reports whether a history holds something, nothing is
// wrong with it, and Sanitize returns it unchanged.
func isValid(h []preflight.Message, p *preflight.Profile, o *preflight.Options) bool {
	if len(h) == 0 || len(preflight.Check(h, p, o)) > 0 {
		return false
	}
	res, err := preflight.Sanitize(context.Background(), h, p, o)
	return err == nil && !res.Changed
}

// minus returns the difference of two tallies.
func minus(a, b preflight.Tally) preflight.Tally {
	a.Texts -= b.Texts
	a.Reasonings -= b.Reasonings
	a.Calls -= b.Calls
	a.Results -= b.Results
	a.Media -= b.Media
	a.Others -= b.Others
	a.Bytes -= b.Bytes
	return a
}

// The texts of options that are not set.
const (
	defaultApprovalText = "The tool call is waiting for approval: it has not run yet."
	defaultPlaceholder  = "(conversation resumed)"
	defaultWaitingText  = "The tool call has not finished yet: there is no result so far."
)
