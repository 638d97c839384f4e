package snippets

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// IsProgram reports whether the block is a whole program, which Check takes as it is.
func (b Block) IsProgram() bool { return strings.HasPrefix(b.Code, "package main\n") }

// RunPrograms runs the programs in the documentation that use a package of this name, in a nested
// module two directories below the root, with further environment variables. It returns what each of
// them printed. The error is also that there are none.
func RunPrograms(name string, env ...string) (printed []string, err error) {
	blocks, err := documented()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "program")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, b := range blocks {
		if !b.IsProgram() || !b.Uses(name) {
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("line%d.go", b.Line))
		if err := os.WriteFile(file, []byte(b.Code), 0o600); err != nil {
			return nil, err
		}
		command := exec.Command("go", "run", file)
		command.Env = append(os.Environ(), env...)
		out, err := command.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w\n%s", b.File, b.Line, err, out)
		}
		printed = append(printed, string(out))
	}
	if len(printed) == 0 {
		return nil, fmt.Errorf("no program uses %q", name)
	}
	return printed, nil
}

// documented returns the blocks in README.md and docs/, from a nested module two directories below
// the root.
func documented() ([]Block, error) {
	root := filepath.Join("..", "..")
	return Blocks(filepath.Join(root, "README.md"), filepath.Join(root, "docs", "*.md"))
}
