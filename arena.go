package preflight

// This file is the memory that a draft works in: a long history has very many small slices that live as long as each other.

// arena hands out slices of one block of memory after the other, each twice the size of the last. It keeps the last one from
// history to history, so nothing that it handed out may outlive the draft. The zero arena is ready.
type arena[T any] struct {
	block []T
	used  int // how much of block was handed out; the rest is zero
}

// smallestBlock is how many values the first block has.
const smallestBlock = 128

// take returns n zero values; appending to them copies.
func (a *arena[T]) take(n int) []T {
	if n > len(a.block)-a.used {
		a.block, a.used = make([]T, max(smallestBlock, 2*len(a.block), n)), 0
	}
	out := a.block[a.used : a.used+n : a.used+n]
	a.used += n
	return out
}

// push appends v to s, which is moved to a slice twice its size when it is full.
func (a *arena[T]) push(s []T, v T) []T {
	if len(s) == cap(s) {
		larger := a.take(max(4, 2*len(s)))[:len(s)]
		copy(larger, s)
		s = larger
	}
	return append(s, v)
}

// reset takes everything back and lets go of what it holds. It costs what was handed out, never what an earlier history needed.
func (a *arena[T]) reset() {
	clear(a.block[:a.used])
	a.used = 0
}
