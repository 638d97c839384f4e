package bulk

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// This file shows on a terminal how far a run is.

// Progress is a line on a terminal that says how much is done, how fast, and how long the rest will
// take. It is safe for concurrent use.
type Progress struct {
	mu      sync.Mutex
	w       io.Writer
	now     func() time.Time
	total   int64
	skipped int64
	done    int64
	start   time.Time
	shown   time.Time
}

// NewProgress starts the line for so many bytes.
func NewProgress(w io.Writer, total int64, now func() time.Time) *Progress {
	return &Progress{w: w, now: now, total: total, start: now()}
}

// showEvery is how often the line is written.
const showEvery = 200 * time.Millisecond

// Add says that so many more bytes are done.
func (p *Progress) Add(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(bytes)
	if now := p.now(); now.Sub(p.shown) >= showEvery {
		p.shown = now
		p.show(now)
	}
}

// Skip says that so many bytes had been done before. They do not count as work.
func (p *Progress) Skip(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.skipped += bytes
}

// End clears the line.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprint(p.w, "\r\x1b[K")
}

func (p *Progress) show(now time.Time) {
	percent := 100.0
	if p.total > 0 {
		percent = 100 * float64(p.done+p.skipped) / float64(p.total)
	}
	fmt.Fprintf(p.w, "\r\x1b[K%5.1f %%", percent)
	seconds := now.Sub(p.start).Seconds()
	if seconds <= 0 || p.done == 0 {
		return
	}
	rate := float64(p.done) / seconds
	rest := time.Duration(float64(p.total-p.skipped-p.done) / rate * float64(time.Second))
	fmt.Fprintf(p.w, "  %.1f MB/s  %v left", rate/1e6, max(rest, 0).Round(time.Second))
}
