// Command changes makes the changes of testdata/changes in a copy of the tree, and counts what they
// take: a change may touch no more files than it says, its tests pass with it, and without any one
// of the files a test fails that names what was forgotten. So adding a provider, a model or a fixer
// stays as short as CONTRIBUTING.md says.
//
//	go run -C tools ./changes           # all of them, in some minutes
//	go run -C tools ./changes dialect   # one
//
// A change is a txtar archive. Its comment says how many files it may touch ("most: 5") and which
// commands test it ("run: go test ./rule"). A file is new, or named with a line after which its
// text is put into a file that there is: "-- provider/provider.go after &cerebras, --".
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	root, err := filepath.Abs("..")
	check(err)
	files, err := filepath.Glob(filepath.Join(root, "testdata/changes/*.txtar"))
	check(err)
	failed := false
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], name) {
			continue
		}
		data, err := os.ReadFile(file)
		check(err)
		fmt.Printf("%s: ", name)
		if faults := try(root, parse(data)); len(faults) > 0 {
			failed = true
			fmt.Println(strings.Join(append([]string{"FAILED"}, faults...), "\n  "))
		}
	}
	if failed {
		os.Exit(1)
	}
}

// change is one of the tasks.
type change struct {
	most  int
	runs  [][]string
	edits []edit
}

// edit is what a change does to a file: it makes one, or puts text after a line.
type edit struct{ file, after, text string }

// parse reads a change from its archive.
func parse(data []byte) (c change) {
	for line := range strings.Lines(string(data)) {
		text := strings.TrimRight(line, "\n")
		name, ok := strings.CutPrefix(text, "-- ")
		most, isMost := strings.CutPrefix(text, "most: ")
		run, isRun := strings.CutPrefix(text, "run: ")
		switch {
		case ok && strings.HasSuffix(name, " --"):
			file, after, _ := strings.Cut(strings.TrimSuffix(name, " --"), " after ")
			c.edits = append(c.edits, edit{file: file, after: after})
		case len(c.edits) > 0: // the archive in an archive has a dash more
			if inner, ok := strings.CutPrefix(text, "--- "); ok && strings.HasSuffix(inner, " ---") {
				line = "-- " + strings.TrimSuffix(inner, " ---") + " --\n"
			}
			c.edits[len(c.edits)-1].text += line
		case isMost:
			n, err := strconv.Atoi(most)
			check(err)
			c.most = n
		case isRun:
			c.runs = append(c.runs, strings.Fields(run))
		}
	}
	return c
}

// files are those that a change touches.
func (c change) files() (out []string) {
	for _, e := range c.edits {
		if !slices.Contains(out, e.file) {
			out = append(out, e.file)
		}
	}
	return out
}

// try makes a change in a copy of the tree, whole and without one file after the other, and returns
// what is wrong with it.
func try(root string, c change) (faults []string) {
	touched := c.files()
	fmt.Printf("%d files, at most %d\n", len(touched), c.most)
	if len(touched) > c.most {
		faults = append(faults, "it touches "+strings.Join(touched, ", "))
	}
	if failing := apply(root, c, ""); failing != "" {
		return append(faults, "with all files: "+failing)
	}
	if len(touched) == 1 {
		return faults // a row that nobody adds is no row that somebody forgot
	}
	for _, without := range touched {
		failing := apply(root, c, without)
		if failing == "" {
			faults = append(faults, "no test misses "+without)
		}
		fmt.Printf("  without %s: %s\n", without, failing)
	}
	return faults
}

// apply makes a change in a fresh copy of the tree, but for one file, and returns which tests fail.
func apply(root string, c change, without string) string {
	dir, err := os.MkdirTemp("", "change")
	check(err)
	defer os.RemoveAll(dir)
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	check(err)
	for _, name := range strings.Split(strings.Trim(string(names), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // a link, or deleted
		}
		check(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		check(os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	for _, e := range c.edits {
		if e.file == without {
			continue
		}
		path := filepath.Join(dir, e.file)
		text := []byte(e.text)
		if e.after != "" {
			data, err := os.ReadFile(path)
			check(err)
			at := bytes.Index(data, []byte(e.after))
			if at < 0 {
				return fmt.Sprintf("%s has no line with %q", e.file, e.after)
			}
			at += bytes.IndexByte(data[at:], '\n') + 1
			text = slices.Concat(data[:at], text, data[at:])
		}
		check(os.WriteFile(path, text, 0o644))
	}
	for _, args := range c.runs {
		run := exec.Command(args[0], args[1:]...)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			return named(string(out))
		}
	}
	return ""
}

// failure is a line that names what is wrong.
var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(\S+\.go:\d+:\d+: .*)$`)

// named returns the tests that failed, or what does not compile.
func named(output string) string {
	var out []string
	for _, m := range failure.FindAllStringSubmatch(output, -1) {
		out = append(out, m[1]+m[2])
	}
	if out == nil {
		return output
	}
	return strings.Join(out, "; ")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "changes:", err)
		os.Exit(2)
	}
}
