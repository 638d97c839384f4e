// Command everywhere makes work count every step: it writes a copy of the sources of the modules in
// DIR… in which each function and each turn of a loop counts one, and prints the name of the
// overlay file that go build and go test take:
//
//	go test -tags workcount -overlay "$(go run ./internal/work/everywhere OUT .)" -run Work ./wire
//
// The sources themselves count nothing, so that no loop can be forgotten.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: everywhere OUT DIR...")
	}
	overlay, err := write(os.Args[1], os.Args[2:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(overlay)
}

// write writes the copies of the sources in dirs to the folder out, and returns the name of the
// overlay file there.
func write(out string, dirs []string) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	replaced := map[string]string{}
	add := func(path string) error {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		counted, err := count(source)
		if err != nil || counted == nil {
			return err
		}
		copied := filepath.Join(out, strconv.Itoa(len(replaced))+".go")
		replaced[path] = copied
		return os.WriteFile(copied, counted, 0o666)
	}
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && path != dir && leftOut(path):
				return filepath.SkipDir
			case entry.IsDir(), !strings.HasSuffix(path, ".go"),
				strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return add(path)
		})
		if err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	name := filepath.Join(out, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}

// leftOut reports whether a folder has no code to count: another module, the counter itself, the
// fakes and generators of tests, or what the go command ignores.
func leftOut(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || base == "testdata" || base == "preflighttest" {
		return true
	}
	if strings.HasSuffix(filepath.ToSlash(dir), "internal/work") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// count returns source with a step in each function and each loop; nil if it has none. The lines
// keep their numbers.
func count(source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var at []int // behind which byte a step is counted
	body := func(b *ast.BlockStmt) {
		if b != nil {
			at = append(at, fset.Position(b.Lbrace).Offset+1)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			body(n.Body)
		case *ast.FuncLit:
			body(n.Body)
		case *ast.ForStmt:
			body(n.Body)
		case *ast.RangeStmt:
			body(n.Body)
		}
		return true
	})
	if len(at) == 0 {
		return nil, nil
	}
	slices.Sort(at)
	var out bytes.Buffer
	from := fset.Position(file.Name.End()).Offset
	out.Write(source[:from])
	out.WriteString(`; import steps__ "github.com/go-preflight/preflight/internal/work"`)
	for _, to := range at {
		out.Write(source[from:to])
		out.WriteString(" steps__.Done();")
		from = to
	}
	out.Write(source[from:])
	return out.Bytes(), nil
}
