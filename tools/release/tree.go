package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// unpublished are the directories whose modules are only for contributors.
var unpublished = []string{"examples", "internal", "tools"}

// A tree is the repository: the modules to publish, each after those that it requires.
type tree struct {
	root    string
	modules []*goModule
}

type goModule struct {
	dir   string   // slash-separated and relative to the root; "." is the root module
	files []string // relative to the root
	mod   *modfile.File
	sum   []byte // go.sum
}

func (m *goModule) path() string { return m.mod.Module.Mod.Path }

// readTree reads the modules of the files that git tracks, or would track, below the directory
// root.
func readTree(root string) (*tree, error) {
	listed, err := git(root, "ls-files", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(strings.Split(listed, "\n"), func(name string) bool {
		info, err := os.Lstat(filepath.Join(root, name))
		return err != nil || !info.Mode().IsRegular()
	})
	all := make(map[string]*goModule) // by directory
	for _, name := range files {
		if path.Base(name) == "go.mod" {
			if all[path.Dir(name)], err = readModule(root, path.Dir(name)); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range files {
		m := moduleOf(all, name)
		if m == nil {
			return nil, fmt.Errorf("%s is in no module", name)
		}
		m.files = append(m.files, name)
	}
	t := &tree{root: root}
	for dir, m := range all {
		first, _, _ := strings.Cut(dir, "/")
		if !slices.Contains(unpublished, first) {
			t.modules = append(t.modules, m)
		}
	}
	return t, t.sort()
}

func readModule(root, dir string) (*goModule, error) {
	name := filepath.Join(root, dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &goModule{dir: dir}
	if m.mod, err = modfile.Parse(name, data, nil); err != nil {
		return nil, err
	}
	m.sum, err = os.ReadFile(filepath.Join(root, dir, "go.sum"))
	if os.IsNotExist(err) {
		err = nil
	}
	return m, err
}

// moduleOf returns the module with the longest directory that holds the file.
func moduleOf(all map[string]*goModule, name string) *goModule {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if m := all[dir]; m != nil || dir == "." {
			return m
		}
	}
}

// sort puts every module after those that it requires.
func (t *tree) sort() error {
	slices.SortFunc(t.modules, func(a, b *goModule) int { return cmp.Compare(a.dir, b.dir) })
	left := t.modules
	t.modules = nil
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(m *goModule) bool {
			return !slices.ContainsFunc(left, func(other *goModule) bool {
				return m.requires(other.path())
			})
		})
		if next < 0 {
			return fmt.Errorf("%s and another module require each other", left[0].path())
		}
		t.modules = append(t.modules, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return nil
}

func (m *goModule) requires(path string) bool {
	return slices.ContainsFunc(m.mod.Require, func(r *modfile.Require) bool {
		return r.Mod.Path == path
	})
}

// setVersion makes every module require the version of the others, replaces none of them, and
// writes their hashes to go.sum.
func (t *tree) setVersion(version string) error {
	var sums []sum // of the modules before
	for _, m := range t.modules {
		for _, s := range sums {
			if !m.requires(s.path) {
				continue
			}
			if err := m.mod.AddRequire(s.path, version); err != nil {
				return err
			}
			if err := m.mod.DropReplace(s.path, ""); err != nil {
				return err
			}
			m.sum = append(removeSums(m.sum, s.path), s.lines(version)...)
		}
		m.mod.Cleanup()
		m.sum = sortLines(m.sum)
		s, err := t.hash(m, version)
		if err != nil {
			return err
		}
		sums = append(sums, s)
	}
	return nil
}

func removeSums(sums []byte, path string) []byte {
	var kept []byte
	for line := range bytes.Lines(sums) {
		if !bytes.HasPrefix(line, []byte(path+" ")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

func sortLines(text []byte) []byte {
	return bytes.Join(slices.SortedFunc(bytes.Lines(text), bytes.Compare), nil)
}

// goMod returns the text of the module's go.mod.
func (m *goModule) goMod() ([]byte, error) {
	return m.mod.Format()
}

// write writes go.mod and go.sum of every module.
func (t *tree) write() error {
	for _, m := range t.modules {
		mod, err := m.goMod()
		if err != nil {
			return err
		}
		dir := filepath.Join(t.root, m.dir)
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644); err != nil {
			return err
		}
		if len(m.sum) == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "go.sum"), m.sum, 0o644); err != nil {
			return err
		}
	}
	return nil
}
