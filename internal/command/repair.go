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
	"time"

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
	File   string          `json:"file"`
	Report *session.Report `json:"report,omitempty"`
	// Backup is the copy of the file as it was; "" where nothing was written.
	Backup string `json:"backup,omitempty"`
	Error  string `json:"error,omitempty"`

	err      error
	modified time.Time
}

// runRepair looks for damage in stored sessions and, with --write, mends it. Exit 0: nothing is
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
		fmt.Fprintln(std.err, "Without FILE it reads the sessions of Claude Code, Codex, "+
			"Gemini CLI and Qwen Code where they keep them.")
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
	named := len(set.Args()) > 0
	found := repairAll(files, f)
	found = slices.DeleteFunc(found, func(s *stored) bool {
		return errors.Is(s.err, session.ErrUnknown) && !slices.Contains(set.Args(), s.File)
	})
	if !named {
		slices.SortStableFunc(found,
			func(a, b *stored) int { return b.modified.Compare(a.modified) })
	}
	if f.json {
		return printRepairJSON(std.out, found)
	}
	return printRepairs(std.out, found, f.write)
}

// homes are the folders below the home folder in which the known clients keep their sessions.
var homes = []string{".claude/projects", ".codex/sessions", ".gemini/tmp", ".qwen/projects"}

// sessionFiles lists the files to look at: the arguments, the .jsonl files below those that are
// folders, and without arguments those below the clients' folders. Links are not followed.
func sessionFiles(args []string) ([]string, error) {
	roots := args
	if len(args) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		for _, dir := range homes {
			if dir = filepath.Join(home, filepath.FromSlash(dir)); isDir(dir) {
				roots = append(roots, dir)
			}
		}
	}
	var files []string
	for _, root := range roots {
		info, err := os.Lstat(root)
		switch {
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%s is a link, and links are not followed", root)
		case !info.IsDir():
			files = append(files, root)
			continue
		}
		err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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
	s := &stored{File: name}
	s.err = s.repair(f)
	if s.err != nil {
		s.Error = s.err.Error()
	}
	return s
}

func (s *stored) repair(f repairFlags) error {
	before, err := os.Lstat(s.File)
	if err != nil {
		return err
	}
	s.modified = before.ModTime()
	data, err := os.ReadFile(s.File)
	if err != nil {
		return err
	}
	repaired, report, err := session.Repair(data, nil)
	s.Report = report
	if err != nil || !report.Changed || !f.write {
		return err
	}
	if !f.force {
		if err := inUse(s.File, before); err != nil {
			return err
		}
	}
	s.Backup, err = replaceFile(s.File, before, data, repaired)
	return err
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

// printRepairs says in words what is wrong with each file and what was done, and ends with a
// summary.
func printRepairs(w io.Writer, found []*stored, wrote bool) int {
	broken, repaired := 0, 0
	for _, s := range found {
		if s.sound() {
			continue
		}
		broken++
		if s.Backup != "" {
			repaired++
		}
		s.print(w, wrote)
	}
	fmt.Fprintf(w, "%s, %d broken", countOf(len(found), "session"), broken)
	switch {
	case wrote:
		fmt.Fprintf(w, ", %d repaired", repaired)
	case broken > 0:
		fmt.Fprint(w, "; nothing was written: run it again with --write to repair them")
	}
	fmt.Fprintln(w)
	return repairCode(found)
}

// sound reports whether there is nothing to say about a file.
func (s *stored) sound() bool {
	return s.err == nil && s.Report != nil && len(s.Report.Findings) == 0 && len(s.Report.Left) == 0
}

func (s *stored) print(w io.Writer, wrote bool) {
	if s.Report == nil {
		fmt.Fprintf(w, "%s\n  %v\n", s.File, s.err)
		return
	}
	fmt.Fprintf(w, "%s  (%s)\n", s.File, s.Report.Client)
	if n := len(s.Report.Lost); n > 0 {
		first := ""
		if s.Report.LosesStart {
			first = ", among them the first one"
		}
		fmt.Fprintf(w, "  at the next resume the client leaves out %s without a word%s (%s)\n",
			countOf(n, "message"), first, linesText(s.Report.Lost))
	}
	for _, f := range s.Report.Findings {
		fmt.Fprintf(w, "  %s: %s\n", linesText(f.Lines), f.Problem)
		switch {
		case f.Done == "":
			fmt.Fprintln(w, "    nothing can be done about it")
		case s.Backup != "":
			fmt.Fprintf(w, "    %s\n", f.Done)
		default:
			fmt.Fprintf(w, "    the repair: %s\n", f.Done)
		}
	}
	for k, v := range s.Report.Left {
		fmt.Fprintf(w, "  %s: the provider would refuse it all the same: %s (%s)\n",
			linesText(s.Report.LeftLines[k]), v.Detail, v.Rule)
	}
	switch {
	case s.err != nil:
		fmt.Fprintf(w, "  not written: %v\n", s.err)
	case s.Backup != "":
		fmt.Fprintf(w, "  repaired; the file as it was is kept as %s\n", filepath.Base(s.Backup))
	}
}

// repairCode is the exit code for what was found.
func repairCode(found []*stored) int {
	code := exitOK
	for _, s := range found {
		switch {
		case s.err != nil && s.Report == nil:
			return exitUsage
		case s.sound() || s.Backup != "" && len(s.Report.Left) == 0 && s.err == nil:
		default:
			code = exitWrong
		}
	}
	return code
}

// linesText names a few lines: "line 3", "lines 3, 4 and 9", "lines 3, 4, 5 and 12 more".
func linesText(lines []int) string {
	const most = 5
	switch len(lines) {
	case 0:
		return "the file"
	case 1:
		return fmt.Sprintf("line %d", lines[0])
	}
	shown := lines[:min(len(lines), most)]
	var b strings.Builder
	b.WriteString("lines ")
	for k, n := range shown {
		if k > 0 && k == len(lines)-1 {
			b.WriteString(" and ")
		} else if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	if more := len(lines) - len(shown); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
