package main

import (
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
	using := func(pkg string) string {
		return "package main\n\nimport _ \"github.com/go-preflight/preflight/" + pkg + "\"\n\n" +
			"func main() {}\n"
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	sh := func(script string) {
		t.Helper()
		command := exec.Command("sh", "-ec", script)
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write("go.mod", "module example.com/agent\n\ngo 1.24.0\n")
	write("main.go", using("wire"))
	clone, rest, _ := strings.Cut(blocks[0][1], "\n")
	require.True(t, strings.HasPrefix(clone, "git clone "), clone)
	sh(rest)
	sh("go build -o agent .")

	write("main.go", using("adapter/ollama"))
	sh(blocks[1][1])
	sh("go build -o agent .")

	sh(blocks[2][1])
	sh("./preflight version")
}

func TestWithoutUntagged(t *testing.T) {
	in := "a\n\nNo version is tagged yet: [clone it](docs/untagged.md).\n\nb\n"
	require.Equal(t, "a\n\nb\n", string(withoutUntagged([]byte(in))))
	require.Equal(t, "a\nb\n", string(withoutUntagged([]byte("a\nb\n"))))
}
