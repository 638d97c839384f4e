package bulk

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
)

// This file writes files that take their names when they are complete.

// pending are files that are being written. Names of a run that was killed are removed when the
// same file is created again.
type pending struct {
	files []*pendingFile
	err   error
}

// pendingFile is a file that is being written under another name.
type pendingFile struct {
	*bufio.Writer
	file    *os.File
	name    string
	written int64
}

// Write writes and counts.
func (f *pendingFile) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	f.written += int64(n)
	return n, err
}

// create begins a file. An error is kept in err, and what is written then fails.
func (p *pending) create(name string) *pendingFile {
	dir, base := filepath.Split(name)
	pattern := "." + base + ".tmp"
	if old, err := filepath.Glob(filepath.Join(dir, escapeGlob(pattern)+"*")); err == nil {
		for _, name := range old {
			os.Remove(name) // of a run that was killed
		}
	}
	if dir == "" {
		dir = "."
	}
	file, err := os.CreateTemp(dir, pattern+"*")
	if err == nil {
		err = file.Chmod(0o644)
	}
	p.err = errors.Join(p.err, err)
	f := &pendingFile{Writer: bufio.NewWriterSize(file, 1<<16), file: file, name: name}
	if err == nil {
		p.files = append(p.files, f)
	}
	return f
}

// rename completes the files, in the order in which they were created.
func (p *pending) rename() error {
	if p.err != nil {
		return p.err
	}
	for _, f := range p.files {
		if err := errors.Join(f.Flush(), f.file.Sync(), f.file.Close()); err != nil {
			return err
		}
	}
	for _, f := range p.files {
		if err := os.Rename(f.file.Name(), f.name); err != nil {
			return err
		}
	}
	p.files = nil
	return nil
}

// drop removes the files that were not completed.
func (p *pending) drop() {
	for _, f := range p.files {
		f.file.Close()
		os.Remove(f.file.Name())
	}
	p.files = nil
}

// escapeGlob escapes the characters that mean something in a pattern.
func escapeGlob(name string) string {
	var out []rune
	for _, r := range name {
		switch r {
		case '*', '?', '[', '\\':
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}
