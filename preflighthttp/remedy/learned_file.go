package remedy

import (
	"bytes"
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

// This file keeps lessons in a file that people can read. learned_merge.go is how processes share
// it.

// learnedVersion is the version of the file. Version 1 did not know whose a lesson was, so that its
// lessons hold for nobody.
const learnedVersion = 2

// learnedFile is the form of the file, with lessons of a type. uncut relies on the order of its
// members.
type learnedFile[Lesson any] struct {
	Version int `json:"version"`
	// Key is that of the hashes, which are worth nothing without the credentials.
	Key     string   `json:"key"`
	Lessons []Lesson `json:"lessons"`
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

// Open returns a Learned that is kept in a file, and writes the file when something is learned or
// unlearned. A file that does not exist is an empty one, and one whose end was lost in a crash is
// read as far as it is there. The file has no credentials and no content. Processes may share it.
// Lessons about rules that this version does not know stay in it, and nothing is done about them.
// If the file cannot be read, or is no such file, the error says so; the Learned is empty and ready
// all the same, leaves the file as it is, and returns the error from Err.
func Open(file string) (*Learned, error) {
	l := &Learned{file: file}
	found, err := l.load()
	if err != nil {
		return &Learned{failure: err}, err
	}
	l.takeOver(found)
	return l, nil
}

// stored is what the file has.
type stored struct {
	key     string
	lessons map[about]lesson  // nil if there is no file
	foreign []json.RawMessage // lines that this version does not understand
	cut     bool              // the end of the file is lost
}

// about is what a lesson is about.
type about struct {
	scope
	rule string
}

// load reads the file.
func (l *Learned) load() (found stored, err error) {
	data, err := readLearned(l.file)
	if err == nil && data != nil {
		found, err = l.parse(data)
	}
	if err != nil {
		return stored{}, fmt.Errorf("%s: %w", l.file, err)
	}
	return found, nil
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

// parse returns what is in a file.
func (l *Learned) parse(data []byte) (found stored, err error) {
	var read learnedFile[json.RawMessage]
	complete := uncut(data)
	if err := json.Unmarshal(complete, &read); err != nil {
		return stored{}, err
	}
	switch read.Version {
	case 1:
		return stored{}, nil
	case learnedVersion:
	default:
		return stored{}, fmt.Errorf("there is no version %d of files of lessons", read.Version)
	}
	found = stored{
		key: read.Key, lessons: map[about]lesson{}, cut: !bytes.Equal(complete, data),
	}
	for k, raw := range read.Lessons {
		var line lessonLine
		if err := json.Unmarshal(raw, &line); err != nil {
			return stored{}, fmt.Errorf("lesson %d: %w", k+1, err)
		}
		at, err := time.Parse(time.RFC3339, line.Learned)
		if err != nil || at.After(l.time().Add(trialTime)) {
			return stored{}, fmt.Errorf("lesson %d has no time in the past", k+1)
		}
		s := lesson{rule: line.Rule, at: at}
		if line.Remedy {
			s.remedy = remedyFor(s.rule)
		}
		switch {
		case l.stale(s):
		case line.Remedy != (s.remedy != ""), !line.Remedy && provider.CheckSwitch(s.rule) != nil,
			hasMore(raw):
			found.foreign = append(found.foreign, raw)
		default:
			found.lessons[about{line.scope, s.rule}] = s
		}
	}
	return found, nil
}

// hasMore reports whether a line has a member that this version does not know. It may narrow down
// the requests that the lesson is for.
func hasMore(line json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(new(lessonLine)) != nil
}

// endOfLesson is how a lesson ends in the file, and nothing else does.
const endOfLesson = "\n    }"

// uncut returns a file without the lesson in which a crash has cut it off.
func uncut(data []byte) []byte {
	data = bytes.TrimRight(data, "\x00") // blocks that were not written
	begin := fmt.Appendf(nil, "{\n  \"version\": %d,\n", learnedVersion)
	if bytes.HasPrefix(begin, bytes.TrimSpace(data)) {
		return bytes.Replace(begin, []byte(","), []byte("}"), 1)
	}
	if !bytes.HasPrefix(data, begin) || json.Valid(data) {
		return data
	}
	if k := bytes.LastIndex(data, []byte(endOfLesson)); k > 0 {
		return slices.Concat(data[:k], []byte(endOfLesson+"]}"))
	}
	k := bytes.LastIndex(data, []byte(",\n  \"")) // after the version or the key
	return slices.Concat(data[:max(k, len(begin)-len(",\n"))], []byte("}"))
}

// remedyFor returns the remedy that a lesson that came from a file needs, "" if it is none.
func remedyFor(id string) string {
	if _, ok := likeOf(id); ok {
		return dropNamedName
	}
	if _, ok := isPlainLesson(id); ok {
		return plainItemsName
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

// lines returns the form of the file.
func (s *stored) lines() learnedFile[any] {
	all := make([]lessonLine, 0, len(s.lessons))
	for key, lesson := range s.lessons {
		all = append(all, lessonLine{
			key.rule, lesson.at.UTC().Format(time.RFC3339Nano), lesson.remedy != "", key.scope,
		})
	}
	slices.SortFunc(all, func(a, b lessonLine) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.Model, b.Model),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Learned, b.Learned),
			strings.Compare(fmt.Sprint(a.scope), fmt.Sprint(b.scope)))
	})
	out := learnedFile[any]{Version: learnedVersion, Key: s.key, Lessons: []any{}}
	for _, line := range all {
		out.Lessons = append(out.Lessons, line)
	}
	for _, line := range s.foreign {
		out.Lessons = append(out.Lessons, line)
	}
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
