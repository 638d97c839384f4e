package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// untagged is the page that says how to use the library while no version is tagged.
const untagged = "docs/untagged.md"

// tagged removes that page, and the lines of README.md and docs that refer to it, each with the
// blank line after it.
func tagged(root string) error {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return err
	}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		if kept := withoutUntagged(text); len(kept) != len(text) {
			if err := os.WriteFile(page, kept, 0o666); err != nil {
				return err
			}
		}
	}
	if err := os.Remove(filepath.Join(root, untagged)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func withoutUntagged(text []byte) []byte {
	var kept []byte
	gone := false
	for line := range bytes.Lines(text) {
		blank := gone && len(bytes.TrimSpace(line)) == 0
		gone = bytes.Contains(line, []byte("untagged.md)"))
		if !gone && !blank {
			kept = append(kept, line...)
		}
	}
	return kept
}
