package command

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress is a line on a terminal that says how far the work is. A nil progress shows nothing.
type progress struct {
	w    io.Writer
	what string
	all  int

	mutex sync.Mutex
	done  int
	from  time.Time // when it is shown
	last  time.Time // when it was shown last
	shown bool
	timer *time.Timer
}

// quick is how long work takes that needs no progress.
const quick = time.Second

// progressOn returns the progress of a number of things; nil unless w is a terminal. It is shown
// when the work takes longer than a second, also if the first thing does.
func progressOn(w io.Writer, all int, what string) *progress {
	if !isTerminal(w) {
		return nil
	}
	return newProgress(w, all, what, quick)
}

func newProgress(w io.Writer, all int, what string, after time.Duration) *progress {
	p := &progress{w: w, what: what, all: all, from: time.Now().Add(after)}
	p.timer = time.AfterFunc(after, func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.show(time.Now())
	})
	return p
}

// step counts one more thing as done.
func (p *progress) step() {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done++
	if now := time.Now(); !now.Before(p.from) && now.Sub(p.last) > 100*time.Millisecond {
		p.show(now)
	}
}

func (p *progress) show(now time.Time) {
	p.last, p.shown = now, true
	const width = 30
	filled := width * p.done / max(p.all, 1)
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d %s\x1b[K", strings.Repeat("#", filled),
		strings.Repeat(".", width-filled), p.done, p.all, p.what)
}

// clear removes the line, so that something else can be printed.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// end removes the line for good.
func (p *progress) end() {
	if p != nil {
		p.timer.Stop()
		p.clear()
	}
}
