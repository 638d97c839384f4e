package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestUntagged does in a fresh module what the page says, next to this repository as the clone.
func TestUntagged(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, untagged))
	if os.IsNotExist(err) {
		t.Skip("a version is tagged: go get finds it")
	}
	require.NoError(t, err)
	blocks := shellBlock.FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 3)

	parent := t.TempDir()
	require.NoError(t, os.Symlink(root, filepath.Join(parent, "preflight")))
	dir := filepath.Join(parent, "agent")
	require.NoError(t, os.Mkdir(dir, 0o777))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	cache, proxy, err := goEnv()
	require.NoError(t, err)
	sh := func(script string) {
		t.Helper()
		command := exec.Command("sh", "-ec", script)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=off", // what was downloaded is not asked for again
			"GOPROXY=file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download"))+","+proxy)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write("go.mod", "module example.com/agent\n\ngo 1.24.0\n")
	clone, replace, _ := strings.Cut(blocks[0][1], "\n")
	require.True(t, strings.HasPrefix(clone, "git clone "), clone)
	sh(replace)
	var imports strings.Builder
	for _, pkg := range []string{"wire", "compact", "session", "adapter/ollama", "adapter/mcp"} {
		fmt.Fprintf(&imports, "import _ %q\n", prefix+"/"+pkg)
	}
	write("main.go", "package main\n\n"+imports.String()+"\nfunc main() {}\n")
	sh(blocks[1][1])
	sh("go build -o agent .")

	sh(blocks[2][1])
	sh("./preflight version && ./preflight-extproc --help")
}

// TestUntaggedIsSaid: each page with a command that finds nothing yet says so in the lines around
// it.
func TestUntaggedIsSaid(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(root, untagged)); os.IsNotExist(err) {
		t.Skip("a version is tagged: go get finds it")
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	finds := regexp.MustCompile(`go (get|install) github\.com/go-preflight/`)
	said := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		for k, line := range lines {
			if !finds.MatchString(line) {
				continue
			}
			said++
			near := strings.Join(lines[max(0, k-6):min(len(lines), k+14)], "\n")
			require.Contains(t, near, "untagged.md)", "%s:%d", page, k+1)
		}
	}
	require.Greater(t, said, 4)
}

func TestWithoutUntagged(t *testing.T) {
	in := "a\n\nNo version is tagged yet: [clone it](docs/untagged.md).\n\nb\n"
	require.Equal(t, "a\n\nb\n", string(withoutUntagged([]byte(in))))
	require.Equal(t, "a\nb\n", string(withoutUntagged([]byte("a\nb\n"))))
}
