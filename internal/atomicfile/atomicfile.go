// Package atomicfile writes files that take their names when they are complete, so that who reads
// one finds the old file or the new one, whole.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// File is a file that is being written, beside the place that it is for and under another name.
type File struct {
	*bufio.Writer
	file *os.File
	name string
}

// Create begins the file that is to have a name, with permissions of which the process takes away
// what it takes from every new file. It follows no link: the file takes the place of one.
func Create(name string, perm fs.FileMode) (*File, error) {
	dir, base := filepath.Split(name)
	var file *os.File
	var err error
	for range 1000 {
		temporary := fmt.Sprintf("%s.%s%s%d", dir, base, unfinished, rand.Uint32())
		file, err = os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return &File{bufio.NewWriterSize(file, 1<<16), file, name}, nil
}

// Replace is like Create for a name that another file has: it begins one with the permissions and
// the owner of that, which info is of.
func Replace(name string, info fs.FileInfo) (*File, error) {
	f, err := Create(name, 0o600)
	if err != nil {
		return nil, err
	}
	KeepOwner(f.file, info)
	if err := f.file.Chmod(info.Mode().Perm()); err != nil {
		f.Remove()
		return nil, err
	}
	return f, nil
}

// KeepOwner gives a file the owner and group of the one that info is of, as far as the process may.
// When root repairs the file of a user, the user can read the new one too. It has to be called
// before permissions are set, which a new owner may take away.
func KeepOwner(file *os.File, info fs.FileInfo) { keepOwner(file, info) }

// unfinished is between a file's name and a number, in the name that it has until it is complete.
const unfinished = ".preflight-tmp"

// Unfinished returns the base name of the file that one with this base name was going to be, or ""
// if it is no unfinished one. A process that is killed leaves such files.
func Unfinished(base string) string {
	k := strings.LastIndex(base, unfinished)
	if k < 1 || base[0] != '.' || strings.Trim(base[k+len(unfinished):], "0123456789") != "" {
		return ""
	}
	return base[1:k]
}

// Temporary returns the name that the file has until it is complete.
func (f *File) Temporary() string { return f.file.Name() }

// Finish ends the writing. When it returns nil, the disk has all of the file.
func (f *File) Finish() error { return errors.Join(f.Flush(), f.file.Sync(), f.file.Close()) }

// Rename gives a finished file its name.
func (f *File) Rename() error { return os.Rename(f.file.Name(), f.name) }

// Complete finishes files and then renames them, in their order. After an error, some may have been
// renamed; Remove removes the others.
func Complete(files ...*File) error {
	for _, f := range files {
		if err := f.Finish(); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.Rename(); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the file if it has not got its name. It is to be deferred.
func (f *File) Remove() {
	f.file.Close()
	os.Remove(f.file.Name())
}
