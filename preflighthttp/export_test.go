package preflighthttp

import (
	"time"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// SetClock sets what time it is for a Learned.
func SetClock(l *Learned, now func() time.Time) { l.now = now }

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
