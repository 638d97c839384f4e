// Package offload stores long outputs of tools for compact.Limits.Offload, so that an agent can read
// them again.
package offload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/atomicfile"
)

// Folder returns a function that writes the text of an output into a file of a folder and returns
// the path of it: folder, and a hash of the text. The folder is made when it is missing. The same
// text has the same file, and who reads one finds all of it. Only the user who runs the program may
// read the files, and nobody deletes them.
func Folder(folder string) func(context.Context, *preflight.ToolResult) (string, error) {
	return func(ctx context.Context, result *preflight.ToolResult) (string, error) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		text := text(result)
		hash := sha256.Sum256([]byte(text))
		name := filepath.Join(folder, hex.EncodeToString(hash[:16])+".txt")
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", err
		}
		file, err := atomicfile.Create(name, 0o600)
		if err != nil {
			return "", err
		}
		defer file.Remove()
		if _, err := file.WriteString(text); err != nil {
			return "", err
		}
		return name, atomicfile.Complete(file)
	}
}

// text returns the text of a result, or its output where it has none.
func text(result *preflight.ToolResult) string {
	var all []string
	for _, p := range result.Content {
		if t, ok := p.(*preflight.Text); ok && t != nil {
			all = append(all, t.Text)
		}
	}
	if len(all) == 0 {
		return string(result.Output)
	}
	return strings.Join(all, "\n")
}
