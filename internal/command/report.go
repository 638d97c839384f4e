package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// openReport opens the file for reports: nowhere for "", standard error for "-". The file takes its
// name when close is called, in one step, so that no reader sees a part of it. A report that would
// take the place of the input or the output of the command is an error. inputs are the files that
// it reads by name.
func openReport(
	name string, std stdio, inputs ...string,
) (w io.Writer, close func() error, err error) {
	switch name {
	case "":
		return io.Discard, func() error { return nil }, nil
	case "-":
		return std.err, func() error { return nil }, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newReport(name, 0o666)
	case err != nil:
		return nil, nil, err
	case sameFile(info, std.in), sameFile(info, std.out), slices.ContainsFunc(inputs,
		func(input string) bool {
			other, err := os.Stat(input)
			return err == nil && os.SameFile(info, other)
		}):
		return nil, nil, fmt.Errorf("--report %s would overwrite the input or the output", name)
	case !info.Mode().IsRegular():
		return bufferedReport(os.OpenFile(name, os.O_WRONLY, 0))
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return nil, nil, err
	}
	return newReport(name, info.Mode().Perm())
}

// sameFile reports whether a stream is the file of info.
func sameFile(info fs.FileInfo, stream any) bool {
	file, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	other, err := file.Stat()
	return err == nil && os.SameFile(info, other)
}

// bufferedReport writes reports to a file as they come, as a pipe or a device wants it.
func bufferedReport(file *os.File, err error) (io.Writer, func() error, error) {
	if err != nil {
		return nil, nil, err
	}
	w := bufio.NewWriter(file)
	return w, func() error { return errors.Join(w.Flush(), file.Close()) }, nil
}

// newReport writes reports to a file beside the one it replaces at the end.
func newReport(name string, perm fs.FileMode) (io.Writer, func() error, error) {
	temporary := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	w, closeFile, err := bufferedReport(file, err)
	if err != nil {
		return nil, nil, err
	}
	return w, func() error {
		if err := closeFile(); err != nil {
			return errors.Join(err, os.Remove(temporary))
		}
		return os.Rename(temporary, name)
	}, nil
}
