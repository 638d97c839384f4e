package preflighttest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// common are the packages that fakes of several providers may use. They judge nothing but what the
// providers have in common, such as the model that claude is about.
var common = []string{"fake", "read", "seal", "picture", "openai", "claude"}

// TestImports: the fakes share no code with what they are there to judge, and the fake of one
// provider does not lean on that of another.
func TestImports(t *testing.T) {
	const module = "github.com/go-preflight/preflight/"
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir("internal", func(path string, _ fs.DirEntry, err error) error {
		files = append(files, path)
		return err
	}))
	count := 0
	for _, name := range files {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		count++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if !strings.Contains(path, ".") || path == module+"rule" {
				continue
			}
			used, inside := strings.CutPrefix(path, module+"preflighttest/internal/")
			require.True(t, inside, "%s imports %s", name, path)
			require.True(t, filepath.Dir(name) == "." || slices.Contains(common, used),
				"%s imports the fake %s", name, used)
		}
	}
	require.Greater(t, count, 50)
}
