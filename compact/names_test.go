package compact_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFewNames: what a reader of the documentation has to know, fields and methods included, is at
// most 70 names.
func TestFewNames(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var names []string
	add := func(of string, list ...*ast.Ident) {
		for _, n := range list {
			if n.IsExported() {
				names = append(names, of+n.Name)
			}
		}
	}
	fields := func(of string, list *ast.FieldList) {
		for _, f := range list.List {
			add(of+".", f.Names...)
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || exportedReceiver(d.Recv.List[0].Type) {
					add("", d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						add("", s.Names...)
					case *ast.TypeSpec:
						add("", s.Name)
						if !s.Name.IsExported() {
							continue
						}
						switch typ := s.Type.(type) {
						case *ast.StructType:
							fields(s.Name.Name, typ.Fields)
						case *ast.InterfaceType:
							fields(s.Name.Name, typ.Methods)
						}
					}
				}
			}
		}
	}
	require.LessOrEqual(t, len(names), 70, "%s", strings.Join(names, "\n"))
	t.Log(len(names), "names")
}

// TestFewLines: the package, without its tests, is less than 5,000 lines.
func TestFewLines(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	lines := 0
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			lines += strings.Count(string(text), "\n")
		}
	}
	require.Positive(t, lines)
	require.Less(t, lines, 5000)
}

func exportedReceiver(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	name, ok := e.(*ast.Ident)
	return ok && name.IsExported()
}
