package fixer_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/msgtest"
)

// TestAllAreExported: every fixer of the default pipeline is a variable of the package.
func TestAllAreExported(t *testing.T) {
	source, err := os.ReadFile("fixer.go")
	require.NoError(t, err)
	var exported, built []string
	named := regexp.MustCompile(`\nvar [A-Z]\w* preflight\.Fixer = named\("([a-z-]+)"\)\n`)
	for _, m := range named.FindAllSubmatch(source, -1) {
		exported = append(exported, string(m[1]))
	}
	for _, f := range fixer.Defaults() {
		built = append(built, f.Name)
	}
	require.ElementsMatch(t, append(built, fixer.DropEmptyReasoning.Name), exported)
}

// TestFixOfBuiltIn: the Fix func of a built-in fixer does what the fixer does.
func TestFixOfBuiltIn(t *testing.T) {
	history := []preflight.Message{preflight.UserText("a"), preflight.UserText("b")}
	out, warnings := fixer.MergeRoles.Fix(history, nil, preflight.Request{})
	require.Len(t, out, 1)
	require.Len(t, warnings, 1)
	applied, _ := msgtest.Apply(fixer.MergeRoles, history, nil, nil)
	require.Equal(t, applied, out)
	require.Len(t, history, 2)
}
