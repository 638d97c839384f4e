package remedy

import (
	"time"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// SetClock sets what time it is for a Learned.
func SetClock(l *Learned, now func() time.Time) { l.now = now }

// SlowDisk calls wait each time before the file of a Learned is written.
func SlowDisk(l *Learned, wait func()) {
	l.write = func(file string, lessons any) error {
		wait()
		return writeWhole(file, lessons)
	}
}

// Learnable are the rules that a file of lessons may name, and those for which it may say that they
// need a remedy.
func Learnable(remedy bool) (ids []string) {
	for _, r := range rule.All() {
		if remedy && remedyFor(r.ID) != "" || !remedy && provider.CheckSwitch(r.ID) == nil {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
