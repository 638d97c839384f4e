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
// a nil Budget has no limit. A body counts as it arrives, whatever length its request announces, and
// until it was sent and its answer has begun; then its memory is released, too, unless the request
// that came has a GetBody: the one that is sent keeps one. A repaired body counts in addition to the
// original while it is made, and with Remedies until the answer begins. A Budget is safe for
// concurrent use.
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

// hasRoom reports whether there is room for n bytes, which are not taken.
func (b *Budget) hasRoom(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return n <= b.limit-b.used
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
