package session

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session/internal/running"
)

// This file finds out whether a client may still write to a session.

const (
	// unused is how long a file has to be unchanged before it is taken to be out of use.
	unused = 10 * time.Second
	// answering is how long a call without a result is taken to be one that a tool still runs for,
	// where the processes of the system cannot be listed.
	answering = 15 * time.Minute
	// starting is the same where they can be, and none is the client's: it may run in a container.
	starting = time.Minute
)

// runtimes are programs that run others, which their first argument names.
var runtimes = []string{"node", "bun", "deno", "python", "python3"}

// runs reports whether a process is one of some programs.
func runs(p *running.Process, programs []string) bool {
	for _, arg := range p.Args {
		name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(arg)), ".exe")
		for _, extension := range []string{".js", ".mjs", ".cjs"} {
			name = strings.TrimSuffix(name, extension)
		}
		if slices.Contains(programs, name) {
			return true
		}
		if !slices.Contains(runtimes, name) && !strings.HasPrefix(arg, "-") {
			return false
		}
	}
	return false
}

// user is what is known of the client of a session.
type user struct {
	programs []string // the names of the client
	locks    []string // ids of processes that have locked the session
	folder   string   // in which it works, "" if that is not known
	anywhere bool     // it may work in any folder
}

// inUse returns an error when somebody may still write to a file: it was changed in the last
// seconds, a process has it open, or a process of the client works in the session's folder.
func inUse(name string, info fs.FileInfo, by user) error {
	if age := time.Since(info.ModTime()); age >= 0 && age < unused {
		return fmt.Errorf("%w (it was changed %.0f s ago)", ErrInUse, age.Seconds())
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	open, processes, listed := nowRunning()
	if process := open[path]; process != "" {
		return fmt.Errorf("%w (process %s has it open)", ErrInUse, process)
	}
	if !listed && running.Elsewhere(path) {
		return fmt.Errorf("%w (another process has it open)", ErrInUse)
	}
	for _, p := range processes {
		if slices.Contains(by.locks, p.ID) {
			return fmt.Errorf("%w (process %s has locked the session)", ErrInUse, p.ID)
		}
		if runs(&p, by.programs) && (by.anywhere || sameFolder(p.Dir, by.folder)) {
			return fmt.Errorf("%w (process %s is its client, and works in the same folder)", ErrInUse,
				p.ID)
		}
	}
	return nil
}

// mayAnswer returns how long a client may still answer a call that it made.
func mayAnswer() time.Duration {
	if _, _, listed := nowRunning(); listed {
		return starting
	}
	return answering
}

// justCalled returns an error if a call without a result was made so short a time ago that its tool
// may still run.
func justCalled(report *Report) error {
	if report.called.IsZero() {
		return nil
	}
	age := time.Since(report.called)
	if age < 0 || age >= mayAnswer() {
		return nil
	}
	return fmt.Errorf("%w (its last tool call was made %.0f s ago, and the tool may still run)",
		ErrInUse, age.Seconds())
}

// sameFolder reports whether a process may work in a session's folder: that of a process of another
// user is not known, and some sessions do not name theirs.
func sameFolder(process, folder string) bool {
	return process == "" || folder == "" || resolved(process) == resolved(folder)
}

func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// What was running a moment ago, so that a repair of many files asks once.
var (
	runMutex  sync.Mutex
	runAsked  time.Time
	runOpen   map[string]string
	runThen   []running.Process
	runListed bool
)

// runningFor is how long the answer of nowRunning stays good.
const runningFor = time.Second

// nowRunning returns the files that other processes have open, each with one of those processes,
// and the processes. listed reports whether the system tells them.
func nowRunning() (open map[string]string, processes []running.Process, listed bool) {
	runMutex.Lock()
	defer runMutex.Unlock()
	if runAsked.IsZero() || time.Since(runAsked) >= runningFor {
		runOpen, runThen, runListed = running.List()
		runAsked = time.Now()
	}
	return runOpen, runThen, runListed
}

// stamp returns when a record was written, zero if it does not say so.
func (l *line) stamp() time.Time { return stampOf(l.at("timestamp")) }

// stampOf returns a time that is written as text or in milliseconds since 1970, zero if it is none.
func stampOf(v jsonscan.Value) time.Time {
	if n, err := strconv.ParseInt(string(v.Raw()), 10, 64); err == nil {
		return time.UnixMilli(n)
	}
	at, err := time.Parse(time.RFC3339, v.Str())
	if err != nil {
		return time.Time{}
	}
	return at
}

// lockedBy returns the ids of the processes that the lock files next to a session name.
func (c *client) lockedBy(name string) (ids []string) {
	before, after, found := strings.Cut(c.lock, "*")
	if !found {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(name), c.lock)) // no error: it is well-formed
	for _, file := range files {
		ids = append(ids, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), before), after))
	}
	return ids
}

// clientOf returns what is known of the client of a session.
func clientOf(name string, data []byte, report *Report) user {
	by := user{}
	for _, f := range listForms {
		if f.name == report.Client && f.programs != nil {
			by.programs, by.folder = f.programs, f.folder(name)
		}
	}
	for _, c := range clients {
		if c.name != report.Client {
			continue
		}
		by.programs, by.anywhere = c.programs, c.noFolder
		by.locks = c.lockedBy(name)
		l, _ := parseLog(data, nil)
		for _, record := range l.objects() {
			for _, path := range [][]string{{"cwd"}, {"payload", "cwd"}, {"data", "context", "cwd"}} {
				if folder := record.str(path...); folder != "" && by.folder == "" {
					by.folder = folder
				}
			}
		}
	}
	return by
}
