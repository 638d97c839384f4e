// Command release prepares a release of every module in this repository.
//
//	go run -C tools ./release -version v0.1.0          # try it, and change nothing
//	go run -C tools ./release -version v0.1.0 -write   # the same, then edit the files
//
// It builds a module proxy of the tree in a temporary directory and does with it what a user does:
// get the root module and every adapter into a fresh module, install the command, compile the
// README's code, and run a program on each agent framework. Only when that works does -write set
// the requirements of the nested modules to the version, remove their replace directives, date the
// changelog, and take out of the documentation that no version is tagged. It prints the git
// commands that remain.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

func main() {
	version := flag.String("version", "", "version to release, such as v0.1.0")
	write := flag.Bool("write", false, "edit go.mod, go.sum and the changelog")
	flag.Parse()
	if err := run(os.Stdout, *version, *write); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, version string, write bool) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("version %q is not of the form v1.2.3", version)
	}
	root, err := filepath.Abs("..") // go run -C tools
	if err != nil {
		return err
	}
	if err := ready(root, version); err != nil {
		return err
	}
	changes, err := readChangelog(root, version)
	if err != nil {
		return err
	}
	tree, err := readTree(root)
	if err != nil {
		return err
	}
	if err := tree.setVersion(version); err != nil {
		return err
	}
	if err := tryTree(out, root); err != nil {
		return fmt.Errorf("as a user would get it: %w", err)
	}
	if write {
		if err := errors.Join(tree.write(), changes.write(time.Now()), tagged(root)); err != nil {
			return err
		}
	}
	fmt.Fprint(out, next(tree, version))
	return nil
}

// ready returns an error if the work tree has changes, or if the version has a tag.
func ready(root, version string) error {
	status, err := git(root, "status", "--porcelain")
	if err != nil {
		return err
	}
	if status != "" {
		return errors.New("the work tree has changes that are not committed")
	}
	tags, err := git(root, "tag", "--list", version)
	if err != nil {
		return err
	}
	if tags != "" {
		return fmt.Errorf("tag %s exists", version)
	}
	return nil
}

// next returns the commands that publish the release. The tag of a module comes after the tags of
// what it requires.
func next(tree *tree, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "git switch -c release-%s\n", version)
	fmt.Fprintf(&b, "git commit -am 'Release %s'\n", version)
	for _, m := range tree.modules {
		fmt.Fprintf(&b, "git tag %s\n", path.Join(m.dir, version))
	}
	for _, m := range tree.modules {
		fmt.Fprintf(&b, "git push origin %s\n", path.Join(m.dir, version))
	}
	return b.String()
}

func git(dir string, args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
