package command

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/session"
)

// repairFlags are the flags of repair.
type repairFlags struct {
	write bool
	force bool
	json  bool
}

// stored is one file that repair looked at.
type stored struct {
	*session.File
	Error string `json:"error,omitempty"`

	err error
}

// runRepair looks for damage in stored sessions and, with --write, repairs it. Exit 0: nothing is
// wrong, or all of it was repaired. 1: something is wrong. 2: usage, or a named file that is no
// session.
func runRepair(args []string, std stdio) int {
	set := flags("repair", std)
	var f repairFlags
	set.BoolVar(&f.write, "write", false,
		"repair the files, and keep a copy of each beside it (default: only say what is wrong)")
	set.BoolVar(&f.force, "force", false,
		"also write files that were changed in the last seconds or are open")
	set.BoolVar(&f.json, "json", false, "print a JSON list of what was found")
	set.Usage = func() {
		fmt.Fprintln(std.err, "usage: preflight repair [--write] [--force] [--json] [FILE|DIR…]")
		fmt.Fprintf(std.err, "Without FILE it looks where these clients keep their sessions: %s.\n",
			strings.Join(titles(), ", "))
		set.PrintDefaults()
	}
	switch err := set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	files, err := sessionFiles(set.Args())
	if err != nil {
		fmt.Fprintln(std.err, "preflight repair:", err)
		return exitUsage
	}
	found := repairAll(files, f)
	found = slices.DeleteFunc(found, func(s *stored) bool {
		return errors.Is(s.err, session.ErrUnknown) && !slices.Contains(set.Args(), s.Name)
	})
	if len(set.Args()) == 0 {
		slices.SortStableFunc(found,
			func(a, b *stored) int { return b.Modified.Compare(a.Modified) })
	}
	if f.json {
		return printRepairJSON(std.out, found)
	}
	return printRepairs(std.out, found, f.write)
}

// titles returns the names of the known clients as people write them.
func titles() []string {
	var all []string
	for _, name := range session.Clients() {
		all = append(all, session.Title(name))
	}
	return all
}

// extensions are those of the files that are looked at below a folder.
var extensions = []string{".jsonl", ".db"}

// sessionFiles lists the files to look at: the arguments, the files below those that are folders,
// and without arguments those where the clients keep their sessions. Links are not followed.
func sessionFiles(args []string) ([]string, error) {
	roots := args
	if len(args) == 0 {
		var err error
		if roots, err = session.Places(); err != nil {
			return nil, err
		}
	}
	var files []string
	for _, root := range roots {
		info, err := os.Lstat(root)
		switch {
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0 && len(args) > 0:
			return nil, fmt.Errorf("%s is a link, and links are not followed", root)
		case !info.IsDir():
			files = append(files, root)
			continue
		}
		err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() &&
				slices.Contains(extensions, filepath.Ext(path)) {
				files = append(files, path)
			}
			return nil // what cannot be read is left out
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// repairAll looks at all files, on all processors, and returns what it found in the order of the
// files.
func repairAll(files []string, f repairFlags) []*stored {
	found := make([]*stored, len(files))
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for k := range next {
				found[k] = repairFile(files[k], f)
			}
		}()
	}
	for k := range files {
		next <- k
	}
	close(next)
	wait.Wait()
	return found
}

// repairFile looks at one file, and with --write repairs it.
func repairFile(name string, f repairFlags) *stored {
	file, err := session.RepairFile(name,
		&session.FileOptions{Write: f.write, Force: f.force})
	if file == nil {
		file = &session.File{Name: name}
	}
	s := &stored{File: file, err: err}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

func printRepairJSON(w io.Writer, found []*stored) int {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if found == nil {
		found = []*stored{}
	}
	if err := enc.Encode(found); err != nil {
		return exitWrong
	}
	return repairCode(found)
}

// sound reports whether there is nothing to say about a file.
func (s *stored) sound() bool { return s.err == nil && len(s.Broken) == 0 }

// repaired reports whether a file was repaired, with nothing left that a provider refuses.
func (s *stored) repaired() bool {
	return s.Backup != "" && s.err == nil &&
		!slices.ContainsFunc(s.Broken, func(o *session.Outcome) bool { return len(o.Report.Left) > 0 })
}

// repairCode is the exit code for what was found.
func repairCode(found []*stored) int {
	code := exitOK
	for _, s := range found {
		switch {
		case s.err != nil && s.Client == "":
			return exitUsage
		case !s.sound() && !s.repaired():
			code = exitWrong
		}
	}
	return code
}
