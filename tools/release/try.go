package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/snippets"
)

const (
	prefix  = "github.com/go-preflight/preflight"
	command = prefix + "/cmd/preflight"
)

// tryTree does with the tree what a user does, and says on out what it tries.
func tryTree(out io.Writer, root string) error {
	return tryEach(root, func(name string, try func() error) error {
		fmt.Fprintln(out, "try", name)
		return try()
	})
}

// tryEach publishes the tree in a module proxy on disk, at a version that nobody else has, and
// calls each for every module, with a function that does with the module what a user does. It ends
// with the first error. The modules leave the user's module cache when it is done.
func tryEach(root string, each func(dir string, try func() error) error) (err error) {
	t, err := readTree(root)
	if err != nil {
		return err
	}
	version := "v0.0.0-try." + strings.ToLower(rand.Text())
	if err := t.setVersion(version); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "release-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	proxy := filepath.Join(dir, "proxy")
	if err := t.writeProxy(proxy, version); err != nil {
		return err
	}
	cache, chain, err := goEnv()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, forget(cache, version)) }()
	u := user{dir: dir, env: append(os.Environ(),
		"GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "GONOSUMDB="+prefix,
		"GOPROXY=file://"+filepath.ToSlash(proxy)+","+chain,
		"GOBIN="+filepath.Join(dir, "bin"))}

	for _, m := range t.modules {
		try := func() error { return u.get(m, root) }
		if m.path() == command {
			try = u.install // not imported
		}
		if err := each(m.dir, try); err != nil {
			return err
		}
	}
	return nil
}

func goEnv() (cache, proxy string, err error) {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return "", "", fmt.Errorf("go env: %w", err)
	}
	cache, proxy, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return cache, proxy, nil
}

// forget removes the version from the module cache.
func forget(cache, version string) error {
	folder := filepath.Join(cache, filepath.FromSlash(path.Dir(prefix)))
	downloads := filepath.Join(cache, "cache", "download", filepath.FromSlash(path.Dir(prefix)))
	var errs []error
	for _, top := range []string{folder, downloads} {
		errs = append(errs, filepath.WalkDir(top, func(
			name string, d os.DirEntry, err error,
		) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil:
				return err
			case !strings.Contains(d.Name(), version):
				return nil
			case d.IsDir():
				if err := os.RemoveAll(name); err != nil {
					return err
				}
				return filepath.SkipDir
			}
			return os.Remove(name)
		}))
	}
	return errors.Join(errs...)
}

// A user has a directory and the environment of the go command, and nothing of this repository.
type user struct {
	dir string
	env []string
}

// get requires the module in a fresh one and compiles its packages. With the root module it
// type-checks the README's code, and with the adapter of a framework it runs a program.
func (u user) get(m *goModule, root string) error {
	dir, err := os.MkdirTemp(u.dir, "user-*")
	if err != nil {
		return err
	}
	if err := u.run(dir, "go", "mod", "init", "example.com/user"); err != nil {
		return err
	}
	if err := u.run(dir, "go", "get", m.path()+"@latest"); err != nil {
		return err
	}
	if err := u.run(dir, "go", "build", "-o", os.DevNull, m.path()+"/..."); err != nil {
		return err
	}
	if f, ok := frameworks[m.dir]; ok {
		return u.play(f, dir, root)
	}
	if m.path() == prefix {
		return u.readme(dir, root)
	}
	return nil
}

// readme type-checks the code of the README that needs no SDK.
func (u user) readme(dir, root string) error {
	blocks, err := snippets.Blocks(filepath.Join(root, "README.md"))
	if err != nil {
		return err
	}
	checker := snippets.Documentation()
	checker.Dir, checker.Env = dir, u.env
	return checker.Check(slices.DeleteFunc(blocks, func(b snippets.Block) bool {
		return !b.InRoot()
	}))
}

// install installs the command and asks it about a body that no provider accepts.
func (u user) install() error {
	if err := u.run(u.dir, "go", "install", command+"@latest"); err != nil {
		return err
	}
	const body = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"hi"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},` +
		`{"role":"user","content":"go on"}]}`
	check := exec.Command(filepath.Join(u.dir, "bin", "preflight"), "check")
	check.Stdin = strings.NewReader(body)
	out, err := check.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	if code := check.ProcessState.ExitCode(); code != 1 || !bytes.Contains(out, []byte("messages")) {
		return fmt.Errorf("preflight check: exit code %d, and it printed %q", code, out)
	}
	return nil
}

func (u user) run(dir, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir, command.Env = dir, u.env
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
