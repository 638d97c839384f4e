package preflight_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notListed are packages that are not called with nil, with the reason.
var notListed = map[string]string{
	"adapter":                   "is what adapters are made of, and generic",
	"preflighttest/conformance": "reports what is wrong to the test that it is given",
	"preflighttest/histgen":     "makes histories for tests",
}

// TestAPIIsListed: the list of what is called with nil and zero values has all functions and types
// that the packages export.
func TestAPIIsListed(t *testing.T) {
	names := make(map[string][]string)
	for _, dir := range publicPackages(t) {
		if dir = filepath.ToSlash(dir); notListed[dir] == "" {
			names[dir] = exportedNames(t, dir)
		}
	}
	want, err := format.Source(listOf(names))
	require.NoError(t, err)
	const list = "internal/zerovalues/exports_test.go"
	if *updateAPI {
		require.NoError(t, os.WriteFile(list, want, 0o644))
	}
	got, err := os.ReadFile(list)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "the exported API changed; run: make api")
}

// listOf is the source of exports_test.go, for expressions by directory.
func listOf(names map[string][]string) []byte {
	dirs := slices.Sorted(maps.Keys(names))
	var b bytes.Buffer
	b.WriteString("package zerovalues_test\n\nimport (\n\"reflect\"\n\n" +
		"\"github.com/go-preflight/preflight\"\n")
	for _, dir := range dirs[1:] {
		fmt.Fprintf(&b, "%q\n", "github.com/go-preflight/preflight/"+dir)
	}
	b.WriteString(")\n\n// exports are the functions and types that the packages export, by " +
		"directory and name.\n// make api writes them.\nvar exports = map[string]map[string]any{\n")
	for _, dir := range dirs {
		pkg := path.Base(dir)
		if dir == "." {
			pkg = "preflight"
		}
		fmt.Fprintf(&b, "%q: {\n", dir)
		for _, name := range names[dir] {
			if plain, isType := strings.CutPrefix(name, "type "); isType {
				fmt.Fprintf(&b, "%q: reflect.TypeFor[%s.%s](),\n", plain, pkg, plain)
			} else {
				fmt.Fprintf(&b, "%q: %s.%s,\n", name, pkg, name)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// exportedNames are the functions that a package exports, sorted, and its types after "type ".
func exportedNames(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var out []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.FileExports(file)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out = append(out, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						out = append(out, "type "+s.Name.Name)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return out
}
