package remedy

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/provider"
)

// This file is the memory of refusals: which rules which host was seen to enforce, and for whom.
// learned_scope.go says whose a lesson is, learned_use.go what a Case does with it, and
// learned_file.go and learned_merge.go keep it.

// Learned remembers what hosts refused, so that an unknown restriction costs one request once and
// not every request twice. It learns from a refusal that was explained as a rule, or that named a
// member or was about a type of item that the host does not know, if a remedy helped: the second
// request was accepted, or refused for something else. Later requests are repaired for that before
// they are sent. Use it with Restrictions or All, as the Learned of a preflighthttp.Transport.
//
// A lesson holds for requests that share with the refused one all that may have caused the refusal:
// the host and the path, format, model, the version of the API, beta features, the credential and
// the tenant (see preflighthttp.WithTenant), and the members of the body that may choose an
// upstream or a mode. A lesson that would change an author or remove content waits until the next
// request is refused, and then the second request follows it together with the others.
//
// A lesson is forgotten after a week, when the space is needed, or when a request that breaks the
// rule is accepted. To find out, one request in 100, and one a day, is sent without it. The zero
// value is ready, and keeps nothing across restarts; see Open. A Learned may be shared by
// Transports and used concurrently.
type Learned struct {
	// AcrossCredentials lets a lesson hold for requests with any credential and of any tenant. Set
	// it before the first request.
	AcrossCredentials bool

	mu      sync.Mutex
	hosts   map[scope]*lessons
	file    string    // "" for none
	stored  stored    // what it had when it was last read or written
	failure error     // of the last attempt to write the file, or to read it
	secret  []byte    // the key of hashes; nil until it is needed
	unsaved bool      // the file lacks what was learned last
	saving  bool      // a goroutine writes the file
	retry   time.Time // when a file that could not be written is tried again

	now   func() time.Time                     // nil is time.Now
	write func(file string, lessons any) error // nil is writeWhole
}

// The bounds of what is remembered.
const (
	learnedLife  = 7 * 24 * time.Hour
	learnedHosts = 512 // scopes
	learnedRules = 16  // of a scope
)

// Once in this many uses, and once in this time, a request is sent without a lesson.
const (
	trialUses = 100
	trialTime = 24 * time.Hour
)

// retryTime is how long after a failure the file is written again.
const retryTime = time.Minute

// lessons are what was learned about a scope.
type lessons struct {
	all      []lesson
	measured *provider.Measured   // those that are switched by id; not changed once it is made
	used     map[string]int       // how often each was used since it was tried without, by rule
	tried    map[string]time.Time // when that was
}

// lesson is one rule that was learned.
type lesson struct {
	rule   string // its id; or that of a like, for members that are dropped
	at     time.Time
	remedy string // the remedy that is needed, "" where switching the rule on does it
}

// Profiles returns what is remembered: a measured profile for each kind of request, in order. Its
// Against is the host. Rules that need a remedy are in Refused, and so are members that the host
// does not know, as "drop-named messages[].content[].cache_control type=text", and that it does not
// know all types of items, as "plain-items" or, with one of them, "plain-items custom_tool".
func (l *Learned) Profiles() []provider.Measured {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []provider.Measured
	for key, known := range l.hosts {
		m := provider.Measured{
			Version: provider.MeasuredVersion, Provider: key.Provider, Model: key.Model,
			Against: key.Host, Enforced: []string{}, Lifted: []string{},
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
			strings.Compare(a.Provider, b.Provider), slices.Compare(a.Enforced, b.Enforced),
			slices.Compare(a.Refused, b.Refused), strings.Compare(a.Date, b.Date))
	})
	return out
}

// Err returns why the file could not be read, or not be written the last time; nil if it could, or
// if there is none.
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

// key returns the key of the hashes.
func (l *Learned) key() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.secret == nil && l.file != "" {
		l.mu.Unlock()
		shared := l.sharedKey()
		l.mu.Lock()
		if l.secret == nil {
			l.secret = shared
		}
	}
	return l.keyLocked()
}

func (l *Learned) keyLocked() []byte {
	if l.secret == nil {
		l.secret = []byte(rand.Text())
	}
	return l.secret
}

// empty reports whether nothing was learned of a host, so that no scope has to be found out.
func (l *Learned) empty(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.hosts {
		if key.Host == host {
			return false
		}
	}
	return true
}

// about returns what is known of a scope, and forgets what is too old.
func (l *Learned) about(key scope) (all []lesson, measured *provider.Measured) {
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

// due counts a use of lessons, by their rules, and returns those that this request is to be sent
// without. It writes the file if that failed before.
func (l *Learned) due(key scope, rules []string) (without []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.hosts[key]
	if known == nil {
		return nil
	}
	for _, s := range known.all {
		if !slices.Contains(rules, s.rule) {
			continue
		}
		since := s.at
		if last := known.tried[s.rule]; last.After(since) {
			since = last
		}
		known.used[s.rule]++
		if known.used[s.rule] >= trialUses || l.time().Sub(since) > trialTime {
			known.used[s.rule], known.tried[s.rule] = 0, l.time()
			without = append(without, s.rule)
		}
	}
	if l.failure != nil && l.time().After(l.retry) {
		l.save()
	}
	return without
}

// learn remembers a lesson, in place of an older one about the rule.
func (l *Learned) learn(key scope, s lesson) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.at = l.time().UTC() // as in the file
	l.add(key, s)
	l.save()
}

// unlearn forgets a rule.
func (l *Learned) unlearn(key scope, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remove(key, id) {
		l.save()
	}
}

// remove is unlearn without the file. It reports whether anything was known of the scope.
func (l *Learned) remove(key scope, id string) bool {
	known := l.hosts[key]
	if known == nil {
		return false
	}
	known.set(slices.DeleteFunc(slices.Clone(known.all),
		func(s lesson) bool { return s.rule == id }))
	if len(known.all) == 0 {
		delete(l.hosts, key)
	}
	return true
}

// add is learn without the file. The lessons of a scope are in the order of their times.
func (l *Learned) add(key scope, s lesson) {
	known := l.hosts[key]
	if known == nil {
		if l.hosts == nil {
			l.hosts = map[scope]*lessons{}
		}
		known = &lessons{used: map[string]int{}, tried: map[string]time.Time{}}
		l.hosts[key] = known
	}
	all := slices.DeleteFunc(slices.Clone(known.all),
		func(old lesson) bool { return old.rule == s.rule })
	all = append(all, s)
	slices.SortFunc(all, func(a, b lesson) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.rule, b.rule))
	})
	known.used[s.rule] = 0
	known.set(all[max(0, len(all)-learnedRules):])
	if len(l.hosts) > learnedHosts {
		l.forgetOldest()
	}
}

// forgetOldest forgets the scope of which nothing was learned for the longest time.
func (l *Learned) forgetOldest() {
	var oldest scope
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
	k.all, k.measured = all, enforcing(all)
	for rule := range k.used {
		if !slices.ContainsFunc(all, func(s lesson) bool { return s.rule == rule }) {
			delete(k.used, rule)
			delete(k.tried, rule)
		}
	}
}

// enforcing returns the measured profile of the lessons that are switched by id, nil for none.
func enforcing(all []lesson) *provider.Measured {
	var ids []string
	for _, s := range all {
		if s.remedy == "" {
			ids = append(ids, s.rule)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return &provider.Measured{Version: provider.MeasuredVersion, Enforced: ids}
}
