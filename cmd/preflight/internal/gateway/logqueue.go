package gateway

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// This file keeps a reader of the log that is stuck from holding up requests.

// maxQueued is how many lines of the log wait to be written.
const maxQueued = 4096

// LogQueue is a writer of lines that never waits: a goroutine writes them, and what comes while too
// many lines wait is dropped and counted.
type LogQueue struct {
	lines   chan []byte
	done    chan struct{}
	close   sync.Once
	mu      sync.RWMutex // held for writing by Close
	closed  bool
	dropped atomic.Int64
}

// NewLogQueue returns a queue of lines for w.
func NewLogQueue(w io.Writer) *LogQueue {
	q := &LogQueue{lines: make(chan []byte, maxQueued), done: make(chan struct{})}
	go func() {
		defer close(q.done)
		for line := range q.lines {
			if _, err := w.Write(line); err != nil {
				q.dropped.Add(1)
			}
		}
	}()
	return q
}

// Write queues a line, or drops it. It never fails.
func (q *LogQueue) Write(line []byte) (int, error) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		q.dropped.Add(1)
		return len(line), nil
	}
	select {
	case q.lines <- slices.Clone(line):
	default:
		q.dropped.Add(1)
	}
	return len(line), nil
}

// Dropped returns how many lines were dropped.
func (q *LogQueue) Dropped() int64 {
	if q == nil {
		return 0
	}
	return q.dropped.Load()
}

// Close waits until the lines are written, for as long as limit.
func (q *LogQueue) Close(limit time.Duration) {
	q.close.Do(func() {
		q.mu.Lock()
		q.closed = true
		q.mu.Unlock()
		close(q.lines)
	})
	select {
	case <-q.done:
	case <-time.After(limit):
	}
}
