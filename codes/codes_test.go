package codes_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// rows are the codes of docs/warnings.md, and what each says that was done.
var rows = regexp.MustCompile("(?m)^\\| <a id=\"[^\"]+\"></a>`([^`]+)` \\| [^|]+ \\| (.*) \\|$")

// links are links in Markdown, with their text.
var links = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// TestCommentsAreThoseOfTheDocumentation: the comment of each constant is the description of its
// code in docs/warnings.md.
func TestCommentsAreThoseOfTheDocumentation(t *testing.T) {
	docs, err := os.ReadFile("../docs/warnings.md")
	require.NoError(t, err)
	described := map[string]string{}
	for _, row := range rows.FindAllStringSubmatch(string(docs), -1) {
		described[row[1]] = links.ReplaceAllString(strings.ReplaceAll(row[2], "`", ""), "$1")
	}
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, parser.ParseComments)
	require.NoError(t, err)
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		comment := strings.Join(strings.Fields(spec.Doc.Text()), " ")
		if diff := cmp.Diff(described[code], comment); diff != "" {
			t.Errorf("%s (-docs/warnings.md +codes.go):\n%s", spec.Names[0], diff)
		}
		found++
		return true
	})
	require.Greater(t, found, 50, "the constants were not found")
}
