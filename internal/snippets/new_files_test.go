package snippets

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNewFiles compiles the files that CONTRIBUTING.md tells a contributor to write, each in its
// package, as if it were there.
func TestNewFiles(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	for _, name := range []string{"provider", "session"} {
		_, code, found := strings.Cut(string(page), "```\n   package "+name+"\n")
		require.True(t, found, "CONTRIBUTING.md has no file of package %s", name)
		code, _, _ = strings.Cut(code, "   ```")
		code = "package " + name + "\n" + strings.ReplaceAll(code, "\n   ", "\n")
		temp, dir := t.TempDir(), filepath.Join(root, name)
		file, list := filepath.Join(temp, "acme.go"), filepath.Join(temp, "overlay.json")
		overlay, err := json.Marshal(map[string]any{
			"Replace": map[string]string{filepath.Join(dir, "acme.go"): file},
		})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
		require.NoError(t, os.WriteFile(list, overlay, 0o600))
		build := exec.Command("go", "build", "-overlay", list, ".")
		build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
