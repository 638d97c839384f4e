// Package snippets type-checks the Go code that is quoted in the documentation.
package snippets

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Block is one block of Go code in a Markdown file.
type Block struct {
	File string
	Line int // of the first line of code, from 1
	Code string
}

// Blocks returns the blocks between ```go and ``` in the Markdown files that match the patterns.
func Blocks(patterns ...string) ([]Block, error) {
	var blocks []Block
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			page, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, blocksOf(name, string(page))...)
		}
	}
	return blocks, nil
}

func blocksOf(name, page string) []Block {
	var blocks []Block
	var block *Block
	number := 0
	for line := range strings.Lines(page) {
		number++
		switch mark := strings.TrimSpace(line); {
		case block == nil && mark == "```go":
			block = &Block{File: name, Line: number + 1}
		case block != nil && mark == "```":
			blocks, block = append(blocks, *block), nil
		case block != nil:
			block.Code += line
		}
	}
	return blocks
}

// Checker type-checks blocks. A block is the body of a function that returns an error. It may begin
// with import declarations, and it may use the packages and variables of the checker without
// declaring them. A variable that a block declares and does not use is no error.
type Checker struct {
	// Imports are import paths by the name of the package.
	Imports map[string]string

	// Variables are declarations at package level, such as "var ctx context.Context".
	Variables string

	// Dir and Env are the directory and the environment of the go command that finds the packages.
	// Their zero values stand for the current ones.
	Dir string
	Env []string

	exports map[string]string // by import path: the file of export data
}

// Check returns the errors of the blocks, each with the file and line of the documentation.
func (c *Checker) Check(blocks []Block) error {
	var sources []*ast.File
	var errs []error
	set := token.NewFileSet()
	for _, block := range blocks {
		file, err := parser.ParseFile(set, block.File, c.source(block), parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		sources = append(sources, file)
	}
	if err := c.list(sources); err != nil {
		return err
	}
	for _, file := range sources {
		config := types.Config{
			Importer: importer.ForCompiler(set, "gc", c.open),
			Error: func(err error) {
				if e := (types.Error{}); !errors.As(err, &e) || !e.Soft {
					errs = append(errs, err)
				}
			},
		}
		_, _ = config.Check("snippet", set, []*ast.File{file}, nil) // Error has the errors
	}
	return errors.Join(errs...)
}

// source returns a file that is the block, or in which it is the body of a function.
func (c *Checker) source(block Block) string {
	var imports strings.Builder
	code, line := block.Code, block.Line
	for strings.HasPrefix(strings.TrimSpace(code), "import ") {
		first, rest, _ := strings.Cut(code, "\n")
		imports.WriteString(first + "\n")
		code, line = rest, line+1
	}
	for name, path := range c.Imports {
		used := strings.Contains(c.Variables+code, name+".")
		if used && !strings.Contains(imports.String(), path+`"`) {
			fmt.Fprintf(&imports, "import %s %q\n", name, path)
		}
	}
	const layout = "package snippet\n%s\n%s\nfunc _() error {\n//line %s:%d\n%s\nreturn nil\n}\n"
	return fmt.Sprintf(layout, &imports, c.Variables, filepath.Base(block.File), line, code)
}

// list finds the export data of everything that the files import.
func (c *Checker) list(files []*ast.File) error {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	for _, file := range files {
		for _, imported := range file.Imports {
			args = append(args, strings.Trim(imported.Path.Value, `"`))
		}
	}
	command := exec.Command("go", args...)
	command.Dir, command.Env = c.Dir, c.Env
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	c.exports = make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		c.exports[path] = file
	}
	return nil
}

func (c *Checker) open(path string) (io.ReadCloser, error) {
	file := c.exports[path]
	if file == "" {
		return nil, fmt.Errorf("no export data for %s", path)
	}
	return os.Open(file)
}

// Uses reports whether the block uses a package of this name. A block that uses a package of a
// nested module can be checked only there.
func (b Block) Uses(name string) bool {
	return regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(b.Code)
}

// CheckModule type-checks the blocks in README.md and docs/ that use a package of one of these
// names, in a nested module two directories below the root. The error is also that there are none.
func (c *Checker) CheckModule(names ...string) error {
	root := filepath.Join("..", "..")
	blocks, err := Blocks(filepath.Join(root, "README.md"), filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return err
	}
	blocks = slices.DeleteFunc(blocks, func(b Block) bool {
		return !slices.ContainsFunc(names, b.Uses)
	})
	if len(blocks) == 0 {
		return fmt.Errorf("no block uses %q", names)
	}
	return c.Check(blocks)
}

// InRoot reports whether the block uses only packages of the root module and the standard library.
func (b Block) InRoot() bool {
	nested := []string{
		"compact", "session", "compacted", "anthropic", "preflightadk", "preflightanthropic",
		"preflightanthropicv2", "preflightanyllm", "preflightbeam", "preflightbedrock",
		"preflighteino", "preflightfantasy", "preflightgenkit",
		"preflightextproc", "preflightgenai", "preflightgoopenai", "preflightlangchaingo",
		"preflightmcp", "preflightollama", "preflightopenai", "preflightotel",
	}
	return !slices.ContainsFunc(nested, b.Uses)
}
