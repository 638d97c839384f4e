package preflight_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// The tests of this file keep the map of the house in CONTRIBUTING.md true: its floors, its rooms,
// and the files that its answers name.

const modulePath = "github.com/go-preflight/preflight"

// TestFloors: every package is on one floor of the map, and imports only packages on lower floors.
func TestFloors(t *testing.T) {
	var floors [][]string // from the top
	for _, row := range tableUnder(t, "### Floors") {
		floors = append(floors, quoted(row[0]))
	}
	require.NotEmpty(t, floors, "the map has no floors")
	floorOf := func(dir string) (found int, tree string) {
		found = -1
		for floor, patterns := range floors {
			for _, pattern := range patterns {
				prefix, whole := strings.CutSuffix(pattern, "/...")
				if dir == pattern ||
					whole && (dir == prefix || strings.HasPrefix(dir, prefix+"/")) {
					require.Equal(t, -1, found, "%s is on two floors", dir)
					found, tree = floor, prefix
				}
			}
		}
		require.NotEqual(t, -1, found, "package %s is on no floor of the map in CONTRIBUTING.md",
			dir)
		return found, tree
	}
	for dir, imports := range packageImports(t) {
		floor, tree := floorOf(dir)
		for _, imported := range imports {
			below, other := floorOf(imported)
			if tree != other {
				require.Less(t, floor, below, "%s imports %s", dir, imported)
			}
		}
	}
}

// TestRooms: the map has every file of the root once, but for those with the name of their fixer,
// names no file that is not there, and each fixer is in the file that the map gives for it.
func TestRooms(t *testing.T) {
	var rooms []string
	fixers := map[string]string{} // by name: the file
	for _, row := range tableUnder(t, "### Rooms of the root") {
		files := quoted(row[0])
		require.Len(t, files, 1, "a row is one file: %v", row)
		require.NotContains(t, rooms, files[0])
		rooms = append(rooms, files[0])
		for _, name := range quoted(row[len(row)-1]) {
			fixers[name] = files[0]
		}
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(name string) bool {
		return strings.HasSuffix(name, "_test.go")
	})
	for _, f := range preflight.Fixers.Defaults() {
		if file := strings.ReplaceAll(f.Name, "-", "_") + ".go"; slices.Contains(files, file) &&
			!slices.Contains(rooms, file) {
			rooms = append(rooms, file)
			fixers[f.Name] = file
		}
	}
	require.ElementsMatch(t, files, rooms, "the map in CONTRIBUTING.md and the files of the root")
	for _, f := range preflight.Fixers.Defaults() {
		require.Contains(t, fixers, f.Name, "the map has no file for a fixer")
		source, err := os.ReadFile(fixers[f.Name])
		require.NoError(t, err)
		require.Contains(t, string(source), strconv.Quote(f.Name), fixers[f.Name])
	}
}

// TestTextsAreReadInOneFile: a text may still be in the JSON that its part was decoded from
// (package unread), so that its field is read in one file of the root and one of wire, which know
// that. Only they may take the JSON away from a part.
func TestTextsAreReadInOneFile(t *testing.T) {
	for dir, reader := range map[string]string{".": "text.go", "wire": "texts.go"} {
		files, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		require.Contains(t, files, path.Join(dir, reader))
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == reader {
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, nil, 0)
			require.NoError(t, err)
			for _, use := range textUses(file, dir == ".") {
				t.Errorf("%s: use the methods and functions of %s", fset.Position(use.Pos()), reader)
			}
		}
	}
}

// otherTexts are fields named Text that are not those of parts, and the Native of messages.
var otherTexts = []string{
	"f.Text",     // of the JSON form of a part
	"piece.Text", // of a text with channel tags
	"n.Native",   // of a message
}

// textUses returns the expressions that read a field named Text and, if natives, those that set a
// field named Native.
func textUses(file *ast.File, natives bool) (uses []ast.Node) {
	other := map[ast.Node]bool{} // what is set or called
	field := func(n ast.Node, name string) bool {
		s, ok := n.(*ast.SelectorExpr)
		return ok && s.Sel.Name == name && !slices.Contains(otherTexts, types.ExprString(s)) &&
			types.ExprString(s) != "preflight.Text"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, set := range n.Lhs {
				other[set] = n.Tok == token.ASSIGN
				if natives && field(set, "Native") {
					uses = append(uses, set)
				}
			}
		case *ast.CallExpr:
			other[n.Fun] = true
		}
		if field(n, "Text") && !other[n] {
			uses = append(uses, n)
		}
		return true
	})
	return uses
}

// TestFormatsShareNoFiles: what a format of package wire uses is not in the files of another one,
// but for the formats that are close to OpenAI's Chat format, which use its files.
func TestFormatsShareNoFiles(t *testing.T) {
	formats := []string{"anthropic", "bedrock", "cohere", "gemini", "interactions", "mistral", "ollama",
		"openaichat", "openairesponses"}
	files, err := filepath.Glob("wire/*.go")
	require.NoError(t, err)
	declared, used := map[string]string{}, map[string]map[string]bool{} // by name: formats
	for _, file := range files {
		k := slices.IndexFunc(formats, func(f string) bool {
			return strings.HasPrefix(filepath.Base(file), f)
		})
		if k < 0 || strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for _, d := range syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				declared[f.Name.Name] = formats[k]
			}
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used[id.Name] == nil {
					used[id.Name] = map[string]bool{}
				}
				used[id.Name][formats[k]] = true
			}
			return true
		})
	}
	require.NotEmpty(t, declared)
	chats := []string{"cohere", "mistral", "ollama"}
	for name, format := range declared {
		for other := range used[name] {
			if other != format && !(format == "openaichat" && slices.Contains(chats, other)) {
				t.Errorf("%s is in a file of %s, and %s uses it", name, format, other)
			}
		}
	}
}

