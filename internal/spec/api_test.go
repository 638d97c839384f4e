package spec

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var updateAPI = flag.Bool("update-api", false, "write testdata/api anew")

// TestAPI holds the exported declarations of every public package against the snapshot in
// testdata/api: every change of the API shows in the diff of a commit. docs/api.md says
// what counts as API.
func TestAPI(t *testing.T) {
	packages := append(publicPackages(t), nestedModules...)
	require.Greater(t, len(packages), 2, "the packages were not found")
	for _, dir := range packages {
		t.Run(dir, func(t *testing.T) {
			got := exported(t, dir)
			name := filepath.Join("testdata", "api",
				strings.ReplaceAll(filepath.ToSlash(dir), "/", "_")+".txt")
			if dir == "." {
				name = filepath.Join("testdata", "api", "preflight.txt")
			}
			if *updateAPI {
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
			}
			want, err := os.ReadFile(name)
			require.NoError(t, err, "a package without a snapshot; run: make api")
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Fatalf("the exported API changed (-snapshot +now); if that is meant, run: make "+
					"api\n%s", diff)
			}
		})
	}
}

// nestedModules are the packages of other modules whose API is kept as that of the root module is.
var nestedModules = []string{"compact", "compact/tokens", "compact/unionfind", "session"}

// publicPackages are the directories of this module whose packages others can import.
func publicPackages(t *testing.T) []string {
	var out []string
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if path != "." &&
			(strings.HasPrefix(name, ".") ||
				slices.Contains([]string{"internal", "testdata", "cmd", "examples", "docs"},
					name)) {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); path != "." && err == nil {
			return fs.SkipDir // a module of its own
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if slices.ContainsFunc(files,
			func(f string) bool { return !strings.HasSuffix(f, "_test.go") }) {
			out = append(out, path)
		}
		return err
	}))
	return out
}

// exported writes down the exported declarations of a package, sorted, without comments, bodies and
// unexported fields.
func exported(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var declarations []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.FileExports(file)
		for _, d := range file.Decls {
			declarations = append(declarations, split(t, set, d)...)
		}
	}
	slices.Sort(declarations)
	return strings.Join(declarations, "\n") + "\n"
}

// split writes each name of a declaration down by itself, so that a new one is one new line.
func split(t *testing.T, set *token.FileSet, d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		d.Body = nil
		return []string{source(t, set, d)}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		var out []string
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				// how a variable starts is not API, what it is called and of which type is
				if len(v.Values) == 1 && v.Type == nil {
					if literal, ok := v.Values[0].(*ast.CompositeLit); ok {
						v.Type = literal.Type
					}
				}
				v.Values = nil
			}
			out = append(out, d.Tok.String()+" "+source(t, set, spec))
		}
		return out
	}
	return nil
}

func source(t *testing.T, set *token.FileSet, node ast.Node) string {
	var b bytes.Buffer
	require.NoError(t,
		(&printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}).Fprint(&b, set, node))
	return b.String()
}
