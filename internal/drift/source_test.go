package drift

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sources are the type declarations of one package of an SDK.
type sources map[string]ast.Expr

// sourcesOf parses the package in a directory of a module, at the version that go.mod pins. It
// downloads the module if it is not in the cache, which a build without tag sdk does not do.
func sourcesOf(t *testing.T, module, dir string) sources {
	t.Helper()
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Path}}@{{.Version}}",
		module).Output()
	require.NoError(t, err, "go list -m %s", module)
	return sourcesAt(t, strings.TrimSpace(string(version)), dir)
}

// sourcesAt is sourcesOf for a version: a module's path, @ and its version.
func sourcesAt(t *testing.T, module, dir string) sources {
	t.Helper()
	download := exec.Command("go", "mod", "download", "-json", module)
	out, err := download.Output()
	require.NoError(t, err, "%s\n%s", download, out)
	var held struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &held))
	files, err := filepath.Glob(filepath.Join(held.Dir, dir, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "%s has no Go files in %q", module, dir)
	types := make(sources)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					types[s.(*ast.TypeSpec).Name.Name] = s.(*ast.TypeSpec).Type
				}
			}
		}
	}
	return types
}

// fields calls f for each field of a struct that has a name.
func (s sources) fields(
	t *testing.T,
	name string,
	f func(name string, typ ast.Expr, tag reflect.StructTag),
) {
	t.Helper()
	structure, ok := s[name].(*ast.StructType)
	require.True(t, ok, "the SDK has no struct %s any more", name)
	for _, field := range structure.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag = strings.Trim(field.Tag.Value, "`")
		}
		for _, n := range field.Names {
			f(n.Name, field.Type, reflect.StructTag(tag))
		}
	}
}

// union lists the members of a union: a struct with a pointer named Of… for each. They are named
// after the union and the type that the member's JSON has, or the field where it has none.
func (s sources) union(t *testing.T, name string) []string {
	t.Helper()
	var members []string
	s.fields(t, name, func(field string, typ ast.Expr, _ reflect.StructTag) {
		pointer, ok := typ.(*ast.StarExpr)
		if !ok || !strings.HasPrefix(field, "Of") {
			return
		}
		member := strings.TrimPrefix(field, "Of")
		if held, ok := pointer.X.(*ast.Ident); ok {
			s.fields(t, held.Name, func(_ string, _ ast.Expr, tag reflect.StructTag) {
				key, _, _ := strings.Cut(tag.Get("json"), ",")
				if kind := tag.Get("default"); kind != "" && (key == "type" || key == "role") {
					member = kind
				}
			})
		}
		members = append(members, name+"."+member)
	})
	return members
}

// object lists the members that a struct has in JSON.
func (s sources) object(t *testing.T, name string) []string {
	t.Helper()
	var members []string
	s.fields(t, name, func(_ string, _ ast.Expr, tag reflect.StructTag) {
		if key, _, _ := strings.Cut(tag.Get("json"), ","); key != "" && key != "-" {
			members = append(members, name+"."+key)
		}
	})
	return members
}

// variants lists the types that implement an interface, which have its name with Member after it.
func (s sources) variants(t *testing.T, name string) []string {
	t.Helper()
	var members []string
	for declared := range s {
		if member, ok := strings.CutPrefix(declared, name+"Member"); ok {
			members = append(members, name+"."+strings.ToLower(member[:1])+member[1:])
		}
	}
	require.NotEmpty(t, members, "the SDK has no union %s any more", name)
	return members
}
