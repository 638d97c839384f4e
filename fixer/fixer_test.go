package fixer_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestAllAreExported: every fixer of the root package is a field of Fixers, and those of the
// default pipeline are in its order.
func TestAllAreExported(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	require.NoError(t, err)
	var declared, exported, ordered []string
	named := regexp.MustCompile(`\nvar \w+ = Fixer\{\n\tName:\s+"([a-z-]+)",`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range named.FindAllSubmatch(source, -1) {
			declared = append(declared, string(m[1]))
		}
	}
	all := reflect.ValueOf(preflight.Fixers)
	for k := range all.NumField() {
		if f, ok := all.Field(k).Interface().(preflight.Fixer); ok {
			exported = append(exported, f.Name)
		}
	}
	require.ElementsMatch(t, declared, exported)
	for _, f := range preflight.Fixers.Defaults() {
		ordered = append(ordered, f.Name)
	}
	require.Equal(t, exported[:len(ordered)], ordered)
}

// TestFixOfBuiltIn: the Fix func of a built-in fixer does what the fixer does.
func TestFixOfBuiltIn(t *testing.T) {
	history := []preflight.Message{preflight.UserText("a"), preflight.UserText("b")}
	out, warnings := preflight.Fixers.MergeRoles.Apply(history, nil, nil)
	require.Len(t, out, 1)
	require.Len(t, warnings, 1)
	applied, _ := preflight.Fixers.MergeRoles.Apply(history, nil, nil)
	require.Equal(t, applied, out)
	require.Len(t, history, 2)
}
