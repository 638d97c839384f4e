// Package lazy lets package wire hand a history to package preflight before all of its texts are
// read: most histories are valid, and of a long text the checks need the end alone. A repair first
// reads them all, so that no fixer, hook or function of the caller sees a shortened one.
package lazy

import (
	"context"
	"slices"
	"unsafe"
)

// Context is the context of a history whose long texts are shortened to their ends: each of them
// is blank if the whole text is, and ends as that does. Whatever needs more of a text must have it
// read by Texts before.
type Context struct {
	context.Context
	Texts Texts
}

// Texts are the texts of a history.
type Texts interface {
	// Load reads all texts in full, once: later calls do nothing.
	Load()
	// LoadText reads one text in full: one of the history, or a copy of it that was made before
	// it was read. Any other text stays as it is.
	LoadText(text *string)
}

// TextsOf returns the texts of ctx's history, nil if all of them are read.
func TextsOf(ctx context.Context) Texts {
	if c, ok := ctx.(*Context); ok {
		return c.Texts
	}
	return nil
}

// Ends are the ends of shortened texts, each in memory of its own, so that a text, or a copy of it,
// is recognized by its memory. The zero Ends is empty and ready.
type Ends struct {
	blocks []block // each larger than the one before it
	used   int     // how many blocks hold ends
	n      int     // how many ends there are
}

// block holds ends one after the other.
type block struct {
	bytes  []byte
	starts []uint32
	first  int // the number of its first end
}

// The size of the first block, and how often the sizes double.
const (
	firstBlock = 1 << 10
	doublings  = 16
)

// Add copies an end, which must not be empty, and returns the copy. The ends are numbered from 0.
func (e *Ends) Add(end string) string {
	for e.used == 0 || !e.blocks[e.used-1].fits(end) {
		if e.used == len(e.blocks) {
			size := max(firstBlock<<min(e.used, doublings), len(end))
			e.blocks = append(e.blocks, block{bytes: make([]byte, 0, size)})
		}
		e.blocks[e.used].first = e.n
		e.used++
	}
	b := &e.blocks[e.used-1]
	start := len(b.bytes)
	b.bytes, b.starts = append(b.bytes, end...), append(b.starts, uint32(start))
	e.n++
	return unsafe.String(&b.bytes[start], len(end))
}

func (b *block) fits(end string) bool { return len(end) <= cap(b.bytes)-len(b.bytes) }

// Find returns the number of an end that Add returned; ok is false for any other text.
func (e *Ends) Find(text string) (k int, ok bool) {
	if text == "" {
		return 0, false
	}
	at := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	for i := range e.blocks[:e.used] {
		b := &e.blocks[i]
		start := at - uintptr(unsafe.Pointer(unsafe.SliceData(b.bytes)))
		if start >= uintptr(len(b.bytes)) { // also if it is before the block
			continue
		}
		k, ok = slices.BinarySearch(b.starts, uint32(start))
		end := len(b.bytes)
		if ok && k+1 < len(b.starts) {
			end = int(b.starts[k+1])
		}
		return b.first + k, ok && end-int(start) == len(text)
	}
	return 0, false
}

// Reset forgets all ends and keeps the memory, in which the next ones are. No text may refer to it.
func (e *Ends) Reset() {
	for i := range e.blocks[:e.used] {
		b := &e.blocks[i]
		b.bytes, b.starts = b.bytes[:0], b.starts[:0]
	}
	e.used, e.n = 0, 0
}
