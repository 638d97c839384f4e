package remedy

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// This file is how processes share a file of lessons: one at a time reads what others have written,
// takes it over, and replaces the file.

// patience is how long another process may have the file.
const patience = 3 * time.Second

// save writes the file, whole or not at all. It is called with the lock of l, which it gives back
// in the meantime: a slow disk holds up no other request, and what is learned then is written next.
// After a failure, it is called again when a lesson is used.
func (l *Learned) save() {
	l.unsaved = l.file != ""
	if l.saving {
		return
	}
	l.saving = true
	for l.unsaved {
		l.unsaved = false
		l.mu.Unlock()
		err := l.update()
		l.mu.Lock()
		l.failure = err
	}
	l.saving = false
	l.retry = l.time().Add(retryTime) // counts if it failed
}

// update takes over what others have written, and writes the file.
func (l *Learned) update() error {
	unlock, err := atomicfile.Lock(l.file, patience)
	if err != nil {
		return err
	}
	defer unlock()
	found, err := l.load()
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.takeOver(found)
	next := l.toStore()
	write := l.write
	l.mu.Unlock()
	if write == nil {
		write = writeWhole
	}
	if err := write(l.file, next.lines()); err != nil {
		return err
	}
	l.mu.Lock()
	l.stored = next
	l.mu.Unlock()
	return nil
}

// takeOver makes the changes that others made to the file since it was read or written: what they
// have learned and unlearned.
func (l *Learned) takeOver(found stored) {
	if found.lessons == nil {
		return
	}
	if found.key != "" && found.key != string(l.secret) {
		if l.secret != nil { // hashes of another key say nothing
			l.hosts, l.stored = nil, stored{}
		}
		l.secret = []byte(found.key)
	}
	for key, was := range l.stored.lessons {
		_, there := found.lessons[key]
		if !there && !found.cut && !l.knowsNewer(key, was.at) {
			l.remove(key.scope, key.rule)
		}
	}
	for key, s := range found.lessons {
		was, known := l.stored.lessons[key]
		if (!known || s.at.After(was.at)) && !l.knowsNewer(key, s.at) {
			l.add(key.scope, s)
		}
	}
	l.stored = found
}

// knowsNewer reports whether a lesson was learned here after a time.
func (l *Learned) knowsNewer(key about, at time.Time) bool {
	known := l.hosts[key.scope]
	return known != nil && slices.ContainsFunc(known.all, func(s lesson) bool {
		return s.rule == key.rule && s.at.After(at)
	})
}

// toStore returns what the file is to have.
func (l *Learned) toStore() stored {
	next := stored{
		key: string(l.keyLocked()), lessons: map[about]lesson{}, foreign: l.stored.foreign,
	}
	for key, known := range l.hosts {
		for _, s := range known.all {
			if !l.stale(s) {
				next.lessons[about{key, s.rule}] = s
			}
		}
	}
	return next
}

// sharedKey returns the key of the file, and writes one into it if it has none, so that processes
// that begin together understand what the others write. It is nil if that is not possible.
func (l *Learned) sharedKey() []byte {
	unlock, err := atomicfile.Lock(l.file, patience)
	if err != nil {
		return nil
	}
	defer unlock()
	found, err := l.load()
	if err != nil {
		return nil
	}
	if found.key == "" {
		found.key = rand.Text()
		if writeWhole(l.file, found.lines()) != nil {
			return nil
		}
	}
	return []byte(found.key)
}
