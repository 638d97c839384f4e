package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// binary is where the tests of a suite are compiled to.
func (l *lab) binary(s suite) string {
	return filepath.Join(l.work, strings.NewReplacer("/", "_", ".", "_").Replace(s.dir)+".test")
}

// compile compiles the tests of the suites, with files in the place of those of the same name, or
// beside them. It says whether they compile, and if not, what the compiler says.
func (l *lab) compile(
	suites []suite,
	files map[string][]byte,
) (ok bool, complaint string, err error) {
	overlay, err := l.overlay(files)
	if err != nil {
		return false, "", err
	}
	for _, s := range suites {
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-ldflags=-s -w",
			"-overlay", overlay, "-o", l.binary(s), ".")
		cmd.Dir, cmd.Env = s.dir, env()
		if out, err := cmd.CombinedOutput(); err != nil {
			return false, string(out), nil
		}
	}
	return true, "", nil
}

// env spares the garbage collectors of the compiler and of the tests: what they run on is thrown
// away soon.
func env() []string { return append(os.Environ(), "GOGC=400") }

// overlay writes the files, and the description of where they belong, whose name it returns.
func (l *lab) overlay(files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for file, text := range files {
		target, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		replace[target] = filepath.Join(l.work, "source"+strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(replace[target], text, 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(l.work, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

var position = regexp.MustCompile(`(?m)([^/\s:]+):(\d+)`)

// blamed are the mutants of a batch that the compiler complains of, by their number. It names a
// schema, or only the line that has one, when what is around it does not fit.
func blamed(complaint string, batch []mutant) []int {
	var named, near []int
	for _, at := range position.FindAllStringSubmatch(complaint, -1) {
		line, _ := strconv.Atoi(at[2])
		for k, m := range batch {
			if at[1] == schemaName(k+1) {
				named = append(named, k+1)
			} else if first, last := m.lines(); at[1] == filepath.Base(m.file) && first <= line &&
				line <= last {
				near = append(near, k+1)
			}
		}
	}
	if named != nil {
		return named
	}
	return near
}
