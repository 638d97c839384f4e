package wire

// This file allocates the parts of a body in blocks: a long history has very many of them, and they live as long as each
// other.

// slab hands out values one by one. The zero slab is ready.
type slab[T any] struct {
	free []T
	size int
}

// The sizes of a slab's blocks: small at first, so that a short body does not pay for a long one.
const (
	firstBlock   = 4
	biggestBlock = 128
)

// take returns n adjacent zero values; appending to them does not reach the next ones.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.size = min(max(2*s.size, firstBlock), biggestBlock)
		if n > s.size {
			return make([]T, n)
		}
		s.free = make([]T, s.size)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// one returns a pointer to a value that holds v.
func (s *slab[T]) one(v T) *T {
	p := &s.take(1)[0]
	*p = v
	return p
}
