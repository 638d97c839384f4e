package preflighthttp

import (
	"errors"
	"sync"
)

// This file bounds the memory for bodies that are held at once.

// ErrBusy is the error of a request whose body did not fit into Transport.Budget, where
// Transport.Busy is Fail or Refuse.
var ErrBusy = errors.New("too many request bodies are held at once")

// Budget limits how many bytes of request bodies are held at once, by all Transports that share it;
// a nil Budget has no limit. A body counts from when it is read until its request was answered, and
// a repaired body counts in addition to the original. If the length of a body is known, room for it
// is taken before it is read. A Budget is safe for concurrent use.
type Budget struct {
	mu    sync.Mutex
	limit int64
	used  int64
}

// NewBudget returns a budget of the given number of bytes.
func NewBudget(bytes int64) *Budget { return &Budget{limit: bytes} }

// Used returns how many bytes are held.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Take takes n bytes and reports whether there was room for them; if not, nothing is taken.
// Gateways that use [Transport.Judge] take the length of a body before they read it.
func (b *Budget) Take(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n = max(n, 0); n > b.limit-b.used {
		return false
	}
	b.used += n
	return true
}

// Give returns n bytes that were taken.
func (b *Budget) Give(n int64) { b.add(-max(n, 0)) }

// add takes n bytes, also beyond the limit.
func (b *Budget) add(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = max(b.used+n, 0)
}

// share is what one request holds of a budget, which may be nil. It is for one goroutine.
type share struct {
	budget *Budget
	held   int64
}

// take takes n bytes more, and reports whether there was room for them.
func (s *share) take(n int64) bool {
	if s.budget == nil || n <= 0 {
		return true
	}
	if !s.budget.Take(n) {
		return false
	}
	s.held += n
	return true
}

// add takes n bytes more, also beyond the limit: for memory that is in use already.
func (s *share) add(n int64) {
	if s.budget != nil {
		s.budget.add(n)
		s.held += n
	}
}

// giveBack gives everything back.
func (s *share) giveBack() { s.add(-s.held) }
