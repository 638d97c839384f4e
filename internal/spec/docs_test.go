package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file keeps the documentation complete: every code and every fixer is in it.

// docs/warnings.md has an anchor for every code.
func TestWarningsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile("docs/warnings.md")
	require.NoError(t, err)
	for _, code := range constants(t, "codes/codes.go") {
		require.Contains(t, string(docs), `<a id="`+code+`"></a>`+"`"+code+"`",
			"docs/warnings.md lacks the code %q", code)
	}
}

// constants returns the values of the string constants of a file.
func constants(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var out []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			value, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			out = append(out, value)
		}
		return true
	})
	require.NotEmpty(t, out)
	return out
}
