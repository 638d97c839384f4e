package preflight_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file tests what fixers declare about themselves.

// TestFixersCureWhatTheyDeclare: a fixer changes a history only if Check finds one of the problems
// that the fixer declares, so that the pipeline may skip it otherwise.
func TestFixersCureWhatTheyDeclare(t *testing.T) {
	for name, subject := range underTest() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := given{profile: &subject.profile, options: drawOptions(t)}
				g.options.Request = subject.request
				g.in = histgen.Any(g.profile, g.options).Draw(t, "history")
				// nil parts hide the rest of a history from Check
				sound, _ := preflight.Fixer{}.Apply(g.in, g.profile, g.options)
				found := preflight.Check(sound, g.effective(), g.options)
				for _, f := range preflight.DefaultFixers() {
					if preflight.AlwaysRuns(f) {
						continue
					}
					_, warnings := f.Apply(sound, g.effective(), g.options)
					if len(warnings) == 0 {
						continue
					}
					cured := slices.ContainsFunc(found, func(v preflight.Violation) bool {
						return preflight.Cures(f, v.Problem)
					})
					if !cured {
						t.Fatalf("%s has %q, but Check found %v", f.Name, warnings[0].Detail, found)
					}
				}
			})
		})
	}
}

// TestFixersWithoutCures: only the fixers that work when an option asks for it run whatever Check
// found.
func TestFixersWithoutCures(t *testing.T) {
	var always []string
	for _, f := range preflight.DefaultFixers() {
		if preflight.AlwaysRuns(f) {
			always = append(always, f.Name)
		}
	}
	require.Equal(t, []string{
		"strip-ephemeral", "strip-system", "clear-bindings", "truncate-provider-executed",
	}, always)
}
