package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-preflight/preflight/session"
)

// repairFlags are the flags of repair.
type repairFlags struct {
	write     bool
	dryRun    bool
	force     bool
	json      bool
	diff      bool
	html      string
	noContent bool
	doctor    bool
}

func (f *repairFlags) register(set *flag.FlagSet) {
	set.BoolVar(&f.write, "write", false, "repair the files, and keep a copy of each beside it")
	set.BoolVar(&f.write, "w", false, "the same as --write")
	set.BoolVar(&f.dryRun, "dry-run", false, "only say what is wrong, which is the default")
	set.BoolVar(&f.force, "force", false,
		"also write sessions that are in use; a running client does not see the repair and may "+
			"write what does not fit it, and a result that comes later is lost")
	set.BoolVar(&f.json, "json", false, "print a JSON list of what was found")
	set.BoolVar(&f.diff, "diff", false, "print the messages that a repair changes, with content")
	set.StringVar(&f.html, "html", "",
		"write a page to `FILE` with the messages before and after; content is hidden at first")
	set.BoolVar(&f.doctor, "doctor", false,
		"also say which step made each fault, with the client's own ids, and whom to tell")
	set.BoolVar(&f.noContent, "no-content", false, "leave content out of --diff and --html")
}

func (f *repairFlags) check() error {
	switch {
	case f.write && f.dryRun:
		return errors.New("--write and --dry-run exclude each other")
	case f.json && f.diff:
		return errors.New("--json and --diff exclude each other")
	}
	return nil
}

// checkedFile is one file that repair looked at.
type checkedFile struct {
	*session.File
	Error string `json:"error,omitempty"`

	err error
}

// runRepair looks for damage in stored sessions and, with --write, repairs it. Exit 0: nothing is
// wrong, or all of it was repaired. 1: something is wrong. 2: usage, or a named file that is no
// session.
func runRepair(args []string, std stdio) int {
	set := flags("repair")
	var f repairFlags
	f.register(set)
	names, err := parseNamed(set, args, std)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(std.out, "Without FILE it looks where these clients keep their sessions:\n"+
			strings.Join(titles(), ", ")+".")
		return exitOK
	case err != nil:
		return exitUsage
	}
	code, err := repairFiles(f, names, std)
	if err != nil {
		return std.fail("repair", err, max(code, exitWrong))
	}
	return code
}

// repairFiles looks at files one after the other, on all processors, and prints what it finds as
// it comes, so that only few files are in memory.
func repairFiles(f repairFlags, named []string, std stdio) (int, error) {
	if err := f.check(); err != nil {
		return exitUsage, err
	}
	roots := named
	if len(named) == 0 {
		var err error
		if roots, err = session.Places(); err != nil {
			return exitUsage, err
		}
	}
	files, unread, err := sessionFiles(roots, len(named) > 0)
	if err != nil {
		return exitUsage, err
	}
	if f.html != "" && slices.ContainsFunc(files, func(name string) bool {
		return sameName(name, f.html)
	}) {
		return exitUsage, fmt.Errorf("--html %s would overwrite a session", f.html)
	}
	page, err := openPage(f.html, !f.noContent, std)
	if err != nil {
		return exitUsage, err
	}
	out := &repairPrinter{
		flags: f, std: std, page: page, colors: colorsFor(std.out), roots: roots,
	}
	bar := progressOn(std.err, len(files), "files")
	boundMemory(12)
	options := &session.FileOptions{
		Options: session.Options{Causes: f.doctor},
		Write:   f.write, Force: f.force, Messages: f.diff || f.html != "",
	}
	stopped := context.Background()
	if f.write { // what was begun is brought to its end, whoever is gone
		ignoreSIGPIPE()
		var stop func()
		stopped, stop = signal.NotifyContext(stopped, os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(stopped, stop) // a second signal ends the process at once
	}
	inOrder(runtime.GOMAXPROCS(0), len(files), func(k int) *checkedFile {
		if stopped.Err() != nil {
			return nil
		}
		if err := unread[files[k]]; err != nil {
			return &checkedFile{&session.File{Name: files[k]}, err.Error(), err}
		}
		if f.write {
			replacing.RLock()
			defer replacing.RUnlock()
		}
		return repairFile(files[k], options)
	}, func(_ int, s *checkedFile) {
		bar.step()
		if s == nil {
			out.err = errStopped
			return
		}
		if errors.Is(s.err, session.ErrUnknown) && !slices.Contains(named, s.Name) {
			out.unknown = append(out.unknown, s)
			return
		}
		if !s.sound() || f.json {
			bar.clear()
		}
		out.add(s)
	})
	bar.end()
	return out.end()
}

var errStopped = errors.New("it was stopped: the other files are as they were")

// sameName reports whether two names are of one file.
func sameName(a, b string) bool {
	first, err := os.Stat(a)
	second, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(first, second)
}

// titles returns the names of the known clients as people write them.
func titles() []string {
	var all []string
	for _, name := range session.Clients() {
		all = append(all, session.Title(name))
	}
	return all
}

// extensions are how the names of files end that are looked at below a folder.
var extensions = []string{".jsonl", ".db", ".messages.json"}

func hasExtension(path string) bool {
	return slices.ContainsFunc(extensions,
		func(end string) bool { return strings.HasSuffix(path, end) })
}

// sessionFiles lists the files to look at: those among the roots and below them; the newest first,
// unless the user named the roots. Links are not followed. A folder that cannot be read is in the
// list too, and unread has its error.
func sessionFiles(roots []string, named bool) (files []string, unread map[string]error, err error) {
	unread = map[string]error{}
	changed := map[string]time.Time{}
	for _, root := range roots {
		info, err := os.Lstat(root)
		switch {
		case err != nil:
			return nil, nil, inFile(root, err)
		case info.Mode()&fs.ModeSymlink != 0 && named:
			return nil, nil, fmt.Errorf("%s is a link, and links are not followed", root)
		case !info.IsDir():
			files = append(files, root)
			changed[root] = info.ModTime()
			continue
		}
		err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // what is gone by now is no fault
				files, unread[path] = append(files, path), err
				return nil
			}
			if err != nil || !entry.Type().IsRegular() || !hasExtension(path) {
				return nil
			}
			files = append(files, path)
			if info, err := entry.Info(); err == nil {
				changed[path] = info.ModTime()
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if !named {
		slices.SortStableFunc(files,
			func(a, b string) int { return changed[b].Compare(changed[a]) })
	}
	return files, unread, nil
}

// repairFile looks at one file, and repairs it if the options say so.
func repairFile(name string, options *session.FileOptions) *checkedFile {
	file, err := session.RepairFile(name, options)
	if file == nil {
		file = &session.File{Name: name}
	}
	s := &checkedFile{File: file, err: err}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// sound reports whether there is nothing to say about a file.
func (s *checkedFile) sound() bool { return s.err == nil && len(s.Broken) == 0 }

// repaired reports whether a file was repaired, with nothing left that a provider refuses and
// nothing that keeps the client from opening it.
func (s *checkedFile) repaired() bool {
	return s.Backup != "" && s.err == nil &&
		!slices.ContainsFunc(s.Broken, func(o *session.Outcome) bool {
			return len(o.Report.Left) > 0 ||
				slices.ContainsFunc(o.Report.Findings, func(f session.Finding) bool {
					return f.Code == session.CodeHalfWritten && f.Fix == ""
				})
		})
}