// What a reader meets above the README, but for what is hidden, of which contributors have more:
// the files of the root package, with room for some more fixers, and the rest.
const (
	mostFiles = 56
	mostRest  = 28
)

// TestListing: the list of the top folder is short, as git has it: what a visitor leaves there does
// not count.
func TestListing(t *testing.T) {
	listed, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("git lists the files: ", err)
	}
	entries := map[string]bool{}
	for name := range strings.Lines(string(listed)) {
		entry, _, _ := strings.Cut(strings.TrimSpace(name), "/")
		if !strings.HasPrefix(strings.Trim(entry, `"`), ".") {
			entries[entry] = true
		}
	}
	files := 0
	for entry := range entries {
		if strings.HasSuffix(entry, ".go") {
			files++
		}
	}
	require.NotZero(t, files)
	require.LessOrEqual(t, files, mostFiles)
	require.LessOrEqual(t, len(entries)-files, mostRest)
}

// TestLookups: every file that CONTRIBUTING.md names is there.
func TestLookups(t *testing.T) {
	count := 0
	for _, row := range tableUnder(t, "### Where do I look?") {
		for _, name := range quoted(row[1]) {
			if !strings.Contains(name, "/") && path.Ext(name) != ".go" {
				continue
			}
			count++
			_, err := os.Stat(filepath.FromSlash(name))
			require.NoError(t, err, "the answer to %q", row[0])
		}
	}
	require.Greater(t, count, 10)
}

// tableUnder returns the cells of the table rows under a heading of CONTRIBUTING.md.
func tableUnder(t *testing.T, heading string) [][]string {
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n"+heading+"\n")
	require.True(t, found, "CONTRIBUTING.md has no %q", heading)
	section, _, _ = strings.Cut(section, "\n## ")
	section, _, _ = strings.Cut(section, "\n### ")
	var rows [][]string
	body := false
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			body = false
		case strings.HasPrefix(line, "|--"):
			body = true
		case body:
			rows = append(rows, strings.Split(strings.Trim(line, "|"), "|"))
		}
	}
	return rows
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// quoted returns what a cell has in backticks.
func quoted(cell string) []string {
	var names []string
	for _, match := range codeSpan.FindAllStringSubmatch(cell, -1) {
		names = append(names, match[1])
	}
	return names
}

// packageImports returns, for the directory of each package of the repository, the directories of
// the repository's packages that it imports outside of its tests.
func packageImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			hidden := strings.HasPrefix(name, ".") && name != "."
			if err == nil && (hidden || entry.Name() == "testdata") {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		if imports[dir] == nil {
			imports[dir] = []string{}
		}
		for _, imported := range file.Imports {
			held := strings.Trim(imported.Path.Value, `"`)
			if held == modulePath {
				imports[dir] = append(imports[dir], ".")
			} else if below, ok := strings.CutPrefix(held, modulePath+"/"); ok {
				imports[dir] = append(imports[dir], below)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(imports), 10)
	return imports
}

// What a reader of go doc has to take in, for each package with a limit; see TestNames.
var mostNames = map[string]int{".": 190, "wire": 104, "rule": 85, "rule/explain": 40, "compact": 68}

// TestNames: the API of the large packages fits into a head. Names are the exported constants,
// variables, functions and types, the exported fields of exported structs, and the exported methods
// of exported types and interfaces. Embedded fields have no name of their own, and methods that
// interfaces of the standard library ask for tell a reader nothing new.
func TestNames(t *testing.T) {
	for dir, most := range mostNames {
		names := exportedNames(t, dir)
		require.NotEmpty(t, names)
		require.LessOrEqual(t, len(names), most, "package %s exports more than fits a head:\n%s",
			dir, strings.Join(names, "\n"))
	}
}

// expectedMethods are methods that interfaces of the standard library ask for.
var expectedMethods = map[string]bool{
	"Error": true, "Unwrap": true, "Is": true, "As": true, "String": true, "LogValue": true,
	"MarshalJSON": true, "UnmarshalJSON": true,
}

// exportedNames returns the names that a package exports, each as often as it does.
func exportedNames(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.FileExports(file)
		for _, declared := range file.Decls {
			switch d := declared.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || ast.IsExported(receiverOf(d)) && !expectedMethods[d.Name.Name] {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					names = append(names, namesOf(spec)...)
				}
			}
		}
	}
	return names
}

// receiverOf returns the name of the type that a method belongs to.
func receiverOf(method *ast.FuncDecl) string {
	base := method.Recv.List[0].Type
	if star, ok := base.(*ast.StarExpr); ok {
		base = star.X
	}
	if of, ok := base.(*ast.IndexExpr); ok {
		base = of.X
	}
	return types.ExprString(base)
}

// namesOf returns the names of a declaration: those of fields and methods after that of their type.
func namesOf(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			names = append(names, name.Name)
		}
	case *ast.TypeSpec:
		names = append(names, spec.Name.Name)
		var fields *ast.FieldList
		switch held := spec.Type.(type) {
		case *ast.StructType:
			fields = held.Fields
		case *ast.InterfaceType:
			fields = held.Methods
		}
		if fields == nil {
			break
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				names = append(names, spec.Name.Name+"."+name.Name)
			}
		}
	}
	return names
}
