package bulk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// This file writes files that take their names when they are complete.

// pending are files that are being written.
type pending struct {
	files []*atomicfile.File
	err   error
}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	written int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.written += int64(n)
	return n, err
}

// create begins a file, with the permissions that the process gives to new files. There is no
// file when that fails, and err has the error.
func (p *pending) create(name string) *atomicfile.File {
	file, err := atomicfile.Create(name, 0o666)
	if err != nil {
		p.err = errors.Join(p.err, err)
		return nil
	}
	p.files = append(p.files, file)
	return file
}

// removeUnfinished removes what a run that was killed left of the files of these names, which are
// in one directory, as far as it can. It spares inputs.
func removeUnfinished(dir string, names []string, inputs []fs.FileInfo) {
	entries, _ := os.ReadDir(dir)
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[filepath.Base(name)] = true
	}
	for _, e := range entries {
		if !wanted[atomicfile.Unfinished(e.Name())] {
			continue
		}
		info, err := e.Info()
		if err != nil || slices.ContainsFunc(inputs,
			func(input fs.FileInfo) bool { return os.SameFile(info, input) }) {
			continue
		}
		os.Remove(filepath.Join(dir, e.Name()))
	}
}

// rename completes the files, in the order in which they were created.
func (p *pending) rename() error {
	if err := atomicfile.Complete(p.files...); err != nil {
		return err
	}
	p.files = nil
	return nil
}

// drop removes the files that were not completed.
func (p *pending) drop() {
	for _, f := range p.files {
		f.Remove()
	}
}
