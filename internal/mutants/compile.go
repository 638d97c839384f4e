package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binary is where the tests of a suite are compiled to.
func (l *lab) binary(s suite) string {
	return filepath.Join(l.work, strings.NewReplacer("/", "_", ".", "_").Replace(s.dir)+".test")
}

// compile compiles the tests of the suites, with files in the place of those of the same name, or beside them. It says
// whether they compile, and if not, which mutants the compiler complains of, by their number.
func (l *lab) compile(suites []suite, files map[string][]byte) (ok bool, blamed []int, err error) {
	overlay, err := l.overlay(files)
	if err != nil {
		return false, nil, err
	}
	for _, s := range suites {
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-ldflags=-s -w", "-overlay", overlay, "-o", l.binary(s), ".")
		cmd.Dir, cmd.Env = s.dir, env()
		if out, err := cmd.CombinedOutput(); err != nil {
			return false, numbers(out), nil
		}
	}
	return true, nil, nil
}

// env spares the garbage collectors of the compiler and of the tests: what they run on is thrown away soon.
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

var complaint = regexp.MustCompile(`\bmutant(\d+):\d+`)

// numbers are the mutants that the compiler complains of.
func numbers(out []byte) []int {
	var all []int
	for _, found := range complaint.FindAllSubmatch(out, -1) {
		if k, err := strconv.Atoi(string(found[1])); err == nil {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
