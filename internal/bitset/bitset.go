// Package bitset holds a set of small numbers, such as the indexes of messages.
package bitset

import "math/bits"

// Set is a set of the numbers below its size. The zero Set has the size 0.
type Set struct {
	words []uint64
	size  int
}

// Reset makes s an empty set of the numbers below size. It reuses the memory of s.
func (s *Set) Reset(size int) {
	n := (size + 63) / 64
	if clear(s.words); cap(s.words) < n {
		s.words = make([]uint64, n, 2*n)
	}
	s.words, s.size = s.words[:n], size
}

// Size returns the size of s.
func (s *Set) Size() int { return s.size }

// Add adds i, which has to be below the size.
func (s *Set) Add(i int) { s.words[i/64] |= 1 << (i % 64) }

// Has reports whether i is in the set. A number from the size on is not.
func (s *Set) Has(i int) bool { return i < s.size && s.words[i/64]&(1<<(i%64)) != 0 }

// Next returns the smallest number in the set that is not below i, or the size if there is none.
func (s *Set) Next(i int) int {
	for w := i / 64; w < len(s.words); w++ {
		if left := s.words[w] >> (i % 64); left != 0 {
			return i + bits.TrailingZeros64(left)
		}
		i = (w + 1) * 64
	}
	return s.size
}
