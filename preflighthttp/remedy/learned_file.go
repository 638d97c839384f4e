package remedy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/internal/atomicfile"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file keeps lessons in a file that people can read.

// learnedVersion is the version of the file. Version 1 did not know whose a lesson was, so that its
// lessons hold for nobody.
const learnedVersion = 2

// learnedFile is the form of the file.
type learnedFile struct {
	Version int `json:"version"`
	// Key is that of the hashes, which are worth nothing without the credentials.
	Key     string       `json:"key"`
	Lessons []lessonLine `json:"lessons"`
}

// lessonLine is a lesson in the file. What is done about its rule is not in it.
type lessonLine struct {
	Rule    string `json:"rule"`
	Learned string `json:"learned"`
	Remedy  bool   `json:"remedy,omitempty"` // switching the rule on does not do
	scope
}

// maxLearnedFile is how large a file may be, in bytes.
const maxLearnedFile = 64 << 20

// Open returns a Learned that is kept in a file, and writes the file when something is
// learned or unlearned. A file that does not exist is an empty one. The file has no credentials and
// no content. If it cannot be read, or is no such file, the error says so; the Learned is empty and
// ready all the same, leaves the file as it is, and returns the error from Err.
func Open(file string) (*Learned, error) {
	l := new(Learned)
	data, err := readLearned(file)
	if err == nil && data != nil {
		err = l.read(data)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
		return &Learned{failure: err}, err
	}
	l.file = file
	return l, nil
}

func readLearned(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxLearnedFile:
		return nil, errors.New("too large for a file of lessons")
	}
	return os.ReadFile(file)
}

// read takes the lessons of a file over.
func (l *Learned) read(data []byte) error {
	var read learnedFile
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	switch read.Version {
	case 1:
		return nil
	case learnedVersion:
	default:
		return fmt.Errorf("there is no version %d of files of lessons", read.Version)
	}
	if read.Key != "" {
		l.secret = []byte(read.Key)
	}
	type timed struct {
		scope
		lesson
	}
	all := make([]timed, 0, len(read.Lessons))
	for k := range read.Lessons {
		line := &read.Lessons[k]
		at, err := time.Parse(time.RFC3339, line.Learned)
		if err != nil || at.After(l.time().Add(trialTime)) {
			return fmt.Errorf("lesson %d has no time in the past", k+1)
		}
		s := lesson{rule: line.Rule, at: at}
		switch {
		case line.Remedy:
			if s.remedy = remedyFor(s.rule); s.remedy == "" {
				return fmt.Errorf("lesson %d: there is no remedy for %q", k+1, s.rule)
			}
		default:
			if err := provider.CheckSwitch(s.rule); err != nil {
				return fmt.Errorf("lesson %d: %w", k+1, err)
			}
		}
		all = append(all, timed{line.scope, s})
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) }) // as learned
	for _, one := range all {
		l.add(one.scope, one.lesson)
	}
	return nil
}

// remedyFor returns the remedy that a lesson that came from a file needs, "" if it is none.
func remedyFor(id string) string {
	if _, ok := likeOf(id); ok {
		return dropNamedName
	}
	if _, known := rule.ByID(id); !known {
		return ""
	}
	for _, r := range Restrictions() {
		if r.Apply != nil && (len(r.Rules) == 0 || slices.Contains(r.Rules, id)) {
			return r.Name
		}
	}
	return ""
}

// save writes the file, whole or not at all. It is called with the lock, which it gives back while
// it writes: a slow disk holds up no other request, and what is learned meanwhile is written next.
func (l *Learned) save() {
	l.unsaved = l.file != ""
	if l.saving {
		return
	}
	write := l.write
	if write == nil {
		write = writeWhole
	}
	l.saving = true
	for l.unsaved {
		l.unsaved = false
		out := l.lines()
		l.mu.Unlock()
		err := write(l.file, out)
		l.mu.Lock()
		l.failure = err
	}
	l.saving = false
}

// lines returns what the file is to hold.
func (l *Learned) lines() learnedFile {
	out := learnedFile{
		Version: learnedVersion, Key: string(l.keyLocked()), Lessons: []lessonLine{},
	}
	for key, known := range l.hosts {
		for _, s := range known.all {
			if !l.stale(s) {
				out.Lessons = append(out.Lessons, lessonLine{
					s.rule, s.at.UTC().Format(time.RFC3339), s.remedy != "", key,
				})
			}
		}
	}
	slices.SortFunc(out.Lessons, func(a, b lessonLine) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.Model, b.Model),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Learned, b.Learned),
			strings.Compare(fmt.Sprint(a.scope), fmt.Sprint(b.scope)))
	})
	return out
}

func writeWhole(file string, v any) error {
	f, err := atomicfile.Create(file, 0o600)
	if err != nil {
		return err
	}
	defer f.Remove()
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return atomicfile.Complete(f)
}
