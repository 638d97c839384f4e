package wire

import "github.com/go-preflight/preflight"

// This file allocates parts in blocks: a long history has very many, and all live equally long.

// slabs have the parts of a history, and the lists of them.
type slabs struct {
	lists    slab[preflight.Part]
	texts    slab[preflight.Text]
	thoughts slab[preflight.Reasoning]
	calls    slab[preflight.ToolCall]
	results  slab[preflight.ToolResult]
	media    slab[preflight.Media]
	others   slab[preflight.Other]
}

// reset takes all parts and lists back.
func (s *slabs) reset() {
	s.lists.reset()
	s.texts.reset()
	s.thoughts.reset()
	s.calls.reset()
	s.results.reset()
	s.media.reset()
	s.others.reset()
}

// slab hands out values one by one. The zero slab is ready.
type slab[T any] struct {
	blocks [][]T
	block  int // the one being handed out
	used   int // values of it that are taken
}

// The sizes of a slab's blocks: small at first, so that a short body does not pay for a long one,
// then doubling up to a limit.
const (
	firstBlock = 4
	doublings  = 5
)

// take returns n adjacent zero values. Appending to them does not overwrite the next ones.
func (s *slab[T]) take(n int) []T {
	for s.block < len(s.blocks) && s.used+n > len(s.blocks[s.block]) {
		s.block, s.used = s.block+1, 0
	}
	if s.block == len(s.blocks) {
		s.blocks = append(s.blocks, make([]T, max(n, firstBlock<<min(s.block, doublings))))
	}
	out := s.blocks[s.block][s.used : s.used+n : s.used+n]
	s.used += n
	return out
}

// reset takes all values back and clears them, so that they can be handed out again.
func (s *slab[T]) reset() {
	for k := range min(s.block+1, len(s.blocks)) {
		clear(s.blocks[k])
	}
	s.block, s.used = 0, 0
}

// one returns a pointer to a value that holds v.
func (s *slab[T]) one(v T) *T {
	p := &s.take(1)[0]
	*p = v
	return p
}
