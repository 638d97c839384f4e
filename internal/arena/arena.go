// Package arena hands out short slices of few large blocks of memory.
package arena

// Arena hands out slices of one block of memory after the other, each twice the size of the last.
// It keeps the last one from history to history, so nothing that it handed out may outlive the
// draft. The zero Arena is ready.
type Arena[T any] struct {
	Block []T
	Used  int // how much of Block was handed out; the rest is zero
}

// smallestBlock is how many values the first block has.
const smallestBlock = 128

// Take returns n zero values; appending to them copies.
func (a *Arena[T]) Take(n int) []T {
	if n > len(a.Block)-a.Used {
		a.Block, a.Used = make([]T, max(smallestBlock, 2*len(a.Block), n)), 0
	}
	out := a.Block[a.Used : a.Used+n : a.Used+n]
	a.Used += n
	return out
}

// Push appends v to s, which is moved to a slice twice its size when it is full.
func (a *Arena[T]) Push(s []T, v T) []T {
	if len(s) == cap(s) {
		larger := a.Take(max(4, 2*len(s)))[:len(s)]
		copy(larger, s)
		s = larger
	}
	return append(s, v)
}

// Reset takes everything back and lets go of what it holds. It costs what was handed out, never
// what an earlier history needed.
func (a *Arena[T]) Reset() {
	clear(a.Block[:a.Used])
	a.Used = 0
}
