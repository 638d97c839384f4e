package preflighthttp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/internal/atomicfile"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file is the memory of refusals: which rules which host was seen to enforce for which model.
// learned_use.go has what a Transport does with it.

// Learned remembers what hosts refused, so that an unknown restriction costs one request once and
// not every request twice: when a refusal was explained as a rule, or named a member that the host
// does not know, and the request was accepted after a repair by one of Transport.Remedies, or refused
// for something else then, later requests to the same host and model are repaired for that before
// they are sent. Set Transport.Learned to use it; see RestrictionRemedies.
//
// What was learned is forgotten after a week, when the space is needed, or when a request that
// breaks the rule is accepted. The zero value is ready, and keeps nothing across restarts; see
// OpenLearned. A Learned may be shared by Transports and used concurrently.
type Learned struct {
	mu      sync.Mutex
	hosts   map[learnedKey]*lessons
	file    string // "" for none
	failure error  // of the last attempt to write the file

	now func() time.Time // nil is time.Now
}

// The bounds of what is remembered.
const (
	learnedLife  = 7 * 24 * time.Hour
	learnedHosts = 512 // pairs of a host and a model
	learnedRules = 16  // of a pair
)

// learnedKey is what a lesson is about. The model is "" where neither path nor body name one.
type learnedKey struct{ host, provider, model string }

// lessons are what was learned about a host and model.
type lessons struct {
	all      []lesson
	measured *provider.Measured // those that are switched by id; not changed once it is made
}

// lesson is one rule that was learned.
type lesson struct {
	rule   string // its id; or that of a like, for members that are dropped
	at     time.Time
	remedy string // the remedy that is needed, "" where switching the rule on does it
	form   remedyForm
}

// remedyForm is what the remedy strictest found: whose rules the repair followed.
type remedyForm struct {
	provider, model string
	portable        bool
}

// OpenLearned returns a Learned that is kept in a file, and writes the file when something is
// learned or unlearned. A file that does not exist is an empty one. The error is that of reading
// the file, or a *provider.MeasuredError in it.
func OpenLearned(file string) (*Learned, error) {
	l := &Learned{file: file}
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		return nil, err
	}
	var read learnedFile
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if read.Version != provider.MeasuredVersion {
		return nil, fmt.Errorf("%s: there is no version %d", file, read.Version)
	}
	for k := range read.Profiles {
		l.remember(&read.Profiles[k])
	}
	return l, nil
}

// learnedFile is the form of the file: a measured profile for each host and model.
type learnedFile struct {
	Version  int                 `json:"version"`
	Profiles []provider.Measured `json:"profiles"`
}

// remember takes a profile over from a file.
func (l *Learned) remember(m *provider.Measured) {
	at, err := time.Parse(time.RFC3339, m.Date)
	if err != nil {
		return // its age is not known
	}
	key := learnedKey{m.Against, m.Provider, m.Model}
	for _, id := range m.Enforced {
		l.add(key, lesson{rule: id, at: at})
	}
	for _, id := range m.Refused {
		if remedy := remedyFor(id); remedy != "" {
			l.add(key, lesson{rule: id, at: at, remedy: remedy})
		}
	}
}

// remedyFor is the remedy that a lesson that came from a file needs, "" if it is none.
func remedyFor(id string) string {
	if _, ok := likeOf(id); ok {
		return dropNamedName
	}
	if _, known := rule.ByID(id); !known {
		return ""
	}
	for _, r := range RestrictionRemedies() {
		if r.Apply != nil && (len(r.Rules) == 0 || slices.Contains(r.Rules, id)) {
			return r.Name
		}
	}
	return ""
}

// Profiles returns what is remembered: a measured profile for each host and model, in order. Its
// Against is the host. Rules that need a remedy are in Refused, and so are members that the host does
// not know, as "drop-named messages[].content[].cache_control type=text".
func (l *Learned) Profiles() []provider.Measured {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.profiles()
}

