package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestTry does what a user does with the modules of this tree, from a module proxy on disk: it gets
// the root module and every adapter, compiles them and the README's code, installs the command, and
// runs a program on each agent framework. One module alone: -run TestTry/adapter/adk.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the SDKs of all providers")
	}
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	tried := 0
	require.NoError(t, tryEach(top, func(dir string, try func() error) error {
		t.Run(dir, func(t *testing.T) { require.NoError(t, try()) })
		if _, ok := frameworks[dir]; ok {
			tried++
		}
		return nil
	}))
	require.Len(t, frameworks, tried, "a program whose adapter is not there")
}

// TestSetVersion: at a release every module requires the others at its version, with their hashes,
// and has no replace directive left that a user would miss.
func TestSetVersion(t *testing.T) {
	tree, err := readTree(root)
	require.NoError(t, err)
	require.NoError(t, tree.setVersion("v0.9.8"))
	require.Equal(t, prefix, tree.modules[0].path(), "the root module comes first")
	require.Greater(t, len(tree.modules), 8)
	for _, m := range tree.modules[1:] {
		mod, err := m.goMod()
		require.NoError(t, err)
		require.Contains(t, string(mod), prefix+" v0.9.8", m.dir)
		require.NotContains(t, string(mod), "=>", m.dir)
		require.Contains(t, string(m.sum), prefix+" v0.9.8 h1:", m.dir)
		require.Contains(t, string(m.sum), prefix+" v0.9.8/go.mod h1:", m.dir)
	}
}

// TestNext: the commands tag every module, a nested one by its directory.
func TestNext(t *testing.T) {
	tree, err := readTree(root)
	require.NoError(t, err)
	commands := next(tree, "v0.9.8")
	require.Contains(t, commands, "git tag v0.9.8\n")
	require.Contains(t, commands, "git tag adapter/anthropic/v0.9.8\n")
	require.NotContains(t, commands, "tools/")
	require.Less(t, strings.Index(commands, "push origin v0.9.8\n"),
		strings.Index(commands, "push origin adapter/anthropic/v0.9.8\n"))
}

// TestVersion: what is not a version is refused before anything is done.
func TestVersion(t *testing.T) {
	for _, version := range []string{"", "0.1.0", "v1", "v1.2", "latest"} {
		require.ErrorContains(t, run(os.Stdout, version, false), "not of the form", version)
	}
}

// TestForgetVersion: only the version leaves the module cache.
func TestForgetVersion(t *testing.T) {
	cache := t.TempDir()
	own := filepath.Join(cache, filepath.FromSlash(filepath.Dir(prefix)))
	downloads := filepath.Join(cache, "cache", "download", "github.com", "go-preflight",
		"preflight", "@v")
	for _, dir := range []string{"preflight@v0.0.0-try.a", "preflight@v0.0.0-try.b"} {
		require.NoError(t, os.MkdirAll(filepath.Join(own, dir, "wire"), 0o755))
	}
	require.NoError(t, os.MkdirAll(downloads, 0o755))
	for _, name := range []string{"v0.0.0-try.a.zip", "v0.0.0-try.b.zip"} {
		require.NoError(t, os.WriteFile(filepath.Join(downloads, name), nil, 0o644))
	}
	require.NoError(t, forget(cache, "v0.0.0-try.a"))
	require.NoDirExists(t, filepath.Join(own, "preflight@v0.0.0-try.a"))
	require.NoFileExists(t, filepath.Join(downloads, "v0.0.0-try.a.zip"))
	require.DirExists(t, filepath.Join(own, "preflight@v0.0.0-try.b"))
	require.FileExists(t, filepath.Join(downloads, "v0.0.0-try.b.zip"))
}

// TestSort: a module comes after what it requires, whatever its directory is called.
func TestSort(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module example.com/m\n\ngo 1.24\n",
		"a/go.mod": "module example.com/m/a\n\ngo 1.24\n\nrequire example.com/m/b v0.0.0\n",
		"b/go.mod": "module example.com/m/b\n\ngo 1.24\n\nrequire example.com/m v0.0.0\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	_, err := git(dir, "init", "-q")
	require.NoError(t, err)
	tree, err := readTree(dir)
	require.NoError(t, err)
	var dirs []string
	for _, m := range tree.modules {
		dirs = append(dirs, m.dir)
	}
	require.Equal(t, []string{".", "b", "a"}, dirs)
}
