package bulk

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file writes files that take their names when they are complete.

// pending are files that are being written.
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
	file, err := createBeside(name)
	p.err = errors.Join(p.err, err)
	f := &pendingFile{Writer: bufio.NewWriterSize(file, 1<<16), file: file, name: name}
	if err == nil {
		p.files = append(p.files, f)
	}
	return f
}

// unfinished is between a file's name and a number, in the name that it has until it is complete.
const unfinished = ".preflight-tmp"

// createBeside creates a file under a name that nothing has, with the permissions that the process
// gives to new files.
func createBeside(name string) (file *os.File, err error) {
	dir, base := filepath.Split(name)
	for range 1000 {
		temporary := fmt.Sprintf("%s.%s%s%d", dir, base, unfinished, rand.Uint32())
		file, err = os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return file, err
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
		k := strings.LastIndex(e.Name(), unfinished)
		if k < 1 || e.Name()[0] != '.' || !wanted[e.Name()[1:k]] ||
			strings.Trim(e.Name()[k+len(unfinished):], "0123456789") != "" {
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