func (l *Learned) profiles() []provider.Measured {
	var out []provider.Measured
	for key, known := range l.hosts {
		m := provider.Measured{
			Version: provider.MeasuredVersion, Provider: key.provider, Model: key.model,
			Against: key.host, Enforced: []string{}, Lifted: []string{},
		}
		var oldest time.Time
		for _, s := range known.all {
			if l.stale(s) {
				continue
			}
			if oldest.IsZero() || s.at.Before(oldest) {
				oldest = s.at
			}
			if s.remedy == "" {
				m.Enforced = append(m.Enforced, s.rule)
			} else {
				m.Refused = append(m.Refused, s.rule)
			}
		}
		if m.Date = oldest.UTC().Format(time.RFC3339); !oldest.IsZero() {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b provider.Measured) int {
		return cmp.Or(strings.Compare(a.Against, b.Against), strings.Compare(a.Model, b.Model),
			strings.Compare(a.Provider, b.Provider))
	})
	return out
}

// Err returns why the file could not be written the last time; nil if it could, or if there is
// none.
func (l *Learned) Err() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failure
}

func (l *Learned) time() time.Time {
	if l.now != nil {
		return l.now()
	}
	return time.Now()
}

func (l *Learned) stale(s lesson) bool { return l.time().Sub(s.at) > learnedLife }

// about returns what is known of a host and model, and forgets what is too old.
func (l *Learned) about(key learnedKey) (all []lesson, measured *provider.Measured) {
	if l == nil {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.hosts[key]
	if known == nil {
		return nil, nil
	}
	if slices.ContainsFunc(known.all, l.stale) {
		known.set(slices.DeleteFunc(slices.Clone(known.all), l.stale))
	}
	return known.all, known.measured
}

// learn remembers a lesson, in place of an older one about the rule.
func (l *Learned) learn(key learnedKey, s lesson) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.at = l.time()
	l.add(key, s)
	l.save()
}

// unlearn forgets a rule.
func (l *Learned) unlearn(key learnedKey, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.hosts[key]; known != nil {
		known.set(slices.DeleteFunc(slices.Clone(known.all),
			func(s lesson) bool { return s.rule == id }))
		if len(known.all) == 0 {
			delete(l.hosts, key)
		}
		l.save()
	}
}

// add is learn without the file.
func (l *Learned) add(key learnedKey, s lesson) {
	known := l.hosts[key]
	if known == nil {
		if l.hosts == nil {
			l.hosts = map[learnedKey]*lessons{}
		}
		if len(l.hosts) >= learnedHosts {
			l.forgetOldest()
		}
		known = new(lessons)
		l.hosts[key] = known
	}
	all := slices.DeleteFunc(slices.Clone(known.all),
		func(old lesson) bool { return old.rule == s.rule })
	if len(all) >= learnedRules {
		all = all[1:]
	}
	known.set(append(all, s))
}

// forgetOldest makes room for another host and model.
func (l *Learned) forgetOldest() {
	var oldest learnedKey
	var at time.Time
	for key, known := range l.hosts {
		if n := len(known.all); n == 0 {
			oldest = key
			break
		} else if last := known.all[n-1].at; at.IsZero() || last.Before(at) {
			oldest, at = key, last
		}
	}
	delete(l.hosts, oldest)
}

// set replaces the lessons. Readers keep the list that they have.
func (k *lessons) set(all []lesson) {
	k.all, k.measured = all, nil
	var ids []string
	for _, s := range all {
		if s.remedy == "" {
			ids = append(ids, s.rule)
		}
	}
	if len(ids) > 0 {
		k.measured = &provider.Measured{Version: provider.MeasuredVersion, Enforced: ids}
	}
}

// save writes the file, whole or not at all.
func (l *Learned) save() {
	if l.file == "" {
		return
	}
	l.failure = writeWhole(l.file, learnedFile{provider.MeasuredVersion, l.profiles()})
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
