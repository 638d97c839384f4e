package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// withReport runs the work of a command that writes reports to a file, and returns the exit code:
// at least failed after an error. inputs are the files that the command reads by name.
func withReport(
	command, file string, inputs []string, std stdio, failed int,
	work func(reports io.Writer) (int, error),
) int {
	reports, close, err := openReport(file, std, inputs...)
	if err != nil {
		return std.fail(command, err, exitUsage)
	}
	code, err := work(reports)
	if err = alsoClosed(err, close); err != nil {
		return std.fail(command, err, max(code, failed))
	}
	return code
}

// openReport opens the file for reports: nowhere for "", standard error for "-" and for the name of
// the file that it goes to. Another file takes its name when close is called, in one step, so that
// no reader sees a part of it. A report that would take the place of the input or the output of the
// command is an error. inputs are the files that it reads by name.
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
		return untilClosed(atomicfile.Create(name, 0o666))
	case err != nil:
		return nil, nil, err
	case sameFile(info, std.in), sameFile(info, std.out), slices.ContainsFunc(inputs,
		func(input string) bool {
			other, err := os.Stat(input)
			return err == nil && os.SameFile(info, other)
		}):
		return nil, nil, fmt.Errorf("%s would overwrite the input or the output", name)
	case sameFile(info, std.err):
		return std.err, func() error { return nil }, nil
	case !info.Mode().IsRegular():
		return bufferedReport(os.OpenFile(name, os.O_WRONLY, 0))
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return nil, nil, err
	}
	return untilClosed(atomicfile.Create(name, info.Mode().Perm()))
}

// sameFile reports whether a stream is the file of info.
func sameFile(info fs.FileInfo, stream any) bool {
	file := fileOf(stream)
	if file == nil {
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

// untilClosed makes a file complete when the function returned is called. Nothing of it is left
// when the program is stopped before.
func untilClosed(f *atomicfile.File, err error) (io.Writer, func() error, error) {
	if err != nil {
		return nil, nil, err
	}
	stop := removeWhenStopped(f.Temporary())
	return f, func() error {
		defer stop()
		defer f.Remove()
		return atomicfile.Complete(f)
	}, nil
}

// alsoClosed returns err and the error of closing what was written to, which may be the same one.
func alsoClosed(err error, close func() error) error {
	closed := close()
	if err != nil && errors.Is(closed, err) {
		return closed
	}
	return errors.Join(err, closed)
}

// replacing is held while other files are replaced, which has several steps.
var replacing sync.RWMutex

// removeWhenStopped removes a file, and ends the program, if it is told to stop before the returned
// function is called; what holds replacing is brought to its end first. When the reader of standard
// output is gone, writing to it is an error in the meantime, and does not end the program.
func removeWhenStopped(name string) (done func()) {
	ignoreSIGPIPE()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		select {
		case <-stop:
			replacing.Lock() // for good
			os.Remove(name)
			os.Exit(exitWrong)
		case <-ended:
		}
	}()
	return func() {
		signal.Stop(stop)
		close(ended)
	}
}
